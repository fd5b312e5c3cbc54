/** Finds the encrypted reasoning in the bytes of a response and computes its fingerprints, without parsing the bytes. */

const ENCRYPTED_CONTENT_FIELD = Buffer.from('"encrypted_content"');

const QUOTE = 0x22;

const COLON = 0x3a;

const BACKSLASH = 0x5c;

const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Returns the index of a field's string value. The field's name ends at `at`. -1 if it isn't a field, or if its value is empty or not a string. */
function findTextStart(bytes: Buffer, at: number): number {
  let next = at;
  while (isSpace(bytes[next])) next++;
  if (bytes[next] !== COLON) return -1;
  do next++;
  while (isSpace(bytes[next]));
  return bytes[next] === QUOTE && bytes[next + 1] !== QUOTE ? next + 1 : -1;
}

/** Characters per fingerprint. It's the end of the encrypted text, which contains the checksum. */
const FINGERPRINT_LENGTH = 48;

export const getReasoningFingerprint = (encrypted: string): string => encrypted.slice(-FINGERPRINT_LENGTH);

/**
 * Calls `each` with the fingerprint of every encrypted text in a complete response or in stream frames. A quoted name before a colon must be a
 * field, because JSON strings can't contain unescaped quotes.
 */
export function forEachReasoningFingerprint(bytes: Buffer, each: (print: string) => void): void {
  for (
    let at = bytes.indexOf(ENCRYPTED_CONTENT_FIELD);
    at >= 0;
    at = bytes.indexOf(ENCRYPTED_CONTENT_FIELD, at + ENCRYPTED_CONTENT_FIELD.length)
  ) {
    const start = bytes[at - 1] === BACKSLASH ? -1 : findTextStart(bytes, at + ENCRYPTED_CONTENT_FIELD.length);
    const end = start < 0 ? -1 : bytes.indexOf(QUOTE, start);
    // Encrypted texts are base64 or similar, so they contain no escapes.
    if (end > start) each(bytes.toString('latin1', Math.max(start, end - FINGERPRINT_LENGTH), end));
  }
}
