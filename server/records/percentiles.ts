/** Defines the histogram columns of response times, and computes percentiles from them. */

const MEDIAN = 0.5;

const P95 = 0.95;

export function computePercentiles(counts: readonly number[] | null): { readonly p50: number; readonly p95: number } | null {
  if (counts === null) return null;
  const [p50, p95] = [computePercentile(counts, MEDIAN), computePercentile(counts, P95)];
  return p50 === null || p95 === null ? null : { p50, p95 };
}

const COLUMN_COUNT = 24;

const FIRST_MS = 5;

const BOUND_RATIO = 1.5;

/** The upper bound of each column in milliseconds, except the last, which is unbounded. */
const boundsMs: readonly number[] = Array.from({ length: COLUMN_COUNT - 1 }, (_, index) => Math.round(FIRST_MS * BOUND_RATIO ** index));

export const firstMsColumns: readonly string[] = Array.from({ length: COLUMN_COUNT }, (_, index) => `f${index}`);

export const totalMsColumns: readonly string[] = Array.from({ length: COLUMN_COUNT }, (_, index) => `t${index}`);

/** Returns one SQL condition per column, in order, that is true for times in that column. */
export function buildColumnConditions(time: string): string[] {
  return Array.from({ length: COLUMN_COUNT }, (_, index) => {
    const [lowerBound, upperBound] = [boundsMs[index - 1], boundsMs[index]];
    const parts = [
      `${time} IS NOT NULL`,
      ...(lowerBound === undefined ? [] : [`${time} > ${lowerBound}`]),
      ...(upperBound === undefined ? [] : [`${time} <= ${upperBound}`]),
    ];
    return parts.join(' AND ');
  });
}

/** Returns the percentile in milliseconds, or null if nothing was counted. Assumes that a column's calls are spread evenly over it. */
function computePercentile(counts: readonly number[], share: number): number | null {
  const targetCount = counts.reduce((sum, count) => sum + count, 0) * share;
  let countBelow = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && countBelow + count >= targetCount) return interpolateTime(index, (targetCount - countBelow) / count);
    countBelow += count;
  }
  return null;
}

/** `fraction`: the share of the column below the percentile. The last column has no upper bound, so its width follows from the ratio. */
function interpolateTime(index: number, fraction: number): number {
  const lower = boundsMs[index - 1] ?? 0;
  const upper = boundsMs[index] ?? lower * BOUND_RATIO;
  return Math.round(lower + (upper - lower) * fraction);
}
