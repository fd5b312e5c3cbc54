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

const TIME_DIGITS = 12;

/** The time comes first: consecutive ids are neighbours in every index, so a commit of many of them writes few pages. */
export function newRequestId(): string {
  return `req_${Date.now().toString(16).padStart(TIME_DIGITS, '0')}${randomHex(10)}`;
}
