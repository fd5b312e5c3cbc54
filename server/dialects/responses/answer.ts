/** The state machine of a response: takes what comes back and tells it as events in their legal order (specification part 6). */

import type { Fields } from '../../../contract/rule.ts';
import { GatewayError } from '../../errors.ts';
import type { AnswerHead, FinishReason, TurnEvent } from '../turn.ts';
import type { Usage } from '../usage.ts';
import { type Progress, readEcho, writeResponse } from './echo.ts';
import { failureCode } from './failure-code.ts';
import { Output } from './output.ts';

export type Told = { readonly type: string; readonly sequence_number: number } & Fields;

type Takers = { readonly [Kind in TurnEvent['kind']]: (answer: ResponseAnswer, event: Extract<TurnEvent, { kind: Kind }>) => void };

const disordered = () => new GatewayError('upstream_error', { message: 'The upstream sent the pieces of a tool call out of order.' });

const takers: Takers = {
  start: () => {},
  reasoning: ({ output }, { text, part }) => output.tellThought(text, part),
  sealed: ({ output }, { sealed }) => output.sealThought(sealed),
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
  readonly #head: AnswerHead;
  readonly #echo: Fields;
  #told: Told[] = [];
  #sequence = 0;
  #usage: Usage | null = null;
  #reason: FinishReason | null = null;
  /** What the terminal event says; null until it was told. */
  result: Fields | null = null;
  failure: GatewayError | null = null;

  constructor(head: AnswerHead) {
    this.#head = head;
    this.#echo = readEcho(head);
    const include = head.request.include;
    const showsSealed = Array.isArray(include) && include.includes('reasoning.encrypted_content');
    this.output = new Output({ tell: (type, fields) => this.#tell(type, fields), newId: head.newId, showsSealed });
  }

  /** The events that one thing that came back becomes. Nothing is told after the end, and after the finish only a failure. */
  take(event: TurnEvent): Told[] {
    const isLate = this.#reason !== null && event.kind !== 'usage' && event.kind !== 'failed';
    if (this.result !== null || isLate) return [];
    this.#open();
    // The key of the table is the kind of the event, which the compiler does not follow through the union.
    const taker = takers[event.kind] as (answer: ResponseAnswer, event: TurnEvent) => void;
    taker(this, event);
    return this.#takeTold();
  }

  /** The terminal event; it waits for the end because the usage may come after the finish. */
  end(): Told[] {
    if (this.result !== null) return [];
    this.#open();
    if (this.#reason === null)
      this.fail(new GatewayError('upstream_error', { message: 'The upstream broke off in the middle of its answer.' }));
    else this.#complete(this.#reason);
    return this.#takeTold();
  }

  count(usage: Usage): void {
    this.#usage = usage;
  }

  finish(reason: FinishReason): void {
    this.#reason = reason;
    this.output.close(reason);
  }

  /** Flat and nested, then the failed response: between them every client reads one. */
  fail(error: GatewayError): void {
    const { message, code, type, param } = error.body.error;
    this.failure = error;
    this.#tell('error', { code, message, param, error: { type, code, message, param } });
    this.#close({ status: 'failed', error: { code: failureCode(error), message } });
  }

  #complete(reason: FinishReason): void {
    if (reason === 'length') this.#close({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
    else if (reason === 'content_filter') this.#close({ status: 'incomplete', incomplete_details: { reason } });
    else this.#close({ status: 'completed', completed_at: this.#head.now() });
  }

  #open(): void {
    if (this.#sequence > 0) return;
    const response = this.#write({ status: 'in_progress' });
    this.#tell('response.created', { response });
    this.#tell('response.in_progress', { response });
  }

  #close(progress: Pick<Progress, 'status'> & Partial<Progress>): void {
    this.result = this.#write({ output: this.output.show(true), usage: this.#usage, ...progress });
    this.#tell(`response.${progress.status}`, { response: this.result });
  }

  #write(progress: Pick<Progress, 'status'> & Partial<Progress>): Fields {
    const nothing = { completed_at: null, error: null, incomplete_details: null, output: [], usage: null };
    return writeResponse(this.#head, this.#echo, { ...nothing, ...progress });
  }

  #tell(type: string, fields: Fields): void {
    this.#told.push({ type, sequence_number: this.#sequence++, ...fields });
  }

  #takeTold(): Told[] {
    const told = this.#told;
    this.#told = [];
    return told;
  }
}
