/** Finds keys and accounts by what an operator has of them; each look-up is one of an index, on both databases. */
import type { Read } from '../storage/shared-reads.ts';
import { behind } from './lists.ts';
import { ACCOUNT_COLUMNS, asAccount, asKey, KEY_COLUMNS } from './rows.ts';
import type { AccountRecord, KeyRecord } from './store.ts';

const KEYS = `SELECT ${KEY_COLUMNS}, ${ACCOUNT_COLUMNS} FROM keys JOIN accounts ON accounts.id = keys.account_id`;
const ACCOUNTS = `SELECT ${ACCOUNT_COLUMNS} FROM accounts`;
const inRange = (column: string): string => `WHERE ${column} >= ?1 AND ${column} < ?2 ORDER BY ${column} LIMIT ?3`;

/** The statements, for the test of their plans. */
export const searchSql = {
  keysByFour: `${KEYS} WHERE keys.last_four = ?1 ORDER BY keys.created_at DESC LIMIT ?2`,
  keysById: `${KEYS} ${inRange('keys.id')}`,
  accountsById: `${ACCOUNTS} ${inRange('accounts.id')}`,
  accountsByName: `${ACCOUNTS} ${inRange('accounts.name')}`,
} as const;

/** By the beginning of the id, and by the last four characters, the newest of those first. */
export async function findKeys(ask: Read, q: string, most: number): Promise<readonly KeyRecord[]> {
  const byId = (await ask(searchSql.keysById, [q, behind(q), most])).map(asKey);
  const byFour = (await ask(searchSql.keysByFour, [q, most])).map(asKey);
  return [...byFour, ...byId.filter(({ id }) => byFour.every((other) => other.id !== id))];
}

/** By the beginning of the id or of the name. */
export async function findAccounts(ask: Read, q: string, most: number): Promise<readonly AccountRecord[]> {
  const byId = (await ask(searchSql.accountsById, [q, behind(q), most])).map(asAccount);
  const byName = (await ask(searchSql.accountsByName, [q, behind(q), most])).map(asAccount);
  return [...byId, ...byName.filter(({ id }) => byId.every((other) => other.id !== id))];
}
