/** Reads a whole chat completion as events, as if it were the only chunk of a stream. */
import { hash } from 'node:crypto';
import { type CallCode, CLOSED_EARLY, GatewayError } from '../../errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { readFailure } from '../failure.ts';
import { readAnnotation, readLogprobs } from '../turn/translation.ts';
import type { Turn, TurnEvent, TurnStreamReader, UpstreamDialect } from '../turn/turn.ts';
import { readUsage } from '../usage.ts';
import { type ChatToolNames, chatToolNames, InputDecoder } from './custom-input.ts';
import { isPrelude, readFinishReason } from './provider-answer.ts';
import { writeChatRequest } from './write-request.ts';
export class JsonEnd {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  isWhole = false;

  push(piece: string): void {
    for (let at = 0; at < piece.length && !this.isWhole; at++) this.#see(piece[at]);
  }

  #see(mark: string | undefined): void {
    if (this.#isInString) this.#seeInString(mark);
    else if (mark === '"') this.#isInString = true;
    else if (mark === '{' || mark === '[') this.#depth++;
    else if (mark === '}' || mark === ']') this.isWhole = --this.#depth === 0;
  }

  #seeInString(mark: string | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (mark === '\\') this.#isEscaped = true;
    else if (mark === '"') this.#isInString = false;
  }
}

/** In a complete response a call's position in its list is its index. */
function asDelta(message: Fields): Fields {
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isFields) : [];
  return { ...message, tool_calls: calls.map((call, index) => ({ ...call, index })) };
}

function asChunk(answer: Fields): Fields {
  const choices = Array.isArray(answer.choices) ? answer.choices.filter(isFields) : [];
  return { ...answer, choices: choices.map(({ message, ...rest }) => ({ ...rest, delta: isFields(message) ? asDelta(message) : {} })) };
}

export function readChatAnswer(answer: Fields, turn: Turn, thoughtsIn?: string): TurnEvent[] {
  const reader = openChatStream(turn, thoughtsIn);
  const told = reader.read(asChunk(answer), null);
  // A complete response has ended, also when the provider doesn't say how.
  const events = [...told, ...reader.end(true)];
  const failed = events.find((event) => event.kind === 'failed');
  if (failed === undefined) return events;
  if (answer.error || Array.isArray(answer.choices)) throw failed.error;
  throw new GatewayError<CallCode>('upstream_error', { message: "The upstream returned a response without 'choices'." });
}

/** Some providers send content as parts. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map((part) => (isFields(part) && part.type === 'text' ? textOf(part.text) : '')).join('') : '';
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** Some providers send reasoning as parts of the content. */
const thoughtsIn = (content: unknown): string =>
  listOf(content)
    .map((part) => (part.type === 'thinking' ? textOf(part.thinking) : ''))
    .join('');

function readThought(delta: Fields, field: string): TurnEvent[] {
  const text = textOf(delta[field]) || textOf(delta.reasoning_content) || textOf(delta.reasoning) || thoughtsIn(delta.content);
  return text === '' ? [] : [{ kind: 'reasoning', part: 0, text }];
}

/** `content: ""` gives no event. */
function readText(delta: Fields, choice: Fields): TurnEvent[] {
  const text = textOf(delta.content);
  if (text === '') return [];
  const logprobs = isFields(choice.logprobs) ? readLogprobs(choice.logprobs.content) : null;
  return [logprobs === null ? { kind: 'text', text } : { kind: 'text', text, logprobs }];
}

function readRefusal({ refusal }: Fields): TurnEvent[] {
  const text = textOf(refusal);
  return text === '' ? [] : [{ kind: 'refusal', text }];
}

const readAnnotations = ({ annotations }: Fields): TurnEvent[] => listOf(annotations).flatMap(readAnnotation);

const broken = (message: string) => new GatewayError<CallCode>('upstream_error', { message });

class ChatTurnReader implements TurnStreamReader {
  readonly #calls: CallPieces;
  readonly #thoughtsIn: string;
  /** Events that arrived while a call was still open: they're emitted after the call. */
  #later: TurnEvent[] = [];
  #answerId = '';
  #hasStarted = false;
  #hasChoice = false;
  #hasFinished = false;
  isComplete = false;

  constructor({ tools, items }: Turn, thoughtsIn: string) {
    this.#thoughtsIn = thoughtsIn;
    const taken = new Set(items.flatMap((item) => (item.kind === 'call' ? [item.callId] : [])));
    this.#calls = new CallPieces({ names: chatToolNames(tools), taken });
  }

