/** The error codes that each operation can return. The contract, server, document, and client read this table. */
import type { ErrorCode } from './errors.ts';

/** Every request can cause these: HTTP violations, errors of the gateway, and overload. */
const commonCodes = [
  ...(['malformed_request', 'request_timeout', 'upgrade_required', 'headers_too_large'] as const),
  ...(['internal_error', 'overloaded'] as const),
] as const;

/** For operations that need a key. They check the key's request rate first. */
const keyedCodes = [...commonCodes, 'invalid_api_key', 'permission_denied', 'rate_limit_exceeded'] as const;

/** For operations with paging parameters. */
const pageCodes = [
  'invalid_type',
  'invalid_value',
  'integer_below_min_value',
  'integer_above_max_value',
  'string_above_max_length',
] as const;

/** For operations that read a JSON body. */
const bodyCodes = ['invalid_json', 'invalid_value', 'request_too_large', 'unsupported_media_type', 'concurrency_limit_exceeded'] as const;

/** Stored responses can be large. While they're read, they count toward the memory limit for bodies. */
const storedCodes = ['request_too_large', 'concurrency_limit_exceeded'] as const;

/** For operations with body fields. */
const fieldCodes = [
  ...(['unknown_parameter', 'unsupported_parameter', 'unsupported_value', 'missing_required_parameter', 'invalid_type'] as const),
  ...(['integer_below_min_value', 'integer_above_max_value', 'string_above_max_length', 'empty_string'] as const),
] as const;

/** For operations that call an upstream: body, fields, money, limits, and the upstream itself. */
const callCodes = [
  ...keyedCodes,
  ...bodyCodes,
  ...fieldCodes,
  ...(['insufficient_balance', 'subscription_inactive', 'model_not_found', 'idempotency_conflict', 'idempotency_key_reused'] as const),
  ...(['token_limit_exceeded'] as const),
  ...(['upstream_error', 'upstream_unavailable', 'no_upstream_available', 'upstream_timeout'] as const),
  // Only the upstream detects these.
  ...(['context_length_exceeded', 'moderation_blocked'] as const),
] as const;

const decimalCodes = ['decimal_below_min_value', 'decimal_above_max_value'] as const;
const arrayCodes = ['array_above_max_length', 'empty_array'] as const;
/** For operations that accept images. */
const imageCodes = ['invalid_image_format', 'invalid_base64_image', 'invalid_image_url', 'image_file_too_large'] as const;
const textCodes = [...callCodes, ...decimalCodes, ...arrayCodes, ...imageCodes] as const;

/** Error codes by operation name. */
export const operationErrors = {
  listModels: [...keyedCodes, 'invalid_type'],
  getModel: [...keyedCodes, 'string_above_max_length', 'model_not_found'],
  getProtocol: [
    ...keyedCodes,
    ...(['unknown_parameter', 'invalid_type', 'string_above_max_length', 'empty_string', 'model_not_found'] as const),
  ],
  getCatalog: [...commonCodes, 'unknown_parameter', 'invalid_type', 'invalid_value', 'string_above_max_length', 'empty_string'],
  createResponse: [...textCodes, 'previous_response_not_found', 'item_not_found', 'storage_quota_exceeded'],
  getResponse: [
    ...keyedCodes,
    ...storedCodes,
    ...(['invalid_type', 'invalid_value', 'integer_below_min_value', 'string_above_max_length', 'response_not_found'] as const),
  ],
  compactResponse: [...callCodes, ...imageCodes, 'array_above_max_length', 'previous_response_not_found', 'item_not_found'],
  cancelResponse: [...keyedCodes, ...bodyCodes, 'string_above_max_length', 'response_not_found'],
  deleteResponse: [...keyedCodes, ...bodyCodes, 'string_above_max_length', 'response_not_found'],
  listInputItems: [...keyedCodes, ...storedCodes, ...pageCodes, 'response_not_found'],
  countInputTokens: [
    ...keyedCodes,
    ...bodyCodes,
    ...fieldCodes,
    ...decimalCodes,
    ...(['array_above_max_length', 'model_not_found', 'previous_response_not_found', 'item_not_found'] as const),
  ],
  createChatCompletion: textCodes,
  generateImages: callCodes,
  editImages: [...callCodes, ...arrayCodes, ...imageCodes],
  listUsage: [...keyedCodes, ...pageCodes, 'empty_string', 'unknown_parameter'],
  getUsage: [...keyedCodes, 'string_above_max_length', 'unknown_parameter', 'not_found'],
  getAccount: [...keyedCodes, 'unknown_parameter'],
  getKey: [...keyedCodes, 'unknown_parameter'],
  getUsageSummary: [
    ...keyedCodes,
    ...(['invalid_type', 'invalid_value', 'integer_below_min_value', 'string_above_max_length', 'empty_string'] as const),
    'unknown_parameter',
  ],
  listStatement: [...keyedCodes, ...pageCodes, 'empty_string', 'unknown_parameter'],
} as const satisfies Record<string, readonly ErrorCode[]>;

export type OperationName = keyof typeof operationErrors;
/** Every code that the operation can return. */
export type OperationCode<Name extends OperationName> = (typeof operationErrors)[Name][number];
/** The codes that all of the named operations can return. Code shared by these operations can throw any of them. */
export type SharedCode<Name extends OperationName> = {
  [Code in OperationCode<Name>]: [Name] extends [NameWith<Code>] ? Code : never;
}[OperationCode<Name>];
type NameWith<Code> = { [Name in OperationName]: Code extends OperationCode<Name> ? Name : never }[OperationName];

/** For URLs and methods that match no operation. */
export const addressErrors = [...commonCodes, 'unknown_url', 'method_not_allowed'] as const satisfies readonly ErrorCode[];
export type AddressCode = (typeof addressErrors)[number];
