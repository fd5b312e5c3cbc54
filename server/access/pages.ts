/** Reads pages of keys, accounts, and the audit log. The database filters them, with the same SQL on SQLite and PostgreSQL. */

import { MAX_CAP_SHARE } from '../money/caps-sql.ts';
import { getCapStarts } from '../money/period.ts';
import type { Read, ReadValue } from '../store/audit.ts';
import { getSpendStart } from './spend.ts';
import {
  ACCOUNT_COLUMNS,
  type AccountRecord,
  type AuditRecord,
  KEY_COLUMNS,
  type KeyRecord,
  toAccount,
  toAuditRecord,
  toKeyRecord,
} from './store.ts';

/** `after`: the ID of the entry before the page. Without `sort`, the oldest come first. */
interface ListPage<Sort extends string> {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly sort?: Sort | 'created' | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
}
type KeySort = 'name' | 'account' | 'charged_30d' | 'cap_used' | 'last_used';
type AccountSort = 'name' | 'group' | 'available' | 'charged_30d';

type KeyState = 'active' | 'suspended' | 'expired' | 'revoked';
export interface KeyFilter {
  readonly accountId?: string | undefined;
  readonly group?: string | undefined;
  readonly state?: KeyState | undefined;
  /** Part of the name, the start of the ID, or the last four characters of the key. */
  readonly q?: string | undefined;
  /** The current time, in milliseconds since 1970. The state of a key depends on it. */
  readonly at: number;
}

interface AccountFilter {
  /** The current time, in milliseconds since 1970. */
  readonly at: number;
  readonly group?: string | undefined;
  readonly state?: 'active' | 'suspended' | undefined;
  /** Part of the name, or the start of the ID. */
  readonly q?: string | undefined;
}

interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  /** Milliseconds since 1970. `from` is inclusive, `to` is exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** An entry's number. The page starts with the previous entry. */
  readonly before?: number | undefined;
}

interface ListQuery {
  readonly sql: string;
  readonly values: readonly ReadValue[];
}

/** Conditions joined with AND, and their values. */
class WhereClause {
  readonly values: ReadValue[] = [];
  readonly #conditions: string[] = [];

  /** Each `?` in the condition takes the next value. */
  add(condition: string, ...values: readonly ReadValue[]): this {
    let valueIndex = 0;
    this.#conditions.push(condition.replaceAll('?', () => this.addParameter(values[valueIndex++] ?? null)));
    return this;
  }

  /** Adds no condition if the value is undefined. */
  addOptional(condition: string, value: ReadValue | undefined): this {
    return value === undefined ? this : this.add(condition, value);
  }

  addParameter(value: ReadValue): string {
    return `?${this.values.push(value)}`;
  }

  get text(): string {
    return this.#conditions.length === 0 ? '' : `WHERE ${this.#conditions.join(' AND ')}`;
  }
}

/** Sorts after every text with this prefix, in byte order. */
export const getPrefixEnd = (prefix: string): string => `${prefix}\u{10ffff}`;
/** Builds a LIKE pattern that matches any lowercase text containing this one. */
const toLikePattern = (text: string): string => `%${text.toLowerCase().replace(/[!%_]/g, '!$&')}%`;

const EXPIRED_CONDITION = '(keys.expires_at IS NOT NULL AND keys.expires_at <= ?)';
const ACTIVE_CONDITION = `keys.revoked_at IS NULL AND NOT ${EXPIRED_CONDITION}`;

/** Same states as `getKeyState` in the operators' API. */
function addStateFilter(where: WhereClause, state: KeyState | undefined, at: number): WhereClause {
  switch (state) {
    case 'revoked':
      return where.add('keys.revoked_at IS NOT NULL');
    case 'expired':
      return where.add(`keys.revoked_at IS NULL AND ${EXPIRED_CONDITION}`, at);
    case 'suspended':
      return where.add(`${ACTIVE_CONDITION} AND accounts.suspended_at IS NOT NULL`, at);
    case 'active':
      return where.add(`${ACTIVE_CONDITION} AND accounts.suspended_at IS NULL`, at);
    default:
      return where;
  }
}

const KEY_SEARCH_CONDITION =
  "(lower(keys.name) LIKE ? ESCAPE '!' OR lower(accounts.name) LIKE ? ESCAPE '!' OR keys.last_four = ? OR (keys.id >= ? AND keys.id < ?))";
const ACCOUNT_SEARCH_CONDITION = "(lower(accounts.name) LIKE ? ESCAPE '!' OR (accounts.id >= ? AND accounts.id < ?))";

export function buildKeysQuery({ accountId, group, state, q, at }: KeyFilter, page: ListPage<KeySort>): ListQuery {
  const where = new WhereClause();
  const sort = page.sort && page.sort !== 'created' ? keySorts[page.sort](where, at) : null;
  where.addOptional('keys.account_id = ?', accountId).addOptional('accounts.group_name = ?', group);
  if (q !== undefined) where.add(KEY_SEARCH_CONDITION, toLikePattern(q), toLikePattern(q), q, q, getPrefixEnd(q));
  addStateFilter(where, state, at);
  const from = 'keys JOIN accounts ON accounts.id = keys.account_id';
  return buildPageQuery({ table: 'keys', columns: `${KEY_COLUMNS}, ${ACCOUNT_COLUMNS}`, from, where, sort }, page);
}

