/** Buckets of an activity response: their starts, labels, and whether they're counted yet. */
import type { AdminContract } from '../../../../../contract/admin/index.ts';
import { getNextStart, listBucketStarts } from '../../data/buckets.ts';
import type { Success } from '../../data/contract-types.ts';
import { nameBucket } from '../../data/times.ts';
import type { Bucket } from '../../kit/chart.tsx';

export type Activity = Success<AdminContract['getActivity']>;
export type Sums = Activity['total'];
export type ActivitySeries = Activity['series'][number];

export interface TimedBucket extends Bucket {
  /** Start and end in milliseconds since 1970, end exclusive. */
  readonly from: number;
  readonly to: number;
  /** Whether the totals already cover part of the bucket. */
  readonly isCounted: boolean;
}

export function toBuckets({ complete_until, ...range }: Activity): readonly TimedBucket[] {
  const counted = Date.parse(complete_until);
  return listBucketStarts(range).map((from) => ({
    ...nameBucket(from, range.bucket),
    from,
    to: getNextStart(range.bucket, from),
    isCounted: from < counted,
  }));
}

/** One value per bucket. Null if the bucket isn't counted yet or has nothing to measure. */
export function toValues(
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
