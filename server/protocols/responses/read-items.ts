/** Reads the output items of a response as events, without what earlier deltas already contained. */
import { type Fields, isFields } from '../../primitives/fields.ts';
import { readAnnotation } from '../canonical/annotations.ts';
import { toCallId } from '../canonical/call-ids.ts';
import type { CanonicalEvent } from '../canonical/canonical-events.ts';
import { readLogprobs } from '../canonical/logprobs.ts';

export const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

const toFieldsList = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** The state of an item while its events arrive. */
interface ItemState {
  /** Parts that arrived as deltas, by kind and index. */
  readonly emitted: Set<string>;
  /** The call's index. Null until the call is opened. */
  call: number | null;
  /** The number of argument characters emitted so far. */
  length: number;
}

/** The output of a response so far. */
export class OutputState {
  readonly #items = new Map<string, ItemState>();
  #calls = 0;
  #finishedItems = 0;
  #partCount = 0;
  readonly #partNumbers = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#items.size === 0;
  }
  get calls(): number {
    return this.#calls;
  }

  getItem(key: string): ItemState {
    const knownItem = this.#items.get(key);
    if (knownItem) return knownItem;
    const newItem: ItemState = { emitted: new Set(), call: null, length: 0 };
    this.#items.set(key, newItem);
    return newItem;
  }

  /** Most events identify an item by its index, some only by its ID. Without either, an event belongs to the current item. */
  getKey({ output_index: index, item_id: id, item }: Fields): string {
    const itemId = typeof id === 'string' ? id : isFields(item) ? item.id : undefined;
    const key = index ?? itemId;
    return typeof key === 'number' || typeof key === 'string' ? String(key) : `new ${this.#finishedItems}`;
  }

  finishItem(): void {
    this.#finishedItems++;
  }

  /** Numbers paragraphs across the entire response, so that consecutive reasoning items stay separate. */
  getPartNumber(partKey: string): number {
    const knownNumber = this.#partNumbers.get(partKey);
    if (knownNumber !== undefined) return knownNumber;
    const next = this.#partCount++;
    this.#partNumbers.set(partKey, next);
    return next;
  }

  openCall(item: ItemState): number {
    const index = this.#calls++;
    item.call = index;
    return index;
  }
}

type ReadItem = (output: OutputState, key: string, item: Fields) => CanonicalEvent[];

export function readText(text: string, logprobs: unknown): CanonicalEvent[] {
  const parsedLogprobs = readLogprobs(logprobs);
  if (text === '') return [];
  return [parsedLogprobs === null ? { kind: 'text', text } : { kind: 'text', text, logprobs: parsedLogprobs }];
}

const readRefusal = (text: string): CanonicalEvent[] => (text === '' ? [] : [{ kind: 'refusal', text }]);

const readMessage: ReadItem = (output, key, item) => {
  const { emitted: emittedParts } = output.getItem(key);
  return toFieldsList(item.content).flatMap((part, index): CanonicalEvent[] => {
    const events = emittedParts.has(`content ${index}`)
      ? []
      : [...readText(toText(part.text), part.logprobs), ...readRefusal(toText(part.refusal))];
    const annotations = emittedParts.has(`annotation ${index}`) ? [] : toFieldsList(part.annotations);
    return [...events, ...annotations.flatMap(readAnnotation)];
  });
};

const readReasoning: ReadItem = (output, key, item) => {
  const { emitted: emittedParts } = output.getItem(key);
  const readParagraphs = (kind: 'content' | 'summary') =>
    toFieldsList(item[kind]).flatMap(({ text }, index): CanonicalEvent[] => {
      const isEmitted = emittedParts.has(`${kind} ${index}`) || toText(text) === '';
      return isEmitted ? [] : [{ kind: 'reasoning', part: output.getPartNumber(`${key} ${kind} ${index}`), text: toText(text) }];
    });
  const encrypted = toText(item.encrypted_content);
  return [
    ...readParagraphs('content'),
    ...readParagraphs('summary'),
    ...(encrypted === '' ? [] : [{ kind: 'encrypted' as const, encrypted }]),
  ];
};

/** Opens a call as soon as its name is known. */
export const openCall: ReadItem = (output, key, item) => {
  const state = output.getItem(key);
  const name = toText(item.name);
  if (state.call !== null || name === '') return [];
  const form = item.type === 'custom_tool_call' ? 'custom' : 'function';
  const index = output.openCall(state);
  const namespace = toText(item.namespace) || null;
  return [{ kind: 'call', index, form, callId: toCallId(toText(item.call_id) || toText(item.id)), name, namespace }];
};

export function readArguments(state: ItemState, text: string): CanonicalEvent[] {
  if (state.call === null || text === '') return [];
  state.length += text.length;
  return [{ kind: 'arguments', index: state.call, text }];
}

/** A function without arguments gets `{}`, because clients parse the arguments. A call that was cut off stays unchanged. */
const readCall: ReadItem = (output, key, item) => {
  const openingEvents = openCall(output, key, item);
  const state = output.getItem(key);
  const isCustom = item.type === 'custom_tool_call';
  const argumentText = toText(isCustom ? item.input : item.arguments);
  const fullText = argumentText === '' && !isCustom && item.status !== 'incomplete' && state.length === 0 ? '{}' : argumentText;
  return [...openingEvents, ...readArguments(state, fullText.slice(state.length))];
};

/** Items of hosted tools are omitted. */
const itemReaders: Readonly<Record<string, ReadItem>> = {
  message: readMessage,
  reasoning: readReasoning,
  function_call: readCall,
  custom_tool_call: readCall,
};

export function readItem(output: OutputState, key: string, item: Fields): CanonicalEvent[] {
  const type = toText(item.type);
  return Object.hasOwn(itemReaders, type) ? (itemReaders[type]?.(output, key, item) ?? []) : [];
}

export function readItems(output: OutputState, list: unknown): CanonicalEvent[] {
  return toFieldsList(list).flatMap((item, index) => readItem(output, String(index), item));
}
