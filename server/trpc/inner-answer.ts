/** Reads the answer of an inner request: a value, an error of the table, or the events of a stream. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { ErrorBody, errorTable } from '../../contract/errors.ts';
import { eachFrame, FrameJoiner, frameObject } from '../dialects/wire/frames.ts';
import { GatewayError } from '../errors.ts';
import { type Failure, failureOf, secondsOf } from './errors.ts';

/** Thrown for a failed call: by its status, or in the middle of its stream. */
export class FailedCall extends Error {
  override readonly name = 'FailedCall';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.error.message);
    this.failure = failure;
  }
}

const requestIdOf = ({ headers }: IncomingMessage): string | null => String(headers['x-request-id'] ?? '') || null;

/** The JSON of a successful answer. */
export async function readValue(answer: IncomingMessage): Promise<unknown> {
  const body: unknown = JSON.parse(await text(answer));
  if (answer.statusCode === 200) return body;
  throw failed(answer, body);
}

/** Resolves when the stream has begun; rejects when the call failed with a status. */
export async function beginEvents(answer: IncomingMessage): Promise<AsyncIterable<unknown>> {
  if (answer.statusCode === 200) return readEvents(answer);
  throw failed(answer, JSON.parse(await text(answer)));
}

function failed(answer: IncomingMessage, body: unknown): FailedCall {
  const requestId = requestIdOf(answer);
  const { data } = ErrorBody.safeParse(body);
  if (!data) return new FailedCall(failureOf(new GatewayError('internal_error'), requestId));
  const retryAfter = secondsOf(answer.headers['retry-after']);
  return new FailedCall({ status: answer.statusCode ?? 500, error: data.error, requestId, retryAfter });
}

/** Every buffer needs a bound; no event of the gateway is larger than what it accepts from an upstream. */
const MOST_BYTES = 256 * 1_048_576;

async function* readEvents(answer: IncomingMessage): AsyncGenerator<unknown, void> {
  const joiner = new FrameJoiner(MOST_BYTES);
  let late: FailedCall | null = null;
  try {
    // `as`: a message without an encoding yields bytes. Leaving the loop destroys the message, like a caller of `/v1` who disconnects.
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      for (const event of eventsIn(joiner.push(chunk))) {
        if (isFailure(event)) late = failedLate(answer, event);
        else yield event;
      }
    }
  } catch (cause) {
    throw cutOff(answer, cause);
  }
  // Thrown after the end: leaving the loop at the failure would count as a disconnect.
  if (late) throw late;
}

function eventsIn(block: Buffer | null): Readonly<Record<string, unknown>>[] {
  const events: Readonly<Record<string, unknown>>[] = [];
  if (block)
    eachFrame(block, (frame) => {
      const event = frameObject(frame);
      if (event) events.push(event);
    });
  return events;
}

/** A stream of chat reports a failure with the error body, which is not an event; streams of responses and images have events for it. */
const isFailure = ({ type, error }: Readonly<Record<string, unknown>>): boolean => type === undefined && error !== undefined;

/** A failure after status 200 has the status of its code. */
function failedLate(answer: IncomingMessage, body: unknown): FailedCall {
  const { error } = ErrorBody.parse(body);
  return new FailedCall({ status: errorTable[error.code].status, error, requestId: requestIdOf(answer), retryAfter: null });
}

function cutOff(answer: IncomingMessage, cause: unknown): FailedCall {
  const error = new GatewayError('upstream_error', { message: 'The stream broke off before its end.', cause });
  return new FailedCall(failureOf(error, requestIdOf(answer)));
}
