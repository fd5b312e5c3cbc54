/** Writes a chat completion as one JSON object: the steps of its stream, added up. */

import type { ErrorBody } from '../../../contract/shared/error-bodies.ts';
import { type CallCode, CLOSED_EARLY, GatewayError } from '../../errors.ts';
import type { Fields } from '../../primitives/fields.ts';
import type { CallerStreamWriter } from '../failure.ts';
import { isPageCitation, WrittenOutput } from '../turn/translation.ts';
import type { AnswerHead, CallerDialect, FinishReason, Logprob, TurnEvent } from '../turn/turn.ts';
import { partition, type Usage, writeCacheWrite } from '../usage.ts';
import type { WrittenStream } from '../visible-output.ts';
import { DONE, dataFrame } from '../wire/frames.ts';
import type {
  Annotation,
  AnsweredCall,
  ChatFinishReason,
  ChatUsage,
  Chunk,
  ChunkHead,
  Completion,
  Delta,
  Logprobs,
  Message,
  TokenLogprob,
} from './provider-answer.ts';
import { readChatRequest } from './read-request.ts';
import { asksForUsage, isLegacy } from './relay.ts';

/** Throws the failure that a stream would have ended with. */
export function writeCompletion(events: readonly TurnEvent[], head: AnswerHead): Completion {
  const answer = new ChatAnswer(isLegacy(head.request));
  for (const event of events) answer.take(event);
  answer.end();
  if (answer.failure) throw answer.failure;
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.createdAt,
    model: head.model,
    choices: [{ index: 0, message: writeMessage(answer), logprobs: writeLogprobs(answer), finish_reason: answer.finishReason }],
    ...(answer.usage && { usage: writeUsage(answer.usage) }),
  };
}

/** The content is null only when there are calls or a refusal instead. */
function writeMessage(answer: ChatAnswer): Message {
  const { content, refusal, annotations } = answer;
  const empty = answer.hasCalls || refusal !== null ? null : '';
  return { role: 'assistant', content: content ?? empty, refusal, annotations, ...answer.writeCalls() };
}

function writeLogprobs({ logprobs }: ChatAnswer): Logprobs | null {
  return logprobs.length === 0 ? null : { content: logprobs, refusal: null };
}

/** The content of one chunk's only choice. */
interface Step {
  readonly delta: Delta;
  readonly logprobs: Logprobs | null;
}

interface Call {
  readonly form: 'function' | 'custom';
  readonly id: string;
  readonly name: string;
  /** Its `index` in the response: 0, 1, 2, … without gaps. */
  readonly place: number;
  text: string;
}

type CallEvent = Extract<TurnEvent, { kind: 'call' }>;
type Takers = { readonly [Kind in TurnEvent['kind']]: (answer: ChatAnswer, event: Extract<TurnEvent, { kind: Kind }>) => void };

const takers: Takers = {
  start: () => {},
  // Chat has no field for reasoning.
  reasoning: () => {},
  encrypted: () => {},
  text: (answer, { text, logprobs }) => answer.tellText(text, logprobs ?? []),
  annotation: (answer, { annotation }) => answer.tellAnnotation(annotation),
  refusal: (answer, { text }) => answer.tellRefusal(text),
  call: (answer, event) => answer.openCall(event) || answer.fail(disordered()),
  arguments: (answer, { index, text }) => answer.fillCall(index, text) || answer.fail(disordered()),
  usage: (answer, { usage }) => answer.count(usage),
  finish: (answer, { reason }) => answer.finish(reason),
  failed: (answer, { error }) => answer.fail(error),
};

const disordered = () =>
  new GatewayError<CallCode>('upstream_error', { message: 'The upstream sent the parts of a tool call out of order.' });

class ChatAnswer {
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
  #steps: Step[] = [];

  /** `isLegacy`: the caller offered `functions`, the older form of tools, and reads `function_call`. */
  constructor(isLegacy: boolean) {
    this.#isLegacy = isLegacy;
  }

