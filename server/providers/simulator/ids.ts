/** Creates the simulator's IDs: random, or always the same for the same request and seed. */
import { createHash, randomBytes } from 'node:crypto';

/** Returns two hexadecimal digits per byte. */
export type CreateHex = (bytes: number) => string;

const createHex: CreateHex = (bytes) => randomBytes(bytes).toString('hex');

let currentHex = createHex;

export function createId(prefix: 'chatcmpl-' | 'resp_' | 'msg_' | 'rs_' | 'fc_' | 'ctc_' | 'call_'): string {
  return prefix + currentHex(16);
}

/** Runs work that takes its IDs from `hex`. The work must be synchronous: concurrent work would use `hex` too. */
export function withIds<T>(hex: CreateHex | null, work: () => T): T {
  const previousHex = currentHex;
  currentHex = hex ?? createHex;
  try {
    return work();
  } finally {
    currentHex = previousHex;
  }
}

/** Like `withIds`, for a generator. */
export function* iterateWithIds<T>(hex: CreateHex | null, steps: Iterable<T>): Generator<T> {
  const iterator = steps[Symbol.iterator]();
  for (let next = withIds(hex, () => iterator.next()); !next.done; next = withIds(hex, () => iterator.next())) yield next.value;
}

/** Returns the same IDs in the same order every time. */
function createSeededHex(seed: string): CreateHex {
  let count = 0;
  return (bytes) => {
    count += 1;
    return createHash('sha512')
      .update(`${seed}\n${count}`)
      .digest('hex')
      .slice(0, 2 * bytes);
  };
}

/** Maximum remembered requests. Remembering them gives a repeated request different IDs. */
const MAX_REQUESTS = 100_000;

/** A request's IDs depend on the seed, on its content, and on how often it was sent before. */
export function createSeededIds(seed: string): (fingerprint: string) => CreateHex {
  const times = new Map<string, number>();
  return (print) => {
    const time = times.get(print) ?? 0;
    times.set(print, time + 1);
    const [oldest] = times.keys();
    if (oldest !== undefined && times.size > MAX_REQUESTS) times.delete(oldest);
    return createSeededHex(JSON.stringify([seed, print, time]));
  };
}
