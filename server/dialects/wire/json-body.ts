/** Changes single top-level fields of a JSON body in its bytes, so that the rest is forwarded as the caller wrote it. */

import { type CallCode, GatewayError } from '../../errors.ts';
import type { Fields } from '../../primitives/fields.ts';
import {
  type Cut,
  countFields,
  inOrder,
  isObject,
  JsonWalk,
  Members,
  movedPlaces,
  type Outline,
  outlineOf,
  type Place,
  type Places,
  piecesOf,
  shiftedPlaces,
  withCuts,
} from './json-places.ts';

/** A parsed body, and the bytes that say the same. */
export interface JsonBody {
  readonly kind: 'json';
  readonly value: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  /** Tells where its fields are in the bytes, without another walk over them; absent when that isn't known. Worked out when it is called, since most bodies are changed once. */
  readonly places?: () => Places;
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
    // Parsing has no such bound: a field that the contract doesn't know may hold thousands of nested brackets.
    throw new GatewayError<CallCode>('invalid_value', { message: 'The request body is nested too deeply.', cause });
  }
}

/**
 * The body with these fields changed, in place if possible: every other byte stays as the caller wrote it. A body in which
 * `model` or one of these fields occurs twice is serialized again: two parsers could read different values.
 */
export function withFields(body: JsonBody, changes: Changes): JsonBody {
  const changed = new Map<string, unknown>();
  for (const name of Object.keys(changes)) if (body.value[name] !== changes[name]) changed.set(name, changes[name]);
  if (changed.size === 0) return body;
  const value = { ...body.value, ...changes };
  return changeInPlace(body, changed, value) ?? jsonBody(value);
}

/** In bytes: for a smaller body, a new walk costs less than computing where its fields have moved. */
const SMALL = 4_096;

/** The changed body, or null if a change can't be made in place. `value` is the changed value. */
function changeInPlace(
  { bytes, places: known }: JsonBody,
  changes: ReadonlyMap<string, unknown>,
  value: JsonBody['value'],
): JsonBody | null {
  const places = known ? known() : outlineOf(bytes).places;
  if (!places.get('model')) return null;
  for (const name of changes.keys()) if (places.get(name) === null) return null;
  const cuts = cutsFor({ bytes, places }, changes);
  const changed = withCuts(bytes, cuts);
  if (bytes.length < SMALL) return { kind: 'json', value, bytes: changed };
  return { kind: 'json', value, bytes: changed, places: placesAfter({ bytes, places }, changes, cuts) };
}

interface Edited {
  /** Bytes of a JSON object, with the positions of its fields. */
  readonly bytes: Buffer;
  readonly places: Places;
}

/** The bytes of an object with these fields set; undefined removes one. None may occur twice. Unchanged pieces are views of the bytes. */
export const editInPieces = (edited: Edited, changes: ReadonlyMap<string, unknown>): readonly Buffer[] =>
  piecesOf(edited.bytes, cutsFor(edited, changes));

/** New fields are inserted before the others. */
function cutsFor({ bytes, places }: Edited, changes: ReadonlyMap<string, unknown>): readonly Cut[] {
  const cuts = findCuts(places, changes);
  const added = addedText(places, changes);
  if (added === '') return cuts;
  const isAlone = isEmptied(places, changes);
  const start = bytes.indexOf('{') + 1;
  return [{ from: start, to: start, instead: Buffer.from(isAlone ? added : `${added},`) }, ...cuts];
}

/** Whether the changes remove every field that the object has. */
function isEmptied(places: Places, changes: ReadonlyMap<string, unknown>): boolean {
  for (const name of places.keys()) if (!changes.has(name) || changes.get(name) !== undefined) return false;
  return true;
}

