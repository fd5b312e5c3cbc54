/** Reads the failure that a responses stream reports, and writes the events that end a failed one. */

import { formatRetryHint, type GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { readFailure } from '../errors.ts';
import { DONE, writeEventFrame } from '../wire/frames.ts';
import type { EventOfType, EventPayload, ResponseObject } from './wire.ts';

/** `response.failed` has its error inside the response. An `error` event has it flat, nested, or both. */
export function readEventFailure(event: Fields): GatewayError {
  if (isFields(event.response)) return readFailure(event.response.error);
  return readFailure(isFields(event.error) ? event.error : event);
}

/** The fields of the `error` event, and the error for the failed response. */
export function toFailureFields(error: GatewayError): {
  error: EventPayload<'error'>;
  failed: { readonly code: string; readonly message: string };
} {
  const { message, code, type, param } = error.body.error;
  return {
    error: { code, message, param, error: { type, code, message, param } },
    failed: toFailedError(error),
  };
}

interface BrokenStream {
  /** The last response object in the stream. Without an ID, the stream never opened, so no response can fail. */
  readonly response: Fields;
  /** The next event's sequence number. */
  readonly sequence: number;
}

/** The upstream's response with the gateway's status and error. */
type RelayedFailedEvent = Omit<EventOfType<'response.failed'>, 'response'> & {
  readonly response: Fields & Pick<ResponseObject, 'status' | 'error'>;
};

/** The last frames of a relayed stream that failed. */
export function writeFailedEnd(failure: GatewayError, { response, sequence }: BrokenStream): Buffer {
  const { error, failed } = toFailureFields(failure);
  const errorFrame = writeEventFrame<EventOfType<'error'>>('error', { type: 'error', sequence_number: sequence, ...error });
  if (typeof response.id !== 'string') return Buffer.concat([errorFrame, DONE]);
  const last: RelayedFailedEvent = {
    type: 'response.failed',
    sequence_number: sequence + 1,
    response: { ...response, status: 'failed', error: failed },
  };
  return Buffer.concat([errorFrame, writeEventFrame<RelayedFailedEvent>('response.failed', last), DONE]);
}

/** `overloaded`, `upstream_unavailable`, and `no_upstream_available`. */
const NO_CAPACITY_STATUS = 503;

/** The minimum wait to report. An upstream that is overloaded during a response rarely recovers within a second. */
const MIN_OVERLOAD_WAIT_SECONDS = 5;

/**
 * Codex doesn't retry after `server_is_overloaded` ("Selected model is at capacity"). It does retry after a rate limit whose message states the
 * wait, so an overload is reported as a rate limit.
 */
export function toFailedError(error: GatewayError): { readonly code: string; readonly message: string } {
  const { message } = error.body.error;
  if (error.status === NO_CAPACITY_STATUS)
    return { code: 'rate_limit_exceeded', message: addRetryHint(message, Math.max(getWaitSeconds(error), MIN_OVERLOAD_WAIT_SECONDS)) };
  if (error.code === 'rate_limit_exceeded' && error.headers['retry-after'] !== undefined)
    return { code: error.code, message: addRetryHint(message, getWaitSeconds(error)) };
  return { code: error.status === 400 || error.status === 429 ? error.code : 'server_error', message };
}

/** The wait in whole seconds, at least 1. */
const getWaitSeconds = ({ headers }: GatewayError): number => Math.max(Math.ceil(Number(headers['retry-after'])) || 1, 1);

const addRetryHint = (message: string, seconds: number): string =>
  /try again in \d/i.test(message) ? message : `${message} ${formatRetryHint(seconds)}`;
