/** Compares closed hours of the request log with the ledger, and restores rows from charges if a crash or a full buffer lost them. */
import { type Row, readNumber, readNumberOrNull, readText, readTextOrNull } from '../store/rows.ts';
import type { LogRow, Outcome } from './call-record.ts';
import { findEntriesEnd, findFirstEntryAt, findLastEntryAt } from './ledger-entries.ts';
import type { ActivityStore, HourCheck, RecordsQuery } from './store.ts';
import { DAY_MS, HOUR_MS } from './time-bucket.ts';

/** How long after its end an hour is closed. By then, its postings are on disk, except for postings in an outbox. */
const CLOSED_AFTER_MS = 300_000;
/** IDs ascend with time, except for clock differences and the length of transactions. */
const DISORDER_MS = 60_000;
/** Enough for a gateway that didn't run for a month. */
const MAX_HOURS = 1_000;
/** Entries per read, which takes about 50 ms. */
const IDS_PER_QUERY = 50_000;
const ROWS_PER_QUERY = 200;

interface ReconcileParams {
  readonly store: ActivityStore;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How long rows are kept. Older rows were deleted, not lost. */
  readonly days: number;
}

/**
 * Checks each hour closed since the last run, oldest first. Also rechecks hours of the last day that disagreed, because an outbox posts
 * late.
 */
export async function reconcileHours({ store, now, days }: ReconcileParams): Promise<readonly HourCheck[]> {
  const firstHour = await findFirstOpenHour(store.ask);
  if (firstHour === null) return [];
  const recentSince = now - DAY_MS;
  const lastHour = now - CLOSED_AFTER_MS - HOUR_MS;
  const checks: HourCheck[] = [];
  for (const hour of [...(await findDifferingHours(store.ask, recentSince)), ...listHours(firstHour, lastHour)]) {
    const isWhole = hour > now - days * DAY_MS + DAY_MS;
    const check = await checkHour(store, { hour, isWhole, isRecent: hour > recentSince });
    await store.noteCheck(check);
    checks.push(check);
  }
  return checks;
}

const listHours = (first: number, last: number): readonly number[] =>
  Array.from({ length: Math.max(0, Math.min(MAX_HOURS, Math.floor((last - first) / HOUR_MS) + 1)) }, (_, index) => first + index * HOUR_MS);

async function findDifferingHours(read: RecordsQuery, from: number): Promise<readonly number[]> {
  const rows = await read('SELECT hour FROM activity_checks WHERE hour >= ?1 AND booked <> summed ORDER BY hour', [from]);
  return rows.map((row) => readNumber(row.hour));
}

/** Returns the hour after the last compared one, otherwise the first hour in the log, or null if the log is empty. */
async function findFirstOpenHour(read: RecordsQuery): Promise<number | null> {
  const [lastRow] = await read('SELECT max(hour) AS hour FROM activity_checks', []);
  const checkedHour = readNumberOrNull(lastRow?.hour ?? null);
  if (checkedHour !== null) return checkedHour + HOUR_MS;
  const [firstRow] = await read('SELECT min(hour) AS hour FROM activity_hours', []);
  return readNumberOrNull(firstRow?.hour ?? null);
}

interface HourToCheck {
  readonly hour: number;
  /** Whether none of the hour's rows were deleted because of their age. */
  readonly isWhole: boolean;
  /** Whether to also read all newer entries, because some may have been posted late. */
  readonly isRecent: boolean;
}

async function checkHour(store: ActivityStore, { hour, isWhole, isRecent }: HourToCheck): Promise<HourCheck> {
  const { ask: read } = store;
  const firstId = (await findEntryBefore(read, hour)) ?? (await findFirstEntryAt(read, hour - DISORDER_MS));
  const endId = isRecent ? await findEntriesEnd(read) : await findLastEntryAt(read, hour + HOUR_MS + DISORDER_MS);
  let posted = 0;
  let firstEntry: number | null = null;
  for (let from = firstId; from < endId; from += IDS_PER_QUERY) {
    const range = { from, to: Math.min(from + IDS_PER_QUERY, endId), hour };
    const entrySums = await sumEntries(read, range);
    posted += entrySums.amount;
    firstEntry ??= entrySums.first;
    if (isWhole) await addMissingRows(store, range);
  }
  const [hourRow] = await read('SELECT CAST(coalesce(sum(charged), 0) AS BIGINT) AS charged FROM activity_hours WHERE hour = ?1', [hour]);
  return { hour, firstEntry: firstEntry ?? firstId, posted, summed: readNumber(hourRow?.charged) };
}

