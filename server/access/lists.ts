/** Pages of keys, accounts and the audit log, filtered by the database: the same SQL on both. */
import { CAP_ALLOWANCE, capStarts, periodStart } from '../ledger/store.ts';
import type { Read, ReadValue } from '../storage/audit.ts';
import { integer, numberOrNull, text } from '../storage/rows.ts';
import { ACCOUNT_COLUMNS, type AccountRecord, type AuditRecord, asAccount, asAudit, asKey, KEY_COLUMNS, type KeyRecord } from './store.ts';

/** `after`: the ID of an entry; the page begins after it. */
interface ListPage {
  readonly limit: number;
  readonly after?: string | undefined;
}

type KeyState = 'active' | 'suspended' | 'expired' | 'revoked';
export interface KeyFilter {
  readonly accountId?: string | undefined;
  readonly group?: string | undefined;
  readonly state?: KeyState | undefined;
  /** Part of the name, the beginning of the ID, or the last four characters of the key. */
  readonly q?: string | undefined;
  /** Milliseconds since 1970: the moment of which the state is asked. */
  readonly at: number;
}

interface AccountFilter {
  readonly group?: string | undefined;
  readonly state?: 'active' | 'suspended' | undefined;
  /** Part of the name, or the beginning of the ID. */
  readonly q?: string | undefined;
}

interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  /** Milliseconds since 1970; from inclusive, to exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** The number of an entry; the page begins with the one before it. */
  readonly before?: number | undefined;
}

interface Question {
  readonly sql: string;
  readonly values: readonly ReadValue[];
}

/** Conditions that all hold, and their values. */
class Where {
  readonly values: ReadValue[] = [];
  readonly #conditions: string[] = [];

  /** Each `?` in the condition is one of the values, in their order. */
  add(condition: string, ...values: readonly ReadValue[]): this {
    let used = 0;
    this.#conditions.push(condition.replaceAll('?', () => this.place(values[used++] ?? null)));
    return this;
  }

  /** Adds no condition if the value is undefined. */
  ifGiven(condition: string, value: ReadValue | undefined): this {
    return value === undefined ? this : this.add(condition, value);
  }

  place(value: ReadValue): string {
    return `?${this.values.push(value)}`;
  }

  get text(): string {
    return this.#conditions.length === 0 ? '' : `WHERE ${this.#conditions.join(' AND ')}`;
  }
}

/** Beyond every text that begins with this one, as bytes compare. */
const behind = (prefix: string): string => `${prefix}\u{10ffff}`;
/** A pattern for LIKE: any text that holds this one, in small letters. */
const holding = (text: string): string => `%${text.toLowerCase().replace(/[!%_]/g, '!$&')}%`;

const EXPIRED = '(keys.expires_at IS NOT NULL AND keys.expires_at <= ?)';
const IN_FORCE = `keys.revoked_at IS NULL AND NOT ${EXPIRED}`;

/** As `keyState` of the operators' API tells them. */
function addState(where: Where, state: KeyState | undefined, at: number): Where {
  switch (state) {
    case 'revoked':
      return where.add('keys.revoked_at IS NOT NULL');
    case 'expired':
      return where.add(`keys.revoked_at IS NULL AND ${EXPIRED}`, at);
    case 'suspended':
      return where.add(`${IN_FORCE} AND accounts.suspended_at IS NOT NULL`, at);
    case 'active':
      return where.add(`${IN_FORCE} AND accounts.suspended_at IS NULL`, at);
    default:
      return where;
  }
}

const KEY_LIKE =
  "(lower(keys.name) LIKE ? ESCAPE '!' OR lower(accounts.name) LIKE ? ESCAPE '!' OR keys.last_four = ? OR (keys.id >= ? AND keys.id < ?))";
const ACCOUNT_LIKE = "(lower(accounts.name) LIKE ? ESCAPE '!' OR (accounts.id >= ? AND accounts.id < ?))";

export function keysQuestion({ accountId, group, state, q, at }: KeyFilter, { limit, after }: ListPage): Question {
  const where = new Where().ifGiven('keys.account_id = ?', accountId).ifGiven('accounts.group_name = ?', group);
  if (q !== undefined) where.add(KEY_LIKE, holding(q), holding(q), q, q, behind(q));
  addState(where, state, at).ifGiven('(keys.created_at, keys.id) > (SELECT created_at, id FROM keys WHERE id = ?)', after);
  const sql = `SELECT ${KEY_COLUMNS}, ${ACCOUNT_COLUMNS} FROM keys JOIN accounts ON accounts.id = keys.account_id ${where.text}
    ORDER BY keys.created_at, keys.id LIMIT ${where.place(limit)}`;
  return { sql, values: where.values };
}

export function accountsQuestion({ group, state, q }: AccountFilter, { limit, after }: ListPage): Question {
  const where = new Where().ifGiven('accounts.group_name = ?', group);
  if (q !== undefined) where.add(ACCOUNT_LIKE, holding(q), q, behind(q));
  if (state !== undefined) where.add(`accounts.suspended_at IS ${state === 'suspended' ? 'NOT ' : ''}NULL`);
  where.ifGiven('(accounts.created_at, accounts.id) > (SELECT created_at, id FROM accounts WHERE id = ?)', after);
  const sql = `SELECT ${ACCOUNT_COLUMNS} FROM accounts ${where.text} ORDER BY accounts.created_at, accounts.id LIMIT ${where.place(limit)}`;
  return { sql, values: where.values };
}

