/** Ids in the habits of the wire: a prefix that tells the kind, then what nobody can guess, unless a seed was asked for. */
import { createHash, randomBytes } from 'node:crypto';

/** Two hexadecimal digits for each of so many bytes. */
export type Hex = (bytes: number) => string;

const fresh: Hex = (bytes) => randomBytes(bytes).toString('hex');

let current = fresh;

export function createId(prefix: 'chatcmpl-' | 'resp_' | 'msg_' | 'rs_' | 'fc_' | 'ctc_' | 'call_'): string {
  return prefix + current(16);
}

/** Work whose ids come from there. It must not wait for anything: what runs meanwhile would get them too. */
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

/** Requests that are remembered, so that the second one of its kind gets other ids than the first. */
const MOST = 100_000;

/** For each request its own ids: they depend on the seed, on what the request says, and on how often it was said before. */
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
