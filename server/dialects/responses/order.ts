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
  partStep,
  streamOrder,
  terminalEvents,
} from '../../../contract/responses/order.ts';
import { asGatewayError, type CallCode, GatewayError } from '../../errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { PassThroughReader } from '../failure.ts';
import { frameObject, NOTHING, passEach } from '../wire/frames.ts';
import { writeFailedEnd } from './relay.ts';

interface OrderCheck {
  /** The fault of the next event; null if it's valid. */
  see(event: Fields): string | null;
  /** The fault at the end of the stream; null if the end is valid. */
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

/** The first fault of a complete stream, since later ones follow from it; null if the stream is valid. */
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
  if (mayComeAnywhere(type)) return null;
  if (type === ITEM_ADDED) return addItem(seen.items, event);
  const item = event.output_index === undefined ? undefined : seen.items[Number(event.output_index)];
  return item ? seeItem(item, event) : seeResponse(seen, event, type);
}

function addItem(items: CheckedItem[], event: Fields): string | null {
  const item = openCheckedItem(event);
  const isRepeated = items.some(({ added }) => added.id === item.added.id);
  items.push(item);
  return isRepeated ? `two items have the ID ${String(item.added.id)}` : null;
}

function seeResponse(seen: Seen, event: Fields, type: string): string | null {
  if (!isFields(event.response)) return type === 'error' ? null : `${type} has no response`;
  const { id, output } = event.response;
  seen.responseId ??= id;
  if (id !== seen.responseId) return `the response ID changed to ${String(id)}`;
  return isTerminal(type) ? seeEnd(seen, type, Array.isArray(output) ? output : []) : null;
}

/** The terminal event must repeat each item. A failure needn't: when a relayed stream breaks, the items aren't kept. */
function seeEnd({ items }: Seen, type: string, output: readonly unknown[]): string | null {
  if (type === 'response.failed') return null;
  if (output.length !== items.length) return `${type} repeats ${output.length} of ${items.length} items`;
  const other = items.find(({ done }, index) => done !== null && !isDeepStrictEqual(comparable(done), comparable(output[index])));
  return other ? `item ${other.index} in ${type} differs from its ${ITEM_DONE}` : null;
}

/** Providers encrypt reasoning again for the last event. */
function comparable(item: unknown): unknown {
  if (!isFields(item) || typeof item.encrypted_content !== 'string') return item;
  return { ...item, encrypted_content: 'encrypted' };
}

interface ItemSteps {
  /** Null for items of hosted tools, whose events are the provider's own. */
  readonly follows: Follows | null;
  step: string;
}

const terminal = new Set<string>(terminalEvents);

/** The step of an event: its type, and after it the type of the part that it is about. */
const stepOf = (event: Fields): string =>
  isFields(event.part) ? partStep(String(event.type), String(event.part.type)) : String(event.type);

/** Between the first event and the last: a heartbeat, and an event that is newer than the contract. */
const mayComeAnywhere = (type: string): boolean => type === KEEPALIVE || !eventTypes.has(type);

const isTerminal = (type: string): boolean => terminal.has(type);

function followsOf(item: unknown): Follows | null {
  const type = isFields(item) ? item.type : undefined;
  // Just checked to be an own key.
  return typeof type === 'string' && Object.hasOwn(itemOrder, type) ? itemOrder[type as keyof typeof itemOrder] : null;
}

export class OrderSteps {
  #step: string = BEFORE_STREAM;
  readonly #items: ItemSteps[] = [];
  /** The type of the last event that was in order. */
  last: string = BEFORE_STREAM;

