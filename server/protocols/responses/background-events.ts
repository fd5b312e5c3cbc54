/** Rewrites the events of a stream for a response that runs in the background: it starts as queued, and an early end contains the partial output. */

import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { forEachFrame, isDone, NOTHING, parseFrame, writeEventFrame } from '../wire/frames.ts';
import { FINAL_EVENTS } from './echoed-fields.ts';
import { type FailedError, PartialOutput } from './partial-output.ts';

export class BackgroundEvents {
  readonly #queued: Fields;
  readonly #partial = new PartialOutput();
  #hasBegun = false;
  #isComplete = false;
  #failure: FailedError | null = null;

  /** `queued`: the response as its caller got it. */
  constructor(queued: Fields) {
    this.#queued = queued;
  }

  /** Whether the upstream has sent something. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Whether the stream ended with its last event, and the response is stored. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The error of a stream that failed. */
  get failure(): FailedError | null {
    return this.#failure;
  }

  writeOpening(): Buffer {
    return Buffer.concat(['response.created', 'response.queued'].map((type) => this.#write({ type, response: this.#queued })));
  }

  /** Returns the events after the opening ones. Keeps back a failure, which `end` writes. */
  read(frames: Buffer): Buffer {
    this.#hasBegun = true;
    const written: Buffer[] = [];
    forEachFrame(frames, (frame) => written.push(this.#readFrame(frame)));
    return Buffer.concat(written);
  }

  /** Ends the response as failed, or as canceled if `error` is null. */
  end(error: FailedError | null): { readonly response: Fields; readonly frames: Buffer } {
    const response = this.#partial.end(this.#queued, error);
    return { response, frames: this.#partial.writeLastEvent(response) };
  }

  #readFrame(frame: Buffer): Buffer {
    if (isDone(frame)) return this.#failure ? NOTHING : frame;
    const event = parseFrame(frame);
    if (event === null) return NOTHING;
    const { type, response } = event;
    if (type === 'response.created' || type === 'response.queued') return NOTHING;
    if (type === 'response.failed' && isFields(response)) {
      this.#partial.response = response;
      this.#failure = toError(response.error);
      return NOTHING;
    }
    if (FINAL_EVENTS.has(type)) this.#isComplete = true;
    return this.#write(event);
  }

  #write({ type, ...fields }: Fields): Buffer {
    const event = { type, ...fields, sequence_number: this.#partial.nextSequence };
    this.#partial.addEvent(event);
    return writeEventFrame<Fields>(String(type), event);
  }
}

function toError(error: unknown): FailedError {
  const { code, message } = isFields(error) ? error : {};
  return typeof code === 'string' && typeof message === 'string'
    ? { code, message }
    : { code: 'server_error', message: new GatewayError<CallCode>('upstream_error').message };
}
