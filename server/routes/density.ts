/** How many values a JSON text holds, counted before it is parsed: millions of tiny ones would keep the event loop for seconds. */

/** Texts under this size cannot hold enough of them to matter. */
const HARMLESS_BYTES = 1024 * 1024;
/** More than any conversation has. */
export const MOST_VALUES = 500_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `,`, `[` and `{`: one stands before each value. */
const openers = new Uint8Array(256);
for (const character of ',[{') openers[character.charCodeAt(0)] = 1;

/** Strings are passed over, however long they are. Of a text that is no JSON any number may come out. */
export function isTooDense(bytes: Buffer): boolean {
  if (bytes.length < HARMLESS_BYTES) return false;
  let values = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = closingQuote(bytes, at + 1);
    else values += openers[byte] ?? 0;
    if (values > MOST_VALUES) return true;
  }
  return false;
}

function closingQuote(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return bytes.length;
}
