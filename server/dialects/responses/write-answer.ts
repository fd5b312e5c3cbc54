/** Writes a response as one JSON object: the terminal event of its stream, without the stream. */

import { ITEM_ADDED, ITEM_DONE, KEEPALIVE } from '../../../contract/responses/order.ts';
import type { ResponseRequest } from '../../../contract/responses.ts';
import { asGatewayError, type CallCode, CLOSED_EARLY, GatewayError } from '../../errors.ts';
import type { Fields } from '../../primitives/fields.ts';
import type { CallerStreamWriter } from '../failure.ts';
import { WrittenOutput } from '../turn/translation.ts';
import type { AnswerHead, CallerDialect, FinishReason, TurnEvent } from '../turn/turn.ts';
import { partition, type Usage } from '../usage.ts';
import type { WrittenStream } from '../visible-output.ts';
import { DONE, eventFrame } from '../wire/frames.ts';
import { OrderSteps } from './order.ts';
import { type Event, type EventType, type Item, Output, type ResponseObject, type Telling, type Tool } from './output.ts';
import { readResponseRequest } from './read-request.ts';
import { failedEnd } from './relay.ts';

/** Throws what a stream would have told as its failure. */
function writeWholeResponse(events: readonly TurnEvent[], head: AnswerHead): ResponseObject {
  const answer = new ResponseAnswer(head);
  for (const event of events) answer.take(event);
  answer.end();
  if (answer.failure) throw answer.failure;
  if (answer.result === null) throw new GatewayError<CallCode>('internal_error', { cause: new Error('a response ended without a result') });
  return answer.result;
}

type Takers = { readonly [Kind in TurnEvent['kind']]: (answer: ResponseAnswer, event: Extract<TurnEvent, { kind: Kind }>) => void };

const brokenOff = () => new GatewayError<CallCode>('upstream_error', { message: CLOSED_EARLY });
const disordered = () =>
  new GatewayError<CallCode>('upstream_error', { message: 'The upstream sent the parts of a tool call out of order.' });

const takers: Takers = {
  start: () => {},
  reasoning: ({ output }, { text, part }) => output.tellThought(text, part),
  encrypted: ({ output }, { encrypted }) => output.setEncrypted(encrypted),
  text: ({ output }, { text, logprobs }) => output.tellText(text, logprobs ?? []),
  annotation: ({ output }, { annotation }) => output.tellAnnotation(annotation),
  refusal: ({ output }, { text }) => output.tellRefusal(text),
  call: (answer, event) => answer.output.openCall(event) || answer.fail(disordered()),
  arguments: (answer, { index, text }) => answer.output.fillCall(index, text) || answer.fail(disordered()),
  usage: (answer, { usage }) => answer.count(usage),
  finish: (answer, { reason }) => answer.finish(reason),
  failed: (answer, { error }) => answer.fail(error),
};

class ResponseAnswer {
  readonly output: Output;
  readonly #shown = new WrittenOutput(true);
  readonly #head: AnswerHead;
  readonly #echo: Echo;
  readonly #steps = new OrderSteps();
  #told: Event[] = [];
  #sequence = 0;
  #usage: Usage | null = null;
  #reason: FinishReason | null = null;
  /** The response of the terminal event; null before that event. */
  result: ResponseObject | null = null;
  failure: GatewayError | null = null;