export function auditQuestion({ actor, action, target, from, to, before }: AuditFilter, limit: number): Question {
  const where = new Where()
    .ifGiven('actor = ?', actor)
    .ifGiven('action = ?', action)
    .ifGiven('target = ?', target)
    .ifGiven('created_at >= ?', from)
    .ifGiven('created_at < ?', to)
    .ifGiven('id < ?', before);
  const sql = `SELECT id, actor, action, target, details, created_at FROM audit ${where.text} ORDER BY id DESC LIMIT ${where.place(limit)}`;
  return { sql, values: where.values };
}

const rowsOf = (ask: Read, { sql, values }: Question) => ask(sql, values);

/** Oldest first. Undefined: `after` is the ID of no key. */
export async function pageKeys(ask: Read, filter: KeyFilter, page: ListPage): Promise<readonly KeyRecord[] | undefined> {
  if (!(await isThere(ask, 'keys', page))) return undefined;
  return (await rowsOf(ask, keysQuestion(filter, page))).map(asKey);
}

/** Oldest first. Undefined: `after` is the ID of no account. */
export async function pageAccounts(ask: Read, filter: AccountFilter, page: ListPage): Promise<readonly AccountRecord[] | undefined> {
  if (!(await isThere(ask, 'accounts', page))) return undefined;
  return (await rowsOf(ask, accountsQuestion(filter, page))).map(asAccount);
}

/** Newest first. */
export async function pageAudit(ask: Read, filter: AuditFilter, limit: number): Promise<readonly AuditRecord[]> {
  return (await rowsOf(ask, auditQuestion(filter, limit))).map(asAudit);
}

async function isThere(ask: Read, table: 'keys' | 'accounts', { after }: ListPage): Promise<boolean> {
  return after === undefined || (await ask(`SELECT 1 AS one FROM ${table} WHERE id = ?1`, [after])).length > 0;
}

const placesFrom = (first: number, { length }: readonly string[]): string =>
  Array.from({ length }, (_, index) => `?${first + index}`).join(', ');

export interface KeyUse {
  /** Milliseconds since 1970. Null: the request log has no call of this key. */
  readonly lastUsed: number | null;
  /** In micro-dollars. */
  readonly charged: bigint;
  /** What was spent of the cap in its present period, in micro-dollars. Null without a cap. */
  readonly capUsed: bigint | null;
}

const DAY_MS = 86_400_000;
const SPEND_DAYS = 30;
/** The first of the days whose charges count, in UTC; the last one is today. */
const firstDay = (now: number): number => periodStart('day', now) - (SPEND_DAYS - 1) * DAY_MS;

export const keyUseSql = (ids: readonly string[]): string => `
  SELECT keys.id AS id, cap_micros,
    (SELECT ended_at FROM requests WHERE requests.key_id = keys.id ORDER BY ended_at DESC LIMIT 1) AS last_used,
    (SELECT CAST(sum(charged) AS BIGINT) FROM key_days WHERE key_days.key_id = keys.id AND day >= ?4) AS charged,
    (SELECT used FROM allowances WHERE ${CAP_ALLOWANCE}) AS used
  FROM keys WHERE keys.id IN (${placesFrom(5, ids)})`;

/** `now`: milliseconds since 1970. */
export async function readKeyUse(ask: Read, ids: readonly string[], now: number): Promise<ReadonlyMap<string, KeyUse>> {
  if (ids.length === 0) return new Map();
  const rows = await ask(keyUseSql(ids), [...capStarts(now), firstDay(now), ...ids]);
  return new Map(
    rows.map((row) => [
      text(row.id),
      {
        lastUsed: numberOrNull(row.last_used ?? null),
        charged: integer(row.charged ?? 0n),
        capUsed: row.cap_micros === null ? null : integer(row.used ?? 0n),
      },
    ]),
  );
}

export const accountSpendSql = (ids: readonly string[]): string => `
  SELECT account_id, CAST(sum(charged) AS BIGINT) AS charged FROM account_days
  WHERE account_id IN (${placesFrom(2, ids)}) AND day >= ?1 GROUP BY account_id`;

/** Micro-dollars by the ID of the account; without those that made no call. */
export async function readAccountSpend(ask: Read, ids: readonly string[], now: number): Promise<ReadonlyMap<string, bigint>> {
  if (ids.length === 0) return new Map();
  const rows = await ask(accountSpendSql(ids), [firstDay(now), ...ids]);
  return new Map(rows.map((row) => [text(row.account_id), integer(row.charged)]));
}

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

/** By the beginning of the ID, and by the last four characters, the newest of those first. */
export async function findKeys(ask: Read, q: string, most: number): Promise<readonly KeyRecord[]> {
  const byId = (await ask(searchSql.keysById, [q, behind(q), most])).map(asKey);
  const byFour = (await ask(searchSql.keysByFour, [q, most])).map(asKey);
  return [...byFour, ...byId.filter(({ id }) => byFour.every((other) => other.id !== id))];
}

/** By the beginning of the ID or of the name. */
export async function findAccounts(ask: Read, q: string, most: number): Promise<readonly AccountRecord[]> {
  const byId = (await ask(searchSql.accountsById, [q, behind(q), most])).map(asAccount);
  const byName = (await ask(searchSql.accountsByName, [q, behind(q), most])).map(asAccount);
  return [...byId, ...byName.filter(({ id }) => byId.every((other) => other.id !== id))];
}
