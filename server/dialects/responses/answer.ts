/** The state machine of a response: turns the events of a turn into response events, always in the order that the contract allows. */
import { ITEM_ADDED, ITEM_DONE, KEEPALIVE } from '../../../contract/response-order.ts';
import type { Fields } from '../../../contract/rule.ts';
import { asGatewayError, type CallCode, GatewayError } from '../../errors.ts';
import type { WrittenStream } from '../shown-output.ts';
import type { AnswerHead, FinishReason, TurnEvent } from '../turn/turn.ts';
import { WrittenOutput } from '../turn/written-output.ts';
import type { Usage } from '../usage.ts';
import { type Echo, type Progress, readEcho, writeResponse } from './echo.ts';
import { failedEnd } from './failed-end.ts';
import { OrderSteps } from './order-steps.ts';
import { Output } from './output.ts';
import type { Event, EventType, ResponseObject, Telling } from './wire.ts';

type Takers = { readonly [Kind in TurnEvent['kind']]: (answer: ResponseAnswer, event: Extract<TurnEvent, { kind: Kind }>) => void };

const brokenOff = () => new GatewayError<CallCode>('upstream_error', { message: 'The upstream broke off in the middle of its answer.' });
const disordered = () =>
  new GatewayError<CallCode>('upstream_error', { message: 'The upstream sent the pieces of a tool call out of order.' });

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

export class ResponseAnswer {
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
    this.output = new Output({ tell: (type, fields) => this.#tell(type, fields), newId: head.newId, showsEncrypted });
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

  /** The response events for one event. After the end there are none; after the finish only usage and a failure count. */
  take(event: TurnEvent): Event[] {
    const isLate = this.#reason !== null && event.kind !== 'usage' && event.kind !== 'failed';
    if (this.result !== null || isLate) return [];
    // The key of the table is the kind of the event, which the compiler does not follow through the union.
    const taker = takers[event.kind] as (answer: ResponseAnswer, event: TurnEvent) => void;
    return this.#telling(() => taker(this, event));
  }

  /** The terminal event; it waits for the end because the usage may come after the finish. */
  end(): Event[] {
    if (this.result !== null) return [];
    return this.#telling(() => (this.#reason === null ? this.fail(brokenOff()) : this.#complete(this.#reason)));
  }

  /** A heartbeat event while the upstream is silent; none where the order does not allow it. */
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

  /** Runs `tell` and returns its events. If it throws, the answer ends as a failure, after the events before that. */
  #telling(tell: () => void): Event[] {
    try {
      this.#open();
      tell();
    } catch (thrown) {
      this.fail(asGatewayError(thrown));
    }
    return this.#takeTold();
  }

  #open(): void {
    if (this.#sequence > 0) return;
    const response = this.#write({ status: 'in_progress' });
    this.#tell('response.created', { response });
    this.#tell('response.in_progress', { response });
  }

  #close(progress: Pick<Progress, 'status'> & Partial<Progress>): void {
    const result = this.#writeEnd(progress);
    this.#tell(`response.${progress.status}`, { response: result });
    this.result = result;
  }

  #writeEnd(progress: Pick<Progress, 'status'> & Partial<Progress>): ResponseObject {
    return this.#write({ output: this.output.show(true), usage: this.#usage, ...progress });
  }

  #write(progress: Pick<Progress, 'status'> & Partial<Progress>): ResponseObject {
    const nothing = { completed_at: null, error: null, incomplete_details: null, output: [], usage: null };
    return writeResponse(this.#head, this.#echo, { ...nothing, ...progress });
  }

  /** Adds an event; throws when the contract's order does not allow it. */
  #tell<Type extends EventType>(type: Type, fields: Telling<Type>): void {
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
    // The fields are those of the type, which the compiler does not follow through a parameter.
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
