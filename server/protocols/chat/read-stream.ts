/** Reads the chunks of a chat stream as events. */

import { hash } from 'node:crypto';
import { type CallCode, CLOSED_EARLY, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { readAnnotation } from '../canonical/annotations.ts';
import type { CanonicalEvent } from '../canonical/canonical-events.ts';
import type { CanonicalRequest } from '../canonical/canonical-request.ts';
import { CustomInputDecoder } from '../canonical/custom-input.ts';
import { readLogprobs } from '../canonical/logprobs.ts';
import type { CanonicalStreamReader } from '../dialect.ts';
import { readFailure } from '../errors.ts';
import { readUsage, withTopLevelUsage } from '../usage.ts';
import { isPrelude } from './chunk-normalizer.ts';
import { readFinishReason } from './finish-reasons.ts';
import { MessageFields, readSigned } from './unseal-fields.ts';
import { type ChatToolNames, createChatToolNames } from './write-tools.ts';

class JsonEndDetector {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  isWhole = false;

  push(piece: string): void {
    for (let at = 0; at < piece.length && !this.isWhole; at++) this.#scan(piece[at]);
  }

  #scan(character: string | undefined): void {
    if (this.#isInString) this.#scanString(character);
    else if (character === '"') this.#isInString = true;
    else if (character === '{' || character === '[') this.#depth++;
    else if (character === '}' || character === ']') this.isWhole = --this.#depth === 0;
  }

  #scanString(character: string | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '\\') this.#isEscaped = true;
    else if (character === '"') this.#isInString = false;
  }
}

/** Some providers send content as parts. */
function extractText(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map((part) => (isFields(part) && part.type === 'text' ? extractText(part.text) : '')).join('') : '';
}

const toFieldsList = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** Some providers send reasoning as content parts. */
const extractReasoning = (content: unknown): string =>
  toFieldsList(content)
    .map((part) => (part.type === 'thinking' ? extractText(part.thinking) : ''))
    .join('');

function readReasoning(delta: Fields, field: string): CanonicalEvent[] {
  const text =
    extractText(delta[field]) || extractText(delta.reasoning_content) || extractText(delta.reasoning) || extractReasoning(delta.content);
  return text === '' ? [] : [{ kind: 'reasoning', part: 0, text }];
}

/** `content: ""` creates no event. */
function readText(delta: Fields, choice: Fields): CanonicalEvent[] {
  const text = extractText(delta.content);
  if (text === '') return [];
  const logprobs = isFields(choice.logprobs) ? readLogprobs(choice.logprobs.content) : null;
  return [logprobs === null ? { kind: 'text', text } : { kind: 'text', text, logprobs }];
}

function readRefusal({ refusal }: Fields): CanonicalEvent[] {
  const text = extractText(refusal);
  return text === '' ? [] : [{ kind: 'refusal', text }];
}

const readAnnotations = ({ annotations }: Fields): CanonicalEvent[] => toFieldsList(annotations).flatMap(readAnnotation);

const createUpstreamError = (message: string) => new GatewayError<CallCode>('upstream_error', { message });

class ChatStreamReader implements CanonicalStreamReader {
  readonly #calls: CallAssembler;
  readonly #reasoningField: string;
  readonly #upstream: string;
  readonly #fields = new MessageFields();
  /** Events that arrived while a call was still open. They're emitted after the call. */
  #deferredEvents: CanonicalEvent[] = [];
  #answerId = '';
  #serviceTier: unknown;
  #hasStarted = false;
  #hasChoice = false;
  #hasFinished = false;
  isComplete = false;

  constructor({ tools, items }: CanonicalRequest, { thoughtsIn: reasoningField = 'reasoning_content', upstream = '' }: ReaderOptions) {
    this.#reasoningField = reasoningField;
    this.#upstream = upstream;
    const usedCallIds = new Set(items.flatMap((item) => (item.kind === 'call' ? [item.callId] : [])));
    this.#calls = new CallAssembler({ names: createChatToolNames(tools), taken: usedCallIds });
  }

