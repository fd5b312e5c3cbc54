/** Changes single top-level fields of a JSON body in its bytes, so that the rest is handed on as the caller wrote it. */
import { GatewayError } from '../errors.ts';
import { countFields, countMembers } from './members.ts';

/** A parsed body, and the bytes that say the same. */
export interface JsonBody {
  readonly kind: 'json';
  readonly value: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

/** A field that has to have this value; undefined removes it. */
export type Changes = Readonly<Record<string, unknown>>;

/** Throws invalid_value where the value is nested deeper than can be written. */
export function jsonBody(value: Readonly<Record<string, unknown>>): JsonBody {
  return { kind: 'json', value, bytes: Buffer.from(stringify(value)) };
}

function stringify(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    // Parsing has no such bound: thousands of brackets in a field that the contract does not know come this far.
    throw new GatewayError('invalid_value', { message: 'The request body is nested too deeply.', cause });
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const isOpening = (byte: number | undefined) => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number | undefined) => byte === 0x7d || byte === 0x5d;
const isDelimiter = (byte: number | undefined) => byte === COMMA || isClosing(byte) || isSpace(byte);

/** Where a field stands in the bytes: from the quote of its name to behind its value. */
interface Place {
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

function skipSpace(bytes: Buffer, at: number): number {
  let next = at;
  while (isSpace(bytes[next])) next++;
  return next;
}

/** Index behind the string that opens at `at`. */
function skipString(bytes: Buffer, at: number): number {
  let next = at + 1;
  while (next < bytes.length && bytes[next] !== QUOTE) next += bytes[next] === BACKSLASH ? 2 : 1;
  return next + 1;
}

/** Index behind the value that begins at `at`. The bytes are known to be JSON, so brackets need counting only. */
function skipValue(bytes: Buffer, at: number): number {
  let depth = 0;
  for (let next = at; next < bytes.length; ) {
    const byte = bytes[next];
    if (byte === QUOTE) next = skipString(bytes, next);
    else if (depth === 0 && next > at && isDelimiter(byte)) return next;
    else {
      depth += isOpening(byte) ? 1 : isClosing(byte) ? -1 : 0;
      next++;
    }
    if (depth === 0 && (byte === QUOTE || isClosing(byte))) return next;
  }
  return bytes.length;
}

/** Where a name, written plainly and only once in all of the bytes, stands with its value; null where a closer look is needed. */
function findPlain(bytes: Buffer, name: string): Place | null {
  const key = Buffer.from(`"${name}"`);
  const start = bytes.indexOf(key);
  if (start < 1 || bytes[start - 1] === BACKSLASH || bytes.indexOf(key, start + key.length) >= 0) return null;
  const colon = skipSpace(bytes, start + key.length);
  return bytes[colon] === COLON ? placeAt(bytes, start, colon) : null;
}

function placeAt(bytes: Buffer, start: number, colon: number): Place {
  const valueStart = skipSpace(bytes, colon + 1);
  return { start, valueStart, end: skipValue(bytes, valueStart) };
}

/** Walks the fields of the outermost object; the only one with this name, or null. Slow: it looks at every byte. */
function findTop(bytes: Buffer, name: string): Place | null {
  const found: Place[] = [];
  let at = skipSpace(bytes, bytes.indexOf('{') + 1);
  while (bytes[at] === QUOTE) {
    const keyEnd = skipString(bytes, at);
    const place = placeAt(bytes, at, skipSpace(bytes, keyEnd));
    if (JSON.parse(bytes.toString('utf8', at, keyEnd)) === name) found.push(place);
    const comma = skipSpace(bytes, place.end);
    at = skipSpace(bytes, bytes[comma] === COMMA ? comma + 1 : comma);
  }
  return found.length === 1 && found[0] ? found[0] : null;
}

type Find = (bytes: Buffer, name: string) => Place | null;

/** How to look for top-level fields: an escape could hide one from a plain search that the upstream's parser would see. */
const finder = (bytes: Buffer): Find => (bytes.includes('\\u00') ? findTop : (all, name) => findPlain(all, name) ?? findTop(all, name));

/** The field taken out, and one comma with it; null where the bytes around it are not plain. */
function cut(bytes: Buffer, { start, end }: Place): Buffer | null {
  const behind = skipSpace(bytes, end);
  if (bytes[behind] === COMMA) return Buffer.concat([bytes.subarray(0, start), bytes.subarray(behind + 1)]);
  let before = start - 1;
  while (isSpace(bytes[before])) before--;
  return bytes[before] === COMMA ? Buffer.concat([bytes.subarray(0, before), bytes.subarray(end)]) : null;
}

/** The bytes with one field that stands there already set anew or, for undefined, taken out; null where that cannot be done in place. */
function change(bytes: Buffer, place: Place | null, next: unknown): Buffer | null {
  if (!place) return null;
  if (next === undefined) return cut(bytes, place);
  return Buffer.concat([bytes.subarray(0, place.valueStart), Buffer.from(JSON.stringify(next)), bytes.subarray(place.end)]);
}

/** The bytes with all of the changes, or null where one of them cannot be done in place. */
function changeAll(body: JsonBody, changes: Changes): Buffer | null {
  const find = finder(body.bytes);
  if (!find(body.bytes, 'model')) return null;
  const added: string[] = [];
  let bytes = body.bytes;
  for (const [name, next] of Object.entries(changes)) {
    if (body.value[name] === next) continue;
    if (!Object.hasOwn(body.value, name)) {
      added.push(`${JSON.stringify(name)}:${JSON.stringify(next)},`);
      continue;
    }
    const changed = change(bytes, find(bytes, name), next);
    if (!changed) return null;
    bytes = changed;
  }
  return added.length === 0 ? bytes : Buffer.concat([Buffer.from(`{${added.join('')}`), bytes.subarray(bytes.indexOf('{') + 1)]);
}

/**
 * The body, written anew where a field stands twice in one object, however deep: an upstream might read the other one, and another request than
 * the one that was looked at and held for.
 */
export const withoutTwins = (body: JsonBody): JsonBody =>
  countMembers(body.bytes) === countFields(body.value) ? body : jsonBody(body.value);

/**
 * The body with these fields changed; where it can be done in place, every other byte stays as the caller wrote it. A body in which
 * `model` stands twice is written anew: two parsers could read two models.
 */
export function withFields(body: JsonBody, changes: Changes): JsonBody {
  const value = { ...body.value, ...changes };
  const bytes = changeAll(body, changes);
  return bytes ? { kind: 'json', value, bytes } : jsonBody(value);
}
