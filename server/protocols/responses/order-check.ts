/** Checks the order of a responses stream, and that its events repeat each other correctly: for tests and development. */
import { isDeepStrictEqual } from 'node:util';
import { eventTypes, ResponseStreamEvent } from '../../../contract/responses/events.ts';
import {
  ANY_OUTPUT,
  BEFORE_STREAM,
  type ContentOrder,
  contentOrder,
  type Follows,
  ITEM_ADDED,
  ITEM_DONE,
  itemOrder,
  KEEPALIVE,
  streamOrder,
  terminalEvents,
  toPartStep,
} from '../../../contract/responses/order.ts';
import { type CallCode, GatewayError, toGatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { PassThroughReader } from '../stream-reader.ts';
import { NOTHING, parseFrame, transformFrames } from '../wire/frames.ts';

import { writeFailedEnd } from './errors.ts';

interface OrderCheck {
  /** Returns the fault of the next event, or null if it's valid. */
  check(event: Fields): string | null;
  /** Returns the fault at the end of the stream, or null if the end is valid. */
  end(): string | null;
  /** The type of the last event that was in order. */
  readonly last: string;
}

interface StreamState {
  readonly steps: OrderSteps;
  sequence: number;
  responseId: unknown;
  readonly items: CheckedItem[];
}

export function openOrderCheck(): OrderCheck {
  const state: StreamState = { steps: new OrderSteps(), sequence: 0, responseId: undefined, items: [] };
  return {
    check: (event) => checkSequence(state, event) ?? state.steps.advance(event) ?? checkEvent(state, event),
    end: () => (state.steps.isOver ? null : `the stream ended after ${state.steps.last}, without a terminal event`),
    get last() {
      return state.steps.last;
    },
  };
}

/** The first fault of a complete stream, because later faults usually follow from it. Null if the stream is valid. */
export function findOrderFault(events: readonly Fields[]): string | null {
  const orderCheck = openOrderCheck();
  return events.reduce<string | null>((found, event) => found ?? orderCheck.check(event), null) ?? orderCheck.end();
}

/** Continues from the received number, so that each gap is reported once. */
function checkSequence(state: StreamState, event: Fields): string | null {
  const expected = state.sequence;
  state.sequence = (typeof event.sequence_number === 'number' ? event.sequence_number : expected) + 1;
  if (event.sequence_number === expected) return null;
  return `sequence_number is ${String(event.sequence_number)}, not ${expected}, in ${String(event.type)} after ${state.steps.last}`;
}

function checkEvent(state: StreamState, event: Fields): string | null {
  const type = String(event.type);
  if (isAllowedAnywhere(type)) return null;
  if (type === ITEM_ADDED) return addItem(state.items, event);
  const item = event.output_index === undefined ? undefined : state.items[Number(event.output_index)];
  return item ? checkItem(item, event) : checkResponse(state, event, type);
}

function addItem(items: CheckedItem[], event: Fields): string | null {
  const item = openCheckedItem(event);
  const isRepeated = items.some(({ added }) => added.id === item.added.id);
  items.push(item);
  return isRepeated ? `two items have the ID ${String(item.added.id)}` : null;
}

function checkResponse(state: StreamState, event: Fields, type: string): string | null {
  if (!isFields(event.response)) return type === 'error' ? null : `${type} has no response`;
  const { id, output } = event.response;
  state.responseId ??= id;
  if (id !== state.responseId) return `the response ID changed to ${String(id)}`;
  return isTerminal(type) ? checkEnd(state, type, Array.isArray(output) ? output : []) : null;
}

/** The terminal event must repeat each item, except after a failure: items aren't kept when a relayed stream breaks. */
function checkEnd({ items }: StreamState, type: string, output: readonly unknown[]): string | null {
  if (type === 'response.failed') return null;
  if (output.length !== items.length) return `${type} repeats ${output.length} of ${items.length} items`;
  const differingItem = items.find(
    ({ done }, index) => done !== null && !isDeepStrictEqual(toComparable(done), toComparable(output[index])),
  );
  return differingItem ? `item ${differingItem.index} in ${type} differs from its ${ITEM_DONE}` : null;
}

/** Ignores encrypted content, because providers encrypt reasoning again for the last event. */
function toComparable(item: unknown): unknown {
  if (!isFields(item) || typeof item.encrypted_content !== 'string') return item;
  return { ...item, encrypted_content: 'encrypted' };
}

interface ItemSteps {
  /** Null for items of hosted tools, whose events are defined by the provider. */
  readonly follows: Follows | null;
  step: string;
}

const terminalTypes = new Set<string>(terminalEvents);

/** The step of an event: its type, plus the type of the part it refers to, if any. */
const getStep = (event: Fields): string =>
  isFields(event.part) ? toPartStep(String(event.type), String(event.part.type)) : String(event.type);

/** True for heartbeats and for events newer than the contract. They can occur anywhere between the first and last event. */
const isAllowedAnywhere = (type: string): boolean => type === KEEPALIVE || !eventTypes.has(type);

const isTerminal = (type: string): boolean => terminalTypes.has(type);

function findFollowers(item: unknown): Follows | null {
  const type = isFields(item) ? item.type : undefined;
  // `Object.hasOwn` guarantees that the key exists.
  return typeof type === 'string' && Object.hasOwn(itemOrder, type) ? itemOrder[type as keyof typeof itemOrder] : null;
}

export class OrderSteps {
  #step: string = BEFORE_STREAM;
  readonly #items: ItemSteps[] = [];
  /** The type of the last event that was in order. */
  last: string = BEFORE_STREAM;

  get isOver(): boolean {
    return terminalTypes.has(this.#step);
  }

  /** Returns why the next event is out of order, or null if it can follow. An invalid event doesn't change the state. */
  advance(event: Fields): string | null {
    const type = String(event.type);
    if (isAllowedAnywhere(type)) return this.#step === BEFORE_STREAM || this.isOver ? this.#describeMisplaced(type) : null;
    const isOutput = type === ITEM_ADDED || event.output_index !== undefined;
    const step = isOutput ? ANY_OUTPUT : type;
    if (!streamOrder[this.#step]?.includes(step)) return this.#describeMisplaced(type);
    const fault = isOutput ? this.#advanceOutput(event, type) : this.#checkEnd(type);
    if (fault !== null) return fault;
    this.#step = step;
    this.last = type;
    return null;
  }

  #describeMisplaced(type: string): string {
    return `${type} can't follow ${this.last}`;
  }

  #advanceOutput(event: Fields, type: string): string | null {
    if (type === ITEM_ADDED) return this.#addItem(event);
    const index = Number(event.output_index);
    const item = this.#items[index];
    if (!item) return `${type} before item ${String(event.output_index)} was added`;
    const step = getStep(event);
    if (item.step === ITEM_DONE) return `${step} after item ${index} was done`;
    if (item.follows && !item.follows[item.step]?.includes(step)) return `${step} can't follow ${item.step} in item ${index}`;
    item.step = step;
    return null;
  }

  #addItem({ output_index, item }: Fields): string | null {
    const expected = this.#items.length;
    if (output_index !== expected) return `output_index is ${String(output_index)}, not ${expected}`;
    const fault = this.#checkClosed(ITEM_ADDED);
    if (fault !== null) return fault;
    this.#items.push({ follows: findFollowers(item), step: ITEM_ADDED });
    return null;
  }

  #checkEnd(type: string): string | null {
    return terminalTypes.has(type) && type !== 'response.failed' ? this.#checkClosed(type) : null;
  }

  /** Only the last item can be open. Only a failure can end the stream while an item is open. */
  #checkClosed(type: string): string | null {
    const last = this.#items.at(-1);
    const isOpen = last !== undefined && last.step !== ITEM_DONE;
    return isOpen ? `${type} while item ${this.#items.length - 1} is open` : null;
  }
}

