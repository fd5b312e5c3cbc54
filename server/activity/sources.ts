/** Which table answers a question about sums: the smallest that has every dimension, or the rows of one account or key. */
import { type Bucket, countOf } from './buckets.ts';
import { DAY_MS } from './sums.ts';

export type Dimension = 'model' | 'upstream' | 'operation' | 'code' | 'account' | 'key';

export interface Question {
  /** Milliseconds since 1970: `from` is the begin of a bucket; to exclusive. */
  readonly from: number;
  readonly to: number;
  readonly bucket: Bucket;
  /** None, one or two. */
  readonly by: readonly Dimension[];
  readonly filters: Readonly<Partial<Record<Dimension, string>>>;
  /** The most series apart from the rest. */
  readonly top: number;
}

export interface Source {
  readonly table: 'activity_hours' | 'account_days' | 'key_days' | 'requests';
  /** The column of the time. */
  readonly time: 'hour' | 'day' | 'ended_at';
  /** Of `activity_hours`: the days before this time are read from `activity_days`. Absent: none is. */
  readonly daysUntil?: number;
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
const readsRows = ({ from, to, filters }: Omit<Question, 'bucket' | 'top'>): boolean =>
  (filters.account !== undefined || filters.key !== undefined) && to - from <= LONGEST_ROWS_DAYS * DAY_MS;

/** The length of a bucket that suits the range, and that a table has. */
export function suitableBucket(question: Omit<Question, 'bucket' | 'top'>): Bucket {
  const days = (question.to - question.from) / DAY_MS;
  const hasHours = isWithin(dimensionsOf(question), ofHours) || readsRows(question);
  if (days <= LONGEST_HOURS_DAYS && hasHours) return 'hour';
  if (days <= LONGEST_DAYS_DAYS) return 'day';
  return days <= LONGEST_WEEKS_DAYS ? 'week' : 'month';
}

export function chooseSource(question: Question): Source | Unanswerable {
  const { from, to, bucket, by, filters } = question;
  if (to <= from) return { param: 'to', message: "'to' must be later than 'from'." };
  if (countOf(bucket, from, to) > MOST_BUCKETS) {
    return { param: 'bucket', message: `A range may have ${MOST_BUCKETS} buckets: take longer ones, or a shorter range.` };
  }
  if (new Set(by).size < by.length) return { param: 'then_by', message: "'then_by' must be another dimension than 'group_by'." };
  const asked = dimensionsOf(question);
  if (isWithin(asked, ofHours)) return { table: 'activity_hours', time: 'hour' };
  if (bucket !== 'hour' && isWithin(asked, ofAccounts)) return { table: 'account_days', time: 'day' };
  if (bucket !== 'hour' && isWithin(asked, ofKeys)) return { table: 'key_days', time: 'day' };
  if (readsRows(question)) return { table: 'requests', time: 'ended_at' };
  return whyNot(question, filters.account !== undefined || filters.key !== undefined);
}

function whyNot({ by, bucket }: Question, isOfOne: boolean): Unanswerable {
  if (isOfOne) {
    const message = `Of one account or key, hours, upstreams, operations and codes are counted from its rows: ask for at most ${LONGEST_ROWS_DAYS} days.`;
    return { param: 'from', message };
  }
  if (bucket === 'hour')
    return { param: 'bucket', message: "Accounts and keys are summed by day: take 'day', or give 'account_id' or 'key_id'." };
  const message = "Accounts and keys are summed by model alone: leave out upstream, operation and code, or give 'account_id' or 'key_id'.";
  return { param: by.length > 1 ? 'then_by' : 'group_by', message };
}
