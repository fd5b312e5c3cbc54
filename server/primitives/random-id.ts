/** The random part of ids of requests, responses and items (promise G12). */
import { randomFillSync } from 'node:crypto';

/** Drawn in blocks: a call of the system's generator costs far more than its bytes. */
const drawn = Buffer.alloc(4096);
let used = drawn.length;

/** Two hexadecimal digits per byte; no byte is used twice. */
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