export function buildAccountsQuery({ group, state, q, at }: AccountFilter, page: ListPage<AccountSort>): ListQuery {
  const where = new WhereClause();
  const sort = page.sort && page.sort !== 'created' ? accountSorts[page.sort](where, at) : null;
  where.addOptional('accounts.group_name = ?', group);
  if (q !== undefined) where.add(ACCOUNT_SEARCH_CONDITION, toLikePattern(q), q, getPrefixEnd(q));
  if (state !== undefined) where.add(`accounts.suspended_at IS ${state === 'suspended' ? 'NOT ' : ''}NULL`);
  return buildPageQuery({ table: 'accounts', columns: ACCOUNT_COLUMNS, from: 'accounts', where, sort }, page);
}

/** Writes the sort expression. Must add the statement's first values, because `MAX_CAP_SHARE` has fixed parameter numbers. */
type SortColumn = (where: WhereClause, now: number) => string;

const keySorts: Readonly<Record<KeySort, SortColumn>> = {
  name: () => 'lower(keys.name)',
  account: () => 'lower(accounts.name)',
  charged_30d: (where, now) =>
    `(SELECT sum(charged) FROM key_days WHERE key_days.key_id = keys.id AND day >= ${where.addParameter(getSpendStart(now))})`,
  cap_used(where, now) {
    for (const start of getCapStarts(now)) where.addParameter(start);
    return MAX_CAP_SHARE;
  },
  last_used: () => '(SELECT ended_at FROM requests WHERE requests.key_id = keys.id ORDER BY ended_at DESC LIMIT 1)',
};

const accountSorts: Readonly<Record<AccountSort, SortColumn>> = {
  name: () => 'lower(accounts.name)',
  group: () => 'accounts.group_name',
  available: () => 'coalesce((SELECT balance - held FROM balances WHERE balances.account_id = accounts.id), 0)',
  charged_30d: (where, now) =>
    `(SELECT sum(charged) FROM account_days WHERE account_days.account_id = accounts.id AND day >= ${where.addParameter(getSpendStart(now))})`,
};

interface ListClauses {
  readonly table: 'keys' | 'accounts';
  readonly columns: string;
  readonly from: string;
  readonly where: WhereClause;
  /** Null sorts by creation time, which has an index. */
  readonly sort: string | null;
}

function buildPageQuery({ table, columns, from, where, sort }: ListClauses, { limit, after, order = 'asc' }: ListPage<string>): ListQuery {
  const { values } = where;
  const oldestFirst = `${table}.created_at, ${table}.id`;
  if (sort === null && order === 'asc') {
    where.addOptional(`(${oldestFirst}) > (SELECT created_at, id FROM ${table} WHERE id = ?)`, after);
    return { sql: `SELECT ${columns} FROM ${from} ${where.text} ORDER BY ${oldestFirst} LIMIT ${where.addParameter(limit)}`, values };
  }
  const orderBy = sort === null ? `${table}.created_at DESC, ${table}.id DESC` : `(${sort}) IS NULL, ${sort} ${order}, ${oldestFirst}`;
  const start = after === undefined ? '0' : `(SELECT position FROM sorted WHERE id = ${where.addParameter(after)})`;
  const sql = `
    WITH sorted AS (SELECT ${table}.id AS id, row_number() OVER (ORDER BY ${orderBy}) AS position FROM ${from} ${where.text})
    SELECT ${columns} FROM ${from} JOIN sorted ON sorted.id = ${table}.id WHERE sorted.position > ${start} ORDER BY sorted.position LIMIT ${where.addParameter(limit)}`;
  return { sql, values };
}

export function buildAuditQuery({ actor, action, target, from, to, before }: AuditFilter, limit: number): ListQuery {
  const where = new WhereClause()
    .addOptional('actor = ?', actor)
    .addOptional('action = ?', action)
    .addOptional('target = ?', target)
    .addOptional('created_at >= ?', from)
    .addOptional('created_at < ?', to)
    .addOptional('id < ?', before);
  const sql = `SELECT id, actor, action, target, details, created_at FROM audit ${where.text} ORDER BY id DESC LIMIT ${where.addParameter(limit)}`;
  return { sql, values: where.values };
}

const runListQuery = (runQuery: Read, { sql, values }: ListQuery) => runQuery(sql, values);

/** Undefined if no key has the ID `after`. */
export async function listKeyPage(runQuery: Read, filter: KeyFilter, page: ListPage<KeySort>): Promise<readonly KeyRecord[] | undefined> {
  if (!(await isKnownCursor(runQuery, 'keys', page))) return undefined;
  return (await runListQuery(runQuery, buildKeysQuery(filter, page))).map(toKeyRecord);
}

/** Undefined if no account has the ID `after`. */
export async function listAccountPage(
  runQuery: Read,
  filter: AccountFilter,
  page: ListPage<AccountSort>,
): Promise<readonly AccountRecord[] | undefined> {
  if (!(await isKnownCursor(runQuery, 'accounts', page))) return undefined;
  return (await runListQuery(runQuery, buildAccountsQuery(filter, page))).map(toAccount);
}

/** Newest first. */
export async function listAuditPage(runQuery: Read, filter: AuditFilter, limit: number): Promise<readonly AuditRecord[]> {
  return (await runListQuery(runQuery, buildAuditQuery(filter, limit))).map(toAuditRecord);
}

async function isKnownCursor(runQuery: Read, table: 'keys' | 'accounts', { after }: ListPage<string>): Promise<boolean> {
  return after === undefined || (await runQuery(`SELECT 1 AS one FROM ${table} WHERE id = ?1`, [after])).length > 0;
}
