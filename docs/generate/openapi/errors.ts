/** Writes the error responses of an operation: each status in the contract, with an example per code. */
import { type ErrorCode, type ErrorStatus, errorCodes, errorTable } from '../../../contract/errors.ts';
import { addressErrors, operationErrors } from '../../../contract/operation-errors.ts';
import type { JsonSchema } from './json-schema.ts';

export const statusReasons: Readonly<Record<ErrorStatus, string>> = {
  400: 'The request is invalid. `param` names the field.',
  401: 'The API key is missing, mistyped, expired, or revoked.',
  403: "The key, its account, or its balance doesn't allow this.",
  404: "The model, response, request, or URL doesn't exist.",
  405: "The URL doesn't support this method.",
  408: 'The request arrived too slowly.',
  409: 'The request conflicts with the current state, or with another request in flight.',
  413: 'The body is too large.',
  415: "The content type or encoding isn't supported.",
  426: 'The client requested another protocol.',
  429: 'A rate limit was reached. Wait for the number of seconds in `retry-after`.',
  431: 'The headers are too large.',
  500: 'The gateway failed.',
  502: 'The upstream failed.',
  503: 'The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`.',
  504: "The upstream didn't respond in time.",
};

/** Sorts codes in the order of the error table, and removes duplicates. */
const inOrder = (codes: readonly ErrorCode[]): ErrorCode[] => errorCodes.filter((code) => codes.includes(code));

/** Codes that at least one operation of the caller API returns. */
export const callerCodes = inOrder(Object.values(operationErrors).flat());
/** Codes for URLs that match no operation. */
export const addressCodes = inOrder(addressErrors).filter((code) => !callerCodes.includes(code));

/** Returns the distinct statuses of these codes, in ascending order. */
export const statusesOf = (codes: readonly ErrorCode[]): ErrorStatus[] =>
  [...new Set(codes.map((code) => errorTable[code].status))].sort((one, other) => one - other);

const ref = (code: ErrorCode) => ({ $ref: `#/components/examples/${code}` });

export interface ErrorPart {
  /** All codes of the operation, for any status. */
  readonly codes: readonly ErrorCode[];
  readonly status: ErrorStatus;
  readonly schema: JsonSchema;
  readonly headers: object;
  readonly reason?: string | undefined;
}

export function errorAnswer({ codes, status, schema, headers, reason = statusReasons[status] }: ErrorPart) {
  const here = inOrder(codes).filter((code) => errorTable[code].status === status);
  const examples = Object.fromEntries(here.map((code) => [code, ref(code)]));
  return { description: reason, headers, content: { 'application/json': { schema, examples } } };
}

/** Returns the meaning of a code, shown above its example. */
export const meaningOf = (code: ErrorCode) => errorTable[code].meaning;
