/** The error classes, one per kind of failure. All of them extend `ModelgateError`. */
import type { ErrorCodes } from './operation-errors.gen.ts';
import { readRetryAfter } from './retry.ts';
import type { ErrorDetail, UnknownEvent } from './types.gen.ts';

/** The codes of these statuses, a code that is newer than this version, and null if the response has none. */
type CodeWith<Status extends keyof ErrorCodes> = ErrorCodes[Status] | UnknownEvent['type'] | null;

/** Details of a failure, in addition to its message. */
export interface FailureDetails {
  readonly status?: number | undefined;
  readonly type?: string | null | undefined;
  readonly code?: string | null | undefined;
  readonly param?: string | null | undefined;
  readonly headers?: Headers | undefined;
  readonly cause?: unknown;
}

/**
 * The parent of every error that this package throws. Thrown itself for invalid client settings (no key, or a base URL that doesn't end
 * with `/v1`) and for a response that isn't JSON.
 */
export class ModelgateError extends Error {
  /** HTTP status of the response. Undefined without a response (settings, connection, timeout) and for errors inside a stream over HTTP. */
  declare readonly status: number | undefined;
  /** General category of the error, as the gateway reports it; null if the response has none. */
  declare readonly type: ErrorDetail['type'] | (string & {}) | null;
  /**
   * The exact reason, for use in code; null if the response has none, for example the response of a proxy. In an error class, the type has
   * only the codes of its status. A newer gateway can send other codes: `default` of a `switch` has them.
   */
  declare readonly code: CodeWith<keyof ErrorCodes>;
  /** Path of the field that caused the error, such as `messages[2].content`; null if no field caused it. */
  declare readonly param: string | null;
  /** Headers of the response. Undefined if there was no response. */
  declare readonly headers: Headers | undefined;
  /** The `x-request-id` of the response. The gateway's operator needs it to find the request. Null if no response arrived. */
  declare readonly requestId: string | null;
  /** Time to wait before a retry, as the gateway requests it, in milliseconds. Undefined if the gateway doesn't request any. */
  declare readonly retryAfterMs: number | undefined;

  constructor(message: string, details: FailureDetails = {}) {
    super(message, details);
    this.status = details.status;
    this.type = details.type ?? null;
    // `as`: a newer gateway can send a code that the type doesn't have.
    this.code = (details.code ?? null) as ModelgateError['code'];
    this.param = details.param ?? null;
    this.headers = details.headers;
    this.requestId = details.headers?.get('x-request-id') ?? null;
    this.retryAfterMs = details.headers && readRetryAfter(details.headers);
  }
}

/** The request is invalid: status 400, and every other 4xx without its own class (405, 408, 415, 426, 431). `param` names the field. */
export class BadRequestError extends ModelgateError {
  declare readonly code: CodeWith<400 | 405 | 408 | 415 | 426 | 431>;
}

/** Status 401: the API key is missing, mistyped, expired, or revoked. */
export class AuthenticationError extends ModelgateError {
  declare readonly code: CodeWith<401>;
}

/** Status 403: the key doesn't have permission, or the balance or subscription of its account doesn't allow it. */
export class PermissionError extends ModelgateError {
  declare readonly code: CodeWith<403>;
}

/** Status 404: the model (`code` is `model_not_found`), the object, or the URL (`unknown_url`) doesn't exist. */
export class NotFoundError extends ModelgateError {
  declare readonly code: CodeWith<404>;
}

/** Status 409: a request with the same idempotency key is still in flight. */
export class ConflictError extends ModelgateError {
  declare readonly code: CodeWith<409>;
}

/** Status 413: the request body is too large. */
export class RequestTooLargeError extends ModelgateError {
  declare readonly code: CodeWith<413>;
}

/** Status 429: too many requests or tokens per minute, or too many concurrent requests. `retryAfterMs` says how long to wait. */
export class RateLimitError extends ModelgateError {
  declare readonly code: CodeWith<429>;
}

/** Status 500 and above: the gateway or its upstream failed. A later retry may help. */
export class ServerError extends ModelgateError {
  declare readonly code: CodeWith<500 | 502 | 503 | 504>;
}

/** No response arrived, or the connection closed before the response was complete. `cause` has the runtime's error. */
export class ConnectionError extends ModelgateError {
  declare readonly code: null;
}

/** `timeoutMs` passed without a response, or without another piece of a stream. */
export class TimeoutError extends ModelgateError {
  declare readonly code: null;
}

/** Your code aborted the call: its signal was aborted (the reason is in `cause`), or `abort()` of the stream was called. */
export class AbortError extends ModelgateError {
  declare readonly code: null;
}

/** A stream was cut: it ended without its last event, the connection was lost, or an event was invalid. Its content is incomplete. */
export class StreamError extends ModelgateError {
  declare readonly code: null;
}

/** A mismatch and its path in the value, as reported by a Standard Schema library. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/** The model's output, or the arguments of a tool call, aren't JSON or don't match the schema. */
export class ParseError extends ModelgateError {
  /** The text that the model wrote. */
  declare readonly text: string;
  /** The mismatches; empty if the text isn't JSON. */
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
// Set on the prototype and the class, like the runtime's own errors: stack traces show the name, and minifiers don't change it.
for (const [name, value] of Object.entries(classes)) {
  value.prototype.name = name;
  Object.defineProperty(value, 'name', { value: name });
}