  read(data: Fields): TurnEvent[] {
    if (this.isComplete) return [];
    // The usage of a failed answer is charged too.
    if (isFields(data.error) || typeof data.error === 'string')
      return [...this.#readUsage(data.usage), ...this.#fail(readFailure(data.error))];
    const choices = listOf(data.choices);
    const choice = choices.find(({ index }) => index === 0 || index === undefined);
    const start = this.#start(Array.isArray(data.choices) && !isPrelude(data));
    this.#answerId = textOf(data.id) || this.#answerId;
    const told = choice && !this.#hasFinished ? this.#readChoice(choice) : [];
    return [...start, ...told, ...this.#readUsage(data.usage ?? choice?.usage)];
  }

  /** Some providers mark the end of the stream, and give no reason for the end of the response. */
  end(isMarked = false): TurnEvent[] {
    if (this.isComplete) return [];
    const isEnded = this.#hasFinished || (isMarked && this.#hasChoice);
    if (!isEnded) return this.#fail(broken(CLOSED_EARLY));
    const rest = this.#hasFinished ? [] : this.#finish('stop');
    this.isComplete = true;
    return rest;
  }

  #start(isAnswer: boolean): TurnEvent[] {
    if (this.#hasStarted || !isAnswer) return [];
    this.#hasStarted = true;
    return [{ kind: 'start' }];
  }

  #fail(error: GatewayError): TurnEvent[] {
    this.isComplete = true;
    return [{ kind: 'failed', error }];
  }

  #readChoice(choice: Fields): TurnEvent[] {
    this.#hasChoice = true;
    const delta = isFields(choice.delta) ? choice.delta : {};
    this.#later.push(...readThought(delta, this.#thoughtsIn), ...readText(delta, choice), ...readAnnotations(delta), ...readRefusal(delta));
    const before = this.#takeLater();
    const calls = listOf(delta.tool_calls).flatMap((call) => this.#calls.take(call, this.#answerId));
    const told = [...before, ...calls, ...this.#takeLater()];
    const reason = readFinishReason(choice.finish_reason);
    return reason === null ? told : [...told, ...this.#finish(reason)];
  }

  #takeLater(): TurnEvent[] {
    if (this.#calls.isOpen) return [];
    const later = this.#later;
    this.#later = [];
    return later;
  }

  #finish(given: NonNullable<ReturnType<typeof readFinishReason>>): TurnEvent[] {
    if (given === 'failed') return this.#fail(broken('The upstream aborted the response.'));
    const cut = given === 'length' || given === 'content_filter' ? given : undefined;
    const calls = this.#calls.close(cut !== undefined, this.#answerId);
    if (calls === null) return this.#fail(broken('The upstream returned a tool call without a name.'));
    this.#hasFinished = true;
    // Some providers send `stop` after calls, some `tool_calls` without any: the calls decide.
    return [...calls, ...this.#later, { kind: 'finish', reason: cut ?? (this.#calls.count > 0 ? 'tool_calls' : 'stop') }];
  }

  /** Some providers send usage with every chunk; usage with the finish or after it is final. */
  #readUsage(value: unknown): TurnEvent[] {
    const usage = readUsage(value);
    if (usage === null || this.isComplete) return [];
    this.isComplete = this.#hasFinished;
    return [{ kind: 'usage', usage }];
  }
}

/** `thoughtsIn`: the provider's field for reasoning. */
export const openChatStream = (turn: Turn, thoughtsIn = 'reasoning_content'): TurnStreamReader => new ChatTurnReader(turn, thoughtsIn);

const textOrNothing = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Some providers send the arguments as an object. */
const argumentsOf = (value: unknown): string => (isFields(value) ? JSON.stringify(value) : textOrNothing(value));

/** One call; it is opened when its name is known and the call before it is over. */
interface Slot {
  id: string;
  name: string;
  /** Its index among the response's calls; null while it isn't open. */
  index: number | null;
  decoder: InputDecoder | null;
  held: string;
  /** Null for free text, which has no end marker. */
  readonly end: JsonEnd | null;
  isEmpty: boolean;
}

interface CallContext {
  readonly names: ChatToolNames;
  /** IDs of earlier calls in the conversation: a provider that counts from 0 in every response repeats them. */
  readonly taken: ReadonlySet<string>;
}

class CallPieces {
  readonly #names: ChatToolNames;
  readonly #taken: Set<string>;
  readonly #earlier: number;
  readonly #slots: Slot[] = [];
  /** The current call of each index in the stream. */
  readonly #current = new Map<number, Slot>();
  #opened = 0;
  /** The first call that can't be over. */
  #first = 0;

  constructor({ names, taken }: CallContext) {
    this.#names = names;
    this.#taken = new Set(taken);
    this.#earlier = taken.size;
  }

  get count(): number {
    return this.#opened;
  }

  /** Whether a call is missing some of its arguments: what comes alongside it has to wait. */
  get isOpen(): boolean {
    const slot = this.#slots[this.#first];
    return slot !== undefined && !isOver(slot);
  }

  take(delta: Fields, answerId: string): TurnEvent[] {
    const body = isFields(delta.function) ? delta.function : isFields(delta.custom) ? delta.custom : {};
    const name = textOrNothing(body.name);
    const slot = this.#slotOf(delta, name);
    slot.id ||= textOrNothing(delta.id);
    slot.name ||= name;
    const text = argumentsOf(body.arguments ?? body.input);
    // White space after complete arguments says nothing, and their call may be closed.
    if (!slot.end?.isWhole || text.trim() !== '') slot.held += text;
    slot.end?.push(text);
    return [...this.#advance(answerId), ...drain(slot)];
  }

  /** The last events of the calls; null if a call never got its name. */
  close(isCut: boolean, answerId: string): TurnEvent[] | null {
    if (!isCut && this.#slots.some(({ name }) => name === '')) return null;
    return this.#slots.slice(this.#first).flatMap((slot) => [...this.#open(slot, answerId), ...drain(slot), ...finish(slot, isCut)]);
  }

  /** Opens the calls whose turn has come. The last one stays open: more of it may come. */
  #advance(answerId: string): TurnEvent[] {
    const told: TurnEvent[] = [];
    for (let slot = this.#slots[this.#first]; slot; slot = this.#slots[++this.#first]) {
      told.push(...this.#open(slot, answerId), ...drain(slot));
      if (this.#first + 1 === this.#slots.length || !isOver(slot)) break;
      told.push(...finish(slot, false));
    }
    return told;
  }

  /** Some providers give every call the index 0: another ID marks another call. */
  #slotOf(delta: Fields, name: string): Slot {
    const index = typeof delta.index === 'number' ? delta.index : this.#guessIndex(delta, name);
    const known = this.#current.get(index);
    const id = textOrNothing(delta.id);
    const isAnother = known !== undefined && name !== '' && id !== '' && known.id !== '' && known.id !== id;
    if (known && !isAnother) return known;
    const end = isFields(delta.custom) ? null : new JsonEnd();
    const slot: Slot = { id, name: '', index: null, decoder: null, held: '', end, isEmpty: true };
    this.#slots.push(slot);
    this.#current.set(index, slot);
    return slot;
  }

  /** Without an index, a known ID continues its call, another name begins a call, and any other piece continues the last one. */
  #guessIndex(delta: Fields, name: string): number {
    const id = textOrNothing(delta.id);
    const same = id === '' ? undefined : [...this.#current].find(([, slot]) => slot.id === id);
    if (same) return same[0];
    const last = Math.max(-1, ...this.#current.keys());
    return name === '' && last >= 0 ? last : last + 1;
  }

  #open(slot: Slot, answerId: string): TurnEvent[] {
    if (slot.index !== null || slot.name === '') return [];
    const read = this.#names.read(slot.name);
    const form = slot.end === null ? 'custom' : read.form;
    slot.index = this.#opened++;
    if (form === 'custom' && slot.end !== null) slot.decoder = new InputDecoder();
    return [{ kind: 'call', index: slot.index, form, callId: this.#callId(slot, answerId), name: read.name, namespace: read.namespace }];
  }

  /** A generated ID depends on the response's ID and the number of earlier calls: it is the same on every reading and new in every turn. */
  #callId({ id, index }: Slot, answerId: string): string {
    const made = () => `call_${hash('sha256', JSON.stringify([answerId, this.#earlier, index]), 'hex').slice(0, 24)}`;
    const callId = id === '' || this.#taken.has(id) ? made() : id;
    this.#taken.add(callId);
    return callId;
  }
}

/** Whether another call may follow; it also ends free text. */
const isOver = ({ index, end }: Slot): boolean => index !== null && (end === null || end.isWhole);

function drain(slot: Slot): TurnEvent[] {
  if (slot.index === null || slot.held === '') return [];
  const text = slot.decoder ? slot.decoder.push(slot.held) : slot.held;
  slot.held = '';
  slot.isEmpty = false;
  return text === '' ? [] : [{ kind: 'arguments', index: slot.index, text }];
}

/** A function without arguments gets `{}`, since clients parse them; a call that was cut gets nothing. */
function finish({ index, decoder, isEmpty, end }: Slot, isCut: boolean): TurnEvent[] {
  if (index === null) return [];
  const rest = decoder ? decoder.end() : isEmpty && end !== null && !isCut ? '{}' : '';
  return rest === '' ? [] : [{ kind: 'arguments', index, text: rest }];
}

export const chatUpstream: UpstreamDialect = {
  path: () => '/chat/completions',
  writeRequest: (turn, work) => writeChatRequest(turn, null, work),
  readWhole: (answer, turn) => readChatAnswer(answer, turn),
  openStream: (turn) => openChatStream(turn),
};
