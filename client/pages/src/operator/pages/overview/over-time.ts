/** Figures over time: the values of a spark, and the change to the time before. */

const SPARK_POINTS = 24;

export const addValues = (one: bigint, other: bigint): bigint => one + other;
export const getGreater = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** At most 24 of the values, one a bucket and the newest last. Neighbors are one where there are more than 25; `join`: of theirs. */
export function toSparkValues(values: readonly bigint[], join: (one: bigint, other: bigint) => bigint): readonly bigint[] {
  // A day has 25 buckets of an hour, for it begins within one.
  if (values.length <= SPARK_POINTS + 1) return values.slice(-SPARK_POINTS);
  const size = Math.ceil(values.length / SPARK_POINTS);
  const begins = Array.from({ length: Math.ceil(values.length / size) }, (_, bar) => values.length - (bar + 1) * size).reverse();
  return begins.map((begin) => values.slice(Math.max(begin, 0), begin + size).reduce(join));
}

/** A sum, and the length of its time in milliseconds. */
interface Rate {
  readonly sum: bigint;
  readonly ms: number;
}

/** In whole percent, towards zero; null: nothing was before. Rates are compared, for one of the times may have a part of a bucket more. */
export function computeChange(now: Rate, before: Rate): bigint | null {
  const earlier = before.sum * BigInt(now.ms);
  return earlier === 0n ? null : ((now.sum * BigInt(before.ms) - earlier) * 100n) / earlier;
}
