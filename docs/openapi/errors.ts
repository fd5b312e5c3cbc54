/** The error answers of an operation: every status of the contract, with an example for each code that can answer it there (specification part 7). */
import { codesOfStatus, type ErrorCode, errorCodes, errorTable } from '../../contract/errors.ts';
import { type Contract, errorResponses } from '../../contract/index.ts';
import { answerHeaders, limitHeaders } from './headers.ts';
import type { JsonSchema } from './json-schema.ts';

export type ErrorStatus = keyof typeof errorResponses;
type Operation = keyof Contract;

export const isErrorStatus = (status: number): status is ErrorStatus => Object.hasOwn(errorResponses, status);

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

const text: readonly Operation[] = ['createResponse', 'createChatCompletion'];
const stored: readonly Operation[] = ['getResponse', 'deleteResponse', 'listInputItems'];
const images: readonly Operation[] = ['generateImages', 'editImages'];

/** Codes that only some operations answer with; every other code can come from each operation that takes a body. */
const onlyOn: { readonly [Code in ErrorCode]?: readonly Operation[] } = {
  not_found: ['getUsage'],
  // Of the operator's API alone.
  conflict: [],
  context_length_exceeded: text,
  previous_response_not_found: ['createResponse'],
  item_not_found: ['createResponse'],
  storage_quota_exceeded: ['createResponse'],
  response_not_found: stored,
  moderation_blocked: images,
  invalid_image_format: ['editImages'],
  invalid_base64_image: [...text, 'editImages'],
  invalid_image_url: [...text, 'editImages'],
  image_file_too_large: ['editImages'],
};

const pages = [
  ...(['malformed_request', 'invalid_type', 'invalid_value'] as const),
  ...(['integer_below_min_value', 'integer_above_max_value', 'string_above_max_length'] as const),
];

/** These take no body and name no model, so most mistakes cannot be made there. */
const withoutBody: { readonly [Name in Operation]?: { readonly [Status in ErrorStatus]?: readonly ErrorCode[] } } = {
  listModels: { 400: ['malformed_request'], 404: ['unknown_url'] },
  getModel: { 400: ['malformed_request', 'string_above_max_length'], 404: ['model_not_found', 'unknown_url'] },
  getResponse: {
    400: ['malformed_request', 'unsupported_parameter', 'invalid_type', 'string_above_max_length'],
    404: ['response_not_found', 'unknown_url'],
  },
  deleteResponse: { 400: ['malformed_request', 'string_above_max_length'], 404: ['response_not_found', 'unknown_url'] },
  listInputItems: {
    400: pages,
    404: ['response_not_found', 'unknown_url'],
  },
  listUsage: { 400: [...pages, 'empty_string'], 404: ['unknown_url'] },
  getUsage: { 400: ['malformed_request', 'string_above_max_length'], 404: ['not_found', 'unknown_url'] },
  // Who needs no key can lack no permission, and is held to no limit.
  getCatalog: {
    ...{ 400: ['malformed_request', 'invalid_type', 'invalid_value', 'string_above_max_length', 'empty_string'], 404: ['unknown_url'] },
    ...{ 401: [], 403: [], 429: [] },
  },
};

/** Codes that callers can meet. */
export const callerCodes = errorCodes.filter((code) => onlyOn[code]?.length !== 0);

/** Codes that an operation can answer with a status. */
export function codesOf(operation: Operation, status: ErrorStatus): readonly ErrorCode[] {
  const listed = withoutBody[operation]?.[status];
  return listed ?? codesOfStatus(status).filter((code) => onlyOn[code]?.includes(operation) ?? true);
}

const ref = (code: ErrorCode) => ({ $ref: `#/components/examples/${code}` });

/** The answer of one error status, as the document shows it. */
export function errorAnswer(operation: Operation, status: ErrorStatus, schema: JsonSchema) {
  const examples = Object.fromEntries(codesOf(operation, status).map((code) => [code, ref(code)]));
  return {
    description: statusReasons[status],
    headers: answerHeaders(status, status === 429 ? limitHeaders : []),
    content: { 'application/json': { schema, examples } },
  };
}

/** What a code means, in the line above its example. */
export const meaningOf = (code: ErrorCode) => errorTable[code].meaning;