interface CheckedItem {
  readonly index: number;
  readonly added: Fields;
  /** The number of content parts opened so far, per counter name. */
  readonly counts: Map<string, number>;
  text: string;
  annotations: number;
  done: Fields | null;
}

const toFields = (value: unknown): Fields => (isFields(value) ? value : {});

interface ContentStep {
  readonly content: ContentOrder;
  readonly role: 'opens' | 'delta' | 'marks' | 'done' | 'closes';
}

const roles = ['opens', 'delta', 'marks', 'done', 'closes'] as const;

/** Maps each event type to its role for the content part. */
const contentSteps = new Map<string, ContentStep>(
  Object.entries<ContentOrder>(contentOrder).flatMap(([kind, content]) =>
    roles.flatMap((role): [string, ContentStep][] => {
      const type = content[role];
      if (type === null) return [];
      return [[role === 'opens' || role === 'closes' ? toPartStep(type, kind) : type, { content, role }]];
    }),
  ),
);

function openCheckedItem(event: Fields): CheckedItem {
  return { index: Number(event.output_index), added: toFields(event.item), counts: new Map(), text: '', annotations: 0, done: null };
}

/** Returns what's wrong with an event of this item that is in order, or null. */
function checkItem(item: CheckedItem, event: Fields): string | null {
  const step = getStep(event);
  return step === ITEM_DONE ? checkDone(item, toFields(event.item)) : checkContent(item, event, contentSteps.get(step));
}

