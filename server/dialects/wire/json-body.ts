/** Changes single top-level fields of a JSON body in its bytes, so that the rest is forwarded as the caller wrote it. */
import { type CallCode, GatewayError } from '../../errors.ts';
import { type Cut, Members, movedPlaces, type Place, type Places, piecesOf, withCuts } from './byte-edits.ts';
import { countFields } from './count-fields.ts';
import { type Outline, outlineOf } from './json-outline.ts';

/** A parsed body, and the bytes that say the same. */
export interface JsonBody {
  readonly kind: 'json';
  readonly value: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  /** Where its fields are in the bytes; absent when that is not known yet. */
  readonly places?: Places;
}

/** Fields to set; undefined removes one. */
export type Changes = Readonly<Record<string, unknown>>;

/** Throws invalid_value when the value is nested too deeply to be written. */
export function jsonBody(value: Readonly<Record<string, unknown>>): JsonBody {
  return { kind: 'json', value, bytes: Buffer.from(stringify(value)) };
}

function stringify(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    // Parsing has no such bound: a field that the contract does not know may hold thousands of nested brackets.
    throw new GatewayError<CallCode>('invalid_value', { message: 'The request body is nested too deeply.', cause });
  }
}

/**
 * The body with these fields changed, in place if possible: every other byte stays as the caller wrote it. A body in which
 * `model` or one of these fields occurs twice is serialised again: two parsers could read different values.
 */
export function withFields(body: JsonBody, changes: Changes): JsonBody {
  const changed = Object.entries(changes).filter(([name, next]) => body.value[name] !== next);
  if (changed.length === 0) return body;
  const value = { ...body.value, ...changes };
  return changeInPlace({ ...body, value }, new Map(changed)) ?? jsonBody(value);
}

/** The changed body, or null when a change cannot be made in place. `value` is changed already. */
function changeInPlace(
  { value, bytes, places = outlineOf(bytes).places }: JsonBody,
  changes: ReadonlyMap<string, unknown>,
): JsonBody | null {
  if (!['model', ...changes.keys()].every((name) => places.get(name) !== null) || !places.has('model')) return null;
  const added = addedFields({ bytes, places }, changes);
  const cuts = [...findCuts(places, changes), ...added.cuts];
  const kept = new Map([...places].filter(([name]) => !(changes.has(name) && changes.get(name) === undefined)));
  return { kind: 'json', value, bytes: withCuts(bytes, cuts), places: new Map([...added.places, ...movedPlaces(kept, cuts)]) };
}

interface Edited {
  /** Of one JSON object. */
  readonly bytes: Buffer;
  readonly places: Places;
}

/** The bytes of an object with these fields set; undefined removes one. None may occur twice. Unchanged pieces are views of the bytes. */
export const editInPieces = ({ bytes, places }: Edited, changes: ReadonlyMap<string, unknown>): readonly Buffer[] =>
  piecesOf(bytes, [...findCuts(places, changes), ...addedFields({ bytes, places }, changes).cuts]);

interface Added {
  /** One, or none where nothing is added. */
  readonly cuts: readonly Cut[];
  /** Where the new fields are afterwards. */
  readonly places: Places;
}

/** Inserts new fields before the others. */
function addedFields({ bytes, places }: Edited, changes: ReadonlyMap<string, unknown>): Added {
  const start = bytes.indexOf('{') + 1;
  const added = new Map<string, Place>();
  let text = '';
  for (const [name, next] of changes) {
    if (places.has(name) || next === undefined) continue;
    if (text !== '') text += ',';
    const from = start + Buffer.byteLength(text);
    text += `${JSON.stringify(name)}:`;
    const valueStart = start + Buffer.byteLength(text);
    text += JSON.stringify(next);
    added.set(name, { start: from, valueStart, end: start + Buffer.byteLength(text) });
  }
  if (text === '') return { cuts: [], places: added };
  const isAlone = [...places.keys()].every((name) => changes.has(name) && changes.get(name) === undefined);
  return { cuts: [{ from: start, to: start, instead: Buffer.from(isAlone ? text : `${text},`) }], places: added };
}

function findCuts(places: Places, changes: ReadonlyMap<string, unknown>): Cut[] {
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
 * The body, serialised again when a name occurs twice in one object, at any depth: an upstream might read the other value, so not the
 * request that was checked and for which money was held.
 */
export function withoutTwins({ value, bytes }: JsonBody, { places, members }: Outline = outlineOf(bytes)): JsonBody {
  return members === countFields(value) ? { kind: 'json', value, bytes, places } : jsonBody(value);
}
