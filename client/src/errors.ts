/** What can go wrong: one class for each kind of failure, all of them a ModelgateError (specification part 7). */
import { readRetryAfter } from './retry.ts';
import type { ErrorDetail } from './types.gen.ts';

/** What is known about a failure besides its message. */
export interface FailureDetails {
  readonly status?: number | undefined;
  readonly type?: string | null | undefined;
  readonly code?: string | null | undefined;
  readonly param?: string | null | undefined;
  readonly headers?: Headers | undefined;
  readonly cause?: unknown;
}

/**
 * The parent of every error that this package throws. Thrown as itself for a mistake in the settings of the client
 * (no key, a base URL that does not end in `/v1`) and for an answer that is not JSON.
 */
export class ModelgateError extends Error {
  override name = 'ModelgateError';
  /** HTTP status of the answer; undefined where there was none: settings, connection, time limit, an error inside a stream. */
  readonly status: number | undefined;
  /** Coarse class of the error in the words of the gateway; null where the answer names none. */
  readonly type: ErrorDetail['type'] | (string & {}) | null;
  /** The exact reason, for programs; null where the answer names none, as answers of a proxy in between do. */
  readonly code: ErrorDetail['code'] | (string & {}) | null;
  /** Path of the field at fault, such as `messages[2].content`; null where no field is. */
  readonly param: string | null;
  /** Headers of the answer; undefined where there was none. */
  readonly headers: Headers | undefined;
  /** Id of the request (`x-request-id`), which leads the gateway's operator to its log; null where there was no answer. */
  readonly requestId: string | null;
  /** How long the gateway asks to wait before the next try, in milliseconds; undefined where it asks for nothing. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: FailureDetails = {}) {
    super(message, details);
    this.status = details.status;
    this.type = details.type ?? null;
    this.code = details.code ?? null;
    this.param = details.param ?? null;
    this.headers = details.headers;
    this.requestId = details.headers?.get('x-request-id') ?? null;
    this.retryAfterMs = details.headers && readRetryAfter(details.headers);
  }
}

/** The request is wrong: status 400, and every other 4xx without a class of its own (405, 408, 415, 426, 431). `param` names the field. */
export class BadRequestError extends ModelgateError {
  override name = 'BadRequestError';
}

/** Status 401: the API key is missing, mistyped, expired or revoked. */
export class AuthenticationError extends ModelgateError {
  override name = 'AuthenticationError';
}

/** Status 403: this key may not do that, or the balance or the subscription of its account does not allow it. */
export class PermissionError extends ModelgateError {
  override name = 'PermissionError';
}

/** Status 404: there is no such model (`code` is `model_not_found`), or nothing at this address (`unknown_url`). */
export class NotFoundError extends ModelgateError {
  override name = 'NotFoundError';
}

/** Status 409: a request with the same idempotency key is still running. */
export class ConflictError extends ModelgateError {
  override name = 'ConflictError';
}

/** Status 413: the request body is too large. */
export class RequestTooLargeError extends ModelgateError {
  override name = 'RequestTooLargeError';
}

/** Status 429: too many requests or tokens, in a minute or at once. `retryAfterMs` says how long to wait. */
export class RateLimitError extends ModelgateError {
  override name = 'RateLimitError';
}

/** Status 500 and above: the gateway or its upstream failed. Trying again later may help. */
export class ServerError extends ModelgateError {
  override name = 'ServerError';
}

/** No answer came, or a whole answer broke off. What the runtime said is in `cause`. */
export class ConnectionError extends ModelgateError {
  override name = 'ConnectionError';
}

/** `timeoutMs` passed: without an answer, or without a further piece of a stream. */
export class TimeoutError extends ModelgateError {
  override name = 'TimeoutError';
}

/** The caller gave up: its signal was aborted (its reason is in `cause`), or `abort()` of the stream was called. */
export class AbortError extends ModelgateError {
  override name = 'AbortError';
}

/** A stream broke: it ended without its last event, the connection was lost, or an event cannot be read. What came before is a fragment. */
export class StreamError extends ModelgateError {
  override name = 'StreamError';
}