function checkContent(item: CheckedItem, event: Fields, contentStep: ContentStep | undefined): string | null {
  if (event.item_id !== item.added.id) return `item_id ${String(event.item_id)} is not the ID of item ${item.index}`;
  if (!contentStep) return null;
  return checkIndex(item, event, contentStep) ?? checkText(item, event, contentStep);
}

function checkIndex({ counts, index }: CheckedItem, event: Fields, { content: { counter }, role }: ContentStep): string | null {
  if (counter === null) return null;
  const openedCount = (counts.get(counter) ?? 0) + (role === 'opens' ? 1 : 0);
  counts.set(counter, openedCount);
  return event[counter] === openedCount - 1 ? null : `${counter} is ${String(event[counter])}, not ${openedCount - 1}, in item ${index}`;
}

function checkText(item: CheckedItem, event: Fields, { content: { field }, role }: ContentStep): string | null {
  switch (role) {
    case 'opens':
      item.text = '';
      item.annotations = 0;
      return toFields(event.part)[field] === '' ? null : `a part of item ${item.index} was added with text in it`;
    case 'delta':
      item.text += String(event.delta);
      return null;
    case 'marks':
      return event.annotation_index === item.annotations++ ? null : `a gap in the annotation_index of item ${item.index}`;
    default:
      return (role === 'done' ? event : toFields(event.part))[field] === item.text
        ? null
        : `the final text in item ${item.index} differs from its deltas`;
  }
}

const immutableFields = ['id', 'type', 'call_id', 'name', 'namespace'];

function checkDone(item: CheckedItem, doneItem: Fields): string | null {
  item.done = doneItem;
  const changedField = immutableFields.find((field) => doneItem[field] !== item.added[field]);
  if (changedField !== undefined) return `${changedField} of item ${item.index} changed between added and done`;
  return doneItem.status === 'in_progress' ? `item ${item.index} is done but still has the status in_progress` : null;
}

const createContractError = (what: string) =>
  new GatewayError<CallCode>('internal_error', { message: "The stream doesn't match the API contract.", cause: new Error(what) });

export class CheckedStream extends PassThroughReader {
  readonly #order = openOrderCheck();
  /** The number of events sent to the caller, for numbering the failed end. The inner reader can be ahead. */
  #events = 0;
  #response: Fields = {};
  #fault: GatewayError | null = null;
  /** The valid frames before a fault in the final frames. */
  #pendingFrames: Buffer = NOTHING;

  override get isComplete(): boolean {
    return super.isComplete && this.#fault === null;
  }
  override get failure(): GatewayError | null {
    return this.#fault ?? super.failure;
  }

  override transform(frames: Buffer): Buffer {
    return this.#check(super.transform(frames));
  }
  override flush(): Buffer {
    const checkedFrames = this.#check(super.flush());
    const endFault = this.#order.end();
    if (endFault !== null) this.#fault ??= createContractError(endFault);
    if (this.#fault === null) return checkedFrames;
    this.#pendingFrames = checkedFrames;
    throw this.#fault;
  }

  /** The inner reader doesn't know about a fault found here, so this method writes the failed end itself. */
  override fail(error: GatewayError): Buffer {
    const streamEnd = { response: this.#response, sequence: this.#events };
    if (this.#fault) return Buffer.concat([this.#pendingFrames, writeFailedEnd(this.#fault, streamEnd)]);
    const frames = super.fail(error);
    // A stream that never opened has no response that could fail.
    if (this.#events === 0) return frames;
    const checkedFrames = this.#check(frames);
    return this.#fault ? writeFailedEnd(this.#fault, streamEnd) : checkedFrames;
  }

  keepAlive(): Buffer | null {
    const frame = this.#fault ? null : (this.inner.keepAlive?.() ?? null);
    const checkedFrame = frame && this.#check(frame);
    return this.#fault ? null : checkedFrame;
  }

  /** Returns the frames of the block before its first fault. */
  #check(block: Buffer): Buffer {
    const { out, failure } = transformFrames(block, (frame) => {
      this.#checkEvent(frame);
      return frame;
    });
    this.#fault ??= failure && toGatewayError(failure);
    return out;
  }

  #checkEvent(frame: Buffer): void {
    const event = parseFrame(frame);
    if (event === null) return;
    const last = this.#order.last;
    const orderFault = this.#order.check(event);
    if (orderFault !== null) throw createContractError(orderFault);
    const [issue] = ResponseStreamEvent.safeParse(event).error?.issues ?? [];
    if (issue) throw createContractError(`${String(event.type)} after ${last}: ${issue.path.join('.')}: ${issue.message}`);
    this.#events++;
    if (isFields(event.response)) this.#response = event.response;
  }
}
