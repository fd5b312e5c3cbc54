/** Chooses the table that can answer a query for totals, or explains why none can. */
import { countBuckets, DAY_MS, getBucketStart, HOUR_MS, type TimeBucket } from './time-bucket.ts';

export type Dimension = 'model' | 'upstream' | 'operation' | 'code' | 'account' | 'key' | 'session' | 'end_user' | 'tag';

export interface RollupQuery {
  /** Milliseconds since 1970. `from` is the start of an hour, `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly bucket: TimeBucket;
  /** Up to two dimensions. */
  readonly by: readonly Dimension[];
  readonly filters: Readonly<Partial<Record<Dimension, string>>>;
  /** The maximum number of series. All others are combined. */
  readonly top: number;
  /** Whether the range reaches the present, so that no call ended after it. */
  readonly isOpen: boolean;
  /**
   * Returns the time since which log rows are kept, in milliseconds since 1970. A function, because the configuration may be unreadable.
   */
  readonly rowsFrom: () => number;
  /** The time since which hourly totals by key, and all totals by end user and tag, are kept. */
  readonly keyHoursFrom: number;
}

export interface RollupSource {
  readonly table: 'activity_hours' | 'key_hours' | 'end_user_hours' | 'requests';
  /** Daily totals of the same calls, for the complete days of the range. */
  readonly days?: 'activity_days' | 'account_days' | 'key_days' | 'end_user_days';
}

/** The part of a table to read. Times are as in `RollupQuery`. */
export interface TableRange {
  readonly table: RollupSource['table'] | NonNullable<RollupSource['days']>;
  /** The time column. */
  readonly time: 'hour' | 'day' | 'ended_at';
  readonly from: number;
  readonly to: number;
}

/** Why a query can't be answered: the parameter to change, and how. */
interface QueryError {
  readonly param: string;
  readonly message: string;
}

export const dimensionColumns = {
  model: 'model',
  upstream: 'upstream',
  operation: 'operation',
  code: 'code',
  account: 'account_id',
  key: 'key_id',
  session: 'session',
  end_user: 'end_user',
  tag: 'tag',
} as const;

const hourDimensions: readonly Dimension[] = ['model', 'upstream', 'operation', 'code'];

const accountDimensions: readonly Dimension[] = ['account', 'model'];

const keyDimensions: readonly Dimension[] = ['account', 'key', 'model'];

const endUserDimensions: readonly Dimension[] = [...keyDimensions, 'end_user', 'tag'];

const endUserDayDimensions: readonly Dimension[] = ['account', 'end_user', 'tag'];

const MAX_ROWS_DAYS = 7;

/** Maximum number of days of rows to read for all accounts. */
const MAX_ALL_ROWS_DAYS = 1;

const MAX_BUCKETS = 750;

const MAX_HOURS_RANGE_DAYS = 2;

const MAX_DAYS_RANGE_DAYS = 92;

const MAX_WEEKS_RANGE_DAYS = 731;

const listDimensions = ({ by, filters }: Pick<RollupQuery, 'by' | 'filters'>): readonly Dimension[] => [
  ...by,
  // `as`: the object has exactly the keys of its type.
  ...(Object.keys(filters) as Dimension[]).filter((name) => filters[name] !== undefined),
];

const isWithin = (requested: readonly Dimension[], available: readonly Dimension[]): boolean =>
  requested.every((one) => available.includes(one));

/** Allows one extra hour, because the range starts at the full hour before the requested time. */
const isWithinDays = ({ from, to }: Pick<RollupQuery, 'from' | 'to'>, days: number): boolean => to - from < days * DAY_MS + HOUR_MS;

const isShort = (query: RollupQuery): boolean => isWithinDays(query, MAX_ROWS_DAYS);

const isForOneOwner = ({ filters }: Pick<RollupQuery, 'filters'>): boolean => filters.account !== undefined || filters.key !== undefined;

/** Chooses a bucket length that fits the range. */
export function chooseBucket({ from, to }: Pick<RollupQuery, 'from' | 'to'>): TimeBucket {
  const days = (to - from) / DAY_MS;
  if (days <= MAX_HOURS_RANGE_DAYS) return 'hour';
  if (days <= MAX_DAYS_RANGE_DAYS) return 'day';
  return days <= MAX_WEEKS_RANGE_DAYS ? 'week' : 'month';
}

