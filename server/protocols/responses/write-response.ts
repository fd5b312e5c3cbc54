/** Builds a response and the events of its stream from canonical events, and writes it as one JSON object. */

import { ITEM_ADDED, ITEM_DONE, KEEPALIVE } from '../../../contract/responses/order.ts';
import { type CallCode, CLOSED_EARLY, GatewayError, toGatewayError } from '../../primitives/errors.ts';
import type { Fields } from '../../primitives/fields.ts';
import type { CanonicalEvent, FinishReason } from '../canonical/canonical-events.ts';
import { WrittenOutput, type WrittenStream } from '../delivered-output.ts';
import type { ResponseHead } from '../dialect.ts';
import { partitionUsage, type Usage } from '../usage.ts';
import { type EchoedSettings, type ResponseProgress, readEchoedSettings } from './echoed-settings.ts';
import { toFailureFields } from './errors.ts';
import { OrderSteps } from './order-check.ts';
import { Output } from './output.ts';
import type { Event, EventPayload, EventType, ResponseObject } from './wire.ts';

/** Throws the error that the stream would have emitted. */
export function writeWholeResponse(events: readonly CanonicalEvent[], head: ResponseHead): ResponseObject {
  const builder = new ResponseBuilder(head);
  for (const event of events) builder.handleEvent(event);
  builder.end();
  return builder.getResult();
}

type EventHandlers = {
  readonly [Kind in CanonicalEvent['kind']]: (answer: ResponseBuilder, event: Extract<CanonicalEvent, { kind: Kind }>) => void;
};

const createClosedEarlyError = () => new GatewayError<CallCode>('upstream_error', { message: CLOSED_EARLY });
const createOrderError = () =>
  new GatewayError<CallCode>('upstream_error', { message: 'The upstream sent the parts of a tool call out of order.' });

const eventHandlers: EventHandlers = {
  start: () => {},
  reasoning: ({ output }, { text, part }) => output.emitReasoning(text, part),
  encrypted: ({ output }, { encrypted }) => output.setEncrypted(encrypted),
  text: ({ output }, { text, logprobs }) => output.emitText(text, logprobs ?? []),
  annotation: ({ output }, { annotation }) => output.emitAnnotation(annotation),
  refusal: ({ output }, { text }) => output.emitRefusal(text),
  call: (response, event) => response.output.openCall(event) || response.fail(createOrderError()),
  arguments: (response, { index, text }) => response.output.appendArguments(index, text) || response.fail(createOrderError()),
  usage: (response, { usage }) => response.setUsage(usage),
  finish: (response, { reason }) => response.finish(reason),
  failed: (response, { error }) => response.fail(error),
};

export class ResponseBuilder {
  readonly output: Output;
  readonly #writtenOutput = new WrittenOutput(true);
  readonly #head: ResponseHead;
  readonly #echoedSettings: EchoedSettings;
  readonly #steps = new OrderSteps();
  #events: Event[] = [];
  #sequence = 0;
  #usage: Usage | null = null;
  #reason: FinishReason | null = null;
  /** The response of the terminal event. Null before that event. */
  result: ResponseObject | null = null;
  failure: GatewayError | null = null;