  get isOver(): boolean {
    return terminal.has(this.#step);
  }

  /** Returns why the next event is out of order, or null if it can follow. A wrong event doesn't change the state. */
  take(event: Fields): string | null {
    const type = String(event.type);
    if (mayComeAnywhere(type)) return this.#step === BEFORE_STREAM || this.isOver ? this.#misplaced(type) : null;
    const isOutput = type === ITEM_ADDED || event.output_index !== undefined;
    const step = isOutput ? ANY_OUTPUT : type;
    if (!streamOrder[this.#step]?.includes(step)) return this.#misplaced(type);
    const wrong = isOutput ? this.#takeOutput(event, type) : this.#atEnd(type);
    if (wrong !== null) return wrong;
    this.#step = step;
    this.last = type;
    return null;
  }

  #misplaced(type: string): string {
    return `${type} can't follow ${this.last}`;
  }

  #takeOutput(event: Fields, type: string): string | null {
    if (type === ITEM_ADDED) return this.#addItem(event);
    const index = Number(event.output_index);
    const item = this.#items[index];
    if (!item) return `${type} before item ${String(event.output_index)} was added`;
    const step = stepOf(event);
    if (item.step === ITEM_DONE) return `${step} after item ${index} was done`;
    if (item.follows && !item.follows[item.step]?.includes(step)) return `${step} can't follow ${item.step} in item ${index}`;
    item.step = step;
    return null;
  }

  #addItem({ output_index, item }: Fields): string | null {
    const expected = this.#items.length;
    if (output_index !== expected) return `output_index is ${String(output_index)}, not ${expected}`;
    const wrong = this.#whileOpen(ITEM_ADDED);
    if (wrong !== null) return wrong;
    this.#items.push({ follows: followsOf(item), step: ITEM_ADDED });
    return null;
  }

  #atEnd(type: string): string | null {
    return terminal.has(type) && type !== 'response.failed' ? this.#whileOpen(type) : null;
  }

  /** Only the last item can be open. A failure may leave it so; every other end has closed it. */
  #whileOpen(type: string): string | null {
    const last = this.#items.at(-1);
    const isOpen = last !== undefined && last.step !== ITEM_DONE;
    return isOpen ? `${type} while item ${this.#items.length - 1} is open` : null;
  }
}

interface CheckedItem {
  readonly index: number;
  readonly added: Fields;
  /** How many pieces of content were opened, by the name of their counter. */
  readonly counts: Map<string, number>;
  text: string;
  annotations: number;
  done: Fields | null;
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

interface Meaning {
  readonly content: ContentOrder;
  readonly role: 'opens' | 'delta' | 'marks' | 'done' | 'closes';
}

const roles = ['opens', 'delta', 'marks', 'done', 'closes'] as const;

/** Role of each event type for its content part. */
const meanings = new Map<string, Meaning>(
  Object.entries<ContentOrder>(contentOrder).flatMap(([kind, content]) =>
    roles.flatMap((role): [string, Meaning][] => {
      const type = content[role];
      if (type === null) return [];
      return [[role === 'opens' || role === 'closes' ? partStep(type, kind) : type, { content, role }]];
    }),
  ),
);

function openCheckedItem(event: Fields): CheckedItem {
  return { index: Number(event.output_index), added: fieldsOf(event.item), counts: new Map(), text: '', annotations: 0, done: null };
}

/** Returns what's wrong with an event of this item that is in order, or null. */
function seeItem(item: CheckedItem, event: Fields): string | null {
  const step = stepOf(event);
  return step === ITEM_DONE ? seeDone(item, fieldsOf(event.item)) : seeContent(item, event, meanings.get(step));
}

function seeContent(item: CheckedItem, event: Fields, meaning: Meaning | undefined): string | null {
  if (event.item_id !== item.added.id) return `item_id ${String(event.item_id)} is not the ID of item ${item.index}`;
  if (!meaning) return null;
  return wrongPlace(item, event, meaning) ?? seeText(item, event, meaning);
}

function wrongPlace({ counts, index }: CheckedItem, event: Fields, { content: { counter }, role }: Meaning): string | null {
  if (counter === null) return null;
  const opened = (counts.get(counter) ?? 0) + (role === 'opens' ? 1 : 0);
  counts.set(counter, opened);
  return event[counter] === opened - 1 ? null : `${counter} is ${String(event[counter])}, not ${opened - 1}, in item ${index}`;
}

function seeText(item: CheckedItem, event: Fields, { content: { field }, role }: Meaning): string | null {
  switch (role) {
    case 'opens':
      item.text = '';
      item.annotations = 0;
      return fieldsOf(event.part)[field] === '' ? null : `a part of item ${item.index} was added with text in it`;
    case 'delta':
      item.text += String(event.delta);
      return null;
    case 'marks':
      return event.annotation_index === item.annotations++ ? null : `a gap in the annotation_index of item ${item.index}`;
    default:
      return (role === 'done' ? event : fieldsOf(event.part))[field] === item.text
        ? null
        : `the final text in item ${item.index} differs from its deltas`;
  }
}

const lasting = ['id', 'type', 'call_id', 'name', 'namespace'];

function seeDone(item: CheckedItem, done: Fields): string | null {
  item.done = done;
  const changed = lasting.find((field) => done[field] !== item.added[field]);
  if (changed !== undefined) return `${changed} of item ${item.index} changed between added and done`;
  return done.status === 'in_progress' ? `item ${item.index} is done but still has the status in_progress` : null;
}

const broken = (what: string) =>
  new GatewayError<CallCode>('internal_error', { message: "The stream doesn't match the API contract.", cause: new Error(what) });

export class CheckedStream extends PassThroughReader {
  readonly #order = openOrderCheck();
  /** The number of events that the caller was sent, for an end that fits them; the inner reader may be ahead. */
  #events = 0;
  #response: Fields = {};
  #fault: GatewayError | null = null;
  /** The valid frames before a fault in the closing frames. */
  #owed: Buffer = NOTHING;

