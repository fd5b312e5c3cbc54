/** Changes items of the `input` of a responses body in its bytes, so that everything else is forwarded as the caller wrote it. */
import type { Fields } from '../../../contract/rule.ts';
import { type Cut, inOrder, Members, movedPlaces, type Place, withCuts } from './byte-edits.ts';
import { type JsonBody, jsonBody } from './json-body.ts';
import { outlineOf } from './json-outline.ts';
import { isObject, JsonWalk } from './json-scanner.ts';

/** What happens to an item: it is removed, its ids and notes are removed, or nothing. */
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
function findCuts(bytes: Buffer, { valueStart, end }: Place, edits: readonly ItemEdit[]): readonly Cut[] {
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
  const cuts = findCuts(bytes, place, edits);
  return { kind: 'json', value, bytes: withCuts(bytes, cuts), places: () => movedPlaces(places, cuts) };
}
