/** Ids as on the wire: a prefix for the kind, then a random part, or a predictable one with a seed. */
import { createHash, randomBytes } from 'node:crypto';

/** Two hexadecimal digits for each of so many bytes. */
export type Hex = (bytes: number) => string;

const fresh: Hex = (bytes) => randomBytes(bytes).toString('hex');

let current = fresh;

export function createId(prefix: 'chatcmpl-' | 'resp_' | 'msg_' | 'rs_' | 'fc_' | 'ctc_' | 'call_'): string {
  return prefix + current(16);
}

/** Runs work that takes its ids from this source. The work must be synchronous: anything that runs meanwhile would use the source too. */
export function withIds<T>(hex: Hex | null, work: () => T): T {
  const before = current;
  current = hex ?? fresh;
  try {
    return work();
  } finally {
    current = before;
  }
}

/** The same for what is written step by step. */
export function* eachWithIds<T>(hex: Hex | null, steps: Iterable<T>): Generator<T> {
  const iterator = steps[Symbol.iterator]();
  for (let next = withIds(hex, () => iterator.next()); !next.done; next = withIds(hex, () => iterator.next())) yield next.value;
}

/** The same ids in the same order, each time. */
function seededHex(seed: string): Hex {
  let count = 0;
  return (bytes) => {
    count += 1;
    return createHash('sha512')
      .update(`${seed}\n${count}`)
      .digest('hex')
      .slice(0, 2 * bytes);
  };
}

/** Requests that are remembered, so that a repeated request gets different ids. */
const MOST = 100_000;

/** The ids of a request depend on the seed, on its content, and on how often it was sent before. */
export function openSeededIds(seed: string): (print: string) => Hex {
  const times = new Map<string, number>();
  return (print) => {
    const time = times.get(print) ?? 0;
    times.set(print, time + 1);
    const [oldest] = times.keys();
    if (oldest !== undefined && times.size > MOST) times.delete(oldest);
    return seededHex(JSON.stringify([seed, print, time]));
  };
}