  override get isComplete(): boolean {
    return super.isComplete && this.#fault === null;
  }
  override get failure(): GatewayError | null {
    return this.#fault ?? super.failure;
  }

  override pass(frames: Buffer): Buffer {
    return this.#check(super.pass(frames));
  }
  override closing(): Buffer {
    const shown = this.#check(super.closing());
    const missing = this.#order.end();
    if (missing !== null) this.#fault ??= broken(missing);
    if (this.#fault === null) return shown;
    this.#owed = shown;
    throw this.#fault;
  }

  /** The inner reader doesn't know of a fault found here, so the failed end is written here. */
  override failing(error: GatewayError): Buffer {
    const place = { response: this.#response, sequence: this.#events };
    if (this.#fault) return Buffer.concat([this.#owed, writeFailedEnd(this.#fault, place)]);
    const frames = super.failing(error);
    // A stream that never opened has no response that could fail.
    if (this.#events === 0) return frames;
    const shown = this.#check(frames);
    return this.#fault ? writeFailedEnd(this.#fault, place) : shown;
  }

  keepAlive(): Buffer | null {
    const frame = this.#fault ? null : (this.inner.keepAlive?.() ?? null);
    const shown = frame && this.#check(frame);
    return this.#fault ? null : shown;
  }

  /** The frames of the block before its first fault. */
  #check(block: Buffer): Buffer {
    const { out, failure } = passEach(block, (frame) => {
      this.#see(frame);
      return frame;
    });
    this.#fault ??= failure && asGatewayError(failure);
    return out;
  }

  #see(frame: Buffer): void {
    const event = frameObject(frame);
    if (event === null) return;
    const last = this.#order.last;
    const misplaced = this.#order.see(event);
    if (misplaced !== null) throw broken(misplaced);
    const [issue] = ResponseStreamEvent.safeParse(event).error?.issues ?? [];
    if (issue) throw broken(`${String(event.type)} after ${last}: ${issue.path.join('.')}: ${issue.message}`);
    this.#events++;
    if (isFields(event.response)) this.#response = event.response;
  }
}
