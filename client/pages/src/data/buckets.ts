/** Time buckets in UTC, like those of the API's totals: weeks start on Monday. The first bucket may start before the range. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const lengths = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS } as const;
/** 1970 began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

export type BucketLength = keyof typeof lengths | 'month';

interface Range {
  readonly from: string;
  readonly to: string;
  readonly bucket: BucketLength;
}

/** The start of each bucket, in milliseconds since 1970. */
export function listBucketStarts({ from, to, bucket }: Range): readonly number[] {
  const end = Date.parse(to);
  const begins: number[] = [];
  for (let at = getFirstStart(bucket, Date.parse(from)); at < end; at = getNextStart(bucket, at)) begins.push(at);
  return begins;
}

function getFirstStart(bucket: BucketLength, at: number): number {
  if (bucket === 'month') return Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth());
  return at - ((at - (bucket === 'week' ? FIRST_MONDAY_MS : 0)) % lengths[bucket]);
}

export function getNextStart(bucket: BucketLength, at: number): number {
  if (bucket !== 'month') return at + lengths[bucket];
  const month = new Date(at);
  return Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1);
}
