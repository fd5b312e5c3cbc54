/** Times in 24 columns, each half as wide again as the one before: enough for percentiles within a quarter, and small enough for a row of every hour. */

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

/** The time that this share of the calls did not exceed, in milliseconds: the middle of its column. Null when nothing was counted. */
export function percentile(counts: readonly number[], share: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let below = 0;
  for (const [index, count] of counts.entries()) {
    below += count;
    if (below >= all * share) return middleOf(index);
  }
  return middleOf(COLUMNS - 1);
}

/** The geometric middle: no time in the column is further away than a quarter. */
function middleOf(index: number): number {
  const upper = bounds[index] ?? FIRST_MS * RATIO ** index;
  return Math.round(upper / Math.sqrt(RATIO));
}
