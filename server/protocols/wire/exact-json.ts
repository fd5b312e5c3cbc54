/** Reads and writes JSON whose values JavaScript alone would change: integers beyond 2^53, and halves of surrogate pairs. */

declare global {
  // TypeScript's declarations for es2024 don't include `rawJSON` yet.
  interface JSON {
    rawJSON(text: string): object;
  }
}

/** Matches a long integer outside of strings. Most texts have none, and a reviver makes parsing several times slower. */
const LONG_INTEGER = /[:,[]\s*-?\d{16}/;

/** Almost always false. It can also be true for such digits in a string, after a comma or colon. */
export const hasLongInteger = (text: string): boolean => LONG_INTEGER.test(text);

/** JSON.parse, but an integer beyond 2^53 becomes an object that JSON.stringify writes with the same digits. */
export function parseExact(text: string): unknown {
  return hasLongInteger(text) ? JSON.parse(text, preserveInteger) : JSON.parse(text);
}

/** Every Node.js version that runs the gateway passes `context`, but TypeScript's declarations lack it. */
function preserveInteger(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && context?.source !== undefined ? JSON.rawJSON(context.source) : value;
}

/** Matches a lone surrogate, which JSON.stringify escapes. An even number of preceding backslashes belongs to the text. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** JSON.stringify, but replaces a lone surrogate with U+FFFD, because providers reject it as invalid Unicode. */
export function stringifyWellFormed(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\ud') ? text.replace(LONE_SURROGATE, '$1\ufffd') : text;
}
