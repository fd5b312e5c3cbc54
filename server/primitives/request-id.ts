/** Creates request IDs, which start with the time. */
import { randomHex } from './random-hex.ts';

const TIME_DIGITS = 12;
let formattedAt = 0;
let formattedTime = '';
/** Returns the time in hexadecimal. Converted once per millisecond, because this conversion is slow for large numbers. */
function getTimePrefix(): string {
  const now = Date.now();
  if (now !== formattedAt) {
    formattedAt = now;
    formattedTime = now.toString(16).padStart(TIME_DIGITS, '0');
  }
  return formattedTime;
}
/** The ID starts with the time: consecutive IDs are adjacent in every index, so committing many of them writes few pages. */
export function createRequestId(): string {
  return `req_${getTimePrefix()}${randomHex(10)}`;
}
