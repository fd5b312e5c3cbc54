/** Checks a responses stream against its legal order while it passes (specification part 6): for tests and for development. */
import { isDeepStrictEqual } from 'node:util';
import { anyOutput, beforeStream, itemAdded, itemDone, keepalive, streamOrder, terminalEvents } from '../../../contract/response-order.ts';
import { type Fields, isFields } from '../../../contract/rule.ts';
import { type CheckedItem, openCheckedItem, seeItem } from './order-item.ts';

export interface OrderCheck {
  /** What is wrong with the next event; null where nothing is. */
  see(event: Fields): string | null;
  /** What is missing at the end of the stream. */
  end(): string | null;
}

interface Seen {
  step: string;
  sequence: number;
  responseId: unknown;
  readonly items: CheckedItem[];
}

const terminal = new Set<string>(terminalEvents);

export function openOrderCheck(): OrderCheck {
  const seen: Seen = { step: beforeStream, sequence: 0, responseId: undefined, items: [] };
  return {
    see: (event) => seeSequence(seen, event) ?? seeEvent(seen, event),
    end: () => (terminal.has(seen.step) ? null : `the stream ended after ${seen.step}, without a terminal event`),
  };
}

/** Goes on from the number that came, so that one gap is told once. */
function seeSequence(seen: Seen, event: Fields): string | null {
  const expected = seen.sequence;
  seen.sequence = (typeof event.sequence_number === 'number' ? event.sequence_number : expected) + 1;
  return event.sequence_number === expected ? null : `sequence_number is ${String(event.sequence_number)}, not ${expected}`;
}

function seeEvent(seen: Seen, event: Fields): string | null {
  const type = String(event.type);
  const isOutput = type === itemAdded || event.output_index !== undefined;
  if (type === keepalive) return mayPause(seen.step) ? null : `${type} after ${seen.step}`;
  const step = isOutput ? anyOutput : type;
  if (!streamOrder[seen.step]?.includes(step)) return `${type} may not follow ${seen.step}`;
  seen.step = step;
  if (isOutput) return seeOutput(seen, event, type);
  return seeResponse(seen, event, type);
}

const mayPause = (step: string) => step !== beforeStream && !terminal.has(step);

function seeOutput({ items }: Seen, event: Fields, type: string): string | null {
  if (type === itemAdded) return addItem(items, event);
  const item = items[Number(event.output_index)];
  return item ? seeItem(item, event) : `${type} before the item ${String(event.output_index)} was added`;
}

function addItem(items: CheckedItem[], event: Fields): string | null {
  const item = openCheckedItem(event);
  const isRepeated = items.some(({ added }) => added.id === item.added.id);
  const expected = items.push(item) - 1;
  if (item.index !== expected) return `output_index is ${String(event.output_index)}, not ${expected}`;
  return isRepeated ? `the id ${String(item.added.id)} stands for two items` : null;
}

function seeResponse(seen: Seen, event: Fields, type: string): string | null {
  if (!isFields(event.response)) return type === 'error' ? null : `${type} carries no response`;
  const { id, output } = event.response;
  seen.responseId ??= id;
  if (id !== seen.responseId) return `the id of the response changed to ${String(id)}`;
  return terminal.has(type) ? seeEnd(seen, type, Array.isArray(output) ? output : []) : null;
}

/** A failure may leave items open; every other end has closed them all, and repeats each of them. */
function seeEnd({ items }: Seen, type: string, output: readonly unknown[]): string | null {
  const open = items.find(({ done }) => done === null);
  if (open && type !== 'response.failed') return `${type} while the item ${open.index} is open`;
  if (output.length !== items.length) return `${type} repeats ${output.length} of ${items.length} items`;
  const other = items.find(({ done }, index) => done !== null && !isDeepStrictEqual(done, output[index]));
  return other ? `${type} tells the item ${other.index} otherwise than its ${itemDone}` : null;
}
