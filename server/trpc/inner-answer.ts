/** What came back of an inner request: a value, a failure of the table, or the events of a stream one after the other. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { ErrorBody, errorTable } from '../../contract/errors.ts';
import { eachFrame, FrameJoiner, frameObject } from '../dialects/wire/frames.ts';
import { GatewayError } from '../errors.ts';
import { type Failure, failureOf, secondsOf } from './errors.ts';

/** Thrown for a call that failed, by its status or in the middle of its stream. */
export class FailedCall extends Error {
  override readonly name = 'FailedCall';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.error.message);
    this.failure = failure;
  }
}

const requestIdOf = ({ headers }: IncomingMessage): string | null => String(headers['x-request-id'] ?? '') || null;

/** The JSON of a good answer. */
export async function readValue(answer: IncomingMessage): Promise<unknown> {
  const body: unknown = JSON.parse(await text(answer));
  if (answer.statusCode === 200) return body;
  throw failed(answer, body);
}

/** Resolves where the stream has begun; rejects with a failure that still had a status. */
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

/** No event of the gateway is larger than what it takes of an upstream; this only has a bound because every buffer has. */
const MOST_BYTES = 256 * 1_048_576;

async function* readEvents(answer: IncomingMessage): AsyncGenerator<unknown, void> {
  const joiner = new FrameJoiner(MOST_BYTES);
  let late: FailedCall | null = null;
  try {
    // A message that nobody gave an encoding yields bytes. Whoever leaves the loop hangs up, as a caller of `/v1` does: that destroys it.
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      for (const event of eventsIn(joiner.push(chunk))) {
        if (isFailure(event)) late = failedLate(answer, event);
        else yield event;
      }
    }
  } catch (cause) {
    throw cutOff(answer, cause);
  }
  // Not before the end: who leaves at the failure would be one who hung up.
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

/** A stream of chat tells a failure by the error body, which is no event; those of responses and of images have events for it. */
const isFailure = ({ type, error }: Readonly<Record<string, unknown>>): boolean => type === undefined && error !== undefined;

/** A failure behind the status 200 has the one of its code. */
function failedLate(answer: IncomingMessage, body: unknown): FailedCall {
  const { error } = ErrorBody.parse(body);
  return new FailedCall({ status: errorTable[error.code].status, error, requestId: requestIdOf(answer), retryAfter: null });
}

function cutOff(answer: IncomingMessage, cause: unknown): FailedCall {
  const error = new GatewayError('upstream_error', { message: 'The stream broke off before its end.', cause });
  return new FailedCall(failureOf(error, requestIdOf(answer)));
}
