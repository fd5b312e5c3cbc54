/** Writes tables as CSV (RFC 4180). Amounts are exact text, and no cell starts a spreadsheet formula. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Account } from '../../../contract/admin/accounts.ts';
import type { Activity } from '../../../contract/admin/activity.ts';
import type { Key } from '../../../contract/admin/keys.ts';
import type { StatementEntry } from '../../../contract/admin/money.ts';
import type { AuditEntry } from '../../../contract/admin/operators.ts';
import type { LoggedRequest } from '../../../contract/admin/requests.ts';
import { formatCaps } from './caps.ts';

/** Rows per page of a table that is read in pages. Formatting this many takes a millisecond, during which requests wait. */
export const CSV_PAGE_LENGTH = 100;

type Cell = string | number | boolean | null;

/** A spreadsheet executes a cell that starts with one of these. An apostrophe before it makes the cell a text. */
const FORMULA_START = /^[=+\-@\t\r]/;
/** A negative amount starts with `-` but isn't a formula. */
const NEGATIVE_AMOUNT = /^-\d+\.\d{6}$/;

function writeCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safeText = FORMULA_START.test(cell) && !NEGATIVE_AMOUNT.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText;
}

export const formatCsvLine = (cells: readonly Cell[]): string => `${cells.map(writeCell).join(',')}\r\n`;

export const requestHeadings = [
  ...['request_id', 'at', 'account_id', 'key_id', 'model', 'operation', 'upstream', 'status', 'code', 'outcome', 'is_stream', 'attempts'],
  ...['first_ms', 'total_ms', 'input', 'cached_input', 'cache_write', 'output', 'images', 'charged', 'repeats', 'session'],
  ...['end_user', 'tag', 'account_name', 'key_name'],
] as const;

export function formatRequestLine(row: LoggedRequest): string {
  const { tokens } = row;
  return formatCsvLine([
    ...[row.request_id, row.at, row.account_id, row.key_id, row.model, row.operation, row.upstream, row.status, row.code, row.outcome],
    ...[row.is_stream, row.attempts, row.first_ms, row.total_ms, tokens.input, tokens.cached_input, tokens.cache_write, tokens.output],
    ...[row.images, row.charged, row.repeats, row.session, row.end_user, row.tag, row.account_name, row.key_name],
  ]);
}

/**
 * Writes a table of any length, page by page. `first` is the first page, read before the response starts, so that a failure keeps its status. `next` reads
 * the page after the given last row.
 */
export async function* writePagesCsv<Row>(table: {
  readonly headings: readonly string[];
  readonly first: readonly Row[];
  /** Number of rows of a full page. A shorter page is the last one. */
  readonly length: number;
  readonly next: (last: Row) => Promise<readonly Row[]>;
  readonly line: (row: Row) => string;
}): AsyncGenerator<string> {
  yield formatCsvLine(table.headings);
  for (let rows = table.first; ; ) {
    if (rows.length > 0) yield rows.map(table.line).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < table.length) return;
    // Lets requests that arrived since go first.
    await nextTurn();
    rows = await table.next(last);
  }
}

export const keyHeadings = [
  ...['id', 'name', 'account_id', 'account_name', 'last_four', 'state', 'operations', 'models', 'may_store', 'manage_keys', 'ip_ranges'],
  ...['requests_per_minute', 'tokens_per_minute', 'concurrency', 'spending_caps'],
  ...['created_at', 'expires_at', 'revoked_at', 'replaced_by', 'created_by'],
] as const;

const toLimitCells = (limits: Key['limits']): readonly Cell[] =>
  [limits.requests_per_minute, limits.tokens_per_minute, limits.concurrency].map((limit) => limit?.limit ?? null);
const joinWithSpaces = (list: readonly string[] | null): Cell => list?.join(' ') ?? null;

export function formatKeyLine(key: Key): string {
  const { permissions } = key;
  return formatCsvLine([
    ...[key.id, key.name, key.account.id, key.account.name, key.last_four, key.state],
    ...[
      joinWithSpaces(permissions.operations),
      joinWithSpaces(permissions.models),
      permissions.may_store,
      permissions.manage_keys,
      joinWithSpaces(key.ip_ranges),
    ],
    ...toLimitCells(key.limits),
    ...[formatCaps(key.spending_caps), key.created_at, key.expires_at, key.revoked_at, key.replaced_by, key.created_by],
  ]);
}

export const accountHeadings = [
  ...['id', 'name', 'group', 'suspended_at', 'balance', 'held', 'available'],
  ...[
    'requests_per_minute',
    'tokens_per_minute',
    'concurrency',
    'max_keys',
    'delegate',
    'created_at',
    'charged_30d',
    'alert_below',
    'spending_caps',
  ],
] as const;

export function formatAccountLine({ balance, limits, self_service: selfService, ...account }: Account): string {
  return formatCsvLine([
    ...[account.id, account.name, account.group, account.suspended_at],
    ...[balance?.balance ?? null, balance?.held ?? null, balance?.available ?? null],
    ...toLimitCells(limits),
    ...[
      selfService.max_keys,
      selfService.delegate,
      account.created_at,
      account.charged_30d,
      account.alert_below,
      formatCaps(account.spending_caps),
    ],
  ]);
}

export const auditHeadings = ['id', 'at', 'actor', 'action', 'target', 'details'] as const;

export const formatAuditLine = ({ id, at, actor, action, target, details }: AuditEntry): string =>
  formatCsvLine([id, at, actor, action, target, JSON.stringify(details)]);

export const entryHeadings = ['id', 'at', 'kind', 'amount', 'balance_after', 'note', 'transfer_id', 'request_id'] as const;

export const formatEntryLine = (entry: StatementEntry): string => formatCsvLine(entryHeadings.map((name) => entry[name]));

const activityHeadings = [
  ...['at', 'key', 'then_key', 'label', 'requests', 'errors', 'rejected', 'input', 'cached_input', 'cache_write', 'output', 'images'],
  ...['charged', 'first_ms_p50', 'first_ms_p95', 'total_ms_p50', 'total_ms_p95', 'missed'],
];

/** Writes one line per series and bucket. */
export function writeActivityCsv({ series }: Pick<Activity, 'series'>): string {
  const lines = series.flatMap(({ key, then_key: thenKey, label, points }) =>
    points.map((point) => {
      const { tokens, first_ms: first, total_ms: total } = point;
      return formatCsvLine([
        ...[point.at, key, thenKey, label, point.requests, point.errors, point.rejected],
        ...[tokens.input, tokens.cached_input, tokens.cache_write, tokens.output, point.images, point.charged],
        ...[first?.p50 ?? null, first?.p95 ?? null, total?.p50 ?? null, total?.p95 ?? null, point.cache_miss_cost],
      ]);
    }),
  );
  return [formatCsvLine(activityHeadings), ...lines].join('');
}
