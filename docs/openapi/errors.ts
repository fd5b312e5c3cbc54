/** The error answers of an operation: every status of the contract, with an example for each code that can answer it there (specification part 7). */
import { codesOfStatus, type ErrorCode, errorTable } from '../../contract/errors.ts';
import { type Contract, errorResponses } from '../../contract/index.ts';
import { answerHeaders } from './headers.ts';
import type { JsonSchema } from './json-schema.ts';

export type ErrorStatus = keyof typeof errorResponses;
type Operation = keyof Contract;

export const isErrorStatus = (status: number): status is ErrorStatus => Object.hasOwn(errorResponses, status);

export const statusReasons: Readonly<Record<ErrorStatus, string>> = {
  400: 'The request is at fault; `param` names the field.',
  401: 'The key is missing, mistyped, expired or revoked.',
  403: 'The key, its account or its balance does not allow this.',
  404: 'There is no such model, or nothing at this address.',
  405: 'This address does not take that method.',
  408: 'The request came too slowly.',
  409: 'A request with the same idempotency key is still running.',
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

const text: readonly Operation[] = ['createResponse', 'createChatCompletion'];
const images: readonly Operation[] = ['generateImages', 'editImages'];

/** Codes that only some operations answer with; every other code can come from each operation that takes a body. */
const onlyOn: { readonly [Code in ErrorCode]?: readonly Operation[] } = {
  context_length_exceeded: text,
  previous_response_not_found: ['createResponse'],
  moderation_blocked: images,
  invalid_image_format: ['editImages'],
  invalid_base64_image: [...text, 'editImages'],
  invalid_image_url: [...text, 'editImages'],
  image_file_too_large: ['editImages'],
};

/** The list takes no body and names no model, so most mistakes cannot be made there. */
const onList: { readonly [Status in ErrorStatus]?: readonly ErrorCode[] } = { 400: ['malformed_request'], 404: ['unknown_url'] };

/** Codes that an operation can answer with a status. */
export function codesOf(operation: Operation, status: ErrorStatus): readonly ErrorCode[] {
  const listed = operation === 'listModels' ? onList[status] : undefined;
  return listed ?? codesOfStatus(status).filter((code) => onlyOn[code]?.includes(operation) ?? true);
}

const ref = (code: ErrorCode) => ({ $ref: `#/components/examples/${code}` });

/** The answer of one error status, as the document shows it. */
export function errorAnswer(operation: Operation, status: ErrorStatus, schema: JsonSchema) {
  const examples = Object.fromEntries(codesOf(operation, status).map((code) => [code, ref(code)]));
  return { description: statusReasons[status], headers: answerHeaders(status), content: { 'application/json': { schema, examples } } };
}

/** What a code means, in the line above its example. */
export const meaningOf = (code: ErrorCode) => errorTable[code].meaning;
