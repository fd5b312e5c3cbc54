/** Writes one output item of a response, from `added` to `done`. */
import { ITEM_ADDED, ITEM_DONE, type OrderedItem } from '../../../contract/response-order.ts';
import { type Content, type ContentPlace, closeContent, fillContent, openCall, type Tell, writeParts, writeSummaries } from './content.ts';
import type { Item } from './wire.ts';

type Status = 'in_progress' | 'completed' | 'incomplete';

/** The call's id and tool, the same in `added` and `done`. */
export interface CallNames {
  readonly callId: string;
  readonly name: string;
  readonly namespace: string | null;
}

/** What must be known of an item when it opens. */
export type ItemKind =
  | { readonly kind: 'message' | 'reasoning'; readonly call: null }
  | { readonly kind: 'function_call' | 'custom_tool_call'; readonly call: CallNames };

export type OpenItem = ItemKind & ItemState;

interface ItemState {
  readonly id: string;
  readonly index: number;
  readonly contents: Content[];
  /** Encrypted reasoning; null when there is none, or the caller did not ask for it. */
  encrypted: string | null;
  status: Status;
}

export const idPrefix: Readonly<Record<OrderedItem, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
};

export function openItem(about: ItemKind & Pick<ItemState, 'id' | 'index'>, tell: Tell): OpenItem {
  const item: OpenItem = { ...about, contents: [], encrypted: null, status: 'in_progress' };
  tell(ITEM_ADDED, { output_index: item.index, item: showItem(item) });
  if (item.kind === 'function_call') item.contents.push(openCall('arguments', placeIn(item)));
  if (item.kind === 'custom_tool_call') item.contents.push(openCall('input', placeIn(item)));
  return item;
}

export const placeIn = (item: OpenItem): ContentPlace => ({ itemId: item.id, outputIndex: item.index, index: item.contents.length });

/** A call without arguments gets `{}`, since clients parse them; a call that was cut stays as it is. */
export function closeItem(item: OpenItem, status: 'completed' | 'incomplete', tell: Tell): void {
  const open = item.contents.at(-1);
  if (open?.kind === 'arguments' && open.text === '' && status === 'completed') fillContent(open, '{}', tell);
  item.status = status;
  if (open) closeContent(open, tell, item.call?.name);
  tell(ITEM_DONE, { output_index: item.index, item: showItem(item) });
}

/** The item in its current state. `isOver`: an open item is shown as incomplete. */
export function showItem(item: OpenItem, isOver = false): Item {
  const status = isOver && item.status === 'in_progress' ? 'incomplete' : item.status;
  const { id } = item;
  switch (item.kind) {
    case 'message':
      return { id, type: item.kind, status, role: 'assistant', content: writeParts(item.contents) };
    case 'reasoning':
      return { id, type: item.kind, summary: writeSummaries(item.contents), ...writeEncrypted(item), ...cutMark(status) };
    case 'function_call':
      return { id, type: item.kind, status, ...writeNames(item.call), arguments: item.contents[0]?.text ?? '' };
    case 'custom_tool_call':
      return { id, type: item.kind, ...writeNames(item.call), input: item.contents[0]?.text ?? '', ...cutMark(status) };
  }
}

/** Reasoning and custom calls have no status in the protocol; it is written only for an item that was cut. */
const cutMark = (status: Status): { readonly status?: Status } => (status === 'incomplete' ? { status } : {});

/** Absent rather than null, since strict clients refuse null. */
const writeEncrypted = ({ encrypted }: OpenItem): { readonly encrypted_content?: string } =>
  encrypted === null ? {} : { encrypted_content: encrypted };

function writeNames({ callId, name, namespace }: CallNames) {
  return { call_id: callId, name, ...(namespace !== null && { namespace }) };
}
