/** Checks the order of a responses stream, and that its events repeat each other correctly: for tests and development. */
import { isDeepStrictEqual } from 'node:util';
import { ITEM_ADDED, ITEM_DONE, KEEPALIVE } from '../../../contract/response-order.ts';
import { type Fields, isFields } from '../../../contract/rule.ts';
import { type CheckedItem, openCheckedItem, seeItem } from './order-item.ts';
import { isTerminal, OrderSteps } from './order-steps.ts';

export interface OrderCheck {
  /** The fault of the next event; null when there is none. */
  see(event: Fields): string | null;
  /** The fault at the end of the stream; null when there is none. */
  end(): string | null;
  /** The type of the last event that was in order. */
  readonly last: string;
}

interface Seen {
  readonly steps: OrderSteps;
  sequence: number;
  responseId: unknown;
  readonly items: CheckedItem[];
}

export function openOrderCheck(): OrderCheck {
  const seen: Seen = { steps: new OrderSteps(), sequence: 0, responseId: undefined, items: [] };
  return {
    see: (event) => seeSequence(seen, event) ?? seen.steps.take(event) ?? seeEvent(seen, event),
    end: () => (seen.steps.isOver ? null : `the stream ended after ${seen.steps.last}, without a terminal event`),
    get last() {
      return seen.steps.last;
    },
  };
}

/** The first fault of a complete stream, since those after it follow from it; null when there is none. */
export function orderFault(events: readonly Fields[]): string | null {
  const order = openOrderCheck();
  return events.reduce<string | null>((found, event) => found ?? order.see(event), null) ?? order.end();
}

/** Continues from the number that came, so that one gap is reported once. */
function seeSequence(seen: Seen, event: Fields): string | null {
  const expected = seen.sequence;
  seen.sequence = (typeof event.sequence_number === 'number' ? event.sequence_number : expected) + 1;
  if (event.sequence_number === expected) return null;
  return `sequence_number is ${String(event.sequence_number)}, not ${expected}, in ${String(event.type)} after ${seen.steps.last}`;
}

function seeEvent(seen: Seen, event: Fields): string | null {
  const type = String(event.type);
  if (type === KEEPALIVE) return null;
  if (type === ITEM_ADDED) return addItem(seen.items, event);
  const item = event.output_index === undefined ? undefined : seen.items[Number(event.output_index)];
  return item ? seeItem(item, event) : seeResponse(seen, event, type);
}

function addItem(items: CheckedItem[], event: Fields): string | null {
  const item = openCheckedItem(event);
  const isRepeated = items.some(({ added }) => added.id === item.added.id);
  items.push(item);
  return isRepeated ? `the id ${String(item.added.id)} stands for two items` : null;
}

function seeResponse(seen: Seen, event: Fields, type: string): string | null {
  if (!isFields(event.response)) return type === 'error' ? null : `${type} carries no response`;
  const { id, output } = event.response;
  seen.responseId ??= id;
  if (id !== seen.responseId) return `the id of the response changed to ${String(id)}`;
  return isTerminal(type) ? seeEnd(seen, type, Array.isArray(output) ? output : []) : null;
}

/** The terminal event must repeat each item. A failure need not: when a relayed stream breaks, the items are not kept. */
function seeEnd({ items }: Seen, type: string, output: readonly unknown[]): string | null {
  if (type === 'response.failed') return null;
  if (output.length !== items.length) return `${type} repeats ${output.length} of ${items.length} items`;
  const other = items.find(({ done }, index) => done !== null && !isDeepStrictEqual(comparable(done), comparable(output[index])));
  return other ? `${type} tells the item ${other.index} otherwise than its ${ITEM_DONE}` : null;
}

/** Vendors encrypt reasoning anew for the last event. */
function comparable(item: unknown): unknown {
  if (!isFields(item) || typeof item.encrypted_content !== 'string') return item;
  return { ...item, encrypted_content: 'encrypted' };
}
