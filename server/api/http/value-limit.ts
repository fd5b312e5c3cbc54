/** Limits how many values a JSON body can contain. It counts them in the bytes, before the body is parsed. */
import type { JsonOutline } from '../../protocols/wire/json-outline.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of a JSON body as received. Null for other bodies. */
    bodyBytes: Buffer | null;
    /** The positions of the top-level fields in `bodyBytes`. */
    bodyOutline: JsonOutline | null;
    /** The original body, if the contract validates a copy with provider-specific values replaced. */
    bodyAsSent: Readonly<Record<string, unknown>> | null;
  }
}

/** Smaller texts can't contain enough values to matter. */
const MIN_CHECKED_BYTES = 256 * 1024;
/**
 * More than any conversation has: 4,096 items with a hundred tools have half as many. In the worst case, a tool schema whose fields all have different
 * names, translation blocks the event loop for 100 ms.
 */
export const MAX_VALUES = 80_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `,`, `[` and `{`: one of them precedes each value. */
const valueStarts = new Uint8Array(256);
for (const character of ',[{') valueStarts[character.charCodeAt(0)] = 1;

/**
 * Whether the text has more than `MAX_VALUES` values. Skips strings. The count is meaningless for a text that isn't JSON. A plain loop is faster here than
 * native searches, because the strings are short.
 */
export function exceedsValueLimit(bytes: Buffer): boolean {
  const { length } = bytes;
  if (length < MIN_CHECKED_BYTES || isProbablySimple(bytes)) return false;
  let values = 0;
  let isInString = false;
  for (let at = 0; at < length && values <= MAX_VALUES; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) isInString = !isInString;
    else if (!isInString) values += valueStarts[byte] ?? 0;
    else if (byte === BACKSLASH) at++;
  }
  return values > MAX_VALUES;
}

const BLOCK_BYTES = 64 * 1024;
const SAMPLE_BYTES = 4 * 1024;

/** Estimates from a random sample of each block, so that callers can't hide values between samples. Strings count too, so the estimate is rather too high. */
function isProbablySimple(bytes: Buffer): boolean {
  let valueCount = 0;
  for (let block = 0; block < bytes.length; block += BLOCK_BYTES) {
    const start = block + Math.floor(Math.random() * (BLOCK_BYTES - SAMPLE_BYTES));
    const end = Math.min(start + SAMPLE_BYTES, bytes.length);
    for (let at = start; at < end; at++) valueCount += valueStarts[bytes[at] ?? 0] ?? 0;
  }
  return valueCount * (BLOCK_BYTES / SAMPLE_BYTES) < MAX_VALUES / 2;
}
