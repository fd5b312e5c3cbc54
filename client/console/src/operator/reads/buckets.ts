/** Buckets of an answer about activity: when each begins, how it is named, and whether it was counted yet. */
import type { AdminContract } from '../../../../../contract/admin.ts';
import type { Success } from '../../data/contract-types.ts';
import type { Bucket } from '../../kit/chart.tsx';

export type Activity = Success<AdminContract['getActivity']>;
export type Sums = Activity['total'];
export type ActivitySeries = Activity['series'][number];
type Length = Activity['bucket'];

export interface TimedBucket extends Bucket {
  /** Begin and end in milliseconds since 1970; the end is not part of it. */
  readonly from: number;
  readonly to: number;
  /** Whether anything of it was counted. */
  readonly isCounted: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const lengths = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS } as const;

function nextOf(from: number, bucket: Length): number {
  if (bucket !== 'month') return from + lengths[bucket];
  const at = new Date(from);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
}

function nameOf(from: number, bucket: Length): Bucket {
  const at = new Date(from);
  const day = at.toLocaleDateString(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  if (bucket !== 'hour') {
    const whole = at.toLocaleDateString(undefined, { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' });
    return { label: whole, short: day };
  }
  const hour = `${String(at.getUTCHours()).padStart(2, '0')}:00`;
  return { label: `${day}, ${hour} UTC`, short: at.getUTCHours() === 0 ? day : hour };
}

export function bucketsOf({ from, to, bucket, complete_until }: Activity): readonly TimedBucket[] {
  const [end, counted] = [Date.parse(to), Date.parse(complete_until)];
  const all: TimedBucket[] = [];
  for (let begin = Date.parse(from); begin < end; begin = nextOf(begin, bucket)) {
    all.push({ ...nameOf(begin, bucket), from: begin, to: nextOf(begin, bucket), isCounted: begin < counted });
  }
  return all;
}

/** One value a bucket, from sums that leave out buckets without calls; null: not counted yet, or nothing to measure. */
export function valuesOf(
  { points }: Pick<ActivitySeries, 'points'>,
  buckets: readonly TimedBucket[],
  measure: { readonly of: (sums: Sums) => bigint | null; readonly empty: bigint | null },
): readonly (bigint | null)[] {
  const byTime = new Map(points.map((point) => [Date.parse(point.at), point]));
  return buckets.map(({ from, isCounted }) => {
    const point = byTime.get(from);
    if (point !== undefined) return measure.of(point);
    return isCounted ? measure.empty : null;
  });
}
