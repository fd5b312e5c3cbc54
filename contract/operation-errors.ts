/** Which codes of the table of errors each operation can answer with; contract, server, document and client read it here. */
import type { ErrorCode } from './errors.ts';

/** Whoever asks and whatever for: what HTTP itself forbids, a fault of the gateway, and a gateway with too much to do. */
const always = [
  ...(['malformed_request', 'request_timeout', 'upgrade_required', 'headers_too_large'] as const),
  ...(['internal_error', 'overloaded'] as const),
] as const;

/** Where a key is needed; its rate is asked ahead of everything else. */
const keyed = [...always, 'invalid_api_key', 'permission_denied', 'rate_limit_exceeded'] as const;

/** What can be wrong with a page that is asked for. */
const page = ['invalid_type', 'invalid_value', 'integer_below_min_value', 'integer_above_max_value', 'string_above_max_length'] as const;

/** A body in JSON: whether it can be read at all. */
const body = ['invalid_json', 'invalid_value', 'request_too_large', 'unsupported_media_type', 'concurrency_limit_exceeded'] as const;

/** What is stored may be large, and counts as bodies do while it is read. */
const stored = ['request_too_large', 'concurrency_limit_exceeded'] as const;

/** What is common to the operations that ask an upstream: fields, money, limits, the upstream itself. */
const call = [
  ...keyed,
  ...body,
  ...(['unknown_parameter', 'unsupported_parameter', 'unsupported_value', 'missing_required_parameter', 'invalid_type'] as const),
  ...(['integer_below_min_value', 'integer_above_max_value', 'string_above_max_length', 'empty_string'] as const),
  ...(['insufficient_balance', 'subscription_inactive', 'model_not_found', 'idempotency_conflict', 'token_limit_exceeded'] as const),
  ...(['upstream_error', 'no_upstream_available', 'upstream_timeout'] as const),
  // Only the upstream sees these.
  ...(['context_length_exceeded', 'moderation_blocked'] as const),
] as const;

const decimals = ['decimal_below_min_value', 'decimal_above_max_value'] as const;
const arrays = ['array_above_max_length', 'empty_array'] as const;
/** Of pictures that come with the request. */
const pictures = ['invalid_image_format', 'invalid_base64_image', 'invalid_image_url', 'image_file_too_large'] as const;
const text = [...call, ...decimals, ...arrays, ...pictures] as const;

/** By the name that the operation has in the contract. */
export const operationErrors = {
  listModels: [...keyed, 'invalid_type'],
  getModel: [...keyed, 'string_above_max_length', 'model_not_found'],
  getCatalog: [...always, 'unknown_parameter', 'invalid_type', 'invalid_value', 'string_above_max_length', 'empty_string'],
  createResponse: [...text, 'previous_response_not_found', 'item_not_found', 'storage_quota_exceeded'],
  getResponse: [...keyed, ...stored, 'unsupported_parameter', 'invalid_type', 'string_above_max_length', 'response_not_found'],
  deleteResponse: [...keyed, ...body, 'string_above_max_length', 'response_not_found'],
  listInputItems: [...keyed, ...stored, ...page, 'response_not_found'],
  createChatCompletion: text,
  generateImages: call,
  editImages: [...call, ...arrays, ...pictures],
  listUsage: [...keyed, ...page, 'empty_string', 'unknown_parameter'],
  getUsage: [...keyed, 'string_above_max_length', 'unknown_parameter', 'not_found'],
} as const satisfies Record<string, readonly ErrorCode[]>;

export type OperationName = keyof typeof operationErrors;
/** Every code that the operation can answer with. */
export type OperationCode<Name extends OperationName> = (typeof operationErrors)[Name][number];
/** The codes that each of several operations can answer with: what may be raised where it is not known which of them is running. */
export type SharedCode<Name extends OperationName> = {
  [Code in OperationCode<Name>]: [Name] extends [NameWith<Code>] ? Code : never;
}[OperationCode<Name>];
type NameWith<Code> = { [Name in OperationName]: Code extends OperationCode<Name> ? Name : never }[OperationName];

/** Addresses and methods of which no operation is: there is no operation that could name these. */
export const addressErrors = [...always, 'unknown_url', 'method_not_allowed'] as const satisfies readonly ErrorCode[];
export type AddressCode = (typeof addressErrors)[number];
