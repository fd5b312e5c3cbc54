/** Tables as CSV (RFC 4180), with amounts as exact text, and texts that no spreadsheet takes for a formula. */
import type { Activity } from '../../contract/admin/activity.ts';
import type { StatementEntry } from '../../contract/admin/money.ts';
import type { LoggedRequest } from '../../contract/admin/requests.ts';

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
  ...['first_ms', 'total_ms', 'input', 'cached_input', 'cache_write', 'output', 'images', 'charged', 'repeats'],
] as const;

export function requestLine(row: LoggedRequest): string {
  const { tokens } = row;
  return csvLine([
    ...[row.request_id, row.at, row.account_id, row.key_id, row.model, row.operation, row.upstream, row.status, row.code, row.outcome],
    ...[row.is_stream, row.attempts, row.first_ms, row.total_ms, tokens.input, tokens.cached_input, tokens.cache_write, tokens.output],
    ...[row.images, row.charged, row.repeats],
  ]);
}

export const entryHeadings = ['id', 'at', 'kind', 'amount', 'balance_after', 'note', 'transfer_id', 'request_id'] as const;

export const entryLine = (entry: StatementEntry): string => csvLine(entryHeadings.map((name) => entry[name]));

const activityHeadings = [
  ...['at', 'key', 'then_key', 'label', 'requests', 'errors', 'refused', 'input', 'cached_input', 'cache_write', 'output', 'images'],
  ...['charged', 'first_ms_p50', 'first_ms_p95', 'total_ms_p50', 'total_ms_p95'],
];

/** A line for each series and bucket. */
export function activityCsv({ series }: Pick<Activity, 'series'>): string {
  const lines = series.flatMap(({ key, then_key: thenKey, label, points }) =>
    points.map((point) => {
      const { tokens, first_ms: first, total_ms: total } = point;
      return csvLine([
        ...[point.at, key, thenKey, label, point.requests, point.errors, point.refused],
        ...[tokens.input, tokens.cached_input, tokens.cache_write, tokens.output, point.images, point.charged],
        ...[first?.p50 ?? null, first?.p95 ?? null, total?.p50 ?? null, total?.p95 ?? null],
      ]);
    }),
  );
  return [csvLine(activityHeadings), ...lines].join('');
}
