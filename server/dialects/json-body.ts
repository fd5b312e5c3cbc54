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

/**
 * The only place of `"name"` as a key in the bytes, as [start, end] of its string value; null where it is not plain to see.
 * Escapes could hide a second one and a twin would leave the choice to the upstream's parser: both are null.
 */
function stringValueAt(bytes: Buffer, name: string, value: string): readonly [number, number] | null {
  const key = Buffer.from(`"${name}"`);
  const at = bytes.indexOf(key);
  if (at < 1 || bytes[at - 1] === 0x5c || bytes.indexOf(key, at + key.length) >= 0 || bytes.includes('\\u00')) return null;
  const token = JSON.stringify(value);
  const behind = bytes.subarray(at + key.length, at + key.length + Buffer.byteLength(token) + 16).toString();
  const start = /^\s*:\s*/.exec(behind)?.[0].length ?? 0;
  if (start === 0 || !behind.startsWith(token, start)) return null;
  const from = at + key.length + start;
  return [from, from + Buffer.byteLength(token)];
}

/** The body with these fields changed. Adding a field, or changing a string that stands once, keeps every other byte. */
export function withFields(body: JsonBody, changes: Changes): JsonBody {
  const value = { ...body.value, ...changes };
  const added: string[] = [];
  let bytes = body.bytes;
  for (const [name, next] of Object.entries(changes)) {
    const before = body.value[name];
    if (before === next) continue;
    const place = typeof before === 'string' && typeof next === 'string' ? stringValueAt(bytes, name, before) : null;
    if (place) bytes = Buffer.concat([bytes.subarray(0, place[0]), Buffer.from(JSON.stringify(next)), bytes.subarray(place[1])]);
    else if (Object.hasOwn(body.value, name)) return jsonBody(value);
    else added.push(`${JSON.stringify(name)}:${JSON.stringify(next)},`);
  }
  if (added.length > 0) bytes = Buffer.concat([Buffer.from(`{${added.join('')}`), bytes.subarray(bytes.indexOf('{') + 1)]);
  return { kind: 'json', value, bytes };
}

/** A body in which `model` stands twice, or hidden by escapes, is written anew: two parsers could read two models. */
export function withPlainModel(body: JsonBody): JsonBody {
  const model = body.value.model;
  return typeof model === 'string' && stringValueAt(body.bytes, 'model', model) ? body : jsonBody(body.value);
}
