/** Compares closed hours with the ledger, and makes rows again that a crash or a full buffer lost, from the charges. */
import { number, numberOrNull, type Row, text, textOrNull } from '../storage/rows.ts';
import type { ActivityStore, Ask, HourCheck, LogRow, Outcome } from './record.ts';
import { endOfEntries, firstEntryAt, lastEntryAt } from './statement.ts';
import { DAY_MS, HOUR_MS } from './sums.ts';

/** An hour is closed so long after its end: postings of that hour are on disk by then, apart from those of an outbox. */
const CLOSED_AFTER_MS = 300_000;
/** Ids ascend with time but for the clocks of processes and the length of transactions. */
const DISORDER_MS = 60_000;
/** Enough for a gateway that didn't run for a month. */
const MAX_HOURS = 1_000;
/** Entries in one look: some 50 ms. */
const IDS_AT_ONCE = 50_000;
const ROWS_AT_ONCE = 200;

interface Reconciling {
  readonly store: ActivityStore;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How long rows are kept: older ones were deleted, and not lost. */
  readonly days: number;
}

/** Each hour that was closed since the last time, oldest first, and those of the last day that differed: an outbox posts late. */
export async function reconcileHours({ store, now, days }: Reconciling): Promise<readonly HourCheck[]> {
  const first = await firstOpenHour(store.ask);
  if (first === null) return [];
  const recent = now - DAY_MS;
  const last = now - CLOSED_AFTER_MS - HOUR_MS;
  const checks: HourCheck[] = [];
  for (const hour of [...(await differingHours(store.ask, recent)), ...hoursFrom(first, last)]) {
    const isWhole = hour > now - days * DAY_MS + DAY_MS;
    const check = await checkHour(store, { hour, isWhole, isRecent: hour > recent });
    await store.noteCheck(check);
    checks.push(check);
  }
  return checks;
}

const hoursFrom = (first: number, last: number): readonly number[] =>
  Array.from({ length: Math.max(0, Math.min(MAX_HOURS, Math.floor((last - first) / HOUR_MS) + 1)) }, (_, index) => first + index * HOUR_MS);

async function differingHours(ask: Ask, from: number): Promise<readonly number[]> {
  const rows = await ask('SELECT hour FROM activity_checks WHERE hour >= ?1 AND booked <> summed ORDER BY hour', [from]);
  return rows.map((row) => number(row.hour));
}

/** The hour after the last one that was compared, else the first one that the log knows; null for an empty log. */
async function firstOpenHour(ask: Ask): Promise<number | null> {
  const [last] = await ask('SELECT max(hour) AS hour FROM activity_checks', []);
  const checked = numberOrNull(last?.hour ?? null);
  if (checked !== null) return checked + HOUR_MS;
  const [first] = await ask('SELECT min(hour) AS hour FROM activity_hours', []);
  return numberOrNull(first?.hour ?? null);
}

interface Checking {
  readonly hour: number;
  /** Whether no row of it was deleted for its age. */
  readonly isWhole: boolean;
  /** Whether all newer entries are read, too: some may have been posted late. */
  readonly isRecent: boolean;
}

async function checkHour(store: ActivityStore, { hour, isWhole, isRecent }: Checking): Promise<HourCheck> {
  const { ask } = store;
  const begin = (await entryBefore(ask, hour)) ?? (await firstEntryAt(ask, hour - DISORDER_MS));
  const end = isRecent ? await endOfEntries(ask) : await lastEntryAt(ask, hour + HOUR_MS + DISORDER_MS);
  let booked = 0;
  let firstEntry: number | null = null;
  for (let from = begin; from < end; from += IDS_AT_ONCE) {
    const range = { from, to: Math.min(from + IDS_AT_ONCE, end), hour };
    const sums = await sumEntries(ask, range);
    booked += sums.amount;
    firstEntry ??= sums.first;
    if (isWhole) await addMissing(store, range);
  }
  const [sums] = await ask('SELECT CAST(coalesce(sum(charged), 0) AS BIGINT) AS charged FROM activity_hours WHERE hour = ?1', [hour]);
  return { hour, firstEntry: firstEntry ?? begin, booked, summed: number(sums?.charged) };
}

