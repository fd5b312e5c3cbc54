/** Pseudo-random numbers that are the same for the same request. */
import { createHash } from 'node:crypto';

export function createSeed(...parts: readonly (string | Uint8Array)[]): number {
  const hash = createHash('sha256');
  // The length keeps ("ab", "c") apart from ("a", "bc").
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest().readUInt32LE(0);
}

/** The mulberry32 generator: numbers from 0 up to 1. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
