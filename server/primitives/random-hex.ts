/** Random bytes in hexadecimal, drawn in blocks. */
import { randomFillSync } from 'node:crypto';

/** In bytes. Generated and encoded in blocks, because each call of the system's generator or encoder costs far more than its bytes. */
const BLOCK_BYTES = 2048;
const block = Buffer.alloc(BLOCK_BYTES);
let digits = '';
let position = 0;
/** Returns two hexadecimal digits per byte. No byte is used twice. */
export function randomHex(bytes: number): string {
  const end = position + 2 * bytes;
  if (end > digits.length) {
    digits = randomFillSync(block).toString('hex');
    position = 0;
    return randomHex(bytes);
  }
  const text = digits.slice(position, end);
  position = end;
  return text;
}