/** The fields that the object doesn't have, as JSON without brackets. */
function addedText(places: Places, changes: ReadonlyMap<string, unknown>): string {
  let text = '';
  for (const [name, next] of changes)
    if (next !== undefined && !places.has(name)) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(next)}`;
  return text;
}

function placesAfter({ bytes, places }: Edited, changes: ReadonlyMap<string, unknown>, cuts: readonly Cut[]): () => Places {
  // The function below must not keep the bytes of before, which may be large.
  const front = bytes.indexOf('{');
  return () => {
    const kept = new Map([...places].filter(([name]) => !(changes.has(name) && changes.get(name) === undefined)));
    const added = outlineOf(Buffer.from(`{${addedText(places, changes)}}`)).places;
    return new Map([...shiftedPlaces(added, front), ...movedPlaces(kept, cuts)]);
  };
}

const NO_CUTS: readonly Cut[] = [];

function hasAny(places: Places, changes: ReadonlyMap<string, unknown>): boolean {
  for (const name of changes.keys()) if (places.has(name)) return true;
  return false;
}

/** In the order of the text. */
function findCuts(places: Places, changes: ReadonlyMap<string, unknown>): readonly Cut[] {
  if (!hasAny(places, changes)) return NO_CUTS;
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
 * The body, serialized again when a name occurs twice in one object, at any depth: an upstream might read the other value, so not the
 * request that was checked and for which money was held.
 */
export function withoutTwins({ value, bytes }: JsonBody, { places, members }: Outline = outlineOf(bytes)): JsonBody {
  return members === countFields(value) ? { kind: 'json', value, bytes, places: () => places } : jsonBody(value);
}

/** How an item is changed: it's removed, its IDs and notes are removed, or it stays unchanged. */
export type ItemEdit = 'drop' | 'strip' | null;

/** Coding agents' own notes on an item. */
const NOTES = 'internal_chat_message_metadata_passthrough';
const isOwnMark = (name: string): boolean => name === 'id' || name === NOTES;

/** Whether an item has fields to strip. */
export const hasOwnMarks = (item: Fields): boolean => Object.hasOwn(item, 'id') || Object.hasOwn(item, NOTES);

/** The item after its edit: a list of one item, or an empty list. */
export function editItem(item: Fields, edit: ItemEdit): readonly Fields[] {
  if (edit === null) return [item];
  if (edit === 'drop') return [];
  const { id: _, [NOTES]: __, ...rest } = item;
  return [rest];
}

/** The cuts for the list at this place. */
function findItemCuts(bytes: Buffer, { valueStart, end }: Place, edits: readonly ItemEdit[]): readonly Cut[] {
  const cuts: Cut[] = [];
  walkItems(new JsonWalk(bytes.subarray(valueStart, end)), edits, cuts);
  return inOrder(cuts).map(({ from, to }) => ({ from: valueStart + from, to: valueStart + to }));
}

function walkItems(walk: JsonWalk, edits: readonly ItemEdit[], cuts: Cut[]): void {
  const items = new Members(cuts);
  walk.eachElement((index, start) => {
    const edit = edits[index] ?? null;
    if (edit === 'strip' && isObject(walk.peek())) walkFields(walk, cuts);
    else walk.skipValue();
    items.take(start, walk.at, edit === 'drop');
  });
  items.close();
}

function walkFields(walk: JsonWalk, cuts: Cut[]): void {
  const fields = new Members(cuts);
  walk.eachField((name, start) => {
    walk.skipValue();
    fields.take(start, walk.at, isOwnMark(name));
  });
  fields.close();
}

/** The body with its `input` items edited; the same body when no item changes. */
export function editInput(body: JsonBody, editOf: (item: Fields) => ItemEdit): JsonBody {
  if (!Array.isArray(body.value.input)) return body;
  // The contract has validated it as a list of items.
  const items = body.value.input as readonly Fields[];
  const edits = items.map(editOf);
  if (edits.every((edit) => edit === null)) return body;
  const value = { ...body.value, input: items.flatMap((item, index) => editItem(item, edits[index] ?? null)) };
  const { bytes } = body;
  const places = body.places ? body.places() : outlineOf(bytes).places;
  const place = places.get('input');
  // When `input` occurs twice, two parsers could read different ones.
  if (!place) return jsonBody(value);
  const cuts = findItemCuts(bytes, place, edits);
  return { kind: 'json', value, bytes: withCuts(bytes, cuts), places: () => movedPlaces(places, cuts) };
}

/** Takes bytes that are known to be a JSON object. A response without the field gets one at its end. */
export function withModel(bytes: Buffer, model: string): Buffer {
  const { places } = outlineOf(bytes);
  const place = places.get('model');
  const name = Buffer.from(JSON.stringify(model));
  if (place) return withCuts(bytes, [{ from: place.valueStart, to: place.end, instead: name }]);
  const end = bytes.lastIndexOf('}');
  const field = Buffer.concat([Buffer.from(places.size === 0 ? '"model":' : ',"model":'), name]);
  return withCuts(bytes, [{ from: end, to: end, instead: field }]);
}
