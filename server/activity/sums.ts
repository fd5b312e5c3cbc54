/** The SQL that adds new rows of the log to the tables of sums; the same on both databases. */

import { MAX_SWEPT } from '../storage/audit.ts';
import { numberOrNull } from '../storage/rows.ts';
import type { ActivityStore, Ask } from './record.ts';

const COLUMNS = 24;
const FIRST_MS = 5;
const RATIO = 1.5;

/** The upper end of each column but the last, which has none. */
const bounds: readonly number[] = Array.from({ length: COLUMNS - 1 }, (_, index) => Math.round(FIRST_MS * RATIO ** index));

export const firstColumns: readonly string[] = Array.from({ length: COLUMNS }, (_, index) => `f${index}`);
export const totalColumns: readonly string[] = Array.from({ length: COLUMNS }, (_, index) => `t${index}`);

/** A condition for each column, in order, that is true for times in it. */
export function columnConditions(time: string): string[] {
  return Array.from({ length: COLUMNS }, (_, index) => {
    const [above, most] = [bounds[index - 1], bounds[index]];
    const parts = [
      `${time} IS NOT NULL`,
      ...(above === undefined ? [] : [`${time} > ${above}`]),
      ...(most === undefined ? [] : [`${time} <= ${most}`]),
    ];
    return parts.join(' AND ');
  });
}

/** The time that this share of the calls did not exceed, in milliseconds: as if the calls of its column were spread evenly over it. Null when nothing was counted. */
export function percentile(counts: readonly number[], share: number): number | null {
  const wanted = counts.reduce((sum, count) => sum + count, 0) * share;
  let below = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && below + count >= wanted) return timeIn(index, (wanted - below) / count);
    below += count;
  }
  return null;
}

