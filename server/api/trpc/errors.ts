/** Errors as tRPC writes them: the table of errors in another envelope. Imports only types of tRPC, so that a rejected request does not load the library. */
import type { TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODE_NUMBER } from '@trpc/server';
import type { ErrorBody } from '../../../contract/shared/error-bodies.ts';
import type { GatewayError } from '../../primitives/errors.ts';
import type { ErrorData, ErrorShape } from './router-type.ts';

interface TrpcCode {
  readonly key: TRPC_ERROR_CODE_KEY;
  readonly code: TRPC_ERROR_CODE_NUMBER;
}

const badRequest: TrpcCode = { key: 'BAD_REQUEST', code: -32600 };
const internalError: TrpcCode = { key: 'INTERNAL_SERVER_ERROR', code: -32603 };

/** By HTTP status. tRPC has no codes for 426 and 431, but `data.httpStatus` has them. */
const trpcCodes: Readonly<Record<number, TrpcCode>> = {
  400: badRequest,
  401: { key: 'UNAUTHORIZED', code: -32001 },
  403: { key: 'FORBIDDEN', code: -32003 },
  404: { key: 'NOT_FOUND', code: -32004 },
  405: { key: 'METHOD_NOT_SUPPORTED', code: -32005 },
  408: { key: 'TIMEOUT', code: -32008 },
  409: { key: 'CONFLICT', code: -32009 },
  413: { key: 'PAYLOAD_TOO_LARGE', code: -32013 },
  415: { key: 'UNSUPPORTED_MEDIA_TYPE', code: -32015 },
  429: { key: 'TOO_MANY_REQUESTS', code: -32029 },
  500: internalError,
  502: { key: 'BAD_GATEWAY', code: -32603 },
  503: { key: 'SERVICE_UNAVAILABLE', code: -32603 },
  504: { key: 'GATEWAY_TIMEOUT', code: -32603 },
};

export const toTrpcCode = (status: number): TrpcCode => trpcCodes[status] ?? (status < 500 ? badRequest : internalError);

/** The known facts about a failed call. */
export interface CallFailure {
  readonly status: number;
  readonly error: ErrorBody['error'];
  readonly requestId: string | null;
  /** Seconds to wait before a retry. Null if unknown. */
  readonly retryAfter: number | null;
}

export function toCallFailure({ status, body, headers }: GatewayError, requestId: string | null): CallFailure {
  return { status, error: body.error, requestId, retryAfter: parseRetryAfter(headers['retry-after']) };
}

export const parseRetryAfter = (header: string | undefined): number | null => (header === undefined ? null : Number(header));

export function toErrorShape({ status, error, requestId, retryAfter }: CallFailure, path?: string): ErrorShape {
  const { key, code } = toTrpcCode(status);
  const data: ErrorData = { code: key, httpStatus: status, ...(path !== undefined && { path }), error, requestId, retryAfter };
  return { message: error.message, code, data };
}
