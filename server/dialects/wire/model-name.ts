/** Replaces the upstream's id of the model by the caller's, in the bytes of an answer. */
import type { ModelNames } from '../dialect.ts';

const KEY = Buffer.from('"model"');
const SPACE = 0x20;
const COLON = 0x3a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** An upstream answers with the id that it was sent, or with that id and a snapshot date. */
const isUpstreamId = (found: string, id: string) =>
  found === id || (found.startsWith(`${id}-`) && /^-\d{4}-\d{2}-\d{2}$/.test(found.slice(id.length)));

/** Index of the closing quote of the string that opens at `open`, or -1. */
function stringEnd(bytes: Buffer, open: number): number {
  for (let at = open + 1; at < bytes.length && at < open + 1024; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return -1;
}

/** Index of the value after a name that ends at `at`; -1 when no colon follows: then it is a string value, not a name. */
function valueStart(bytes: Buffer, at: number): number {
  let next = at;
  while (isSpace(bytes[next])) next++;
  if (bytes[next] !== COLON) return -1;
  do next++;
  while (isSpace(bytes[next]));
  return next;
}
const isSpace = (byte: number | undefined) => byte === SPACE || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);

/** The bytes with each `"model": "<upstream id>"` renamed; the same buffer when the names are equal or none is found. */
export function renameModel(bytes: Buffer, names: ModelNames): Buffer {
  if (names.asked === names.upstream) return bytes;
  const pieces: Buffer[] = [];
  let done = 0;
  for (let at = bytes.indexOf(KEY); at >= 0; at = bytes.indexOf(KEY, at + KEY.length)) {
    const open = valueStart(bytes, at + KEY.length);
    const close = bytes[open] === QUOTE ? stringEnd(bytes, open) : -1;
    if (close < 0 || !isUpstreamId(bytes.toString('utf8', open + 1, close), names.upstream)) continue;
    pieces.push(bytes.subarray(done, open), Buffer.from(JSON.stringify(names.asked)));
    done = close + 1;
  }
  return done === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(done)]);
}
