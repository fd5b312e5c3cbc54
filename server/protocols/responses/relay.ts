/** Relays the Responses API to callers of the Responses API: forwards the events, and ends the stream with exactly one terminal event. */

import { ITEM_DONE, KEEPALIVE } from '../../../contract/responses/order.ts';
import { type CallCode, CLOSED_EARLY, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { shortenItemCallIds } from '../canonical/call-ids.ts';
import { withoutParsedFields } from '../parsed-fields.ts';
import { withoutProviderPrices } from '../provider-prices.ts';
import type { ModelNames, Relay, RequestOptions } from '../relay.ts';
import type { StreamReader } from '../stream-reader.ts';
import { correctUsage, readUsage, responsesUsageNames, type Usage } from '../usage.ts';
import { readCompleteResponse } from '../wire/complete-response.ts';
import { DONE, dropEmptyData, NOTHING, parseFrame, readEventName, transformFrames, writeEventFrame } from '../wire/frames.ts';
import { type JsonBody, withFields } from '../wire/json-body.ts';
import { mapList, withValues } from '../wire/with-values.ts';
import { FINAL_EVENTS } from './echoed-fields.ts';
import { readEventFailure, writeFailedEnd } from './errors.ts';
import { restoreMissingItems } from './restore-missing-items.ts';
import type { EventOfType } from './wire.ts';

/** Upstreams must not store requests, and they don't get the agent's `client_metadata`. */
function writeRequest(body: JsonBody, { model }: RequestOptions): JsonBody {
  const parsedFieldChanges = withoutParsedFields(body.value, 'input');
  const idChanges = shortenItemCallIds({ ...body.value, ...parsedFieldChanges });
  return withFields(body, {
    ...parsedFieldChanges,
    ...idChanges,
    model,
    store: false,
    client_metadata: undefined,
    usage: undefined,
    background_options: undefined,
  });
}

const OPENING_EVENTS = new Set(['response.created', 'response.queued', 'response.in_progress']);
const FAILURE_EVENTS = new Set(['response.failed', 'error']);
const LF = 0x0a;
const CR = 0x0d;
const CLOSING_BRACE = 0x7d;

/** True if a frame ends like a JSON object. Other frames are parsed. */
function endsInObject(frame: Buffer): boolean {
  let end = frame.length;
  while (end > 0 && (frame[end - 1] === LF || frame[end - 1] === CR)) end--;
  return frame[end - 1] === CLOSING_BRACE;
}

class ResponsesStream implements StreamReader {
  readonly #names: ModelNames;
  /** The last response object in the stream, for the failed end. */
  #response: Fields = {};
  readonly #itemsDone: Buffer[] = [];
  #eventCount = 0;
  /** True if the gateway has inserted its own event. */
  #isRenumbered = false;
  #isComplete = false;
  usage: Usage | null = null;
  failure: GatewayError | null = null;
  hasBegun = false;

  constructor(names: ModelNames) {
    this.#names = names;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  transform(block: Buffer): Buffer {
    const { out, failure } = transformFrames(block, (frame) => (this.#isComplete ? NOTHING : this.#transformFrame(frame)));
    this.failure = failure;
    return out;
  }

  flush(): Buffer {
    if (!this.#isComplete) throw new GatewayError<CallCode>('upstream_error', { message: CLOSED_EARLY });
    return DONE;
  }

  fail(error: GatewayError): Buffer {
    return writeFailedEnd(error, { response: this.#response, sequence: this.#eventCount });
  }

  /** Uses the next sequence number, so later events from the upstream are renumbered. */
  keepAlive(): Buffer | null {
    if (this.#eventCount === 0 || this.#isComplete || this.failure) return null;
    this.#isRenumbered = true;
    return writeEventFrame<EventOfType<typeof KEEPALIVE>>(KEEPALIVE, { type: KEEPALIVE, sequence_number: this.#eventCount++ });
  }

  #transformFrame(frame: Buffer): Buffer {
    const name = readEventName(frame);
    const isPlain =
      name !== null && name !== ITEM_DONE && !OPENING_EVENTS.has(name) && !FINAL_EVENTS.has(name) && !FAILURE_EVENTS.has(name);
    if (!isPlain || this.#isRenumbered || !endsInObject(frame)) return this.#transformObject(frame);
    this.#eventCount++;
    this.hasBegun = true;
    return frame;
  }

  /** Transforms events that contain the response or a complete item, and frames without an event name. */
  #transformObject(frame: Buffer): Buffer {
    const event = parseFrame(frame);
    if (event === null) return dropEmptyData(frame);
    const type = String(event.type ?? readEventName(frame));
    // In a successful stream, no event has a top-level error.
    if (FAILURE_EVENTS.has(type) || isFields(event.error)) throw this.#readFailure(event);
    const sequence_number = this.#eventCount++;
    this.hasBegun ||= !OPENING_EVENTS.has(type);
    const response = isFields(event.response) ? this.#normalizeResponse(event.response, type) : event.response;
    const item = type === ITEM_DONE ? normalizeItem(event.item) : event.item;
    const isSame = response === event.response && item === event.item && !this.#isRenumbered;
    const changes = { ...(response !== undefined && { response }), ...(item !== undefined && { item }) };
    const out = isSame ? frame : writeEventFrame<Fields>(type, { ...event, ...changes, ...(this.#isRenumbered && { sequence_number }) });
    if (type === ITEM_DONE) this.#itemsDone.push(out);
    return out;
  }

  /** The usage of a failed response is billed too. */
  #readFailure(event: Fields): GatewayError {
    if (isFields(event.response)) {
      this.#response = { ...withoutProviderPrices(event.response), model: this.#names.requested };
      this.usage = readUsage(event.response.usage, event.response.service_tier);
    }
    return readEventFailure(event);
  }

  /** Normalizes the response for the caller, and records its usage and completeness. Returns the same object if it needs no change. */
  #normalizeResponse(response: Fields, type: string): Fields {
    const normalizedResponse = withCallerModel(normalizeResponse(withoutProviderPrices(response)), this.#names.requested);
    this.#isComplete = FINAL_EVENTS.has(type);
    this.#response = this.#isComplete ? restoreItemsFromFrames(normalizedResponse, this.#itemsDone) : normalizedResponse;
    if (this.#isComplete) this.usage = readUsage(response.usage, response.service_tier);
    return this.#response;
  }
}

/** Parses the frames only if items are missing. */
function restoreItemsFromFrames(response: Fields, frames: readonly Buffer[]): Fields {
  const isWhole = Array.isArray(response.output) && response.output.length >= frames.length;
  return isWhole ? response : restoreMissingItems(response, frames.map((frame) => parseFrame(frame)).filter(isFields));
}

const withCallerModel = (response: Fields, model: string): Fields => (response.model === model ? response : { ...response, model });

/** Corrects the usage to the billed counts, and completes items. Returns the same object if it needs no change. */
function normalizeResponse(response: Fields): Fields {
  const { usage, output } = response;
  return withValues(response, {
    ...(isFields(usage) && { usage: correctUsage(usage, responsesUsageNames) }),
    ...(Array.isArray(output) && { output: mapList(output, normalizeItem) }),
  });
}

/** Some providers omit an empty text from a message, and Codex skips such an item. */
function normalizeItem(item: unknown): unknown {
  if (!isFields(item) || !Array.isArray(item.content)) return item;
  return withValues(item, { content: mapList(item.content, normalizePart) });
}

function normalizePart(part: unknown): unknown {
  if (!isFields(part) || part.type !== 'output_text') return part;
  return withValues(part, {
    text: typeof part.text === 'string' ? part.text : '',
    annotations: Array.isArray(part.annotations) ? part.annotations : [],
  });
}

export const responsesRelay: Relay = {
  writeRequest,
  readResponse: (bytes, names) => readCompleteResponse(bytes, { required: 'output', model: names.requested, normalize: normalizeResponse }),
  readStream: (_body, names) => new ResponsesStream(names),
};

/** Checks the headers: `originator: codex_exec`, `user-agent: codex_cli_rs/0.169.0 (…)`. */
export function isCodex(headers: Readonly<Record<string, string | readonly string[] | undefined>>): boolean {
  const { originator, 'user-agent': agent } = headers;
  return [originator, agent].some((name) => typeof name === 'string' && /^codex(?![a-z])/i.test(name));
}
