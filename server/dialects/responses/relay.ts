/** Responses to responses: forwards the events, and ends the stream in exactly one terminal event. */
import { KEEPALIVE } from '../../../contract/response-order.ts';
import { type Fields, isFields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import type { ModelNames, Relay, RequestOptions, StreamReader } from '../dialect.ts';
import { readFailure } from '../failure.ts';
import { responsesUsageNames, toldUsage } from '../told-usage.ts';
import { readUsage, type Usage } from '../usage.ts';
import { readWholeAnswer } from '../wire/complete-answer.ts';
import { DONE, eventFrame, eventName, frameObject, NOTHING, passEach, withoutData } from '../wire/frames.ts';
import { type JsonBody, withFields } from '../wire/json-body.ts';
import { writeFailedEnd } from './failed-end.ts';
import type { EventOfType } from './wire.ts';

/** Upstreams store nothing for us, and are not sent coding agents' own notes. */
function writeRequest(body: JsonBody, { model }: RequestOptions): JsonBody {
  return withFields(body, { model, store: false, client_metadata: undefined });
}

const OPENING = new Set(['response.created', 'response.queued', 'response.in_progress']);
const TERMINAL = new Set(['response.completed', 'response.incomplete']);
const FAILED = new Set(['response.failed', 'error']);
const LF = 0x0a;
const CR = 0x0d;
const BRACE = 0x7d;

/** Whether a frame ends like a JSON object; other frames are parsed. */
function endsInObject(frame: Buffer): boolean {
  let end = frame.length;
  while (end > 0 && (frame[end - 1] === LF || frame[end - 1] === CR)) end--;
  return frame[end - 1] === BRACE;
}

class ResponsesStream implements StreamReader {
  readonly #names: ModelNames;
  /** The last response object in the stream, for the failed end. */
  #response: Fields = {};
  #events = 0;
  /** Whether we have inserted an event of our own. */
  #isRenumbered = false;
  #complete = false;
  usage: Usage | null = null;
  failure: GatewayError | null = null;
  hasBegun = false;

  constructor(names: ModelNames) {
    this.#names = names;
  }

  get isComplete(): boolean {
    return this.#complete;
  }

  pass(block: Buffer): Buffer {
    const { out, failure } = passEach(block, (frame) => (this.#complete ? NOTHING : this.#passFrame(frame)));
    this.failure = failure;
    return out;
  }

  closing(): Buffer {
    if (!this.#complete)
      throw new GatewayError<CallCode>('upstream_error', { message: 'The upstream broke off in the middle of its answer.' });
    return DONE;
  }

  failing(error: GatewayError): Buffer {
    return writeFailedEnd(error, { response: this.#response, sequence: this.#events });
  }

  /** Takes the next sequence number, so every later event of the upstream is renumbered. */
  keepAlive(): Buffer | null {
    if (this.#events === 0 || this.#complete || this.failure) return null;
    this.#isRenumbered = true;
    return eventFrame<EventOfType<typeof KEEPALIVE>>(KEEPALIVE, { type: KEEPALIVE, sequence_number: this.#events++ });
  }

  #passFrame(frame: Buffer): Buffer {
    const name = eventName(frame);
    const isPlain = name !== null && !OPENING.has(name) && !TERMINAL.has(name) && !FAILED.has(name);
    if (!isPlain || this.#isRenumbered || !endsInObject(frame)) return this.#passObject(frame);
    this.#events++;
    this.hasBegun = true;
    return frame;
  }

  /** Events that carry the response, and frames that name no event. */
  #passObject(frame: Buffer): Buffer {
    const event = frameObject(frame);
    if (event === null) return withoutData(frame);
    const type = String(event.type ?? eventName(frame));
    // No event of a stream that goes well has an error at its top.
    if (FAILED.has(type) || isFields(event.error)) throw this.#failure(event);
    const sequence_number = this.#events++;
    this.hasBegun ||= !OPENING.has(type);
    const response = isFields(event.response) ? this.#note(event.response, type) : event.response;
    const isSame = response === event.response && !this.#isRenumbered;
    if (isSame) return frame;
    return eventFrame<Fields>(type, {
      ...event,
      ...(response !== undefined && { response }),
      ...(this.#isRenumbered && { sequence_number }),
    });
  }

  /** The usage of a failed answer is charged too. */
  #failure(event: Fields): GatewayError {
    if (isFields(event.response)) {
      this.#response = { ...event.response, model: this.#names.asked };
      this.usage = readUsage(event.response.usage);
    }
    return failureOf(event);
  }

  /** The response for the caller; the same object when it is right as it came. */
  #note(response: Fields, type: string): Fields {
    const told = withOurModel(completeResponse(response), this.#names.asked);
    this.#response = told;
    this.#complete = TERMINAL.has(type);
    if (this.#complete) this.usage = readUsage(response.usage);
    return told;
  }
}

const withOurModel = (response: Fields, model: string): Fields => (response.model === model ? response : { ...response, model });

/** The usage as it is charged; the same object when it needs no change. */
function completeResponse(response: Fields): Fields {
  if (!isFields(response.usage)) return response;
  const usage = toldUsage(response.usage, responsesUsageNames);
  return usage === response.usage ? response : { ...response, usage };
}

/** `response.failed` holds its error inside the response; `error` holds it flat, nested or both. */
function failureOf(event: Fields): GatewayError {
  if (isFields(event.response)) return readFailure(event.response.error);
  return readFailure(isFields(event.error) ? event.error : event);
}

export const responsesRelay: Relay = {
  writeRequest,
  readWhole: (bytes, names) => readWholeAnswer(bytes, { required: 'output', model: names.asked, complete: completeResponse }),
  readStream: (_body, names) => new ResponsesStream(names),
};
