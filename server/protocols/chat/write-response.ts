/** Writes a chat completion as one JSON object, from the same events as its stream. */

import { type CallCode, CLOSED_EARLY, GatewayError } from '../../primitives/errors.ts';
import type { Fields } from '../../primitives/fields.ts';
import { isPageCitation } from '../canonical/annotations.ts';
import type { CanonicalEvent, FinishReason, Logprob } from '../canonical/canonical-events.ts';
import { WrittenOutput } from '../delivered-output.ts';
import type { ResponseHead } from '../dialect.ts';
import { partitionUsage, type Usage, writeCacheWrite } from '../usage.ts';
import { isLegacyFunctionRequest } from './read-request.ts';
import type { Annotation, ChatFinishReason, ChatUsage, Completion, Delta, Logprobs, Message, TokenLogprob, ToolCall } from './wire.ts';

/** Throws the failure that a stream would have ended with. */
export function writeChatResponse(events: readonly CanonicalEvent[], head: ResponseHead): Completion {
  const builder = new CompletionBuilder(isLegacyFunctionRequest(head.request));
  for (const event of events) builder.handleEvent(event);
  builder.end();
  if (builder.failure) throw builder.failure;
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.createdAt,
    model: head.model,
    choices: [{ index: 0, message: writeMessage(builder), logprobs: writeLogprobs(builder), finish_reason: builder.finishReason }],
    ...(builder.usage && { usage: writeUsage(builder.usage) }),
  };
}

/** The content is null only if the message has calls or a refusal instead. */
function writeMessage(builder: CompletionBuilder): Message {
  const { content, refusal, annotations } = builder;
  const emptyContent = builder.hasCalls || refusal !== null ? null : '';
  return { role: 'assistant', content: content ?? emptyContent, refusal, annotations, ...builder.writeCalls() };
}

function writeLogprobs({ logprobs }: CompletionBuilder): Logprobs | null {
  return logprobs.length === 0 ? null : { content: logprobs, refusal: null };
}

/** The content of a chunk's only choice. */
export interface ChoiceDelta {
  readonly delta: Delta;
  readonly logprobs: Logprobs | null;
}

interface Call {
  readonly form: 'function' | 'custom';
  readonly id: string;
  readonly name: string;
  /** The call's `index` in the response: 0, 1, 2, … without gaps. */
  readonly place: number;
  text: string;
}

type CallEvent = Extract<CanonicalEvent, { kind: 'call' }>;
type EventHandlers = {
  readonly [Kind in CanonicalEvent['kind']]: (answer: CompletionBuilder, event: Extract<CanonicalEvent, { kind: Kind }>) => void;
};

const eventHandlers: EventHandlers = {
  start: () => {},
  // Chat has no field for reasoning.
  reasoning: () => {},
  encrypted: () => {},
  text: (response, { text, logprobs }) => response.emitText(text, logprobs ?? []),
  annotation: (response, { annotation }) => response.emitAnnotation(annotation),
  refusal: (response, { text }) => response.emitRefusal(text),
  call: (response, event) => response.openCall(event) || response.fail(createOrderError()),
  arguments: (response, { index, text }) => response.appendArguments(index, text) || response.fail(createOrderError()),
  usage: (response, { usage }) => response.setUsage(usage),
  finish: (response, { reason }) => response.finish(reason),
  failed: (response, { error }) => response.fail(error),
};

const createOrderError = () =>
  new GatewayError<CallCode>('upstream_error', { message: 'The upstream sent the parts of a tool call out of order.' });

export class CompletionBuilder {
  content: string | null = null;
  refusal: string | null = null;
  readonly annotations: Annotation[] = [];
  readonly logprobs: TokenLogprob[] = [];
  usage: Usage | null = null;
  failure: GatewayError | null = null;
  readonly shown = new WrittenOutput(false);
  #reason: FinishReason | null = null;
  /** Calls by the index of their events, in order of opening. */
  readonly #calls = new Map<number, Call>();
  readonly #isLegacy: boolean;
  #hasRole = false;
  #deltas: ChoiceDelta[] = [];

  /** `isLegacy`: the caller offered `functions`, the older format of tools, and reads `function_call`. */
  constructor(isLegacy: boolean) {
    this.#isLegacy = isLegacy;
  }

  /** Returns the deltas for one event. After the finish, ignores everything except usage and failures. */
  handleEvent(event: CanonicalEvent): ChoiceDelta[] {
    const isLate = this.#reason !== null && event.kind !== 'usage' && event.kind !== 'failed';
    if (this.failure !== null || isLate) return [];
    // TypeScript can't relate the event's kind to its handler across the union.
    const handler = eventHandlers[event.kind] as (answer: CompletionBuilder, event: CanonicalEvent) => void;
    handler(this, event);
    return this.#drainDeltas();
  }

