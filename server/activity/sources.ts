/** Which tables answer a question about sums: the smallest ones that have every dimension, or the rows of one account or key. */
import { type Bucket, beginOf, countOf } from './buckets.ts';
import { DAY_MS } from './sums.ts';

export type Dimension = 'model' | 'upstream' | 'operation' | 'code' | 'account' | 'key';

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

/** What of a table is read; times as in `Question`. */
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
} as const;

const ofHours: readonly Dimension[] = ['model', 'upstream', 'operation', 'code'];
const ofAccounts: readonly Dimension[] = ['account', 'model'];
const ofKeys: readonly Dimension[] = ['account', 'key', 'model'];
const LONGEST_ROWS_DAYS = 7;
const MOST_BUCKETS = 750;
const LONGEST_HOURS_DAYS = 2;
const LONGEST_DAYS_DAYS = 92;
const LONGEST_WEEKS_DAYS = 731;

const dimensionsOf = ({ by, filters }: Pick<Question, 'by' | 'filters'>): readonly Dimension[] => [
  ...by,
  // `as`: the names of an object are those of its type.
  ...(Object.keys(filters) as Dimension[]).filter((name) => filters[name] !== undefined),
];
const isWithin = (asked: readonly Dimension[], known: readonly Dimension[]): boolean => asked.every((one) => known.includes(one));
const isShort = ({ from, to }: Pick<Question, 'from' | 'to'>): boolean => to - from <= LONGEST_ROWS_DAYS * DAY_MS;
const isOfOne = ({ filters }: Pick<Question, 'filters'>): boolean => filters.account !== undefined || filters.key !== undefined;

/** The length of a bucket that suits the range. */
export function suitableBucket({ from, to }: Pick<Question, 'from' | 'to'>): Bucket {
  const days = (to - from) / DAY_MS;
  if (days <= LONGEST_HOURS_DAYS) return 'hour';
  if (days <= LONGEST_DAYS_DAYS) return 'day';
  return days <= LONGEST_WEEKS_DAYS ? 'week' : 'month';
}

export function chooseSource(question: Question): Source | Unanswerable {
  const { from, to, bucket, by } = question;
  if (to <= from) return { param: 'to', message: "'to' must be later than 'from'." };
  if (countOf(bucket, from, to) > MOST_BUCKETS) {
    return { param: 'bucket', message: `A range may have ${MOST_BUCKETS} buckets: take longer ones, or a shorter range.` };
  }
  if (new Set(by).size < by.length) return { param: 'then_by', message: "'then_by' must be another dimension than 'group_by'." };
  const asked = dimensionsOf(question);
  if (isWithin(asked, ofHours)) return atEdges(question, { table: 'activity_hours', days: 'activity_days' });
  // The rows of one key have an index; its sums by hour have none.
  const takesRows = isOfOne(question) && isShort(question);
  if (isWithin(asked, ofKeys) && !(takesRows && bucket === 'hour')) {
    if (bucket !== 'hour' || isShort(question))
      return atEdges(question, { table: 'key_hours', days: isWithin(asked, ofAccounts) ? 'account_days' : 'key_days' });
    const message = `Accounts and keys are counted by hour for at most ${LONGEST_ROWS_DAYS} days: take 'day', or a shorter range.`;
    return { param: 'bucket', message };
  }
  return takesRows ? { table: 'requests' } : whyNot(question);
}

function whyNot({ by, filters }: Question): Unanswerable {
  if (isOfOne({ filters })) {
    const message = `Of one account or key, upstreams, operations and codes are counted from its rows: ask for at most ${LONGEST_ROWS_DAYS} days.`;
    return { param: 'from', message };
  }
  const message = "Accounts and keys are summed by model alone: leave out upstream, operation and code, or give 'account_id' or 'key_id'.";
  return { param: by.length > 1 ? 'then_by' : 'group_by', message };
}

const timeText = (at: number): string => new Date(at).toISOString();

/** A range that begins or ends where only longer sums are kept would get calls from outside of it. */
function atEdges(question: Question, source: Source): Source | Unanswerable {
  const { from, to, bucket, rowsFrom, keyHoursFrom } = question;
  const hoursUntil = endOfHours(question);
  if (hoursUntil < to && hoursUntil < rowsFrom()) {
    return { param: 'to', message: `'to' must be a full hour: calls before ${timeText(rowsFrom())} are kept as sums by hour.` };
  }
  if (source.table !== 'key_hours') return source;
  if (bucket === 'hour' && from < keyHoursFrom) {
    return { param: 'bucket', message: `Accounts and keys are summed by day before ${timeText(keyHoursFrom)}: take 'day'.` };
  }
  const param = (['from', 'to'] as const).find((name) => question[name] < keyHoursFrom && question[name] % DAY_MS !== 0);
  if (param === undefined) return source;
  return {
    param,
    message: `'${param}' must be the start of a UTC day: accounts and keys are summed by day before ${timeText(keyHoursFrom)}.`,
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
