/** Drops items of the input, or strips agents' notes from them, in the bytes of a responses request. */
import type { Fields } from '../../primitives/fields.ts';
import { createJsonBody, type JsonBody } from '../wire/json-body.ts';
import { type JsonCut, MemberCuts, moveSpans, sortCuts, withCuts } from '../wire/json-cuts.ts';
import { isObject, type JsonSpan, JsonWalker, readJsonOutline } from '../wire/json-outline.ts';
import { findEncrypted } from './stored-items.ts';

/** Items that must keep their ID, because another item or the upstream refers to it. */
const itemTypesWithId = new Set<unknown>(['local_shell_call_output', 'mcp_approval_request']);

/** Chooses how to edit an item before it's sent. */
export function getItemEdit(item: Fields, canDecrypt: (encrypted: string) => boolean): ItemEdit {
  const encrypted = findEncrypted(item);
  if (item.type === 'reasoning' && (encrypted === null || !canDecrypt(encrypted))) return 'drop';
  return itemTypesWithId.has(item.type) || !hasAgentNotes(item) ? null : 'strip';
}

/** How an item changes: it's removed, it loses its ID and agent notes, or it stays unchanged. */
export type ItemEdit = 'drop' | 'strip' | null;

/** Metadata that coding agents add to an item. */
const AGENT_METADATA_FIELD = 'internal_chat_message_metadata_passthrough';

const isAgentNote = (name: string): boolean => name === 'id' || name === AGENT_METADATA_FIELD;

/** True if an item has fields to strip. */
export const hasAgentNotes = (item: Fields): boolean => Object.hasOwn(item, 'id') || Object.hasOwn(item, AGENT_METADATA_FIELD);

/** Returns the edited item in a list, or an empty list if it's dropped. */
export function editItem(item: Fields, edit: ItemEdit): readonly Fields[] {
  if (edit === null) return [item];
  if (edit === 'drop') return [];
  const { id: _, [AGENT_METADATA_FIELD]: __, ...rest } = item;
  return [rest];
}

/** The cuts for the list at this position. */
function findItemCuts(bytes: Buffer, { valueStart, end }: JsonSpan, edits: readonly ItemEdit[]): readonly JsonCut[] {
  const cuts: JsonCut[] = [];
  editItems(new JsonWalker(bytes.subarray(valueStart, end)), edits, cuts);
  return sortCuts(cuts).map(({ from, to }) => ({ from: valueStart + from, to: valueStart + to }));
}

function editItems(walk: JsonWalker, edits: readonly ItemEdit[], cuts: JsonCut[]): void {
  const items = new MemberCuts(cuts);
  walk.forEachElement((index, start) => {
    const edit = edits[index] ?? null;
    if (edit === 'strip' && isObject(walk.peek())) cutAgentNotes(walk, cuts);
    else walk.skipValue();
    items.add(start, walk.at, edit === 'drop');
  });
  items.close();
}

function cutAgentNotes(walk: JsonWalker, cuts: JsonCut[]): void {
  const fields = new MemberCuts(cuts);
  walk.forEachField((name, start) => {
    walk.skipValue();
    fields.add(start, walk.at, isAgentNote(name));
  });
  fields.close();
}

/** Edits the items of `input`. Returns the same body if no item changes. */
export function editInput(body: JsonBody, getEdit: (item: Fields) => ItemEdit): JsonBody {
  if (!Array.isArray(body.value.input)) return body;
  // The contract has validated the input as a list of items.
  const items = body.value.input as readonly Fields[];
  const edits = items.map(getEdit);
  if (edits.every((edit) => edit === null)) return body;
  const value = { ...body.value, input: items.flatMap((item, index) => editItem(item, edits[index] ?? null)) };
  const { bytes } = body;
  const spans = body.places ? body.places() : readJsonOutline(bytes).places;
  const inputSpan = spans.get('input');
  // If `input` occurs twice, two parsers could read different values.
  if (!inputSpan) return createJsonBody(value);
  const cuts = findItemCuts(bytes, inputSpan, edits);
  return { kind: 'json', value, bytes: withCuts(bytes, cuts), places: () => moveSpans(spans, cuts) };
}