/** Returns the first entry found for an earlier hour. No entry of this hour comes before it. */
async function findEntryBefore(read: RecordsQuery, hour: number): Promise<number | null> {
  const [row] = await read('SELECT first_entry FROM activity_checks WHERE hour < ?1 ORDER BY hour DESC LIMIT 1', [hour]);
  return row ? readNumber(row.first_entry) : null;
}

/** A range of entry IDs, with `to` exclusive. Only entries of one hour count. */
interface IdRange {
  readonly from: number;
  readonly to: number;
  readonly hour: number;
}

/** Selects charges of calls by one of the two entries of each charge. */
const CHARGES_IN_RANGE =
  "id >= ?1 AND id < ?2 AND entries.created_at >= ?3 AND entries.created_at < ?4 AND kind = 'charge' AND book = 'revenue'";

async function sumEntries(
  read: RecordsQuery,
  { from, to, hour }: IdRange,
): Promise<{ readonly amount: number; readonly first: number | null }> {
  const [row] = await read(
    `SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) AS amount, min(id) AS first FROM entries WHERE ${CHARGES_IN_RANGE}`,
    [from, to, hour, hour + HOUR_MS],
  );
  return { amount: readNumber(row?.amount), first: readNumberOrNull(row?.first ?? null) };
}

const LIST_MISSING_CHARGES = `
  SELECT request_id, account_id, key_id, model, operation, usage, outcome, charged, charges.created_at, settled_at
  FROM entries JOIN charges ON charges.request_id = transfer
  WHERE ${CHARGES_IN_RANGE} AND NOT EXISTS (SELECT 1 FROM requests WHERE requests.request_id = transfer)
  ORDER BY id LIMIT ${ROWS_PER_QUERY}`;

async function addMissingRows({ ask: read, add }: ActivityStore, { from, to, hour }: IdRange): Promise<void> {
  for (;;) {
    const rows = (await read(LIST_MISSING_CHARGES, [from, to, hour, hour + HOUR_MS])).map(toChargeRow);
    if (rows.length > 0) await add(rows);
    if (rows.length < ROWS_PER_QUERY) return;
  }
}

/** Omits facts that the charge doesn't contain: upstream, attempts, and time to first event. */
function toChargeRow(row: Row): LogRow {
  const [createdAt, settledAt] = [readNumber(row.created_at), readNumber(row.settled_at)];
  return {
    request_id: readText(row.request_id),
    ended_at: settledAt,
    account_id: readText(row.account_id),
    key_id: readText(row.key_id),
    model: readText(row.model),
    operation: readText(row.operation),
    upstream: null,
    session: null,
    end_user: null,
    tag: null,
    status: 200,
    code: null,
    outcome: toOutcome(readTextOrNull(row.outcome)),
    is_stream: 0,
    attempts: 0,
    first_ms: null,
    total_ms: Math.max(0, settledAt - createdAt),
    ...parseTokenCounts(readTextOrNull(row.usage)),
    charged: readNumber(row.charged),
    missed: null,
    vendor_cost: null,
    repeats: 0,
    details: '{}',
  };
}

const outcomes: readonly string[] = ['completed', 'incomplete', 'failed', 'client_disconnected'] satisfies Outcome[];
// `as`: the list above contains only outcomes.
const toOutcome = (text: string | null): Outcome => (text !== null && outcomes.includes(text) ? (text as Outcome) : 'failed');

interface StoredUsage {
  readonly input?: number;
  readonly cachedInput?: number;
  readonly cacheWrite?: number;
  readonly output?: number;
  readonly images?: Readonly<Record<string, number>>;
}

function parseTokenCounts(usage: string | null): Pick<LogRow, 'input' | 'cached_input' | 'cache_write' | 'output' | 'images'> {
  // `as`: the posting of the charge wrote this JSON.
  const { input = 0, cachedInput = 0, cacheWrite = 0, output = 0, images = {} } = JSON.parse(usage ?? '{}') as StoredUsage;
  const imageCount = Object.values(images).reduce((sum, count) => sum + count, 0);
  return { input, cached_input: cachedInput, cache_write: cacheWrite, output, images: imageCount };
}

/** Returns the end of the last compared hour, and the ledger total minus the request log total, or null if no hour in the range was compared. */
export async function readChecks(read: RecordsQuery, from: number, to: number) {
  const [row] = await read(
    `SELECT count(*) AS hours, coalesce(max(hour), 0) AS newest, CAST(coalesce(sum(booked - summed), 0) AS BIGINT) AS difference
     FROM activity_checks WHERE hour >= ?1 AND hour < ?2`,
    [from, to],
  );
  if (!row || readNumber(row.hours) === 0) return null;
  return { until: readNumber(row.newest) + HOUR_MS, difference: readNumber(row.difference) };
}
