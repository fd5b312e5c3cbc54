/** The random part of ids of requests, responses and items (promise G12). */
import { randomFillSync } from 'node:crypto';

/** In bytes. Drawn and written as text in blocks: a call of the system's generator, or of the encoder, costs far more than its bytes. */
const BLOCK = 2048;
const drawn = Buffer.alloc(BLOCK);
let digits = '';
let used = 0;

/** Two hexadecimal digits per byte; no byte is used twice. */
export function randomHex(bytes: number): string {
  const end = used + 2 * bytes;
  if (end > digits.length) {
    digits = randomFillSync(drawn).toString('hex');
    used = 0;
    return randomHex(bytes);
  }
  const text = digits.slice(used, end);
  used = end;
  return text;
}

const TIME_DIGITS = 12;
let writtenAt = 0;
let writtenTime = '';

/** The time in hexadecimal. Written once a millisecond: a number of this size has no fast way into that base. */
function timeDigits(): string {
  const now = Date.now();
  if (now !== writtenAt) {
    writtenAt = now;
    writtenTime = now.toString(16).padStart(TIME_DIGITS, '0');
  }
  return writtenTime;
}

/** The time comes first: consecutive ids are neighbours in every index, so a commit of many of them writes few pages. */
export function newRequestId(): string {
  return `req_${timeDigits()}${randomHex(10)}`;
}
