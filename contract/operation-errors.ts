/** Which error codes each operation can return; contract, server, document, and client read this table. */
import type { ErrorCode } from './errors.ts';

/** Possible for every request: violations of HTTP, faults of the gateway, and an overloaded gateway. */
const always = [
  ...(['malformed_request', 'request_timeout', 'upgrade_required', 'headers_too_large'] as const),
  ...(['internal_error', 'overloaded'] as const),
] as const;

/** For operations that need a key; the request rate of the key is checked first. */
const keyed = [...always, 'invalid_api_key', 'permission_denied', 'rate_limit_exceeded'] as const;

/** Errors of the parameters of a page. */
const page = ['invalid_type', 'invalid_value', 'integer_below_min_value', 'integer_above_max_value', 'string_above_max_length'] as const;

/** Errors of reading a JSON body. */
const body = ['invalid_json', 'invalid_value', 'request_too_large', 'unsupported_media_type', 'concurrency_limit_exceeded'] as const;

/** Stored responses may be large, and count towards the memory for bodies while they are read. */
const stored = ['request_too_large', 'concurrency_limit_exceeded'] as const;

/** Errors of the fields of a body. */
const fields = [
  ...(['unknown_parameter', 'unsupported_parameter', 'unsupported_value', 'missing_required_parameter', 'invalid_type'] as const),
  ...(['integer_below_min_value', 'integer_above_max_value', 'string_above_max_length', 'empty_string'] as const),
] as const;

/** Common to the operations that call an upstream: fields, money, limits, the upstream itself. */
const call = [
  ...keyed,
  ...body,
  ...fields,
  ...(['insufficient_balance', 'subscription_inactive', 'model_not_found', 'idempotency_conflict', 'token_limit_exceeded'] as const),
  ...(['upstream_error', 'no_upstream_available', 'upstream_timeout'] as const),
  // Only the upstream finds these.
  ...(['context_length_exceeded', 'moderation_blocked'] as const),
] as const;

const decimals = ['decimal_below_min_value', 'decimal_above_max_value'] as const;
const arrays = ['array_above_max_length', 'empty_array'] as const;
/** Errors of images in the request. */
const images = ['invalid_image_format', 'invalid_base64_image', 'invalid_image_url', 'image_file_too_large'] as const;
const text = [...call, ...decimals, ...arrays, ...images] as const;

/** By the name of the operation in the contract. */
export const operationErrors = {
  listModels: [...keyed, 'invalid_type'],
  getModel: [...keyed, 'string_above_max_length', 'model_not_found'],
  getProtocol: [
    ...keyed,
    ...(['unknown_parameter', 'invalid_type', 'string_above_max_length', 'empty_string', 'model_not_found'] as const),
  ],
  getCatalog: [...always, 'unknown_parameter', 'invalid_type', 'invalid_value', 'string_above_max_length', 'empty_string'],
  createResponse: [...text, 'previous_response_not_found', 'item_not_found', 'storage_quota_exceeded'],
  getResponse: [...keyed, ...stored, 'unsupported_parameter', 'invalid_type', 'string_above_max_length', 'response_not_found'],
  deleteResponse: [...keyed, ...body, 'string_above_max_length', 'response_not_found'],
  listInputItems: [...keyed, ...stored, ...page, 'response_not_found'],
  countInputTokens: [
    ...keyed,
    ...body,
    ...fields,
    ...decimals,
    ...(['array_above_max_length', 'model_not_found', 'previous_response_not_found', 'item_not_found'] as const),
  ],
  createChatCompletion: text,
  generateImages: call,
  editImages: [...call, ...arrays, ...images],
  listUsage: [...keyed, ...page, 'empty_string', 'unknown_parameter'],
  getUsage: [...keyed, 'string_above_max_length', 'unknown_parameter', 'not_found'],
  getAccount: [...keyed, 'unknown_parameter'],
  getKey: [...keyed, 'unknown_parameter'],
  getUsageSummary: [
    ...keyed,
    ...(['invalid_type', 'invalid_value', 'integer_below_min_value', 'string_above_max_length', 'empty_string'] as const),
    'unknown_parameter',
  ],
  listStatement: [...keyed, ...page, 'empty_string', 'unknown_parameter'],
} as const satisfies Record<string, readonly ErrorCode[]>;

export type OperationName = keyof typeof operationErrors;
/** Every code that the operation can return. */
export type OperationCode<Name extends OperationName> = (typeof operationErrors)[Name][number];
/** The codes that all of these operations can return: code that several operations share can throw these. */
export type SharedCode<Name extends OperationName> = {
  [Code in OperationCode<Name>]: [Name] extends [NameWith<Code>] ? Code : never;
}[OperationCode<Name>];
type NameWith<Code> = { [Name in OperationName]: Code extends OperationCode<Name> ? Name : never }[OperationName];

/** Errors of URLs and methods that no operation has. */
export const addressErrors = [...always, 'unknown_url', 'method_not_allowed'] as const satisfies readonly ErrorCode[];
export type AddressCode = (typeof addressErrors)[number];