export function chooseSource(query: RollupQuery): RollupSource | QueryError {
  const { from, to, bucket, by } = query;
  if (to <= from) return { param: 'to', message: "'to' must be later than 'from'." };
  if (countBuckets(bucket, from, to) > MAX_BUCKETS) {
    return { param: 'bucket', message: `A range can have at most ${MAX_BUCKETS} buckets. Use longer buckets or a shorter range.` };
  }
  if (new Set(by).size < by.length) return { param: 'then_by', message: "'then_by' must differ from 'group_by'." };
  const requested = listDimensions(query);
  if (isWithin(requested, hourDimensions)) return validateRangeEdges(query, { table: 'activity_hours', days: 'activity_days' });
  // The rows of a key have an index, its hourly totals don't.
  const canReadRows = isForOneOwner(query) && isShort(query);
  if (isWithin(requested, endUserDimensions) && !(canReadRows && bucket === 'hour')) {
    if (bucket !== 'hour' || isShort(query)) return validateRangeEdges(query, chooseOwnerTables(requested));
    const message = `Hourly totals by account, key, end user, and tag can span at most ${MAX_ROWS_DAYS} days. Use 'day' or a shorter range.`;
    return { param: 'bucket', message };
  }
  return canReadRows || (requested.includes('session') && isWithinDays(query, MAX_ALL_ROWS_DAYS))
    ? { table: 'requests' }
    : toQueryError(query);
}

function chooseOwnerTables(requested: readonly Dimension[]): RollupSource {
  if (isWithin(requested, accountDimensions)) return { table: 'key_hours', days: 'account_days' };
  if (isWithin(requested, keyDimensions)) return { table: 'key_hours', days: 'key_days' };
  return { table: 'end_user_hours', ...(isWithin(requested, endUserDayDimensions) && { days: 'end_user_days' }) };
}

function toQueryError({ by, filters }: RollupQuery): QueryError {
  if (isForOneOwner({ filters })) {
    const message = `Totals of one account or key by upstream, operation, code, or session can span at most ${MAX_ROWS_DAYS} days. Use a shorter range.`;
    return { param: 'from', message };
  }
  if (listDimensions({ by, filters }).includes('session')) {
    const message = `Totals by session can span at most ${MAX_ALL_ROWS_DAYS} day, or ${MAX_ROWS_DAYS} days of one account or key. Use a shorter range.`;
    return { param: 'from', message };
  }
  const message =
    "Totals by account, key, end user, and tag can be filtered by model only. Omit upstream, operation, and code, or set 'account_id' or 'key_id'.";
  return { param: by.length > 1 ? 'then_by' : 'group_by', message };
}

const formatTime = (at: number): string => new Date(at).toISOString();

/** Rejects a range that starts or ends where only longer totals are kept, because it would include calls from outside the range. */
function validateRangeEdges(query: RollupQuery, source: RollupSource): RollupSource | QueryError {
  const { from, to, bucket, rowsFrom, keyHoursFrom } = query;
  const hoursEnd = getHoursEnd(query);
  if (hoursEnd < to && hoursEnd < rowsFrom()) {
    return { param: 'to', message: `'to' must be a full hour: calls before ${formatTime(rowsFrom())} are kept as hourly totals.` };
  }
  if (source.table === 'end_user_hours' && from < keyHoursFrom) {
    return { param: 'from', message: `Totals by end user and tag are kept since ${formatTime(keyHoursFrom)}.` };
  }
  if (source.table !== 'key_hours') return source;
  if (bucket === 'hour' && from < keyHoursFrom) {
    return { param: 'bucket', message: `Totals by account and key are daily before ${formatTime(keyHoursFrom)}. Use 'day'.` };
  }
  const param = (['from', 'to'] as const).find((name) => query[name] < keyHoursFrom && query[name] % DAY_MS !== 0);
  if (param === undefined) return source;
  return {
    param,
    message: `'${param}' must be the start of a UTC day: totals by account and key are daily before ${formatTime(keyHoursFrom)}.`,
  };
}

/** The current hour counts as complete. If the range ends within an hour, that hour's rows are read. */
const getHoursEnd = ({ to, isOpen }: RollupQuery): number => (isOpen ? to : getBucketStart('hour', to));

/**
 * Splits the range: complete days from daily totals until `daysEnd`, hourly totals before and after them, and the rows of the last
 * hour.
 */
export function splitRange(query: RollupQuery, { table, days }: RollupSource, daysEnd: number): readonly TableRange[] {
  const { from, to, bucket } = query;
  if (table === 'requests') return [{ table, time: 'ended_at', from, to }];
  const hoursEnd = getHoursEnd(query);
  const firstDay = Math.ceil(from / DAY_MS) * DAY_MS;
  const hasDays = days !== undefined && bucket !== 'hour' && firstDay < daysEnd;
  const summedRanges: readonly TableRange[] = hasDays
    ? [
        { table, time: 'hour', from, to: firstDay },
        { table: days, time: 'day', from: firstDay, to: daysEnd },
        { table, time: 'hour', from: daysEnd, to: hoursEnd },
      ]
    : [{ table, time: 'hour', from, to: hoursEnd }];
  const ranges: readonly TableRange[] = [...summedRanges, { table: 'requests', time: 'ended_at', from: hoursEnd, to }];
  return ranges.filter((part) => part.from < part.to);
}
