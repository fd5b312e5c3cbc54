/** A complete response as events: read as the last event of a stream, which tells all. */

import { type CallCode, CLOSED_EARLY, GatewayError } from '../../errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { readFailure } from '../failure.ts';
import { readAnnotation, readLogprobs } from '../turn/translation.ts';
import { callIdFor, type FinishReason, type TurnEvent, type TurnStreamReader, type UpstreamDialect } from '../turn/turn.ts';
import { readUsage } from '../usage.ts';
import { writeResponseRequest } from './write-request.ts';

const ended = new Set(['completed', 'incomplete']);

function readResponseAnswer(answer: Fields): TurnEvent[] {
  if (isFields(answer.error)) throw readFailure(answer.error);
  if (!Array.isArray(answer.output))
    throw new GatewayError<CallCode>('upstream_error', { message: "The upstream returned a response without 'output'." });
  const status = typeof answer.status === 'string' ? answer.status : 'completed';
  if (!ended.has(status)) throw new GatewayError<CallCode>('upstream_error', { message: 'The upstream returned an incomplete response.' });
  return openResponseStream().read({ type: `response.${status}`, response: answer }, null);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** State of an item while its events arrive. */
interface Seen {
  /** Pieces of it that came as deltas, by kind and place. */
  readonly told: Set<string>;
  /** Its place among the calls; null while it isn't open. */
  call: number | null;
  /** How much of its arguments is out. */
  length: number;
}

/** Content of a response so far. */
class Output {
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

  /** Events name an item by its place, some providers by its ID alone; without either they belong to the item that isn't done yet. */
  keyOf({ output_index: index, item_id: id, item }: Fields): string {
    const itemId = typeof id === 'string' ? id : isFields(item) ? item.id : undefined;
    const key = index ?? itemId;
    return typeof key === 'number' || typeof key === 'string' ? String(key) : `new ${this.#done}`;
  }

  finishItem(): void {
    this.#done++;
  }

  /** Paragraphs are numbered over the complete response, so that consecutive reasoning items stay apart. */
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

function readText(text: string, logprobs: unknown): TurnEvent[] {
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
const openCall: ReadItem = (output, key, item) => {
  const seen = output.seen(key);
  const name = textOf(item.name);
  if (seen.call !== null || name === '') return [];
  const form = item.type === 'custom_tool_call' ? 'custom' : 'function';
  const index = output.openCall(seen);
  const namespace = textOf(item.namespace) || null;
  return [{ kind: 'call', index, form, callId: callIdFor(textOf(item.call_id) || textOf(item.id)), name, namespace }];
};

function readArguments(seen: Seen, text: string): TurnEvent[] {
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

/** Items of hosted tools are omitted. */
const items: Readonly<Record<string, ReadItem>> = {
  message: readMessage,
  reasoning: readReasoning,
  function_call: readCall,
  custom_tool_call: readCall,
};

function readItem(output: Output, key: string, item: Fields): TurnEvent[] {
  const type = textOf(item.type);
  return Object.hasOwn(items, type) ? (items[type]?.(output, key, item) ?? []) : [];
}

function readItems(output: Output, list: unknown): TurnEvent[] {
  return listOf(list).flatMap((item, index) => readItem(output, String(index), item));
}

type ReadEvent = (output: Output, event: Fields) => TurnEvent[];

const placeOf = (value: unknown) => (typeof value === 'number' ? value : 0);

/** Marks a piece as told, so that the finished item doesn't tell it again. */
function addPiece(output: Output, event: Fields, piece: string): void {
  output.seen(output.keyOf(event)).told.add(piece);
}

const readTextDelta: ReadEvent = (output, event) => {
  const events = readText(textOf(event.delta), event.logprobs);
  if (events.length > 0) addPiece(output, event, `content ${placeOf(event.content_index)}`);
  return events;
};

const readRefusalDelta: ReadEvent = (output, event) => {
  const text = textOf(event.delta);
  if (text === '') return [];
  addPiece(output, event, `content ${placeOf(event.content_index)}`);
  return [{ kind: 'refusal', text }];
};

const readNote: ReadEvent = (output, event) => {
  const events = readAnnotation(event.annotation);
  if (events.length > 0) addPiece(output, event, `annotation ${placeOf(event.content_index)}`);
  return events;
};

const readThought =
  (kind: 'content' | 'summary', indexField: string): ReadEvent =>
  (output, event) => {
    const text = textOf(event.delta);
    if (text === '') return [];
    const piece = `${kind} ${placeOf(event[indexField])}`;
    const part = output.partNumber(`${output.keyOf(event)} ${piece}`);
    addPiece(output, event, piece);
    return [{ kind: 'reasoning', part, text }];
  };

const readArgumentsDelta: ReadEvent = (output, event) => readArguments(output.seen(output.keyOf(event)), textOf(event.delta));

const callTypes = new Set<unknown>(['function_call', 'custom_tool_call']);

const readAdded: ReadEvent = (output, event) => {
  const key = output.keyOf(event);
  return isFields(event.item) && callTypes.has(event.item.type) ? openCall(output, key, event.item) : [];
};

const readDone: ReadEvent = (output, event) => {
  const events = isFields(event.item) ? readItem(output, output.keyOf(event), event.item) : [];
  output.finishItem();
  return events;
};

function usageOf(response: Fields): TurnEvent[] {
  const usage = readUsage(response.usage);
  return usage === null ? [] : [{ kind: 'usage', usage }];
}

function finishReason(response: Fields, isWhole: boolean, output: Output): FinishReason {
  if (isWhole) return output.calls > 0 ? 'tool_calls' : 'stop';
  const details = isFields(response.incomplete_details) ? response.incomplete_details : {};
  return details.reason === 'content_filter' ? 'content_filter' : 'length';
}

/** When no items came before, they are read from the terminal event. */
const readTerminal =
  (isWhole: boolean): ReadEvent =>
  (output, { response }) => {
    const answer = isFields(response) ? response : {};
    const told = output.isEmpty ? readItems(output, answer.output) : [];
    return [...told, ...usageOf(answer), { kind: 'finish', reason: finishReason(answer, isWhole, output) }];
  };

/** The usage of a failed answer is charged too. */
const readFailed: ReadEvent = (_, { response }) => {
  const answer = isFields(response) ? response : {};
  return [...usageOf(answer), { kind: 'failed', error: readFailure(answer.error) }];
};

/** The error may be flat, nested or both. */
const readError: ReadEvent = (_, event) => [{ kind: 'failed', error: readFailure(isFields(event.error) ? event.error : event) }];

const readers: Readonly<Record<string, ReadEvent>> = {
  'response.output_item.added': readAdded,
  'response.output_item.done': readDone,
  'response.output_text.delta': readTextDelta,
  'response.output_text.annotation.added': readNote,
  'response.refusal.delta': readRefusalDelta,
  'response.reasoning_summary_text.delta': readThought('summary', 'summary_index'),
  'response.reasoning_text.delta': readThought('content', 'content_index'),
  'response.function_call_arguments.delta': readArgumentsDelta,
  'response.custom_tool_call_input.delta': readArgumentsDelta,
  'response.completed': readTerminal(true),
  'response.incomplete': readTerminal(false),
  'response.failed': readFailed,
  error: readError,
};
const terminal = new Set(['response.completed', 'response.incomplete', 'response.failed', 'error']);
const failures = new Set(['response.failed', 'error']);

class ResponsesTurnReader implements TurnStreamReader {
  readonly #output = new Output();
  #hasStarted = false;
  isComplete = false;

  read(data: Fields, name: string | null): TurnEvent[] {
    if (this.isComplete) return [];
    const type = textOf(data.type) || (name ?? '');
    this.isComplete = terminal.has(type);
    const events = Object.hasOwn(readers, type) ? (readers[type]?.(this.#output, data) ?? []) : [];
    return [...this.#start(type), ...events];
  }

  end(): TurnEvent[] {
    if (this.isComplete) return [];
    this.isComplete = true;
    return [
      {
        kind: 'failed',
        error: new GatewayError<CallCode>('upstream_error', { message: CLOSED_EARLY }),
      },
    ];
  }

  #start(type: string): TurnEvent[] {
    if (this.#hasStarted || failures.has(type) || !type.startsWith('response.')) return [];
    this.#hasStarted = true;
    return [{ kind: 'start' }];
  }
}

const openResponseStream = (): TurnStreamReader => new ResponsesTurnReader();

export const responsesUpstream: UpstreamDialect = {
  path: () => '/responses',
  writeRequest: writeResponseRequest,
  readWhole: readResponseAnswer,
  openStream: openResponseStream,
};