  /** A response that never finished was cut off, which is a failure. */
  end(): void {
    if (this.#reason !== null || this.failure !== null) return;
    this.fail(new GatewayError<CallCode>('upstream_error', { message: CLOSED_EARLY }));
  }

  /** Chat clients run tools only if the reason is `tool_calls`, so a complete response with calls always gets it. */
  get finishReason(): ChatFinishReason {
    if (this.#reason === 'length' || this.#reason === 'content_filter') return this.#reason;
    if (this.#calls.size === 0) return 'stop';
    return this.#isLegacy ? 'function_call' : 'tool_calls';
  }

  /** The calls in a complete message. Empty if there are none. */
  writeCalls(): Pick<Message, 'tool_calls' | 'function_call'> {
    const [first] = this.#calls.values();
    if (!first) return {};
    if (this.#isLegacy) return { function_call: { name: first.name, arguments: first.text } };
    return { tool_calls: [...this.#calls.values()].map((call) => writeCall(call, call.text)) };
  }

  get hasCalls(): boolean {
    return this.#calls.size > 0;
  }

  emitText(text: string, logprobs: readonly Logprob[]): void {
    if (text === '' && logprobs.length === 0) return;
    const writtenLogprobs = logprobs.map(writeLogprob);
    this.content = (this.content ?? '') + text;
    this.logprobs.push(...writtenLogprobs);
    this.shown.add(text);
    this.#emit({ content: text }, writtenLogprobs.length === 0 ? null : { content: writtenLogprobs, refusal: null });
  }

  /** Chat has only page citations, nested one level deeper than in Responses. */
  emitAnnotation(annotation: Fields): void {
    if (!isPageCitation(annotation)) return;
    const { type, ...citation } = annotation;
    const writtenAnnotation = { type, url_citation: citation };
    this.annotations.push(writtenAnnotation);
    this.#emit({ annotations: [writtenAnnotation] });
  }

  emitRefusal(text: string): void {
    if (text === '') return;
    this.refusal = (this.refusal ?? '') + text;
    this.shown.add(text);
    this.#emit({ refusal: text });
  }

  /** False if the call was already opened. */
  openCall({ index, form, callId, name }: CallEvent): boolean {
    if (this.#calls.has(index)) return false;
    const position = this.#calls.size;
    const call: Call = { form, id: callId, name, place: position, text: '' };
    this.#calls.set(index, call);
    if (!this.#isLegacy) this.#emit({ tool_calls: [{ index: position, ...writeCall(call, '') }] });
    // The older format allows only one call. The model repeats the others in its next response.
    else if (position === 0) this.#emit({ function_call: { name, arguments: '' } });
    return true;
  }

  /** False if the call was never opened. */
  appendArguments(index: number, text: string): boolean {
    const call = this.#calls.get(index);
    if (!call) return false;
    if (text === '') return true;
    call.text += text;
    const { place: position } = call;
    if (!this.#isLegacy || position === 0) this.shown.add(text);
    const callDelta = call.form === 'custom' ? { custom: { input: text } } : { function: { arguments: text } };
    if (!this.#isLegacy) this.#emit({ tool_calls: [{ index: position, ...callDelta }] });
    else if (position === 0) this.#emit({ function_call: { arguments: text } });
    return true;
  }

  setUsage(usage: Usage): void {
    this.usage = usage;
  }

  /** A call without arguments gets `{}`, because clients parse the arguments. A call that was cut off stays unchanged. */
  finish(reason: FinishReason): void {
    const isCutOff = reason === 'length' || reason === 'content_filter';
    for (const [index, call] of this.#calls)
      if (!isCutOff && call.form === 'function' && call.text === '') this.appendArguments(index, '{}');
    if (!this.#hasRole) this.#emit({});
    this.#reason = reason;
  }

  fail(error: GatewayError): void {
    this.failure = error;
  }

  /** Sends the role once, before the first delta. Its `content` is empty, or null if a call or refusal comes first. */
  #emit(delta: Delta, logprobs: Logprobs | null = null): void {
    if (!this.#hasRole) {
      const hasText = delta.tool_calls === undefined && delta.function_call === undefined && delta.refusal === undefined;
      this.#deltas.push({ delta: { role: 'assistant', content: hasText ? '' : null, refusal: null }, logprobs: null });
      this.#hasRole = true;
    }
    if (Object.keys(delta).length > 0) this.#deltas.push({ delta, logprobs });
  }

  #drainDeltas(): ChoiceDelta[] {
    const deltas = this.#deltas;
    this.#deltas = [];
    return deltas;
  }
}

function writeCall({ form, id, name }: Call, text: string): ToolCall {
  return form === 'custom' ? { id, type: form, custom: { name, input: text } } : { id, type: form, function: { name, arguments: text } };
}

function writeLogprob({ token, logprob, bytes, top }: Logprob): TokenLogprob {
  return { token, logprob, bytes, top_logprobs: top.map((other) => ({ token: other.token, logprob: other.logprob, bytes: other.bytes })) };
}

export function writeUsage(usage: Usage): ChatUsage {
  const classes = partitionUsage(usage);
  return {
    prompt_tokens: classes.input,
    completion_tokens: classes.output,
    total_tokens: classes.total,
    prompt_tokens_details: { cached_tokens: classes.cachedInput, ...writeCacheWrite(classes), audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: classes.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
