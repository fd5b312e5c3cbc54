/** Responses to responses: forwards the events, and ends the stream in exactly one terminal event. */

import { KEEPALIVE } from '../../../contract/responses/order.ts';
import type { Response } from '../../../contract/responses.ts';
import type { Exact } from '../../../contract/shared/exact.ts';
import { type CallCode, CLOSED_EARLY, type CreateResponseCode, GatewayError, INVALID_JSON, tryAgainIn } from '../../errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { type ModelNames, type Relay, type RequestOptions, readFailure, type StreamReader } from '../failure.ts';
import { readUsage, responsesUsageNames, toldUsage, type Usage } from '../usage.ts';
import { readWholeAnswer } from '../wire/complete-answer.ts';
import { DONE, eachFrame, eventFrame, eventName, frameObject, NOTHING, parseAnswer, passEach, withoutData } from '../wire/frames.ts';
import { type JsonBody, withFields } from '../wire/json-body.ts';
import type { EventOfType, ResponseObject, Telling } from './output.ts';

/** Upstreams store nothing for us, and aren't sent coding agents' own notes. */
function writeRequest(body: JsonBody, { model }: RequestOptions): JsonBody {
  return withFields(body, { model, store: false, client_metadata: undefined, usage: undefined });
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
    if (!this.#complete) throw new GatewayError<CallCode>('upstream_error', { message: CLOSED_EARLY });
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

/** The response's ID, whether it was stored, and the previous response; empty if the upstream's values stay. */
export type EchoedFields = Partial<Pick<Exact<Response>, 'id' | 'store' | 'previous_response_id'>>;

export const echoedFields = (id: string, isStored: boolean, previousId: string | null): EchoedFields => ({
  id,
  store: isStored,
  previous_response_id: previousId,
});

interface EchoedResponse {
  readonly bytes: Buffer;
  readonly response: Fields;
}

/** A complete response with these fields; null if it isn't an object. Throws `upstream_error` when it isn't JSON. */
export function echoInWhole(bytes: Buffer, echo: EchoedFields): EchoedResponse | null {
  const value = parse(bytes);
  if (!isFields(value)) return null;
  const patched = withFields({ kind: 'json', value, bytes }, echo);
  return { bytes: patched.bytes, response: patched.value };
}

function parse(bytes: Buffer): unknown {
  try {
    return parseAnswer(bytes.toString());
  } catch (cause) {
    // Of a large response only the end was parsed before.
    throw new GatewayError<CreateResponseCode>('upstream_error', { message: INVALID_JSON, cause });
  }
}

const FINISHED = new Set(['response.completed', 'response.incomplete']);
const CARRIERS = new Set(['response.created', 'response.queued', 'response.in_progress', 'response.failed', ...FINISHED]);

/** Frames with these fields in each event that holds the response. Calls `onFinished` with the response of the terminal event, unless it failed. */
export function echoInFrames(block: Buffer, echo: EchoedFields, onFinished: (response: Fields) => void): Buffer {
  const out: Buffer[] = [];
  let isChanged = false;
  eachFrame(block, (frame) => {
    const next = echoInFrame(frame, echo, onFinished);
    isChanged ||= next !== frame;
    out.push(next);
  });
  return isChanged ? Buffer.concat(out) : block;
}

function echoInFrame(frame: Buffer, echo: EchoedFields, onFinished: (response: Fields) => void): Buffer {
  const name = eventName(frame);
  if (name !== null && !CARRIERS.has(name)) return frame;
  const event = frameObject(frame);
  if (event === null || !isFields(event.response)) return frame;
  const response = { ...event.response, ...echo };
  if (FINISHED.has(String(event.type))) onFinished(response);
  return eventFrame<Fields>(String(event.type), { ...event, response });
}

interface FailedEnd {
  readonly error: Telling<'error'>;
  readonly failed: { readonly code: string; readonly message: string };
}

/** The fields of `error`, and the error inside the failed response. */
export function failedEnd(error: GatewayError): FailedEnd {
  const { message, code, type, param } = error.body.error;
  return {
    error: { code, message, param, error: { type, code, message, param } },
    failed: failedAs(error),
  };
}

interface Broken {
  /** The last response object in the stream; without an ID the stream never opened, and no response can fail. */
  readonly response: Fields;
  /** The number of the next event. */
  readonly sequence: number;
}

/** The upstream's response, with our status and error. */
type FailedOfOthers = Omit<EventOfType<'response.failed'>, 'response'> & {
  readonly response: Fields & Pick<ResponseObject, 'status' | 'error'>;
};

/** The last frames of a relayed stream that failed. */
export function writeFailedEnd(failure: GatewayError, { response, sequence }: Broken): Buffer {
  const { error, failed } = failedEnd(failure);
  const flat = eventFrame<EventOfType<'error'>>('error', { type: 'error', sequence_number: sequence, ...error });
  if (typeof response.id !== 'string') return Buffer.concat([flat, DONE]);
  const last: FailedOfOthers = {
    type: 'response.failed',
    sequence_number: sequence + 1,
    response: { ...response, status: 'failed', error: failed },
  };
  return Buffer.concat([flat, eventFrame<FailedOfOthers>('response.failed', last), DONE]);
}

/** The least wait to name: an upstream that is overloaded in the middle of a response seldom recovers within a second. */
const ROOM_SECONDS = 5;

/**
 * Codex doesn't retry after `server_is_overloaded` ("Selected model is at capacity"). It waits and retries after a rate limit whose message
 * names the wait, so an overload is reported as one.
 */
export function failedAs(error: GatewayError): { readonly code: string; readonly message: string } {
  const { message } = error.body.error;
  if (error.code === 'overloaded' || error.code === 'no_upstream_available')
    return { code: 'rate_limit_exceeded', message: withWait(message, Math.max(secondsOf(error), ROOM_SECONDS)) };
  if (error.code === 'rate_limit_exceeded' && error.headers['retry-after'] !== undefined)
    return { code: error.code, message: withWait(message, secondsOf(error)) };
  return { code: error.status === 400 || error.status === 429 ? error.code : 'server_error', message };
}

/** The wait in whole seconds, at least one. */
const secondsOf = ({ headers }: GatewayError): number => Math.max(Math.ceil(Number(headers['retry-after'])) || 1, 1);

const withWait = (message: string, seconds: number): string =>
  /try again in \d/i.test(message) ? message : `${message} ${tryAgainIn(seconds)}`;

/** By its headers: `originator: codex_exec`, `user-agent: codex_cli_rs/0.169.0 (…)`. */
export function isCodex(headers: Readonly<Record<string, string | readonly string[] | undefined>>): boolean {
  const { originator, 'user-agent': agent } = headers;
  return [originator, agent].some((name) => typeof name === 'string' && /^codex(?![a-z])/i.test(name));
}
