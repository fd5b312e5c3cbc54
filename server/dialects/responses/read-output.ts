/** Reads output items of a responses upstream as events, without what their deltas have given already. */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { readAnnotation } from '../turn/annotations.ts';
import { callIdFor } from '../turn/call-id.ts';
import { readLogprobs } from '../turn/logprobs.ts';
import type { TurnEvent } from '../turn/turn.ts';

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** What is known of one item while its events come. */
export interface Seen {
  /** Pieces of it that came as deltas, by kind and place. */
  readonly told: Set<string>;
  /** Its place among the calls; null while it is not open. */
  call: number | null;
  /** How much of its arguments is out. */
  length: number;
}

/** What one answer has told so far. */
export class Output {
  readonly #seen = new Map<string, Seen>();
  #calls = 0;
  #done = 0;
  #parts = 0;
  readonly #partNumbers = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#seen.size === 0;
  }
  get calls(): number {
    return this.#calls;
  }

  seen(key: string): Seen {
    const known = this.#seen.get(key);
    if (known) return known;
    const seen: Seen = { told: new Set(), call: null, length: 0 };
    this.#seen.set(key, seen);
    return seen;
  }

  /** Events name an item by its place, some vendors by its id alone; without either they belong to the item that is not done yet. */
  keyOf({ output_index: index, item_id: id, item }: Fields): string {
    const itemId = typeof id === 'string' ? id : isFields(item) ? item.id : undefined;
    const key = index ?? itemId;
    return typeof key === 'number' || typeof key === 'string' ? String(key) : `new ${this.#done}`;
  }

  finishItem(): void {
    this.#done++;
  }

  /** Paragraphs are numbered over the whole answer, so that consecutive reasoning items stay apart. */
  partNumber(place: string): number {
    const known = this.#partNumbers.get(place);
    if (known !== undefined) return known;
    const next = this.#parts++;
    this.#partNumbers.set(place, next);
    return next;
  }

  openCall(seen: Seen): number {
    const index = this.#calls++;
    seen.call = index;
    return index;
  }
}

type ReadItem = (output: Output, key: string, item: Fields) => TurnEvent[];

export function readText(text: string, logprobs: unknown): TurnEvent[] {
  const read = readLogprobs(logprobs);
  if (text === '') return [];
  return [read === null ? { kind: 'text', text } : { kind: 'text', text, logprobs: read }];
}

const readRefusal = (text: string): TurnEvent[] => (text === '' ? [] : [{ kind: 'refusal', text }]);

const readMessage: ReadItem = (output, key, item) => {
  const { told } = output.seen(key);
  return listOf(item.content).flatMap((part, index): TurnEvent[] => {
    const said = told.has(`content ${index}`) ? [] : [...readText(textOf(part.text), part.logprobs), ...readRefusal(textOf(part.refusal))];
    const notes = told.has(`annotation ${index}`) ? [] : listOf(part.annotations);
    return [...said, ...notes.flatMap(readAnnotation)];
  });
};

const readReasoning: ReadItem = (output, key, item) => {
  const { told } = output.seen(key);
  const paragraphs = (kind: 'content' | 'summary') =>
    listOf(item[kind]).flatMap(({ text }, index): TurnEvent[] => {
      const isTold = told.has(`${kind} ${index}`) || textOf(text) === '';
      return isTold ? [] : [{ kind: 'reasoning', part: output.partNumber(`${key} ${kind} ${index}`), text: textOf(text) }];
    });
  const encrypted = textOf(item.encrypted_content);
  return [...paragraphs('content'), ...paragraphs('summary'), ...(encrypted === '' ? [] : [{ kind: 'encrypted' as const, encrypted }])];
};

/** Opens a call as soon as its name is there. */
export const openCall: ReadItem = (output, key, item) => {
  const seen = output.seen(key);
  const name = textOf(item.name);
  if (seen.call !== null || name === '') return [];
  const form = item.type === 'custom_tool_call' ? 'custom' : 'function';
  const index = output.openCall(seen);
  const namespace = textOf(item.namespace) || null;
  return [{ kind: 'call', index, form, callId: callIdFor(textOf(item.call_id) || textOf(item.id)), name, namespace }];
};

export function readArguments(seen: Seen, text: string): TurnEvent[] {
  if (seen.call === null || text === '') return [];
  seen.length += text.length;
  return [{ kind: 'arguments', index: seen.call, text }];
}

/** A function without arguments gets `{}`, since clients parse them; a call that was cut gets nothing. */
const readCall: ReadItem = (output, key, item) => {
  const opening = openCall(output, key, item);
  const seen = output.seen(key);
  const isCustom = item.type === 'custom_tool_call';
  const given = textOf(isCustom ? item.input : item.arguments);
  const whole = given === '' && !isCustom && item.status !== 'incomplete' && seen.length === 0 ? '{}' : given;
  return [...opening, ...readArguments(seen, whole.slice(seen.length))];
};

/** Items of hosted tools are left out. */
const items: Readonly<Record<string, ReadItem>> = {
  message: readMessage,
  reasoning: readReasoning,
  function_call: readCall,
  custom_tool_call: readCall,
};

export function readItem(output: Output, key: string, item: Fields): TurnEvent[] {
  const type = textOf(item.type);
  return Object.hasOwn(items, type) ? (items[type]?.(output, key, item) ?? []) : [];
}

export function readItems(output: Output, list: unknown): TurnEvent[] {
  return listOf(list).flatMap((item, index) => readItem(output, String(index), item));
}
