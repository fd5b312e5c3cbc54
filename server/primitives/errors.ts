/** Defines GatewayError, the only error that the server throws, and converts other errors to it. */

import { type CodeOf, type ErrorCode, type ErrorStatus, errorTable } from '../../contract/errors.ts';
import type { ResponseHeader } from '../../contract/headers.ts';
import { type OperationCode, type OperationName, operationErrors, type SharedCode } from '../../contract/operation-errors.ts';
import type { ErrorBody } from '../../contract/shared/error-bodies.ts';

/** By the contract's header names. */
type ErrorHeaders = Readonly<Partial<Record<ResponseHeader, string>>>;

export interface ErrorDetails {
  /** Message for the caller. Defaults to the message in the error table. Never contains a secret or an upstream's body. */
  readonly message?: string;
  /** Path of the invalid field. */
  readonly param?: string;
  /** Extra headers of the response, for example `retry-after`. */
  readonly headers?: ErrorHeaders;
  /** Defaults to the status of the code. Only failures that the simulator was asked for set it, and replays of recorded ones. */
  readonly status?: number;
  /** Details that are only logged. */
  readonly cause?: unknown;
}

export { errorCodes } from '../../contract/errors.ts';

/** An upstream that stopped before its response was complete. */
export const CLOSED_EARLY = 'The upstream closed the connection before completing the response.';
export const INVALID_JSON = "The upstream returned a response that isn't valid JSON.";

export const formatRetryHint = (seconds: number): string => `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;

/** Maximum number of characters to quote, because callers may send megabytes. */
const MAX_MESSAGE_LENGTH = 1_000;
const MAX_PARAM_LENGTH = 500;

/** Puts the text on one line, without characters that break a terminal or a strict parser. */
export function toPlainText(text: string, maxLength: number): string {
  const shortText = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
  // The common case: nothing needs to change.
  return plainTextPattern.test(shortText)
    ? shortText
    : shortText
        .toWellFormed()
        .replace(/\s+/g, ' ')
        .replace(/[\p{Cc}\u2028\u2029]/gu, '?');
}
const plainTextPattern = /^[\x20-\x7e]*$/;

export class GatewayError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'GatewayError';
  readonly code: Code;
  readonly param: string | null;
  readonly headers: ErrorHeaders;
  readonly status: number;
  /** Whether the caller requested this error from the simulator. The contract makes no promise about it. */
  readonly isRequested: boolean;

  constructor(code: Code, details: ErrorDetails = {}) {
    super(toPlainText(details.message ?? errorTable[code].message, MAX_MESSAGE_LENGTH), { cause: details.cause });
    this.code = code;
    this.param = details.param === undefined ? null : toPlainText(details.param, MAX_PARAM_LENGTH);
    this.headers = details.headers ?? {};
    this.status = details.status ?? errorTable[code].status;
    this.isRequested = details.status !== undefined;
  }

  get body(): ErrorBody {
    return { error: { message: this.message, type: errorTable[this.code].type, param: this.param, code: this.code } };
  }
}

/** Operations that call an upstream. */
export type CallName = 'createResponse' | 'compactResponse' | 'createChatCompletion' | 'generateImages' | 'editImages';
/** The operations that need a key. */
export type KeyedName = Exclude<OperationName, 'getCatalog'>;
/** The operations that read a body. */
export type BodyName = CallName | 'countInputTokens' | 'deleteResponse';

/** Error codes shared by all operations, by those that need a key, read a body, or call an upstream, and by combinations of these. */
export type AnyCode = SharedCode<OperationName>;
export type KeyedCode = SharedCode<KeyedName>;
export type BodyCode = SharedCode<BodyName>;
export type CallCode = SharedCode<CallName>;
export type EditCode = OperationCode<'editImages'>;
export type CreateResponseCode = OperationCode<'createResponse'>;

/**
 * An error that all of these operations declare, under this status. The result type lists the operations that may be running.
 * The compiler rejects a code that one of them doesn't declare, or one with another status.
 */
export type OperationError<Name extends OperationName, Status extends ErrorStatus = ErrorStatus> = GatewayError<
  SharedCode<Name> & CodeOf<Status>
>;

/** Converts any thrown value to a GatewayError. An unexpected error becomes `internal_error` and keeps its cause for the log. */
export function toGatewayError(thrown: unknown): GatewayError {
  return thrown instanceof GatewayError ? thrown : new GatewayError('internal_error', { cause: thrown });
}

/** The error for a store that's down. Callers must not get an invalid key, a missing response or an empty balance instead. */
export const createStoreDownError = (cause: unknown): OperationError<OperationName, 503> =>
  new GatewayError('overloaded', { headers: { 'retry-after': '1' }, cause });

export function throwStoreDown(cause: unknown): never {
  throw createStoreDownError(cause);
}

/** Shortens a caller's text for a message and puts it on one line. */
export const toPrintable = (text: string): string => text.slice(0, 100).replace(/[^\x20-\x7e]/g, '?');

export type Codes = readonly ErrorCode[];

export function isDeclared(operation: OperationName, code: ErrorCode): boolean {
  const codes: Codes = operationErrors[operation];
  return codes.includes(code);
}

/** Maps an upstream's error to one that the operation declares. A caller's mistake stays a 400, with a less specific code. */
export function toDeclaredError(operation: CallName, error: GatewayError): GatewayError {
  if (isDeclared(operation, error.code)) return error;
  const code: SharedCode<CallName> = errorTable[error.code].status === 400 ? 'invalid_value' : 'upstream_error';
  const { message, param, headers, cause } = error;
  return new GatewayError(code, { message, headers, cause, ...(param !== null && { param }) });
}