  constructor(head: ResponseHead) {
    this.#head = head;
    this.#echoedSettings = readEchoedSettings(head);
    const include = head.request.include;
    const showsEncrypted = Array.isArray(include) && include.includes('reasoning.encrypted_content');
    this.output = new Output({ emit: (type, fields) => this.#emit(type, fields), newId: head.newId, showsEncrypted });
  }

  get written(): WrittenStream {
    const builder = this;
    return {
      output: this.#writtenOutput,
      get finished() {
        // A response is a JSON object, but its type has no index signature.
        return builder.failure === null ? (builder.result as object as Fields | null) : null;
      },
    };
  }

  /** Converts one canonical event to response events. After the finish, only usage and failures count. Empty after the end. */
  handleEvent(event: CanonicalEvent): Event[] {
    const isLate = this.#reason !== null && event.kind !== 'usage' && event.kind !== 'failed';
    if (this.result !== null || isLate) return [];
    // TypeScript can't relate the event's kind to its handler across the union.
    const handler = eventHandlers[event.kind] as (answer: ResponseBuilder, event: CanonicalEvent) => void;
    return this.#collectEvents(() => handler(this, event));
  }

  /** Returns the terminal event. It waits for the end because usage can arrive after the finish. */
  end(): Event[] {
    if (this.result !== null) return [];
    return this.#collectEvents(() => (this.#reason === null ? this.fail(createClosedEarlyError()) : this.#complete(this.#reason)));
  }

  /** A heartbeat event for a silent upstream. Empty if the event order doesn't allow one. */
  keepAlive(): Event[] {
    const event = this.#numberEvent(KEEPALIVE, {});
    if (this.result !== null || this.#steps.advance(event) !== null) return [];
    this.#add(event);
    return this.#drainEvents();
  }

  /** Returns the complete response. Throws the error that the stream would have emitted. */
  getResult(): ResponseObject {
    if (this.failure) throw this.failure;
    if (this.result === null) throw new GatewayError<CallCode>('internal_error', { cause: new Error('a response ended without a result') });
    return this.result;
  }

  /** Adds a compacted conversation as a complete item. */
  addCompaction(encrypted: string): Event[] {
    return this.#collectEvents(() => this.output.addCompaction(encrypted));
  }

  setUsage(usage: Usage): void {
    this.#usage = usage;
  }

  finish(reason: FinishReason): void {
    this.#reason = reason;
    this.output.close(reason);
  }

  /** Writes the failure without checking the event order, because a second failure couldn't be reported. */
  fail(error: GatewayError): void {
    const { error: errorFields, failed: failedError } = toFailureFields(error);
    this.failure = error;
    this.#add(this.#numberEvent('error', errorFields));
    this.result = this.#writeEnd({ status: 'failed', error: failedError });
    this.#add(this.#numberEvent('response.failed', { response: this.result }));
  }

  #complete(reason: FinishReason): void {
    if (reason === 'length') this.#close({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
    else if (reason === 'content_filter') this.#close({ status: 'incomplete', incomplete_details: { reason } });
    else this.#close({ status: 'completed', completed_at: this.#head.now() });
  }

  /** Runs `emit` and returns its events. If it throws, the response ends with a failure after the events already emitted. */
  #collectEvents(emit: () => void): Event[] {
    try {
      this.#open();
      emit();
    } catch (thrown) {
      this.fail(toGatewayError(thrown));
    }
    return this.#drainEvents();
  }

  #open(): void {
    if (this.#sequence > 0) return;
    const response = this.#write({ status: 'in_progress' });
    this.#emit('response.created', { response });
    this.#emit('response.in_progress', { response });
  }

  #close(progress: Pick<ResponseProgress, 'status'> & Partial<ResponseProgress>): void {
    const result = this.#writeEnd(progress);
    this.#emit(`response.${progress.status}`, { response: result });
    this.result = result;
  }

  #writeEnd(progress: Pick<ResponseProgress, 'status'> & Partial<ResponseProgress>): ResponseObject {
    return this.#write({ output: this.output.toItems(true), usage: this.#usage, ...progress });
  }

  #write(progress: Pick<ResponseProgress, 'status'> & Partial<ResponseProgress>): ResponseObject {
    const defaults = { completed_at: null, error: null, incomplete_details: null, output: [], usage: null };
    return writeResponse(this.#head, this.#echoedSettings, { ...defaults, ...progress });
  }

  /** Adds an event. Throws if the contract's event order doesn't allow it. */
  #emit<Type extends EventType>(type: Type, fields: EventPayload<Type>): void {
    const event = this.#numberEvent(type, fields);
    const fault = this.#steps.advance(event);
    if (fault !== null) throw new GatewayError<CallCode>('internal_error', { cause: new Error(fault) });
    this.#add(event);
    this.#countOutput(event);
  }

  /** Counts text only when it first appears, because later events repeat it. */
  #countOutput(event: Event): void {
    if ('delta' in event) this.#writtenOutput.add(event.delta);
    else if (event.type === ITEM_ADDED && event.item.type === 'reasoning') this.#writtenOutput.openReasoning();
    else if (event.type === ITEM_DONE && event.item.type === 'reasoning')
      this.#writtenOutput.closeReasoning(event.item.encrypted_content ?? undefined);
  }

  #numberEvent<Type extends EventType>(type: Type, fields: EventPayload<Type>): Event {
    // The fields match the type, but TypeScript can't infer that through a type parameter.
    return { type, sequence_number: this.#sequence, ...fields } as Event;
  }

  #add(event: Event): void {
    this.#events.push(event);
    this.#sequence++;
  }

  #drainEvents(): Event[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

export function writeResponse(
  head: ResponseHead,
  echoedSettings: EchoedSettings,
  { output, usage, ...progress }: ResponseProgress,
): ResponseObject {
  return {
    id: head.id,
    object: 'response',
    created_at: head.createdAt,
    ...progress,
    model: head.model,
    output,
    ...echoedSettings,
    usage: usage && writeUsage(usage),
  };
}

/** The details are always complete, because coding agents fail on an empty details object. */
function writeUsage(usage: Usage): NonNullable<ResponseObject['usage']> {
  const { input, cachedInput, cacheWrite, output, reasoning, total } = partitionUsage(usage);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: total,
  };
}
