/** Counts the values in a JSON text before it is parsed: millions of tiny ones would block the event loop for seconds. */

/** Smaller texts cannot hold enough values to matter. */
const HARMLESS_BYTES = 256 * 1024;
/**
 * More than any conversation has: one of 4,096 items with a hundred tools has half as many. The worst case is a tool's schema whose fields all have
 * different names: translating this many blocks the event loop for 100 ms.
 */
export const MOST_VALUES = 80_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `,`, `[` and `{`: one of them precedes each value. */
const openers = new Uint8Array(256);
for (const character of ',[{') openers[character.charCodeAt(0)] = 1;

/** Whether the text holds more than `MOST_VALUES` values. Skips strings. For a text that is not JSON the count means nothing. A plain loop is faster here than native searches, because the strings are short. */
export function isTooDense(bytes: Buffer): boolean {
  const { length } = bytes;
  if (length < HARMLESS_BYTES || looksThin(bytes)) return false;
  let values = 0;
  let isInString = false;
  for (let at = 0; at < length && values <= MOST_VALUES; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) isInString = !isInString;
    else if (!isInString) values += openers[byte] ?? 0;
    else if (byte === BACKSLASH) at++;
  }
  return values > MOST_VALUES;
}

const BLOCK_BYTES = 64 * 1024;
const SAMPLE_BYTES = 4 * 1024;

/** Estimates from a random sample of each block, so that callers cannot hide values between samples. Strings are counted too, so the estimate is rather too high. */
function looksThin(bytes: Buffer): boolean {
  let found = 0;
  for (let block = 0; block < bytes.length; block += BLOCK_BYTES) {
    const start = block + Math.floor(Math.random() * (BLOCK_BYTES - SAMPLE_BYTES));
    const end = Math.min(start + SAMPLE_BYTES, bytes.length);
    for (let at = start; at < end; at++) found += openers[bytes[at] ?? 0] ?? 0;
  }
  return found * (BLOCK_BYTES / SAMPLE_BYTES) < MOST_VALUES / 2;
}
