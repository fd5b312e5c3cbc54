/** Finds keys and accounts by the start of an ID or name, and keys also by their last four characters. */

import type { Read } from '../store/audit.ts';
import { getPrefixEnd } from './pages.ts';
import { ACCOUNT_COLUMNS, type AccountRecord, KEY_COLUMNS, type KeyRecord, toAccount, toKeyRecord } from './store.ts';

const SELECT_KEYS = `SELECT ${KEY_COLUMNS}, ${ACCOUNT_COLUMNS} FROM keys JOIN accounts ON accounts.id = keys.account_id`;

const SELECT_ACCOUNTS = `SELECT ${ACCOUNT_COLUMNS} FROM accounts`;

const buildRangeClause = (column: string): string => `WHERE ${column} >= ?1 AND ${column} < ?2 ORDER BY ${column} LIMIT ?3`;

/** Exported for the test of their query plans. */
export const searchSql = {
  keysByFour: `${SELECT_KEYS} WHERE keys.last_four = ?1 ORDER BY keys.created_at DESC LIMIT ?2`,
  keysById: `${SELECT_KEYS} ${buildRangeClause('keys.id')}`,
  accountsById: `${SELECT_ACCOUNTS} ${buildRangeClause('accounts.id')}`,
  accountsByName: `${SELECT_ACCOUNTS} ${buildRangeClause('accounts.name')}`,
} as const;

/** Finds keys by the start of the ID, and by the last four characters (newest first). */
export async function findKeys(runQuery: Read, q: string, limit: number): Promise<readonly KeyRecord[]> {
  const byId = (await runQuery(searchSql.keysById, [q, getPrefixEnd(q), limit])).map(toKeyRecord);
  const byLastFour = (await runQuery(searchSql.keysByFour, [q, limit])).map(toKeyRecord);
  return [...byLastFour, ...byId.filter(({ id }) => byLastFour.every((other) => other.id !== id))];
}

/** Finds accounts by the start of the ID or name. */
export async function findAccounts(runQuery: Read, q: string, limit: number): Promise<readonly AccountRecord[]> {
  const byId = (await runQuery(searchSql.accountsById, [q, getPrefixEnd(q), limit])).map(toAccount);
  const byName = (await runQuery(searchSql.accountsByName, [q, getPrefixEnd(q), limit])).map(toAccount);
  return [...byId, ...byName.filter(({ id }) => byId.every((other) => other.id !== id))];
}
