/** Accounts on PostgreSQL. A name belongs to one of them. */
import { adjust } from '../../ledger/postgres/balances.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import { isTaken } from '../../storage/postgres/failures.ts';
import type { Postgres } from '../../storage/postgres/pool.ts';
import { canBeKept } from '../../storage/postgres/rows.ts';
import { ACCOUNT_COLUMNS, accountSettings, asAccount } from '../rows.ts';
import type { AccessStore } from '../store.ts';
import { insert, locked, update } from './changes.ts';

const selectAccounts = `SELECT ${ACCOUNT_COLUMNS} FROM accounts`;
// An account with this id wins over an account with this name.
const one = { text: `${selectAccounts} WHERE id = $1 OR name = $1 ORDER BY (id = $1) DESC LIMIT 1` };
const all = { text: `${selectAccounts} ORDER BY created_at, place` };

export function openAccounts(postgres: Postgres): Pick<AccessStore, 'addAccount' | 'findAccount' | 'listAccounts' | 'editAccount'> {
  return {
    addAccount: (account, audit, opening) =>
      postgres.transaction('write', async (queries) => {
        const columns = { id: account.id, created_at: account.createdAt, ...accountSettings(account) };
        const added = await insert(queries, 'accounts', columns, 'ON CONFLICT (name) DO NOTHING RETURNING id');
        if (added.length === 0) return false;
        // An account without its opening balance must not exist: the error undoes both.
        if (opening && (await adjust(queries, opening)).kind !== 'adjusted') throw new RangeError('the opening balance cannot be booked');
        await writeAudit(queries, audit);
        return true;
      }),
    async findAccount(idOrName) {
      if (!canBeKept(idOrName)) return undefined;
      return (await postgres.query(one, [idOrName])).map(asAccount)[0];
    },
    listAccounts: async () => (await postgres.work(all)).map(asAccount),
    async editAccount(id, changes, audit) {
      try {
        return await postgres.transaction('write', async (queries) => {
          if (!(await locked(queries, 'accounts', id))) return 'unknown';
          if (await update(queries, 'accounts', id, accountSettings(changes))) await writeAudit(queries, audit);
          return 'edited';
        });
      } catch (error) {
        if (isTaken(error)) return 'name_taken';
        throw error;
      }
    },
  };
}
