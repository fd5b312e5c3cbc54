/** Accounts on the embedded database. A name belongs to one of them. */
import type { DatabaseSync } from 'node:sqlite';
import { openBalanceSteps } from '../../ledger/sqlite/balances.ts';
import type { Adjustment } from '../../ledger/store.ts';
import { type AuditEntry, openAudit } from '../../storage/audit.ts';
import { ACCOUNT_COLUMNS, type AccountChanges, accountSettings, asAccount } from '../rows.ts';
import type { AccountRecord } from '../store.ts';
import { prepare, update } from './rows.ts';

const selectAccounts = `SELECT ${ACCOUNT_COLUMNS} FROM accounts`;

export function openAccountReads(connection: DatabaseSync) {
  // An account with this id wins over an account with this name.
  const one = prepare(connection, `${selectAccounts} WHERE id = :key OR name = :key ORDER BY id = :key DESC LIMIT 1`);
  const all = prepare(connection, `${selectAccounts} ORDER BY created_at, rowid`);
  return {
    findAccount: (idOrName: string): AccountRecord | undefined => one.all({ key: idOrName }).map(asAccount)[0],
    listAccounts: (): readonly AccountRecord[] => all.all().map(asAccount),
  };
}

export interface NewAccount {
  readonly account: AccountRecord;
  readonly audit: AuditEntry;
  readonly opening?: Adjustment | undefined;
}

export interface AccountEdit {
  readonly id: string;
  readonly changes: AccountChanges;
  readonly audit: AuditEntry;
}

export function openAccountSteps(connection: DatabaseSync) {
  const insert = prepare(
    connection,
    `INSERT INTO accounts (id, created_at, name, group_name, limits, suspended_at, self_service)
    VALUES (:id, :created_at, :name, :group_name, :limits, :suspended_at, :self_service) ON CONFLICT (name) DO NOTHING`,
  );
  const known = prepare(connection, 'SELECT 1 FROM accounts WHERE id = ?');
  const namesake = prepare(connection, 'SELECT 1 FROM accounts WHERE name = ? AND id <> ?');
  const write = openAudit(connection);
  const { adjust } = openBalanceSteps(connection);
  return {
    addAccount({ account, audit, opening }: NewAccount): boolean {
      const { changes } = insert.run({ id: account.id, created_at: account.createdAt, self_service: null, ...accountSettings(account) });
      if (Number(changes) === 0) return false;
      // An account without its opening balance must not exist: the error undoes both.
      if (opening && adjust(opening).kind !== 'adjusted') throw new RangeError('the opening balance cannot be booked');
      write(audit);
      return true;
    },
    editAccount({ id, changes, audit }: AccountEdit): 'edited' | 'name_taken' | 'unknown' {
      if (known.get(id) === undefined) return 'unknown';
      if (changes.name !== undefined && namesake.get(changes.name, id) !== undefined) return 'name_taken';
      if (update(connection, 'accounts', id, accountSettings(changes))) write(audit);
      return 'edited';
    },
  };
}
