/** The error answers of an operation: each status that its contract names, with an example for each code that can answer it there. */
import { type ErrorCode, type ErrorStatus, errorCodes, errorTable } from '../../../contract/errors.ts';
import { addressErrors, operationErrors } from '../../../contract/operation-errors.ts';
import type { JsonSchema } from './json-schema.ts';

export const statusReasons: Readonly<Record<ErrorStatus, string>> = {
  400: 'The request is at fault; `param` names the field.',
  401: 'The key is missing, mistyped, expired or revoked.',
  403: 'The key, its account or its balance does not allow this.',
  404: 'There is no such model, response or request, or nothing at this address.',
  405: 'This address does not take that method.',
  408: 'The request came too slowly.',
  409: 'The request does not go together with what is there, or with another one that is still running.',
  413: 'The body is too large.',
  415: 'The content type or encoding is not supported.',
  426: 'Another protocol was asked for.',
  429: 'Too much at once; wait for `retry-after` seconds.',
  431: 'The headers are too large.',
  500: 'The gateway failed.',
  502: 'The upstream failed.',
  503: 'No capacity at the moment; wait for `retry-after` seconds.',
  504: 'The upstream did not answer in time.',
};

/** In the order of the table. */
const inOrder = (codes: readonly ErrorCode[]): ErrorCode[] => errorCodes.filter((code) => codes.includes(code));

/** Codes that some operation of the callers answers with. */
export const callerCodes = inOrder(Object.values(operationErrors).flat());
/** Codes that callers read where there is no operation. */
export const addressCodes = inOrder(addressErrors).filter((code) => !callerCodes.includes(code));

/** The statuses of these codes, each once. */
export const statusesOf = (codes: readonly ErrorCode[]): ErrorStatus[] =>
  [...new Set(codes.map((code) => errorTable[code].status))].sort((one, other) => one - other);

const ref = (code: ErrorCode) => ({ $ref: `#/components/examples/${code}` });

export interface ErrorPart {
  /** Of the operation, with any status. */
  readonly codes: readonly ErrorCode[];
  readonly status: ErrorStatus;
  readonly schema: JsonSchema;
  readonly headers: object;
  readonly reason?: string | undefined;
}

/** The answer of one error status, as a document shows it. */
export function errorAnswer({ codes, status, schema, headers, reason = statusReasons[status] }: ErrorPart) {
  const here = inOrder(codes).filter((code) => errorTable[code].status === status);
  const examples = Object.fromEntries(here.map((code) => [code, ref(code)]));
  return { description: reason, headers, content: { 'application/json': { schema, examples } } };
}

/** What a code means, in the line above its example. */
export const meaningOf = (code: ErrorCode) => errorTable[code].meaning;
