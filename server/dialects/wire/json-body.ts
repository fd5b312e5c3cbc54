/** Changes single top-level fields of a JSON body in its bytes, so that the rest is handed on as the caller wrote it. */
import { type CallCode, GatewayError } from '../../errors.ts';
import { type Cut, Members, withCuts } from './byte-edits.ts';
import { countFields } from './count-fields.ts';
import { type Outline, outlineOfBytes } from './json-outline.ts';

/** A parsed body, and the bytes that say the same. */
export interface JsonBody {
  readonly kind: 'json';
  readonly value: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  /** Of these bytes, where somebody has looked already. */
  readonly outline?: Outline;
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
    throw new GatewayError<CallCode>('invalid_value', { message: 'The request body is nested too deeply.', cause });
  }
}

/**
 * The body with these fields changed; where it can be done in place, every other byte stays as the caller wrote it. A body in which
 * `model` or one of these fields stands twice is written anew: two parsers could read two values.
 */
export function withFields(body: JsonBody, changes: Changes): JsonBody {
  const changed = Object.entries(changes).filter(([name, next]) => body.value[name] !== next);
  if (changed.length === 0) return body;
  const value = { ...body.value, ...changes };
  const bytes = changeAll(body, new Map(changed));
  return bytes ? { kind: 'json', value, bytes } : jsonBody(value);
}

/** The bytes with all of the changes, or null where one of them cannot be done in place. */
function changeAll({ value, bytes, outline }: JsonBody, changes: ReadonlyMap<string, unknown>): Buffer | null {
  const { places } = outline ?? outlineOfBytes(bytes);
  const given = ['model', ...[...changes.keys()].filter((name) => Object.hasOwn(value, name))];
  return given.every((name) => places.get(name)) ? editFields({ bytes, places }, changes) : null;
}

interface Edited {
  /** Of one JSON object. */
  readonly bytes: Buffer;
  readonly places: Outline['places'];
}

/** The bytes of an object with these fields set; undefined takes one out. None of them may stand there twice. */
export function editFields({ bytes, places }: Edited, changes: ReadonlyMap<string, unknown>): Buffer {
  const cuts = findCuts(places, changes);
  const added = [...changes].filter(([name]) => !places.has(name)).map(([name, next]) => `${JSON.stringify(name)}:${JSON.stringify(next)}`);
  if (added.length > 0) {
    const isAlone = [...places.keys()].every((name) => changes.has(name) && changes.get(name) === undefined);
    const start = bytes.indexOf('{') + 1;
    cuts.push({ from: start, to: start, instead: Buffer.from(`${added.join(',')}${isAlone ? '' : ','}`) });
  }
  return cuts.length === 0 ? bytes : withCuts(bytes, cuts);
}

function findCuts(places: Outline['places'], changes: ReadonlyMap<string, unknown>): Cut[] {
  const cuts: Cut[] = [];
  const members = new Members(cuts);
  for (const [name, place] of places) {
    if (!place) continue;
    const isChanged = changes.has(name);
    const next = changes.get(name);
    members.take(place.start, place.end, isChanged && next === undefined);
    if (isChanged && next !== undefined) cuts.push({ from: place.valueStart, to: place.end, instead: Buffer.from(JSON.stringify(next)) });
  }
  members.close();
  return cuts;
}

/**
 * The body, written anew where a field stands twice in one object, however deep: an upstream might read the other one, and another request than
 * the one that was looked at and held for.
 */
export function withoutTwins(body: JsonBody): JsonBody {
  const outline = body.outline ?? outlineOfBytes(body.bytes);
  return outline.members === countFields(body.value) ? { ...body, outline } : jsonBody(body.value);
}
