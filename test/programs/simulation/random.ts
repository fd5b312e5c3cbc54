/** Numbers that follow from a seed. */
export interface Random {
  /** Below 1. */
  next(): number;
  /** Below `end`. */
  below(end: number): number;
  pick<T>(values: readonly T[]): T;
  chance(share: number): boolean;
}

/** Mulberry32. */
export function openRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return { next, below, pick: (values) => values[below(values.length)] as never, chance: (share) => next() < share };
}
