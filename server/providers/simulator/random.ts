/** Generates random numbers that are the same for the same seed. */
import { createHash } from 'node:crypto';

export function createSeed(...parts: readonly (string | Uint8Array)[]): number {
  const hash = createHash('sha256');
  // The length distinguishes ("ab", "c") from ("a", "bc").
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest().readUInt32LE(0);
}

/** The mulberry32 generator: numbers from 0 (inclusive) to 1 (exclusive). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let hash = Math.imul(state ^ (state >>> 15), state | 1);
    hash ^= hash + Math.imul(hash ^ (hash >>> 7), hash | 61);
    return ((hash ^ (hash >>> 14)) >>> 0) / 2 ** 32;
  };
}
