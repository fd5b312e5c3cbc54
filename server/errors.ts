/** The one error that the server throws, and how it becomes a response. */

import type { FastifyRequest } from 'fastify';
import { type CodeOf, type ErrorCode, type ErrorStatus, errorTable } from '../contract/errors.ts';
import type { ResponseHeader } from '../contract/headers.ts';
import { addressErrors, type OperationCode, type OperationName, operationErrors, type SharedCode } from '../contract/operation-errors.ts';
import { type PortalOperation, portalErrors } from '../contract/portal/errors.ts';
import { portalContract } from '../contract/portal/index.ts';
import type { ErrorBody } from '../contract/shared/error-bodies.ts';
import { operationAt } from '../contract/shared/operations.ts';

/** By the names that the contract has for them. */
export type ErrorHeaders = Readonly<Partial<Record<ResponseHeader, string>>>;

export interface ErrorDetails {
  /** Message for the caller. Defaults to the message in the error table. Never contains a secret or an upstream's body. */
  readonly message?: string;
  /** Path of the field at fault. */
  readonly param?: string;
  /** Extra headers of the response, for example `retry-after`. */
  readonly headers?: ErrorHeaders;
  /** Where it is another than that of the code: of the simulator's failures on demand alone. */
  readonly status?: number;
  /** Details that are only logged. */
  readonly cause?: unknown;
}

/** An upstream that stopped before its response was complete. */
export const CLOSED_EARLY = 'The upstream closed the connection before completing the response.';
export const INVALID_JSON = "The upstream returned a response that isn't valid JSON.";