  constructor(head: AnswerHead) {
    this.#head = head;
    this.#echo = readEcho(head);
    const include = head.request.include;
    const showsEncrypted = Array.isArray(include) && include.includes('reasoning.encrypted_content');
    this.output = new Output({ emit: (type, fields) => this.#emit(type, fields), newId: head.newId, showsEncrypted });
  }

  get written(): WrittenStream {
    const answer = this;
    return {
      output: this.#shown,
      get finished() {
        // A response is a JSON object; its type has no index signature.
        return answer.failure === null ? (answer.result as object as Fields | null) : null;
      },
    };
  }

  /** The response events for one event. Empty after the end; after the finish, only usage and a failure count. */
  take(event: TurnEvent): Event[] {
    const isLate = this.#reason !== null && event.kind !== 'usage' && event.kind !== 'failed';
    if (this.result !== null || isLate) return [];
    // The key of the table is the kind of the event, which the compiler doesn't follow through the union.
    const taker = takers[event.kind] as (answer: ResponseAnswer, event: TurnEvent) => void;
    return this.#collecting(() => taker(this, event));
  }

  /** The terminal event; it waits for the end because the usage may come after the finish. */
  end(): Event[] {
    if (this.result !== null) return [];
    return this.#collecting(() => (this.#reason === null ? this.fail(brokenOff()) : this.#complete(this.#reason)));
  }

  /** A heartbeat event while the upstream is silent; none where the order doesn't allow it. */
  keepAlive(): Event[] {
    const event = this.#number(KEEPALIVE, {});
    if (this.result !== null || this.#steps.take(event) !== null) return [];
    this.#add(event);
    return this.#takeTold();
  }

  count(usage: Usage): void {
    this.#usage = usage;
  }

  finish(reason: FinishReason): void {
    this.#reason = reason;
    this.output.close(reason);
  }

  /** Writes the failure without a check of the order: a failure here could not be reported. */
  fail(error: GatewayError): void {
    const { error: flat, failed } = failedEnd(error);
    this.failure = error;
    this.#add(this.#number('error', flat));
    this.result = this.#writeEnd({ status: 'failed', error: failed });
    this.#add(this.#number('response.failed', { response: this.result }));
  }

  #complete(reason: FinishReason): void {
    if (reason === 'length') this.#close({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
    else if (reason === 'content_filter') this.#close({ status: 'incomplete', incomplete_details: { reason } });
    else this.#close({ status: 'completed', completed_at: this.#head.now() });
  }

  /** Runs `tell` and returns its events. If it throws, the response ends as a failure, after the events before that. */
  #collecting(emit: () => void): Event[] {
    try {
      this.#open();
      emit();
    } catch (thrown) {
      this.fail(asGatewayError(thrown));
    }
    return this.#takeTold();
  }

  #open(): void {
    if (this.#sequence > 0) return;
    const response = this.#write({ status: 'in_progress' });
    this.#emit('response.created', { response });
    this.#emit('response.in_progress', { response });
  }

  #close(progress: Pick<Progress, 'status'> & Partial<Progress>): void {
    const result = this.#writeEnd(progress);
    this.#emit(`response.${progress.status}`, { response: result });
    this.result = result;
  }

  #writeEnd(progress: Pick<Progress, 'status'> & Partial<Progress>): ResponseObject {
    return this.#write({ output: this.output.show(true), usage: this.#usage, ...progress });
  }

  #write(progress: Pick<Progress, 'status'> & Partial<Progress>): ResponseObject {
    const nothing = { completed_at: null, error: null, incomplete_details: null, output: [], usage: null };
    return writeResponse(this.#head, this.#echo, { ...nothing, ...progress });
  }

  /** Adds an event; throws when the contract's order doesn't allow it. */
  #emit<Type extends EventType>(type: Type, fields: Telling<Type>): void {
    const event = this.#number(type, fields);
    const wrong = this.#steps.take(event);
    if (wrong !== null) throw new GatewayError<CallCode>('internal_error', { cause: new Error(wrong) });
    this.#add(event);
    this.#show(event);
  }

  /** Text counts where it first appears: later events repeat it. */
  #show(event: Event): void {
    if ('delta' in event) this.#shown.add(event.delta);
    else if (event.type === ITEM_ADDED && event.item.type === 'reasoning') this.#shown.openThought();
    else if (event.type === ITEM_DONE && event.item.type === 'reasoning')
      this.#shown.closeThought(event.item.encrypted_content ?? undefined);
  }

  #number<Type extends EventType>(type: Type, fields: Telling<Type>): Event {
    // The fields are those of the type, which the compiler doesn't follow through a parameter.
    return { type, sequence_number: this.#sequence, ...fields } as Event;
  }

  #add(event: Event): void {
    this.#told.push(event);
    this.#sequence++;
  }

  #takeTold(): Event[] {
    const told = this.#told;
    this.#told = [];
    return told;
  }
}

/** Fields that depend on the response. */
interface Progress {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly completed_at: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly incomplete_details: { readonly reason: 'max_output_tokens' | 'content_filter' } | null;
  readonly output: readonly Item[];
  readonly usage: Usage | null;
}

/** Fields that depend only on the request. */
type Echo = Omit<ResponseObject, keyof Progress | 'id' | 'object' | 'created_at' | 'model'>;

/** Made once for each response: it is the same in every event. */
function readEcho({ request }: AnswerHead): Echo {
  // The contract has validated the body of every call.
  const approved = request as Partial<ResponseRequest>;
  return { ...toolSettings(approved), ...formSettings(approved), ...samplingSettings(approved), ...bookkeeping(approved) };
}