/** The first entry of an hour before this one, as it was found then: none of this hour came earlier. */
async function entryBefore(ask: Ask, hour: number): Promise<number | null> {
  const [row] = await ask('SELECT first_entry FROM activity_checks WHERE hour < ?1 ORDER BY hour DESC LIMIT 1', [hour]);
  return row ? number(row.first_entry) : null;
}

/** Ids of entries, `to` exclusive, of which those of one hour count. */
interface IdRange {
  readonly from: number;
  readonly to: number;
  readonly hour: number;
}

/** Condition for charges of calls: one of the two entries of each charge. */
const CHARGED = "id >= ?1 AND id < ?2 AND entries.created_at >= ?3 AND entries.created_at < ?4 AND kind = 'charge' AND book = 'revenue'";

async function sumEntries(ask: Ask, { from, to, hour }: IdRange): Promise<{ readonly amount: number; readonly first: number | null }> {
  const [row] = await ask(`SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) AS amount, min(id) AS first FROM entries WHERE ${CHARGED}`, [
    from,
    to,
    hour,
    hour + HOUR_MS,
  ]);
  return { amount: number(row?.amount), first: numberOrNull(row?.first ?? null) };
}

const MISSING = `
  SELECT request_id, account_id, key_id, model, operation, usage, outcome, charged, charges.created_at, settled_at
  FROM entries JOIN charges ON charges.request_id = transfer
  WHERE ${CHARGED} AND NOT EXISTS (SELECT 1 FROM requests WHERE requests.request_id = transfer)
  ORDER BY id LIMIT ${ROWS_AT_ONCE}`;

async function addMissing({ ask, add }: ActivityStore, { from, to, hour }: IdRange): Promise<void> {
  for (;;) {
    const rows = (await ask(MISSING, [from, to, hour, hour + HOUR_MS])).map(rowOfCharge);
    if (rows.length > 0) await add(rows);
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** Omits facts that the charge doesn't contain: upstream, attempts, and time to first event. */
function rowOfCharge(row: Row): LogRow {
  const [createdAt, settledAt] = [number(row.created_at), number(row.settled_at)];
  return {
    request_id: text(row.request_id),
    ended_at: settledAt,
    account_id: text(row.account_id),
    key_id: text(row.key_id),
    model: text(row.model),
    operation: text(row.operation),
    upstream: null,
    session: null,
    status: 200,
    code: null,
    outcome: outcomeOf(textOrNull(row.outcome)),
    is_stream: 0,
    attempts: 0,
    first_ms: null,
    total_ms: Math.max(0, settledAt - createdAt),
    ...amountsOf(textOrNull(row.usage)),
    charged: number(row.charged),
    missed: null,
    vendor_cost: null,
    repeats: 0,
    details: '{}',
  };
}

const outcomes: readonly string[] = ['completed', 'incomplete', 'failed', 'client_disconnected'] satisfies Outcome[];
// `as`: the list above has only these.
const outcomeOf = (written: string | null): Outcome => (written !== null && outcomes.includes(written) ? (written as Outcome) : 'failed');

interface Usage {
  readonly input?: number;
  readonly cachedInput?: number;
  readonly cacheWrite?: number;
  readonly output?: number;
  readonly images?: Readonly<Record<string, number>>;
}

function amountsOf(usage: string | null): Pick<LogRow, 'input' | 'cached_input' | 'cache_write' | 'output' | 'images'> {
  // `as`: written by the posting of the charge.
  const { input = 0, cachedInput = 0, cacheWrite = 0, output = 0, images = {} } = JSON.parse(usage ?? '{}') as Usage;
  const made = Object.values(images).reduce((sum, count) => sum + count, 0);
  return { input, cached_input: cachedInput, cache_write: cacheWrite, output, images: made };
}

interface Reconciled {
  /** End of the last compared hour, in milliseconds since 1970. */
  readonly until: number;
  /** Ledger total minus request log total, in micro-dollars. */
  readonly difference: number;
}

/** Null when no hour of the range was compared. */
export async function readChecks(ask: Ask, from: number, to: number): Promise<Reconciled | null> {
  const [row] = await ask(
    `SELECT count(*) AS hours, coalesce(max(hour), 0) AS newest, CAST(coalesce(sum(booked - summed), 0) AS BIGINT) AS difference
     FROM activity_checks WHERE hour >= ?1 AND hour < ?2`,
    [from, to],
  );
  if (!row || number(row.hours) === 0) return null;
  return { until: number(row.newest) + HOUR_MS, difference: number(row.difference) };
}