  /** The steps for one event. After the finish only the usage and a failure count. */
  take(event: TurnEvent): Step[] {
    const isLate = this.#reason !== null && event.kind !== 'usage' && event.kind !== 'failed';
    if (this.failure !== null || isLate) return [];
    // The key of the table is the kind of the event, which the compiler doesn't follow through the union.
    const taker = takers[event.kind] as (answer: ChatAnswer, event: TurnEvent) => void;
    taker(this, event);
    return this.#takeSteps();
  }

  /** A response that never finished was cut, which is a failure. */
  end(): void {
    if (this.#reason !== null || this.failure !== null) return;
    this.fail(new GatewayError<CallCode>('upstream_error', { message: CLOSED_EARLY }));
  }

  /** Chat clients run tools when they read `tool_calls`, so a response with calls that wasn't cut gets that reason. */
  get finishReason(): ChatFinishReason {
    if (this.#reason === 'length' || this.#reason === 'content_filter') return this.#reason;
    if (this.#calls.size === 0) return 'stop';
    return this.#isLegacy ? 'function_call' : 'tool_calls';
  }

  /** The calls as the whole message holds them; absent if it has none. */
  writeCalls(): Pick<Message, 'tool_calls' | 'function_call'> {
    const [first] = this.#calls.values();
    if (!first) return {};
    if (this.#isLegacy) return { function_call: { name: first.name, arguments: first.text } };
    return { tool_calls: [...this.#calls.values()].map((call) => writeCall(call, call.text)) };
  }

  get hasCalls(): boolean {
    return this.#calls.size > 0;
  }

  tellText(text: string, logprobs: readonly Logprob[]): void {
    if (text === '' && logprobs.length === 0) return;
    const written = logprobs.map(writeLogprob);
    this.content = (this.content ?? '') + text;
    this.logprobs.push(...written);
    this.shown.add(text);
    this.#emit({ content: text }, written.length === 0 ? null : { content: written, refusal: null });
  }

  /** Chat has only citations of pages, nested one level deeper than in responses. */
  tellAnnotation(annotation: Fields): void {
    if (!isPageCitation(annotation)) return;
    const { type, ...flat } = annotation;
    const written = { type, url_citation: flat };
    this.annotations.push(written);
    this.#emit({ annotations: [written] });
  }

  tellRefusal(text: string): void {
    if (text === '') return;
    this.refusal = (this.refusal ?? '') + text;
    this.shown.add(text);
    this.#emit({ refusal: text });
  }

  /** False for a call that was opened before. */
  openCall({ index, form, callId, name }: CallEvent): boolean {
    if (this.#calls.has(index)) return false;
    const place = this.#calls.size;
    const call: Call = { form, id: callId, name, place, text: '' };
    this.#calls.set(index, call);
    if (!this.#isLegacy) this.#emit({ tool_calls: [{ index: place, ...writeCall(call, '') }] });
    // The older form holds only one call; the model repeats the others in its next response.
    else if (place === 0) this.#emit({ function_call: { name, arguments: '' } });
    return true;
  }

  /** False for a call that was never opened. */
  fillCall(index: number, text: string): boolean {
    const call = this.#calls.get(index);
    if (!call) return false;
    if (text === '') return true;
    call.text += text;
    const { place } = call;
    if (!this.#isLegacy || place === 0) this.shown.add(text);
    const piece = call.form === 'custom' ? { custom: { input: text } } : { function: { arguments: text } };
    if (!this.#isLegacy) this.#emit({ tool_calls: [{ index: place, ...piece }] });
    else if (place === 0) this.#emit({ function_call: { arguments: text } });
    return true;
  }

  count(usage: Usage): void {
    this.usage = usage;
  }

  /** A call without arguments gets `{}`, since clients parse them; a call that was cut stays as it is. */
  finish(reason: FinishReason): void {
    const isCut = reason === 'length' || reason === 'content_filter';
    for (const [index, call] of this.#calls) if (!isCut && call.form === 'function' && call.text === '') this.fillCall(index, '{}');
    if (!this.#hasRole) this.#emit({});
    this.#reason = reason;
  }

  fail(error: GatewayError): void {
    this.failure = error;
  }

  /** Sends the role once, before the first delta; its `content` is empty text, or null if a call or a refusal comes first. */
  #emit(delta: Delta, logprobs: Logprobs | null = null): void {
    if (!this.#hasRole) {
      const hasText = delta.tool_calls === undefined && delta.function_call === undefined && delta.refusal === undefined;
      this.#steps.push({ delta: { role: 'assistant', content: hasText ? '' : null, refusal: null }, logprobs: null });
      this.#hasRole = true;
    }
    if (Object.keys(delta).length > 0) this.#steps.push({ delta, logprobs });
  }

  #takeSteps(): Step[] {
    const steps = this.#steps;
    this.#steps = [];
    return steps;
  }
}

function writeCall({ form, id, name }: Call, text: string): AnsweredCall {
  return form === 'custom' ? { id, type: form, custom: { name, input: text } } : { id, type: form, function: { name, arguments: text } };
}

function writeLogprob({ token, logprob, bytes, top }: Logprob): TokenLogprob {
  return { token, logprob, bytes, top_logprobs: top.map((other) => ({ token: other.token, logprob: other.logprob, bytes: other.bytes })) };
}

const NOTHING = Buffer.alloc(0);

class ChatStreamWriter implements CallerStreamWriter {
  readonly #answer: ChatAnswer;
  readonly #head: ChunkHead;
  readonly #showsUsage: boolean;
  #isOver = false;

  constructor({ id, createdAt, model, request }: AnswerHead) {
    this.#answer = new ChatAnswer(isLegacy(request));
    this.#head = { id, object: 'chat.completion.chunk', created: createdAt, model };
    this.#showsUsage = asksForUsage(request);
  }

  get failure(): GatewayError | null {
    return this.#answer.failure;
  }

  /** Chat answers aren't stored. */
  get written(): WrittenStream {
    return { output: this.#answer.shown, finished: null };
  }

  write(event: TurnEvent): Buffer {
    if (this.#isOver) return NOTHING;
    const frames = this.#answer.take(event).map((step) => this.#writeStep(step, null));
    return join([...frames, ...this.#writeFailure()]);
  }

  /** The finish is written only at the end: a stream that fails before it must not look complete. */
  end(): Buffer {
    if (this.#isOver) return NOTHING;
    this.#answer.end();
    const failure = this.#writeFailure();
    if (failure.length > 0) return join(failure);
    this.#isOver = true;
    const finish = this.#writeStep({ delta: {}, logprobs: null }, this.#answer.finishReason);
    return join([finish, ...this.#writeUsage(), DONE]);
  }

  #writeStep(step: Step, finish_reason: ChatFinishReason | null): Buffer {
    const choices = [{ index: 0, ...step, finish_reason }];
    return dataFrame<Chunk>({ ...this.#head, choices, ...(this.#showsUsage && { usage: null }) });
  }

  /** Usage has its own chunk, only for callers who asked for it: other clients read `choices[0]` of every chunk. */
  #writeUsage(): Buffer[] {
    const { usage } = this.#answer;
    return this.#showsUsage && usage ? [dataFrame<Chunk>({ ...this.#head, choices: [], usage: writeUsage(usage) })] : [];
  }

  #writeFailure(): Buffer[] {
    const { failure } = this.#answer;
    if (failure === null) return [];
    this.#isOver = true;
    return [dataFrame<ErrorBody>(failure.body)];
  }
}

const join = (frames: readonly Buffer[]): Buffer => (frames.length === 1 && frames[0] ? frames[0] : Buffer.concat(frames));

function openChatStream(head: AnswerHead): CallerStreamWriter {
  return new ChatStreamWriter(head);
}

export function writeUsage(usage: Usage): ChatUsage {
  const classes = partition(usage);
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

export const chatCaller: CallerDialect<Completion> = {
  readRequest: readChatRequest,
  writeWhole: writeCompletion,
  openStream: openChatStream,
};