export const tryAgainIn = (seconds: number): string => `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;

/** Maximum number of characters to quote, because callers may send megabytes. */
const MAX_MESSAGE = 1_000;
const MAX_PARAM = 500;

/** On one line, and without anything that a terminal or a strict parser would stumble over. */
function plain(text: string, most: number): string {
  const short = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  // Almost always nothing needs to change.
  return isPlain.test(short)
    ? short
    : short
        .toWellFormed()
        .replace(/\s+/g, ' ')
        .replace(/[\p{Cc}\u2028\u2029]/gu, '?');
}
const isPlain = /^[\x20-\x7e]*$/;

export class GatewayError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'GatewayError';
  readonly code: Code;
  readonly param: string | null;
  readonly headers: ErrorHeaders;
  readonly status: number;
  /** Whether the caller ordered it from the simulator: no promise of the contract is about it. */
  readonly isAsked: boolean;

  constructor(code: Code, details: ErrorDetails = {}) {
    super(plain(details.message ?? errorTable[code].message, MAX_MESSAGE), { cause: details.cause });
    this.code = code;
    this.param = details.param === undefined ? null : plain(details.param, MAX_PARAM);
    this.headers = details.headers ?? {};
    this.status = details.status ?? errorTable[code].status;
    this.isAsked = details.status !== undefined;
  }

  get body(): ErrorBody {
    return { error: { message: this.message, type: errorTable[this.code].type, param: this.param, code: this.code } };
  }
}

/** A provider's code and message, without keys and shortened. Only for operators, because it may quote the request. */
export interface ProviderWords {
  /** Its own code or type, else that of the connection. */
  readonly code: string | null;
  readonly message: string | null;
}

/** The cause of an error that an upstream answered. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly words: ProviderWords;

  constructor(report: string, { code, message }: ProviderWords) {
    super(report);
    this.words = { code: code && plain(code, MAX_VENDOR_CODE), message: message && plain(message, MAX_VENDOR_MESSAGE) };
  }
}
const MAX_VENDOR_CODE = 64;
const MAX_VENDOR_MESSAGE = 200;

/** The provider's words behind an error, or those of the connection to it; null if unknown. */
export function providerWordsOf(error: unknown): ProviderWords | null {
  if (error instanceof ProviderError) return error.words;
  if (!(error instanceof Error)) return null;
  if (!(error instanceof GatewayError) && 'code' in error && typeof error.code === 'string')
    return { code: plain(error.code, MAX_VENDOR_CODE), message: plain(error.message, MAX_VENDOR_MESSAGE) };
  return providerWordsOf(error.cause);
}

/** Operations that call an upstream. */
export type CallName = 'createResponse' | 'createChatCompletion' | 'generateImages' | 'editImages';
/** The operations that need a key. */
export type KeyedName = Exclude<OperationName, 'getCatalog'>;
/** The operations that read a body. */
export type BodyName = CallName | 'countInputTokens' | 'deleteResponse';

/** Error codes of all operations; of those that need a key, read a body, or call an upstream; and of those that do two of these. */
export type AnyCode = SharedCode<OperationName>;
export type KeyedCode = SharedCode<KeyedName>;
export type BodyCode = SharedCode<BodyName>;
export type CallCode = SharedCode<CallName>;
export type EditCode = OperationCode<'editImages'>;
export type CreateResponseCode = OperationCode<'createResponse'>;

/**
 * An error that each of these operations names, under this status. The type of the result says which operations may be
 * running and what their callers will read: the compiler rejects a code that one of them lacks, or that responds with another status.
 */
export type ErrorOf<Name extends OperationName, Status extends ErrorStatus = ErrorStatus> = GatewayError<SharedCode<Name> & CodeOf<Status>>;

/** Anything thrown, as a GatewayError; an unexpected error is `internal_error` and keeps its cause for the log. */
export function asGatewayError(thrown: unknown): GatewayError {
  return thrown instanceof GatewayError ? thrown : new GatewayError('internal_error', { cause: thrown });
}

/** The error when the store is down: the caller must not be told that a key is wrong, a response missing or a balance empty. */
export const storeDown = (cause: unknown): ErrorOf<OperationName, 503> =>
  new GatewayError('overloaded', { headers: { 'retry-after': '1' }, cause });

export function storeFailed(cause: unknown): never {
  throw storeDown(cause);
}

/** Caller's text in a message: short, and on one line. */
export const shown = (text: string): string => text.slice(0, 100).replace(/[^\x20-\x7e]/g, '?');

type Codes = readonly ErrorCode[];

export function isNamed(operation: OperationName, code: ErrorCode): boolean {
  const codes: Codes = operationErrors[operation];
  return codes.includes(code);
}

/** Maps an upstream's error to one that the operation declares. A mistake of the caller stays one, with a less specific code. */
export function toDeclaredError(operation: CallName, error: GatewayError): GatewayError {
  if (error.isAsked || isNamed(operation, error.code)) return error;
  const code: SharedCode<CallName> = errorTable[error.code].status === 400 ? 'invalid_value' : 'upstream_error';
  const { message, param, headers, cause } = error;
  return new GatewayError(code, { message, headers, cause, ...(param !== null && { param }) });
}

/** The operation that a request is for; null if no operation has its path and method. */
export function operationOf(request: FastifyRequest): OperationName | null {
  return hasEmptyParam(request) ? null : (operationAt(methodOf(request), request.routeOptions.url ?? '') ?? null);
}

/** The router takes nothing between two slashes for a parameter. */
const hasEmptyParam = ({ params }: FastifyRequest): boolean => Object.values(params ?? {}).includes('');

// The names of an object are those of its type.
const portalOperationAt: ReadonlyMap<string, PortalOperation> = new Map(
  Object.entries(portalContract).map(([name, { method, path }]) => [`${method} ${path}`, name as PortalOperation] as const),
);

/** The operation of the portal's API; null if the request isn't for one. */
export const portalOperationOf = (request: FastifyRequest): PortalOperation | null =>
  hasEmptyParam(request) ? null : (portalOperationAt.get(routeOf(request)) ?? null);

/** Why the response breaks the contract of its address; null if it keeps it, and where no contract has a say. */
export function breachAt(request: FastifyRequest, error: GatewayError): string | null {
  const portal = portalOperationOf(request);
  if (portal !== null) return breachIn(portal, portalErrors[portal], error);
  return isInContract(request) ? breachOf(operationOf(request), error) : null;
}

/** Whether the contract of the callers has a say there: at its addresses, below `/v1`, and where nothing is. */
const isInContract = (request: FastifyRequest): boolean => request.is404 || request.url.startsWith('/v1/') || operationOf(request) !== null;

/** HEAD asks for the same as GET. */
const methodOf = ({ method }: FastifyRequest): string => (method === 'HEAD' ? 'GET' : method);

/** Method and path as a contract writes them. */
export const routeOf = (request: FastifyRequest): string => `${methodOf(request)} ${request.routeOptions.url}`;

/** Why the response breaks the contract; null if the operation names its code, or the failure was ordered from the simulator. */
export function breachOf(operation: OperationName | null, error: GatewayError): string | null {
  return breachIn(operation, operation === null ? addressErrors : operationErrors[operation], error);
}

/** The same of any contract, by the codes that it names there. */
export function breachIn(operation: string | null, codes: Codes, { code, isAsked }: GatewayError): string | null {
  if (isAsked || codes.includes(code)) return null;
  return operation === null
    ? `'${code}' is returned outside of any operation.`
    : `'${operation}' returns '${code}', which its contract doesn't declare.`;
}
