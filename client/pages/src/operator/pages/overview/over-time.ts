/** Figures over time: the values of a sparkline, and the change from the previous period. */

const SPARK_POINTS = 24;

export const addValues = (one: bigint, other: bigint): bigint => one + other;
export const getGreater = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** At most 24 values, the newest last. More than 25 values are combined in neighboring groups with `join`. */
export function toSparkValues(values: readonly bigint[], join: (one: bigint, other: bigint) => bigint): readonly bigint[] {
  // A day has 25 hourly buckets, because it starts within one.
  if (values.length <= SPARK_POINTS + 1) return values.slice(-SPARK_POINTS);
  const size = Math.ceil(values.length / SPARK_POINTS);
  const begins = Array.from({ length: Math.ceil(values.length / size) }, (_, bar) => values.length - (bar + 1) * size).reverse();
  return begins.map((begin) => values.slice(Math.max(begin, 0), begin + size).reduce(join));
}

/** A total, and the length of its period in milliseconds. */
interface Rate {
  readonly sum: bigint;
  readonly ms: number;
}

/** In whole percent, rounded toward zero. Null if the previous period had nothing. Compares rates, because the periods can differ by part of a bucket. */
export function computeChange(now: Rate, before: Rate): bigint | null {
  const earlier = before.sum * BigInt(now.ms);
  return earlier === 0n ? null : ((now.sum * BigInt(before.ms) - earlier) * 100n) / earlier;
}