/** `part`: how much of the column is below. The last column has no end; it is taken to be as wide as its ratio to the others says. */
function timeIn(index: number, part: number): number {
  const lower = bounds[index - 1] ?? 0;
  const upper = bounds[index] ?? lower * RATIO;
  return Math.round(lower + (upper - lower) * part);
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** How long sums by hour of keys are kept: the longest range of the pages, and some days more. */
export const KEY_HOURS_DAYS = 93;

/** The columns of `LogRow`, in one order. */
export const rowColumns = [
  ...['request_id', 'ended_at', 'account_id', 'key_id', 'model', 'operation', 'upstream', 'session', 'status', 'code', 'outcome'],
  ...[
    'is_stream',
    'attempts',
    'first_ms',
    'total_ms',
    'input',
    'cached_input',
    'cache_write',
    'output',
    'images',
    'charged',
    'missed',
    'repeats',
    'details',
    'vendor_cost',
  ],
] as const;

/** The sums that all tables have, and how each is made of rows. A row stands for itself and its repetitions. */
const sums = {
  requests: 'sum(1 + repeats)',
  errors: "sum(CASE outcome WHEN 'failed' THEN 1 + repeats ELSE 0 END)",
  rejected: "sum(CASE outcome WHEN 'rejected' THEN 1 + repeats ELSE 0 END)",
  input: 'sum(input)',
  cached_input: 'sum(cached_input)',
  cache_write: 'sum(cache_write)',
  output: 'sum(output)',
  images: 'sum(images)',
  charged: 'sum(coalesce(charged, 0))',
  missed: 'sum(coalesce(missed, 0))',
} as const;
export type Sum = keyof typeof sums;
// `as`: the names of an object are those of its type.
export const sumNames = Object.keys(sums) as readonly Sum[];

interface SumTable {
  readonly name: string;
  /** The key, and how each part is made of a row. */
  readonly key: Readonly<Record<string, string>>;
  /** Which rows count; absent: all. */
  readonly where?: string;
  readonly hasTimes: boolean;
}

/** The end of the last day that is in `activity_days`: all days before are there, too. */
export const DAYS_UNTIL = `SELECT coalesce(max(day) + ${DAY_MS}, 0) FROM activity_days`;

const orNone = (column: string): string => `coalesce(${column}, '')`;
const DAY = `ended_at - ended_at % ${DAY_MS}`;
export const HOUR = `ended_at - ended_at % ${HOUR_MS}`;
/** Only answered calls have a time that says something: a refusal takes none. */
const answered = columnConditions('total_ms').map((condition) => `${condition} AND outcome IN ('completed', 'incomplete')`);

export const sumTables: readonly SumTable[] = [
  {
    name: 'activity_hours',
    key: { hour: HOUR, model: orNone('model'), upstream: orNone('upstream'), operation: orNone('operation'), code: orNone('code') },
    hasTimes: true,
  },
  {
    // A day is made of its hours when it is over; only calls that are written later are added here.
    name: 'activity_days',
    key: { day: DAY, model: orNone('model'), upstream: orNone('upstream'), operation: orNone('operation'), code: orNone('code') },
    where: `ended_at < (${DAYS_UNTIL})`,
    hasTimes: true,
  },
  // Calls without a known key have an empty text, so that every table has the same total.
  { name: 'account_days', key: { day: DAY, account_id: orNone('account_id'), model: orNone('model') }, hasTimes: false },
  {
    name: 'key_days',
    key: { account_id: orNone('account_id'), day: DAY, key_id: orNone('key_id'), model: orNone('model') },
    hasTimes: false,
  },
  {
    name: 'key_hours',
    key: { hour: HOUR, account_id: orNone('account_id'), key_id: orNone('key_id'), model: orNone('model') },
    hasTimes: false,
  },
];

const timeSums: readonly (readonly [string, string])[] = [
  ...columnConditions('first_ms').map((condition, index) => [firstColumns[index] ?? '', condition] as const),
  ...answered.map((condition, index) => [totalColumns[index] ?? '', condition] as const),
].map(([name, condition]) => [name, `sum(CASE WHEN ${condition} THEN 1 ELSE 0 END)`] as const);

/** What providers billed for the calls of which it is known, how many these are, and what they were charged; in the table that has times, too. */
const providerSums = [
  ['vendor_cost', 'sum(coalesce(vendor_cost, 0))'],
  ['costed', 'sum(CASE WHEN vendor_cost IS NULL THEN 0 ELSE 1 + repeats END)'],
  ['costed_charged', 'sum(CASE WHEN vendor_cost IS NULL THEN 0 ELSE coalesce(charged, 0) END)'],
] as const;

/** Each sum over rows of the log, for what no table of sums has. */
export const rowSums: ReadonlyMap<string, string> = new Map([...Object.entries(sums), ...timeSums, ...providerSums]);

/** The sums in the tables that have times, in the order of their columns. */
const dayColumns: readonly string[] = [...sumNames, ...timeSums.map(([name]) => name), ...providerSums.map(([name]) => name)];
const PLACE = 'model, upstream, operation, code';

/** The begin of the first day after the ones in `activity_days` that has hours before ?1, the begin of a day; null when there is none. */
export const nextDaySql = `
  SELECT min(hour) - min(hour) % ${DAY_MS} AS day FROM activity_hours WHERE hour >= (${DAYS_UNTIL}) AND hour < ?1`;

/** Deletes sums by hour of keys before ?1, some at a time. */
export const expireKeyHoursSql = `
  DELETE FROM key_hours WHERE (hour, account_id, key_id, model) IN (SELECT hour, account_id, key_id, model FROM key_hours WHERE hour < ?1 ORDER BY hour LIMIT ${MAX_SWEPT})`;

/** Makes the day that begins at ?1 and ends at ?2 of its hours. Another process may have made it meanwhile. */
export const closeDaySql = `
  INSERT INTO activity_days (day, ${PLACE}, ${dayColumns.join(', ')})
  SELECT hour - hour % ${DAY_MS}, ${PLACE}, ${dayColumns.map((name) => `sum(${name})`).join(', ')}
  FROM activity_hours WHERE hour >= ?1 AND hour < ?2 GROUP BY 1, ${PLACE}
  ON CONFLICT DO NOTHING`;

/**
 * Adds the rows of `source` to one table. Rows are taken in the order of their key, so that two processes never wait for each other in a ring.
 * `where`: which rows of the source.
 */
export function addSumsSql({ name, key, where = 'true', hasTimes }: SumTable, source: string, condition = 'true'): string {
  const added: readonly (readonly [string, string])[] = [...Object.entries(sums), ...(hasTimes ? [...timeSums, ...providerSums] : [])];
  const names = [...Object.keys(key), ...added.map(([column]) => column)];
  const groups = Object.keys(key)
    .map((_, index) => index + 1)
    .join(', ');
  return `
    INSERT INTO ${name} (${names.join(', ')})
    SELECT ${[...Object.values(key), ...added.map(([, sum]) => sum)].join(', ')}
    FROM ${source} WHERE ${where} AND ${condition} GROUP BY ${groups} ORDER BY ${groups}
    ON CONFLICT (${Object.keys(key).join(', ')}) DO UPDATE SET
      ${added.map(([column]) => `${column} = ${name}.${column} + excluded.${column}`).join(', ')}`;
}

export type Dimension = 'model' | 'upstream' | 'operation' | 'code' | 'account' | 'key' | 'session';

export interface Question {
  /** Milliseconds since 1970: `from` is the begin of an hour; to exclusive. */
  readonly from: number;
  readonly to: number;
  readonly bucket: Bucket;
  /** None, one or two. */
  readonly by: readonly Dimension[];
  readonly filters: Readonly<Partial<Record<Dimension, string>>>;
  /** The most series apart from the rest. */
  readonly top: number;
  /** Whether the range reaches the present: no call ended after it. */
  readonly isOpen: boolean;
  /** From when on the rows of the log are kept, in milliseconds since 1970; a function, for the configuration may be unreadable. */
  readonly rowsFrom: () => number;
  /** From when on the sums by hour of keys are kept. */
  readonly keyHoursFrom: number;
}

export interface Source {
  readonly table: 'activity_hours' | 'key_hours' | 'requests';
  /** The same sums by day, for the whole days of the range. */
  readonly days?: 'activity_days' | 'account_days' | 'key_days';
}

/** The part of a table that is read. Times are as in `Question`. */
export interface Part {
  readonly table: Source['table'] | NonNullable<Source['days']>;
  /** The column of the time. */
  readonly time: 'hour' | 'day' | 'ended_at';
  readonly from: number;
  readonly to: number;
}

/** Why a question cannot be answered: the parameter to change, and what to do. */
export interface Unanswerable {
  readonly param: string;
  readonly message: string;
}

export const columnOf = {
  model: 'model',
  upstream: 'upstream',
  operation: 'operation',
  code: 'code',
  account: 'account_id',
  key: 'key_id',
  session: 'session',
} as const;

const ofHours: readonly Dimension[] = ['model', 'upstream', 'operation', 'code'];
const ofAccounts: readonly Dimension[] = ['account', 'model'];
const ofKeys: readonly Dimension[] = ['account', 'key', 'model'];
const MAX_ROWS_DAYS = 7;
/** Maximum number of days of rows to read for all accounts. */
const MAX_ALL_ROWS_DAYS = 1;
const MAX_BUCKETS = 750;
const MAX_HOURS_RANGE_DAYS = 2;
const MAX_DAYS_RANGE_DAYS = 92;
const MAX_WEEKS_RANGE_DAYS = 731;

const dimensionsOf = ({ by, filters }: Pick<Question, 'by' | 'filters'>): readonly Dimension[] => [
  ...by,
  // `as`: the names of an object are those of its type.
  ...(Object.keys(filters) as Dimension[]).filter((name) => filters[name] !== undefined),
];
const isWithin = (asked: readonly Dimension[], known: readonly Dimension[]): boolean => asked.every((one) => known.includes(one));
/** As it was asked for: it begins with the full hour before that. */
const isAtMost = ({ from, to }: Pick<Question, 'from' | 'to'>, days: number): boolean => to - from < days * DAY_MS + HOUR_MS;
const isShort = (question: Question): boolean => isAtMost(question, MAX_ROWS_DAYS);
const isOfOne = ({ filters }: Pick<Question, 'filters'>): boolean => filters.account !== undefined || filters.key !== undefined;

/** The length of a bucket that suits the range. */
export function suitableBucket({ from, to }: Pick<Question, 'from' | 'to'>): Bucket {
  const days = (to - from) / DAY_MS;
  if (days <= MAX_HOURS_RANGE_DAYS) return 'hour';
  if (days <= MAX_DAYS_RANGE_DAYS) return 'day';
  return days <= MAX_WEEKS_RANGE_DAYS ? 'week' : 'month';
}

export function chooseSource(question: Question): Source | Unanswerable {
  const { from, to, bucket, by } = question;
  if (to <= from) return { param: 'to', message: "'to' must be later than 'from'." };
  if (countOf(bucket, from, to) > MAX_BUCKETS) {
    return { param: 'bucket', message: `A range can have at most ${MAX_BUCKETS} buckets. Use longer buckets or a shorter range.` };
  }
  if (new Set(by).size < by.length) return { param: 'then_by', message: "'then_by' must differ from 'group_by'." };
  const asked = dimensionsOf(question);
  if (isWithin(asked, ofHours)) return atEdges(question, { table: 'activity_hours', days: 'activity_days' });
  // The rows of one key have an index; its sums by hour have none.
  const takesRows = isOfOne(question) && isShort(question);
  if (isWithin(asked, ofKeys) && !(takesRows && bucket === 'hour')) {
    if (bucket !== 'hour' || isShort(question))
      return atEdges(question, { table: 'key_hours', days: isWithin(asked, ofAccounts) ? 'account_days' : 'key_days' });
    const message = `Hourly totals by account and key can span at most ${MAX_ROWS_DAYS} days. Use 'day' or a shorter range.`;
    return { param: 'bucket', message };
  }
  return takesRows || (asked.includes('session') && isAtMost(question, MAX_ALL_ROWS_DAYS)) ? { table: 'requests' } : whyNot(question);
}

function whyNot({ by, filters }: Question): Unanswerable {
  if (isOfOne({ filters })) {
    const message = `Totals of one account or key by upstream, operation, code, or session can span at most ${MAX_ROWS_DAYS} days. Use a shorter range.`;
    return { param: 'from', message };
  }
  if (dimensionsOf({ by, filters }).includes('session')) {
    const message = `Totals by session can span at most ${MAX_ROWS_DAYS} days with 'account_id' or 'key_id', and at most ${MAX_ALL_ROWS_DAYS} day without.`;
    return { param: 'from', message };
  }
  const message =
    "Totals by account and key can be filtered by model only. Omit upstream, operation, and code, or set 'account_id' or 'key_id'.";
  return { param: by.length > 1 ? 'then_by' : 'group_by', message };
}

const timeText = (at: number): string => new Date(at).toISOString();

/** A range that begins or ends where only longer sums are kept would get calls from outside of it. */
function atEdges(question: Question, source: Source): Source | Unanswerable {
  const { from, to, bucket, rowsFrom, keyHoursFrom } = question;
  const hoursUntil = endOfHours(question);
  if (hoursUntil < to && hoursUntil < rowsFrom()) {
    return { param: 'to', message: `'to' must be a full hour: calls before ${timeText(rowsFrom())} are kept as hourly totals.` };
  }
  if (source.table !== 'key_hours') return source;
  if (bucket === 'hour' && from < keyHoursFrom) {
    return { param: 'bucket', message: `Totals by account and key are daily before ${timeText(keyHoursFrom)}. Use 'day'.` };
  }
  const param = (['from', 'to'] as const).find((name) => question[name] < keyHoursFrom && question[name] % DAY_MS !== 0);
  if (param === undefined) return source;
  return {
    param,
    message: `'${param}' must be the start of a UTC day: totals by account and key are daily before ${timeText(keyHoursFrom)}.`,
  };
}

/** The running hour is counted whole; of an hour that the range ends in, the rows are read. */
const endOfHours = ({ to, isOpen }: Question): number => (isOpen ? to : beginOf('hour', to));

/** Whole days from sums by day until `daysUntil`, the hours before and after them, and the rows of the last hour. */
export function partsOf(question: Question, { table, days }: Source, daysUntil: number): readonly Part[] {
  const { from, to, bucket } = question;
  if (table === 'requests') return [{ table, time: 'ended_at', from, to }];
  const hoursUntil = endOfHours(question);
  const firstDay = Math.ceil(from / DAY_MS) * DAY_MS;
  const hasDays = days !== undefined && bucket !== 'hour' && firstDay < daysUntil;
  const summed: readonly Part[] = hasDays
    ? [
        { table, time: 'hour', from, to: firstDay },
        { table: days, time: 'day', from: firstDay, to: daysUntil },
        { table, time: 'hour', from: daysUntil, to: hoursUntil },
      ]
    : [{ table, time: 'hour', from, to: hoursUntil }];
  const all: readonly Part[] = [...summed, { table: 'requests', time: 'ended_at', from: hoursUntil, to }];
  return all.filter((part) => part.from < part.to);
}

export interface Rebuilt {
  /** Begin of the first day, in milliseconds since 1970; null when the log has no whole day. */
  readonly from: number | null;
  readonly days: number;
}

/** `from`: no day before this time. */
export async function rebuildSums(store: ActivityStore, from: number, now: number): Promise<Rebuilt> {
  const first = await firstWholeDay(store.ask);
  if (first === null || first > now) return { from: null, days: 0 };
  const begin = Math.max(first, from - (from % DAY_MS));
  let days = 0;
  for (let day = begin; day <= now; day += DAY_MS, days++) await store.recount(day, day + DAY_MS);
  while (await store.closeDay(now));
  return { from: begin, days };
}

/** A log that never lost a row begins with its first one; else the day of its oldest row has lost some. */
async function firstWholeDay(ask: Ask): Promise<number | null> {
  const [row] = await ask('SELECT min(ended_at) AS at FROM requests', []);
  const [sums] = await ask('SELECT min(hour) AS hour FROM activity_hours', []);
  const [oldest, counted] = [numberOrNull(row?.at ?? null), numberOrNull(sums?.hour ?? null)];
  if (oldest === null) return null;
  const day = oldest - (oldest % DAY_MS);
  const isWhole = counted === null || counted >= oldest - (oldest % HOUR_MS);
  return isWhole ? day : day + DAY_MS;
}

export type Bucket = 'hour' | 'day' | 'week' | 'month';

/** 1970 began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

/** The begin of the bucket that a time lies in; times are milliseconds since 1970. */
export function beginOf(bucket: Bucket, at: number): number {
  switch (bucket) {
    case 'hour':
      return at - (at % HOUR_MS);
    case 'day':
      return at - (at % DAY_MS);
    case 'week':
      return Math.floor((at - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS;
    case 'month': {
      const date = new Date(at);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    }
  }
}

const lengthMs = { hour: HOUR_MS, day: DAY_MS, week: WEEK_MS, month: 28 * DAY_MS } as const;

/** How many buckets a range has, at most. */
export const countOf = (bucket: Bucket, from: number, to: number): number => Math.ceil((to - from) / lengthMs[bucket]);
