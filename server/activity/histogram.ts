/** Times in 24 columns, each bound half as large again as the one before: enough for percentiles within a few percent, and small enough for a row of every hour. */

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
