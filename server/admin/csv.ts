/** Tables as CSV (RFC 4180), with amounts as exact text, and texts that no spreadsheet takes for a formula. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Account } from '../../contract/admin/accounts.ts';
import type { Activity } from '../../contract/admin/activity.ts';
import type { AnyAdminCode } from '../../contract/admin/errors.ts';
import { type Limits, type LimitsInput, PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { Key } from '../../contract/admin/keys.ts';
import type { StatementEntry } from '../../contract/admin/money.ts';
import type { AuditEntry } from '../../contract/admin/operators.ts';
import type { LoggedRequest } from '../../contract/admin/requests.ts';
import type { LimitSetting, LimitSettings } from '../access/store.ts';
import { GatewayError } from '../errors.ts';
import type { LimitValue, LimitValues } from '../limits/limiter.ts';

/** Rows of a page of a table that is read in pieces: turning so many into text takes a millisecond, in which calls wait. */
export const ROWS_AT_ONCE = 100;

type Cell = string | number | boolean | null;

/** A spreadsheet runs a cell that begins so; the apostrophe makes it a text. */
const FORMULA = /^[=+\-@\t\r]/;
/** A negative amount begins like a formula, and is none. */
const AMOUNT = /^-\d+\.\d{6}$/;

function writeCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = FORMULA.test(cell) && !AMOUNT.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(writeCell).join(',')}\r\n`;

export const requestHeadings = [
  ...['request_id', 'at', 'account_id', 'key_id', 'model', 'operation', 'upstream', 'status', 'code', 'outcome', 'is_stream', 'attempts'],
  ...['first_ms', 'total_ms', 'input', 'cached_input', 'cache_write', 'output', 'images', 'charged', 'repeats', 'session'],
] as const;

export function requestLine(row: LoggedRequest): string {
  const { tokens } = row;
  return csvLine([
    ...[row.request_id, row.at, row.account_id, row.key_id, row.model, row.operation, row.upstream, row.status, row.code, row.outcome],
    ...[row.is_stream, row.attempts, row.first_ms, row.total_ms, tokens.input, tokens.cached_input, tokens.cache_write, tokens.output],
    ...[row.images, row.charged, row.repeats, row.session],
  ]);
}

/**
 * A table of any length, a page at a time. `first` is the first page, which is read before the answer begins, so that a failure keeps its status;
 * `next` reads the page after the last row of the one before.
 */
export async function* pagesCsv<Row>(table: {
  readonly headings: readonly string[];
  readonly first: readonly Row[];
  /** Rows of a whole page: a shorter one is the last. */
  readonly length: number;
  readonly next: (last: Row) => Promise<readonly Row[]>;
  readonly line: (row: Row) => string;
}): AsyncGenerator<string> {
  yield csvLine(table.headings);
  for (let rows = table.first; ; ) {
    if (rows.length > 0) yield rows.map(table.line).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < table.length) return;
    // Calls that came in meanwhile go first.
    await nextTurn();
    rows = await table.next(last);
  }
}

export const keyHeadings = [
  ...['id', 'name', 'account_id', 'account_name', 'last_four', 'state', 'operations', 'models', 'may_store', 'manage_keys', 'ip_ranges'],
  ...['requests_per_minute', 'tokens_per_minute', 'concurrency', 'spending_cap', 'cap_period'],
  ...['created_at', 'expires_at', 'revoked_at', 'replaced_by', 'created_by'],
] as const;

const limitCells = (limits: Key['limits']): readonly Cell[] =>
  [limits.requests_per_minute, limits.tokens_per_minute, limits.concurrency].map((limit) => limit?.limit ?? null);
const words = (list: readonly string[] | null): Cell => list?.join(' ') ?? null;

export function keyLine(key: Key): string {
  const { permissions, spending_cap: cap } = key;
  return csvLine([
    ...[key.id, key.name, key.account.id, key.account.name, key.last_four, key.state],
    ...[words(permissions.operations), words(permissions.models), permissions.may_store, permissions.manage_keys, words(key.ip_ranges)],
    ...limitCells(key.limits),
    ...[cap?.amount ?? null, cap?.period ?? null, key.created_at, key.expires_at, key.revoked_at, key.replaced_by, key.created_by],
  ]);
}

export const accountHeadings = [
  ...['id', 'name', 'group', 'suspended_at', 'balance', 'held', 'available'],
  ...['requests_per_minute', 'tokens_per_minute', 'concurrency', 'max_keys', 'delegate', 'created_at', 'charged_30d', 'alert_below'],
] as const;

export function accountLine({ balance, limits, self_service: own, ...account }: Account): string {
  return csvLine([
    ...[account.id, account.name, account.group, account.suspended_at],
    ...[balance?.balance ?? null, balance?.held ?? null, balance?.available ?? null],
    ...limitCells(limits),
    ...[own.max_keys, own.delegate, account.created_at, account.charged_30d, account.alert_below],
  ]);
}

export const auditHeadings = ['id', 'at', 'actor', 'action', 'target', 'details'] as const;

export const auditLine = ({ id, at, actor, action, target, details }: AuditEntry): string =>
  csvLine([id, at, actor, action, target, JSON.stringify(details)]);

export const entryHeadings = ['id', 'at', 'kind', 'amount', 'balance_after', 'note', 'transfer_id', 'request_id'] as const;

export const entryLine = (entry: StatementEntry): string => csvLine(entryHeadings.map((name) => entry[name]));

const activityHeadings = [
  ...['at', 'key', 'then_key', 'label', 'requests', 'errors', 'rejected', 'input', 'cached_input', 'cache_write', 'output', 'images'],
  ...['charged', 'first_ms_p50', 'first_ms_p95', 'total_ms_p50', 'total_ms_p95', 'missed'],
];

/** A line for each series and bucket. */
export function activityCsv({ series }: Pick<Activity, 'series'>): string {
  const lines = series.flatMap(({ key, then_key: thenKey, label, points }) =>
    points.map((point) => {
      const { tokens, first_ms: first, total_ms: total } = point;
      return csvLine([
        ...[point.at, key, thenKey, label, point.requests, point.errors, point.rejected],
        ...[tokens.input, tokens.cached_input, tokens.cache_write, tokens.output, point.images, point.charged],
        ...[first?.p50 ?? null, first?.p95 ?? null, total?.p50 ?? null, total?.p95 ?? null, point.missed],
      ]);
    }),
  );
  return [csvLine(activityHeadings), ...lines].join('');
}

export const writeTime = (at: number): string => new Date(at).toISOString();
export const writeTimeOrNull = (at: number | null): string | null => (at === null ? null : writeTime(at));
export const readTimeOrNull = (text: string | null): number | null => (text === null ? null : Date.parse(text));

export function invalid(param: string, message: string): GatewayError {
  return new GatewayError<AnyAdminCode>('invalid_value', { param, message });
}

export function missing(param: string, message: string): GatewayError {
  return new GatewayError<AnyAdminCode>('not_found', { param, message });
}

/** The cursor points to an entry that doesn't exist. */
export const noSuchEntry = (): GatewayError => invalid('after', "'after' must be the ID of an entry in this list.");

/** `param`: the field whose value conflicts. */
export const conflict = (message: string, param?: string): GatewayError =>
  new GatewayError<AnyAdminCode>('conflict', { message, ...(param !== undefined && { param }) });

type LimitInput = LimitsInput[keyof LimitsInput];

function readLimit(limit: LimitInput): LimitSetting | null {
  if (limit === null || limit === undefined) return null;
  return typeof limit === 'number' ? { limit, mode: 'enforce' } : { limit: limit.limit, mode: limit.mode ?? 'enforce' };
}

export function readLimits(limits: LimitsInput | undefined): LimitSettings {
  return {
    requestsPerMinute: readLimit(limits?.requests_per_minute),
    tokensPerMinute: readLimit(limits?.tokens_per_minute),
    concurrency: readLimit(limits?.concurrency),
  };
}

function writeLimit(limit: LimitValue | null | undefined): LimitSetting | null {
  if (limit === null || limit === undefined) return null;
  return typeof limit === 'number' ? { limit, mode: 'enforce' } : { limit: limit.limit, mode: limit.mode };
}

export function writeLimits({ requestsPerMinute, tokensPerMinute, concurrency }: LimitValues): Limits {
  return {
    requests_per_minute: writeLimit(requestsPerMinute),
    tokens_per_minute: writeLimit(tokensPerMinute),
    concurrency: writeLimit(concurrency),
  };
}

export interface Page {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
}

/** A page, from a list with one entry more than requested. */
export function writePage<T>(fetched: readonly T[], limit: number, idOf: (entry: T) => string) {
  const data = fetched.slice(0, limit);
  const last = data.at(-1);
  return { object: 'list' as const, data, has_more: fetched.length > limit, last_id: last === undefined ? null : idOf(last) };
}

/** The page of a whole list that fits in memory. */
export function cutPage<T extends { readonly id: string }>(entries: readonly T[], { limit = PAGE_LENGTH, after }: Page) {
  const start = after === undefined ? 0 : entries.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw noSuchEntry();
  return writePage(entries.slice(start, start + limit + 1), limit, ({ id }) => id);
}

/** A list without pages. */
export function writeAll<T>(data: T[], idOf: (entry: T) => string) {
  return writePage(data, data.length, idOf);
}