  read(data: Fields): CanonicalEvent[] {
    if (this.isComplete) return [];
    this.#serviceTier = data.service_tier ?? this.#serviceTier;
    // The usage of a failed response is billed too.
    if (isFields(data.error) || typeof data.error === 'string')
      return [...this.#readUsage(data.usage), ...this.#fail(readFailure(data.error))];
    const choices = toFieldsList(data.choices);
    const choice = choices.find(({ index }) => index === 0 || index === undefined);
    const start = this.#start(Array.isArray(data.choices) && !isPrelude(data));
    this.#answerId = extractText(data.id) || this.#answerId;
    const events = choice && !this.#hasFinished ? this.#readChoice(choice) : [];
    return [...start, ...events, ...this.#readUsage(withTopLevelUsage(data).usage)];
  }

  /** Some providers mark the end of the stream but send no finish reason. */
  end(isMarked = false): CanonicalEvent[] {
    if (this.isComplete) return [];
    const isEnded = this.#hasFinished || (isMarked && this.#hasChoice);
    if (!isEnded) return this.#fail(createUpstreamError(CLOSED_EARLY));
    const remainingEvents = this.#hasFinished ? [] : this.#finish('stop');
    this.isComplete = true;
    return remainingEvents;
  }

  #start(isResponseChunk: boolean): CanonicalEvent[] {
    if (this.#hasStarted || !isResponseChunk) return [];
    this.#hasStarted = true;
    return [{ kind: 'start' }];
  }

  #fail(error: GatewayError): CanonicalEvent[] {
    this.isComplete = true;
    return [{ kind: 'failed', error }];
  }

  #readChoice(choice: Fields): CanonicalEvent[] {
    this.#hasChoice = true;
    const delta = isFields(choice.delta) ? choice.delta : {};
    this.#fields.collect(delta);
    this.#deferredEvents.push(
      ...readReasoning(delta, this.#reasoningField),
      ...readText(delta, choice),
      ...readAnnotations(delta),
      ...readRefusal(delta),
    );
    const eventsBeforeCalls = this.#drainDeferred();
    const calls = toFieldsList(delta.tool_calls).flatMap((call) => this.#calls.push(call, this.#answerId));
    const events = [...eventsBeforeCalls, ...calls, ...this.#drainDeferred()];
    const reason = readFinishReason(choice.finish_reason);
    return reason === null ? events : [...events, ...this.#finish(reason)];
  }

  #drainDeferred(): CanonicalEvent[] {
    if (this.#calls.isOpen) return [];
    const deferredEvents = this.#deferredEvents;
    this.#deferredEvents = [];
    return deferredEvents;
  }

  #finish(reason: NonNullable<ReturnType<typeof readFinishReason>>): CanonicalEvent[] {
    if (reason === 'failed') return this.#fail(createUpstreamError('The upstream aborted the response.'));
    const cutReason = reason === 'length' || reason === 'content_filter' ? reason : undefined;
    const calls = this.#calls.close(cutReason !== undefined, this.#answerId);
    if (calls === null) return this.#fail(createUpstreamError('The upstream returned a tool call without a name.'));
    this.#hasFinished = true;
    // Some providers send `stop` after calls, others `tool_calls` without calls. The actual calls decide.
    const sealedEvents = this.#fields.seal(this.#calls.signedFields, this.#upstream);
    return [
      ...calls,
      ...this.#deferredEvents,
      ...sealedEvents,
      { kind: 'finish', reason: cutReason ?? (this.#calls.count > 0 ? 'tool_calls' : 'stop') },
    ];
  }

  /** Some providers send usage with every chunk. Usage with the finish or after it is final. */
  #readUsage(value: unknown): CanonicalEvent[] {
    const usage = readUsage(value, this.#serviceTier);
    if (usage === null || this.isComplete) return [];
    this.isComplete = this.#hasFinished;
    return [{ kind: 'usage', usage }];
  }
}

export interface ReaderOptions {
  /** The provider's reasoning field. */
  readonly thoughtsIn?: string | undefined;
  /** The responding upstream. Only this upstream gets the sealed fields back. */
  readonly upstream?: string;
}

export const readChatStream = (turn: CanonicalRequest, options: ReaderOptions = {}): CanonicalStreamReader =>
  new ChatStreamReader(turn, options);

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Some providers send arguments as an object. */
const toArguments = (value: unknown): string => (isFields(value) ? JSON.stringify(value) : toText(value));

/** A call, opened when its name is known and the previous call is complete. */
interface PendingCall {
  id: string;
  name: string;
  /** The caller's ID for the call. Empty until the call is opened. */
  callId: string;
  signed: Fields | null;
  /** The call's index in the response. Null until the call is opened. */
  index: number | null;
  decoder: CustomInputDecoder | null;
  held: string;
  /** Null for free text, which has no end marker. */
  readonly end: JsonEndDetector | null;
  isEmpty: boolean;
}

interface CallContext {
  readonly names: ChatToolNames;
  /** IDs of earlier calls in the conversation. Providers that count from 0 in every response repeat them. */
  readonly taken: ReadonlySet<string>;
}

class CallAssembler {
  readonly #names: ChatToolNames;
  readonly #usedCallIds: Set<string>;
  readonly #earlierCount: number;
  readonly #pendingCalls: PendingCall[] = [];
  /** The current call of each index in the stream. */
  readonly #current = new Map<number, PendingCall>();
  #openedCount = 0;
  /** The first call that might not be complete. */
  #firstOpenIndex = 0;

  constructor({ names, taken: usedCallIds }: CallContext) {
    this.#names = names;
    this.#usedCallIds = new Set(usedCallIds);
    this.#earlierCount = usedCallIds.size;
  }

  get count(): number {
    return this.#openedCount;
  }

  /** The signed fields of opened calls, by call ID. */
  get signedFields(): (readonly [callId: string, fields: Fields])[] {
    return this.#pendingCalls.flatMap(({ callId, signed }) => (callId === '' || signed === null ? [] : [[callId, signed] as const]));
  }

  /** True if a call is missing arguments. Other events must wait until the call is complete. */
  get isOpen(): boolean {
    const call = this.#pendingCalls[this.#firstOpenIndex];
    return call !== undefined && !isCallComplete(call);
  }

  push(delta: Fields, responseId: string): CanonicalEvent[] {
    const body = isFields(delta.function) ? delta.function : isFields(delta.custom) ? delta.custom : {};
    const name = toText(body.name);
    const call = this.#resolveCall(delta, name);
    call.id ||= toText(delta.id);
    call.name ||= name;
    call.signed = readSigned(delta) ?? call.signed;
    const text = toArguments(body.arguments ?? body.input);
    // White space after complete arguments is meaningless, and the call might be closed already.
    if (!call.end?.isWhole || text.trim() !== '') call.held += text;
    call.end?.push(text);
    return [...this.#openCalls(responseId), ...drainArguments(call)];
  }

  /** The final events of the calls. Null if a call never got a name. */
  close(isCutOff: boolean, responseId: string): CanonicalEvent[] | null {
    if (!isCutOff && this.#pendingCalls.some(({ name }) => name === '')) return null;
    return this.#pendingCalls
      .slice(this.#firstOpenIndex)
      .flatMap((slot) => [...this.#open(slot, responseId), ...drainArguments(slot), ...finishArguments(slot, isCutOff)]);
  }

  /** Opens calls in order. The last call stays open, because more of it can arrive. */
  #openCalls(responseId: string): CanonicalEvent[] {
    const events: CanonicalEvent[] = [];
    for (let call = this.#pendingCalls[this.#firstOpenIndex]; call; call = this.#pendingCalls[++this.#firstOpenIndex]) {
      events.push(...this.#open(call, responseId), ...drainArguments(call));
      if (this.#firstOpenIndex + 1 === this.#pendingCalls.length || !isCallComplete(call)) break;
      events.push(...finishArguments(call, false));
    }
    return events;
  }

  /** Some providers give every call index 0, so a different ID marks a new call. */
  #resolveCall(delta: Fields, name: string): PendingCall {
    const index = typeof delta.index === 'number' ? delta.index : this.#guessIndex(delta, name);
    const knownCall = this.#current.get(index);
    const id = toText(delta.id);
    const isNewCall = knownCall !== undefined && name !== '' && id !== '' && knownCall.id !== '' && knownCall.id !== id;
    if (knownCall && !isNewCall) return knownCall;
    const endDetector = isFields(delta.custom) ? null : new JsonEndDetector();
    const call: PendingCall = {
      id,
      name: '',
      callId: '',
      signed: null,
      index: null,
      decoder: null,
      held: '',
      end: endDetector,
      isEmpty: true,
    };
    this.#pendingCalls.push(call);
    this.#current.set(index, call);
    return call;
  }

  /** Without an index, a known ID continues its call, a name starts a new call, and any other piece continues the last call. */
  #guessIndex(delta: Fields, name: string): number {
    const id = toText(delta.id);
    const sameIdEntry = id === '' ? undefined : [...this.#current].find(([, slot]) => slot.id === id);
    if (sameIdEntry) return sameIdEntry[0];
    const last = Math.max(-1, ...this.#current.keys());
    return name === '' && last >= 0 ? last : last + 1;
  }

  #open(call: PendingCall, responseId: string): CanonicalEvent[] {
    if (call.index !== null || call.name === '') return [];
    const tool = this.#names.read(call.name);
    const form = call.end === null ? 'custom' : tool.form;
    call.index = this.#openedCount++;
    call.callId = this.#assignCallId(call, responseId);
    if (form === 'custom' && call.end !== null) call.decoder = new CustomInputDecoder();
    return [{ kind: 'call', index: call.index, form, callId: call.callId, name: tool.name, namespace: tool.namespace }];
  }

  /** A generated ID depends on the response ID and the number of earlier calls, so it's reproducible and unique per turn. */
  #assignCallId({ id, index }: PendingCall, responseId: string): string {
    const createCallId = () => `call_${hash('sha256', JSON.stringify([responseId, this.#earlierCount, index]), 'hex').slice(0, 24)}`;
    const callId = id === '' || this.#usedCallIds.has(id) ? createCallId() : id;
    this.#usedCallIds.add(callId);
    return callId;
  }
}

/** True if another call can follow. Free text can end at any point. */
const isCallComplete = ({ index, end: endDetector }: PendingCall): boolean =>
  index !== null && (endDetector === null || endDetector.isWhole);

function drainArguments(call: PendingCall): CanonicalEvent[] {
  if (call.index === null || call.held === '') return [];
  const text = call.decoder ? call.decoder.push(call.held) : call.held;
  call.held = '';
  call.isEmpty = false;
  return text === '' ? [] : [{ kind: 'arguments', index: call.index, text }];
}

/** A function without arguments gets `{}`, because clients parse the arguments. A call that was cut off stays unchanged. */
function finishArguments({ index, decoder, isEmpty, end: endDetector }: PendingCall, isCutOff: boolean): CanonicalEvent[] {
  if (index === null) return [];
  const remainingText = decoder ? decoder.end() : isEmpty && endDetector !== null && !isCutOff ? '{}' : '';
  return remainingText === '' ? [] : [{ kind: 'arguments', index, text: remainingText }];
}
