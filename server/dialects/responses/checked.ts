/** Checks a responses stream against the contract while it passes, each event by schema and order: for tests and development. */
import { ResponseStreamEvent } from '../../../contract/response-events.ts';
import { type Fields, isFields } from '../../../contract/rule.ts';
import { asGatewayError, type CallCode, GatewayError } from '../../errors.ts';
import { PassThroughReader } from '../pass-through-reader.ts';
import { frameObject, NOTHING, passEach } from '../wire/frames.ts';
import { writeFailedEnd } from './failed-end.ts';
import { openOrderCheck } from './order.ts';

const broken = (what: string) =>
  new GatewayError<CallCode>('internal_error', { message: 'The stream does not keep the contract.', cause: new Error(what) });

export class CheckedStream extends PassThroughReader {
  readonly #order = openOrderCheck();
  /** The number of events that the caller was sent, for an end that fits them; the inner reader may be ahead. */
  #events = 0;
  #response: Fields = {};
  #fault: GatewayError | null = null;
  /** The valid frames before a fault in the closing frames. */
  #owed: Buffer = NOTHING;

  override get isComplete(): boolean {
    return super.isComplete && this.#fault === null;
  }
  override get failure(): GatewayError | null {
    return this.#fault ?? super.failure;
  }

  override pass(frames: Buffer): Buffer {
    return this.#check(super.pass(frames));
  }
  override closing(): Buffer {
    const shown = this.#check(super.closing());
    const missing = this.#order.end();
    if (missing !== null) this.#fault ??= broken(missing);
    if (this.#fault === null) return shown;
    this.#owed = shown;
    throw this.#fault;
  }

  /** The inner reader does not know of a fault found here, so the failed end is written here. */
  override failing(error: GatewayError): Buffer {
    const place = { response: this.#response, sequence: this.#events };
    if (this.#fault) return Buffer.concat([this.#owed, writeFailedEnd(this.#fault, place)]);
    const frames = super.failing(error);
    // A stream that never opened has no response that could fail.
    if (this.#events === 0) return frames;
    const shown = this.#check(frames);
    return this.#fault ? writeFailedEnd(this.#fault, place) : shown;
  }

  keepAlive(): Buffer | null {
    const frame = this.#fault ? null : (this.inner.keepAlive?.() ?? null);
    const shown = frame && this.#check(frame);
    return this.#fault ? null : shown;
  }

  /** The frames of the block before its first fault. */
  #check(block: Buffer): Buffer {
    const { out, failure } = passEach(block, (frame) => {
      this.#see(frame);
      return frame;
    });
    this.#fault ??= failure && asGatewayError(failure);
    return out;
  }

  #see(frame: Buffer): void {
    const event = frameObject(frame);
    if (event === null) return;
    const last = this.#order.last;
    const misplaced = this.#order.see(event);
    if (misplaced !== null) throw broken(misplaced);
    const { error } = ResponseStreamEvent.safeParse(event);
    if (error) throw broken(`${String(event.type)} after ${last}: ${error.message}`);
    this.#events++;
    if (isFields(event.response)) this.#response = event.response;
  }
}
