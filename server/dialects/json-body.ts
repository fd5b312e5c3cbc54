/** Changes single top-level fields of a JSON body in its bytes, so that the rest is handed on as the caller wrote it. */

/** A parsed body, and the bytes that say the same. */
export interface JsonBody {
  readonly kind: 'json';
  readonly value: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

/** A field that has to have this value; undefined removes it. */
export type Changes = Readonly<Record<string, unknown>>;

export function jsonBody(value: Readonly<Record<string, unknown>>): JsonBody {
  return { kind: 'json', value, bytes: Buffer.from(JSON.stringify(value)) };
}

const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

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

/** The only place of `"name": value` in the bytes; null where it is not plain to see, for example because the name stands twice. */
function find(bytes: Buffer, name: string, value: unknown): Place | null {
  const key = Buffer.from(`"${name}"`);
  const start = bytes.indexOf(key);
  if (start < 1 || bytes[start - 1] === BACKSLASH || bytes.indexOf(key, start + key.length) >= 0) return null;
  const colon = skipSpace(bytes, start + key.length);
  const valueStart = skipSpace(bytes, colon + 1);
  const token = Buffer.from(JSON.stringify(value));
  const end = valueStart + token.length;
  return bytes[colon] === COLON && token.compare(bytes, valueStart, end) === 0 ? { start, valueStart, end } : null;
}

/** The field taken out, and one comma with it; null where the bytes around it are not plain. */
function cut(bytes: Buffer, { start, end }: Place): Buffer | null {
  const behind = skipSpace(bytes, end);
  if (bytes[behind] === COMMA) return Buffer.concat([bytes.subarray(0, start), bytes.subarray(behind + 1)]);
  let before = start - 1;
  while (isSpace(bytes[before])) before--;
  return bytes[before] === COMMA ? Buffer.concat([bytes.subarray(0, before), bytes.subarray(end)]) : null;
}

/** The bytes with one field that stands there already set anew or, for undefined, taken out; null where that cannot be done in place. */
function change(bytes: Buffer, name: string, before: unknown, next: unknown): Buffer | null {
  const place = find(bytes, name, before);
  if (!place) return null;
  if (next === undefined) return cut(bytes, place);
  return Buffer.concat([bytes.subarray(0, place.valueStart), Buffer.from(JSON.stringify(next)), bytes.subarray(place.end)]);
}

/** The bytes with all of the changes, or null where one of them cannot be done in place. */
function changeAll(body: JsonBody, changes: Changes): Buffer | null {
  // An escape could hide a second "model" from the search that the upstream's parser would see.
  if (body.bytes.includes('\\u00') || !find(body.bytes, 'model', body.value.model)) return null;
  const added: string[] = [];
  let bytes = body.bytes;
  for (const [name, next] of Object.entries(changes)) {
    if (body.value[name] === next) continue;
    if (!Object.hasOwn(body.value, name)) {
      added.push(`${JSON.stringify(name)}:${JSON.stringify(next)},`);
      continue;
    }
    const changed = change(bytes, name, body.value[name], next);
    if (!changed) return null;
    bytes = changed;
  }
  return added.length === 0 ? bytes : Buffer.concat([Buffer.from(`{${added.join('')}`), bytes.subarray(bytes.indexOf('{') + 1)]);
}

/**
 * The body with these fields changed; where it can be done in place, every other byte stays as the caller wrote it. A body in which
 * `model` stands twice, or may be hidden by escapes, is written anew: two parsers could read two models.
 */
export function withFields(body: JsonBody, changes: Changes): JsonBody {
  const value = { ...body.value, ...changes };
  const bytes = changeAll(body, changes);
  return bytes ? { kind: 'json', value, bytes } : jsonBody(value);
}