export function writeResponse(head: AnswerHead, echo: Echo, { output, usage, ...progress }: Progress): ResponseObject {
  return {
    id: head.id,
    object: 'response',
    created_at: head.createdAt,
    ...progress,
    model: head.model,
    output,
    ...echo,
    usage: usage && writeUsage(usage),
  };
}

type Request = Partial<ResponseRequest>;

function toolSettings(request: Request): Pick<Echo, 'tools' | 'tool_choice' | 'parallel_tool_calls' | 'max_tool_calls'> {
  return {
    tools: request.tools?.map(writeTool) ?? [],
    tool_choice: request.tool_choice ?? 'auto',
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    max_tool_calls: request.max_tool_calls ?? null,
  };
}

/** An echoed function has all of its keys, also inside a namespace. */
function writeTool(tool: Tool): Tool {
  if (tool.type === 'namespace')
    return { ...tool, tools: tool.tools.map((inner) => (inner.type === 'function' ? writeFunction(inner) : inner)) };
  return tool.type === 'function' ? writeFunction(tool) : tool;
}

type FunctionTool = Extract<Tool, { type: 'function' }>;

function writeFunction(tool: FunctionTool): FunctionTool {
  return { ...tool, description: tool.description ?? null, parameters: tool.parameters ?? null, strict: tool.strict ?? null };
}

type TextFormat = NonNullable<NonNullable<ResponseRequest['text']>['format']>;

function formSettings({ instructions, text, reasoning }: Request): Pick<Echo, 'instructions' | 'text' | 'reasoning'> {
  return {
    instructions: instructions ?? null,
    text: { ...text, format: writeFormat(text?.format ?? { type: 'text' }), verbosity: text?.verbosity ?? 'medium' },
    reasoning: { effort: null, summary: null, ...reasoning },
  };
}

const writeFormat = (format: TextFormat): TextFormat =>
  format.type === 'json_schema' ? { ...format, description: format.description ?? null, strict: format.strict ?? false } : format;

type Sampling = 'temperature' | 'top_p' | 'presence_penalty' | 'frequency_penalty' | 'top_logprobs' | 'max_output_tokens' | 'truncation';

/** Numbers with a default are never null, since strict clients reject null. */
function samplingSettings(request: Request): Pick<Echo, Sampling> {
  return {
    temperature: request.temperature ?? 1,
    top_p: request.top_p ?? 1,
    presence_penalty: request.presence_penalty ?? 0,
    frequency_penalty: request.frequency_penalty ?? 0,
    top_logprobs: request.top_logprobs ?? 0,
    max_output_tokens: request.max_output_tokens ?? null,
    truncation: request.truncation ?? 'disabled',
  };
}

type Bookkeeping =
  | 'previous_response_id'
  | 'store'
  | 'background'
  | 'service_tier'
  | 'metadata'
  | 'safety_identifier'
  | 'prompt_cache_key'
  | 'user';

function bookkeeping(request: Request): Pick<Echo, Bookkeeping> {
  const tier = request.service_tier ?? 'auto';
  return {
    previous_response_id: request.previous_response_id ?? null,
    store: request.store ?? true,
    background: false,
    service_tier: tier === 'auto' ? 'default' : tier,
    metadata: request.metadata ?? {},
    safety_identifier: request.safety_identifier ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    user: request.user ?? null,
  };
}

/** The details are always complete: coding agents fail on an empty details object. */
function writeUsage(usage: Usage): NonNullable<ResponseObject['usage']> {
  const { input, cachedInput, cacheWrite, output, reasoning, total } = partition(usage);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: total,
  };
}

export function openResponseStream(head: AnswerHead): CallerStreamWriter {
  const answer = new ResponseAnswer(head);
  const write = (told: readonly Event[]): Buffer => {
    const frames = told.map((event) => eventFrame<Event>(event.type, event));
    // The terminal event is sent exactly once, and nothing is sent after it.
    if (frames.length > 0 && answer.result !== null) frames.push(DONE);
    return frames.length === 1 && frames[0] ? frames[0] : Buffer.concat(frames);
  };
  return {
    written: answer.written,
    get failure() {
      return answer.failure;
    },
    write: (event: TurnEvent) => write(answer.take(event)),
    keepAlive: () => write(answer.keepAlive()),
    end: () => write(answer.end()),
  };
}

export const responsesCaller: CallerDialect<ResponseObject> = {
  readRequest: readResponseRequest,
  writeWhole: writeWholeResponse,
  openStream: openResponseStream,
};
