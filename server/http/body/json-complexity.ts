/** How many values a JSON text holds, counted before it is parsed: millions of tiny ones would keep the event loop for seconds. */

/** Texts under this size cannot hold enough of them to matter. */
const HARMLESS_BYTES = 256 * 1024;
/**
 * More than any conversation has: one of 4,096 items with a hundred tools has half as many. What counts are fields that all have different
 * names: so many, as a schema that is translated, keep the event loop for 100 ms.
 */
export const MOST_VALUES = 80_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `,`, `[` and `{`: one stands before each value. */
const openers = new Uint8Array(256);
for (const character of ',[{') openers[character.charCodeAt(0)] = 1;

/** What stands in strings is not counted. Of a text that is no JSON any number may come out. One plain loop: nothing native is as fast on so many short strings. */
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

/** By a sample of each block, taken where nobody can know beforehand. What stands in strings is counted too, so a text that looks thin holds few values. */
function looksThin(bytes: Buffer): boolean {
  let found = 0;
  for (let block = 0; block < bytes.length; block += BLOCK_BYTES) {
    const start = block + Math.floor(Math.random() * (BLOCK_BYTES - SAMPLE_BYTES));
    const end = Math.min(start + SAMPLE_BYTES, bytes.length);
    for (let at = start; at < end; at++) found += openers[bytes[at] ?? 0] ?? 0;
  }
  return found * (BLOCK_BYTES / SAMPLE_BYTES) < MOST_VALUES / 2;
}
