/** Creates the same IDs for the same requests and seed. */
import { createHash } from 'node:crypto';

/** Returns two hexadecimal digits per byte. */
export type CreateHex = (bytes: number) => string;

/** Returns the same digits in the same order every time. */
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
