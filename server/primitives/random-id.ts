/** The random part of names that this process gives: requests, responses, items (promise G12). */
import { randomFillSync } from 'node:crypto';

/** Drawn at once: asking the system's generator costs far more than a few bytes of it. */
const drawn = Buffer.alloc(4096);
let used = drawn.length;

/** Two hexadecimal digits for each of so many random bytes, none of which was given out before. */
export function randomHex(bytes: number): string {
  if (used + bytes > drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const text = drawn.toString('hex', used, used + bytes);
  drawn.fill(0, used, used + bytes);
  used += bytes;
  return text;
}
