/** Reads the response of an inner request: its value, its events, or its failure. */

import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { errorTable } from '../../../contract/errors.ts';
import { ErrorBody } from '../../../contract/shared/error-bodies.ts';
import { GatewayError } from '../../primitives/errors.ts';
import { FrameJoiner, forEachFrame, parseFrame } from '../../protocols/wire/frames.ts';
import { type CallFailure, parseRetryAfter, toCallFailure } from './errors.ts';

/** Thrown if a call fails, by its status or by an error within its stream. */
export class FailedCall extends Error {
  override readonly name = 'FailedCall';
  readonly failure: CallFailure;

  constructor(failure: CallFailure) {
    super(failure.error.message);
    this.failure = failure;
  }
}

const getRequestId = ({ headers }: IncomingMessage): string | null => String(headers['x-request-id'] ?? '') || null;

/** Returns the JSON of a successful response. */
export async function readValue(response: IncomingMessage): Promise<unknown> {
  const body: unknown = JSON.parse(await text(response));
  if (response.statusCode === 200) return body;
  throw readFailure(response, body);
}

/** Resolves when the stream starts. Rejects if the call failed with a status. */
export async function openEvents(response: IncomingMessage): Promise<AsyncIterable<unknown>> {
  if (response.statusCode === 200) return readEvents(response);
  throw readFailure(response, JSON.parse(await text(response)));
}

function readFailure(response: IncomingMessage, body: unknown): FailedCall {
  const requestId = getRequestId(response);
  const { data } = ErrorBody.safeParse(body);
  if (!data) return new FailedCall(toCallFailure(new GatewayError('internal_error'), requestId));
  const retryAfter = parseRetryAfter(response.headers['retry-after']);
  return new FailedCall({ status: response.statusCode ?? 500, error: data.error, requestId, retryAfter });
}

/** Every buffer needs a bound. No gateway event exceeds what the gateway accepts from an upstream. */
const MAX_FRAME_BYTES = 256 * 1_048_576;

async function* readEvents(response: IncomingMessage): AsyncGenerator<unknown, void> {
  const joiner = new FrameJoiner(MAX_FRAME_BYTES);
  let failedCall: FailedCall | null = null;
  try {
    // `as`: a message without an encoding yields bytes. Leaving the loop destroys the message, like a disconnect of a `/v1` caller.
    for await (const chunk of response as AsyncIterable<Buffer>) {
      for (const event of parseEvents(joiner.push(chunk))) {
        if (isFailure(event)) failedCall = readStreamFailure(response, event);
        else yield event;
      }
    }
  } catch (cause) {
    throw createStreamCutError(response, cause);
  }
  // Thrown after the end, because leaving the loop at the failure would count as a disconnect.
  if (failedCall) throw failedCall;
}

function parseEvents(block: Buffer | null): Readonly<Record<string, unknown>>[] {
  const events: Readonly<Record<string, unknown>>[] = [];
  if (block)
    forEachFrame(block, (frame) => {
      const event = parseFrame(frame);
      if (event) events.push(event);
    });
  return events;
}

/** A chat stream reports a failure with the error body, which isn't an event. Responses and image streams have events for it. */
const isFailure = ({ type, error }: Readonly<Record<string, unknown>>): boolean => type === undefined && error !== undefined;

/** A failure after status 200 gets the status of its code. */
function readStreamFailure(response: IncomingMessage, body: unknown): FailedCall {
  const { error } = ErrorBody.parse(body);
  return new FailedCall({ status: errorTable[error.code].status, error, requestId: getRequestId(response), retryAfter: null });
}

function createStreamCutError(response: IncomingMessage, cause: unknown): FailedCall {
  const error = new GatewayError('upstream_error', { message: 'The stream ended before it was complete.', cause });
  return new FailedCall(toCallFailure(error, getRequestId(response)));
}
