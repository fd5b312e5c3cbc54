/** What can go wrong: one class for each kind of failure, all of them a ModelgateError. */
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
  /** HTTP status of the answer; undefined when there was none: settings, connection, time limit, an error inside a stream. */
  declare readonly status: number | undefined;
  /** Coarse class of the error in the words of the gateway; null when the answer names none. */
  declare readonly type: ErrorDetail['type'] | (string & {}) | null;
  /** The exact reason, for programs; null when the answer names none, as answers of a proxy do. */
  declare readonly code: ErrorDetail['code'] | (string & {}) | null;
  /** Path of the field that caused the error, such as `messages[2].content`; null when no field did. */
  declare readonly param: string | null;
  /** Headers of the answer; undefined when there was none. */
  declare readonly headers: Headers | undefined;
  /** Id of the request (`x-request-id`), by which the gateway's operator finds the log entry; null when there was no answer. */
  declare readonly requestId: string | null;
  /** How long the gateway asks to wait before a retry, in milliseconds; undefined when it does not ask. */
  declare readonly retryAfterMs: number | undefined;

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
export class BadRequestError extends ModelgateError {}

/** Status 401: the API key is missing, mistyped, expired, or revoked. */
export class AuthenticationError extends ModelgateError {}

/** Status 403: this key may not do that, or the balance or the subscription of its account does not allow it. */
export class PermissionError extends ModelgateError {}

/** Status 404: there is no such model (`code` is `model_not_found`), or nothing at this address (`unknown_url`). */
export class NotFoundError extends ModelgateError {}

/** Status 409: a request with the same idempotency key is still running. */
export class ConflictError extends ModelgateError {}

/** Status 413: the request body is too large. */
export class RequestTooLargeError extends ModelgateError {}

/** Status 429: too many requests or tokens, in a minute or at once. `retryAfterMs` says how long to wait. */
export class RateLimitError extends ModelgateError {}

/** Status 500 and above: the gateway or its upstream failed. A later retry may help. */
export class ServerError extends ModelgateError {}

/** No answer came, or the connection broke during the answer. `cause` has the error of the runtime. */
export class ConnectionError extends ModelgateError {}

/** `timeoutMs` passed: without an answer, or without a further piece of a stream. */
export class TimeoutError extends ModelgateError {}

/** The caller aborted: its signal was aborted (its reason is in `cause`), or `abort()` of the stream was called. */
export class AbortError extends ModelgateError {}

/** A stream broke: it ended without its last event, the connection was lost, or an event was invalid. The events before are incomplete. */
export class StreamError extends ModelgateError {}

/** What is wrong with a value, and where: an issue as every Standard Schema reports it. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/** The text of a model, an answer or the arguments of a tool call, is not JSON or does not match its schema. */
export class ParseError extends ModelgateError {
  /** The text of the model. */
  declare readonly text: string;
  /** The mismatches; empty when the text is not JSON. */
  declare readonly issues: readonly SchemaIssue[];

  constructor(message: string, text: string, issues: readonly SchemaIssue[] = []) {
    super(message);
    this.text = text;
    this.issues = issues;
  }
}

const classes = {
  ModelgateError,
  BadRequestError,
  AuthenticationError,
  PermissionError,
  NotFoundError,
  ConflictError,
  RequestTooLargeError,
  RateLimitError,
  ServerError,
  ConnectionError,
  TimeoutError,
  AbortError,
  StreamError,
  ParseError,
};
// Set on prototype and class, as for the runtime's own errors: the name is in the stack, and no minifier changes it.
for (const [name, value] of Object.entries(classes)) {
  value.prototype.name = name;
  Object.defineProperty(value, 'name', { value: name });
}
