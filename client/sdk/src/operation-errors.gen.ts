/** The codes of the errors that each operation can return, by status. */
// Generated from the contract by `node docs/generate/operation-errors.ts`; do not edit.

/** By operation and status. */
export interface OperationErrors {
  readonly listModels: {
    400:
      | 'malformed_request'
      | 'invalid_type';
    401: 'invalid_api_key';
    403: 'permission_denied';
    408: 'request_timeout';
    426: 'upgrade_required';
    429: 'rate_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    503: 'overloaded';
  };
  readonly getModel: {
    400:
      | 'malformed_request'
      | 'string_above_max_length';
    401: 'invalid_api_key';
    403: 'permission_denied';
    404: 'model_not_found';
    408: 'request_timeout';
    426: 'upgrade_required';
    429: 'rate_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    503: 'overloaded';
  };
  readonly getProtocol: {
    400:
      | 'malformed_request'
      | 'unknown_parameter'
      | 'invalid_type'
      | 'string_above_max_length'
      | 'empty_string';
    401: 'invalid_api_key';
    403: 'permission_denied';
    404: 'model_not_found';
    408: 'request_timeout';
    426: 'upgrade_required';
    429: 'rate_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    503: 'overloaded';
  };
  readonly getCatalog: {
    400:
      | 'malformed_request'
      | 'unknown_parameter'
      | 'invalid_type'
      | 'invalid_value'
      | 'string_above_max_length'
      | 'empty_string';
    408: 'request_timeout';
    426: 'upgrade_required';
    431: 'headers_too_large';
    500: 'internal_error';
    503: 'overloaded';
  };
  readonly createResponse: {
    400:
      | 'invalid_json'
      | 'malformed_request'
      | 'unknown_parameter'
      | 'unsupported_parameter'
      | 'unsupported_value'
      | 'missing_required_parameter'
      | 'invalid_type'
      | 'invalid_value'
      | 'integer_below_min_value'
      | 'integer_above_max_value'
      | 'decimal_below_min_value'
      | 'decimal_above_max_value'
      | 'string_above_max_length'
      | 'empty_string'
      | 'array_above_max_length'
      | 'empty_array'
      | 'context_length_exceeded'
      | 'previous_response_not_found'
      | 'invalid_image_format'
      | 'invalid_base64_image'
      | 'invalid_image_url'
      | 'image_file_too_large'
      | 'moderation_blocked'
      | 'item_not_found'
      | 'idempotency_key_reused';
    401: 'invalid_api_key';
    403:
      | 'permission_denied'
      | 'insufficient_balance'
      | 'subscription_inactive'
      | 'storage_quota_exceeded';
    404: 'model_not_found';
    408: 'request_timeout';
    409: 'idempotency_conflict';
    413: 'request_too_large';
    415: 'unsupported_media_type';
    426: 'upgrade_required';
    429:
      | 'rate_limit_exceeded'
      | 'token_limit_exceeded'
      | 'concurrency_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    502: 'upstream_error';
    503:
      | 'upstream_unavailable'
      | 'overloaded'
      | 'no_upstream_available';
    504: 'upstream_timeout';
  };
  readonly getResponse: {
    400:
      | 'malformed_request'
      | 'invalid_type'
      | 'invalid_value'
      | 'integer_below_min_value'
      | 'string_above_max_length';
    401: 'invalid_api_key';
    403: 'permission_denied';
    404: 'response_not_found';
    408: 'request_timeout';
    413: 'request_too_large';
    426: 'upgrade_required';
    429:
      | 'rate_limit_exceeded'
      | 'concurrency_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    503: 'overloaded';
  };
  readonly compactResponse: {
    400:
      | 'invalid_json'
      | 'malformed_request'
      | 'unknown_parameter'
      | 'unsupported_parameter'
      | 'unsupported_value'
      | 'missing_required_parameter'
      | 'invalid_type'
      | 'invalid_value'
      | 'integer_below_min_value'
      | 'integer_above_max_value'
      | 'string_above_max_length'
      | 'empty_string'
      | 'array_above_max_length'
      | 'context_length_exceeded'
      | 'previous_response_not_found'
      | 'invalid_image_format'
      | 'invalid_base64_image'
      | 'invalid_image_url'
      | 'image_file_too_large'
      | 'moderation_blocked'
      | 'item_not_found'
      | 'idempotency_key_reused';
    401: 'invalid_api_key';
    403:
      | 'permission_denied'
      | 'insufficient_balance'
      | 'subscription_inactive';
    404: 'model_not_found';
    408: 'request_timeout';
    409: 'idempotency_conflict';
    413: 'request_too_large';
    415: 'unsupported_media_type';
    426: 'upgrade_required';
    429:
      | 'rate_limit_exceeded'
      | 'token_limit_exceeded'
      | 'concurrency_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    502: 'upstream_error';
    503:
      | 'upstream_unavailable'
      | 'overloaded'
      | 'no_upstream_available';
    504: 'upstream_timeout';
  };
  readonly cancelResponse: {
    400:
      | 'invalid_json'
      | 'malformed_request'
      | 'invalid_value'
      | 'string_above_max_length';
    401: 'invalid_api_key';
    403: 'permission_denied';
    404: 'response_not_found';
    408: 'request_timeout';
    413: 'request_too_large';
    415: 'unsupported_media_type';
    426: 'upgrade_required';
    429:
      | 'rate_limit_exceeded'
      | 'concurrency_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    503: 'overloaded';
  };
  readonly deleteResponse: {
    400:
      | 'invalid_json'
      | 'malformed_request'
      | 'invalid_value'
      | 'string_above_max_length';
    401: 'invalid_api_key';
    403: 'permission_denied';
    404: 'response_not_found';
    408: 'request_timeout';
    413: 'request_too_large';
    415: 'unsupported_media_type';
    426: 'upgrade_required';
    429:
      | 'rate_limit_exceeded'
      | 'concurrency_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    503: 'overloaded';
  };
  readonly listInputItems: {
    400:
      | 'malformed_request'
      | 'invalid_type'
      | 'invalid_value'
      | 'integer_below_min_value'
      | 'integer_above_max_value'
      | 'string_above_max_length';
    401: 'invalid_api_key';
    403: 'permission_denied';
    404: 'response_not_found';
    408: 'request_timeout';
    413: 'request_too_large';
    426: 'upgrade_required';
    429:
      | 'rate_limit_exceeded'
      | 'concurrency_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    503: 'overloaded';
  };
  readonly countInputTokens: {
    400:
      | 'invalid_json'
      | 'malformed_request'
      | 'unknown_parameter'
      | 'unsupported_parameter'
      | 'unsupported_value'
      | 'missing_required_parameter'
      | 'invalid_type'
      | 'invalid_value'
      | 'integer_below_min_value'
      | 'integer_above_max_value'
      | 'decimal_below_min_value'
      | 'decimal_above_max_value'
      | 'string_above_max_length'
      | 'empty_string'
      | 'array_above_max_length'
      | 'previous_response_not_found'
      | 'item_not_found';
    401: 'invalid_api_key';
    403: 'permission_denied';
    404: 'model_not_found';
    408: 'request_timeout';
    413: 'request_too_large';
    415: 'unsupported_media_type';
    426: 'upgrade_required';
    429:
      | 'rate_limit_exceeded'
      | 'concurrency_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    503: 'overloaded';
  };
  readonly createChatCompletion: {
    400:
      | 'invalid_json'
      | 'malformed_request'
      | 'unknown_parameter'
      | 'unsupported_parameter'
      | 'unsupported_value'
      | 'missing_required_parameter'
      | 'invalid_type'
      | 'invalid_value'
      | 'integer_below_min_value'
      | 'integer_above_max_value'
      | 'decimal_below_min_value'
      | 'decimal_above_max_value'
      | 'string_above_max_length'
      | 'empty_string'
      | 'array_above_max_length'
      | 'empty_array'
      | 'context_length_exceeded'
      | 'invalid_image_format'
      | 'invalid_base64_image'
      | 'invalid_image_url'
      | 'image_file_too_large'
      | 'moderation_blocked'
      | 'idempotency_key_reused';
    401: 'invalid_api_key';
    403:
      | 'permission_denied'
      | 'insufficient_balance'
      | 'subscription_inactive';
    404: 'model_not_found';
    408: 'request_timeout';
    409: 'idempotency_conflict';
    413: 'request_too_large';
    415: 'unsupported_media_type';
    426: 'upgrade_required';
    429:
      | 'rate_limit_exceeded'
      | 'token_limit_exceeded'
      | 'concurrency_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    502: 'upstream_error';
    503:
      | 'upstream_unavailable'
      | 'overloaded'
      | 'no_upstream_available';
    504: 'upstream_timeout';
  };
  readonly generateImages: {
    400:
      | 'invalid_json'
      | 'malformed_request'
      | 'unknown_parameter'
      | 'unsupported_parameter'
      | 'unsupported_value'
      | 'missing_required_parameter'
      | 'invalid_type'
      | 'invalid_value'
      | 'integer_below_min_value'
      | 'integer_above_max_value'
      | 'string_above_max_length'
      | 'empty_string'
      | 'context_length_exceeded'
      | 'moderation_blocked'
      | 'idempotency_key_reused';
    401: 'invalid_api_key';
    403:
      | 'permission_denied'
      | 'insufficient_balance'
      | 'subscription_inactive';
    404: 'model_not_found';
    408: 'request_timeout';
    409: 'idempotency_conflict';
    413: 'request_too_large';
    415: 'unsupported_media_type';
    426: 'upgrade_required';
    429:
      | 'rate_limit_exceeded'
      | 'token_limit_exceeded'
      | 'concurrency_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    502: 'upstream_error';
    503:
      | 'upstream_unavailable'
      | 'overloaded'
      | 'no_upstream_available';
    504: 'upstream_timeout';
  };
  readonly editImages: {
    400:
      | 'invalid_json'
      | 'malformed_request'
      | 'unknown_parameter'
      | 'unsupported_parameter'
      | 'unsupported_value'
      | 'missing_required_parameter'
      | 'invalid_type'
      | 'invalid_value'
      | 'integer_below_min_value'
      | 'integer_above_max_value'
      | 'string_above_max_length'
      | 'empty_string'
      | 'array_above_max_length'
      | 'empty_array'
      | 'context_length_exceeded'
      | 'invalid_image_format'
      | 'invalid_base64_image'
      | 'invalid_image_url'
      | 'image_file_too_large'
      | 'moderation_blocked'
      | 'idempotency_key_reused';
    401: 'invalid_api_key';
    403:
      | 'permission_denied'
      | 'insufficient_balance'
      | 'subscription_inactive';
    404: 'model_not_found';
    408: 'request_timeout';
    409: 'idempotency_conflict';
    413: 'request_too_large';
    415: 'unsupported_media_type';
    426: 'upgrade_required';
    429:
      | 'rate_limit_exceeded'
      | 'token_limit_exceeded'
      | 'concurrency_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    502: 'upstream_error';
    503:
      | 'upstream_unavailable'
      | 'overloaded'
      | 'no_upstream_available';
    504: 'upstream_timeout';
  };
  readonly listUsage: {
    400:
      | 'malformed_request'
      | 'unknown_parameter'
      | 'invalid_type'
      | 'invalid_value'
      | 'integer_below_min_value'
      | 'integer_above_max_value'
      | 'string_above_max_length'
      | 'empty_string';
    401: 'invalid_api_key';
    403: 'permission_denied';
    408: 'request_timeout';
    426: 'upgrade_required';
    429: 'rate_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    503: 'overloaded';
  };
  readonly getUsage: {
    400:
      | 'malformed_request'
      | 'unknown_parameter'
      | 'string_above_max_length';
    401: 'invalid_api_key';
    403: 'permission_denied';
    404: 'not_found';
    408: 'request_timeout';
    426: 'upgrade_required';
    429: 'rate_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    503: 'overloaded';
  };
  readonly getAccount: {
    400:
      | 'malformed_request'
      | 'unknown_parameter';
    401: 'invalid_api_key';
    403: 'permission_denied';
    408: 'request_timeout';
    426: 'upgrade_required';
    429: 'rate_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    503: 'overloaded';
  };
  readonly getKey: {
    400:
      | 'malformed_request'
      | 'unknown_parameter';
    401: 'invalid_api_key';
    403: 'permission_denied';
    408: 'request_timeout';
    426: 'upgrade_required';
    429: 'rate_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    503: 'overloaded';
  };
  readonly getUsageSummary: {
    400:
      | 'malformed_request'
      | 'unknown_parameter'
      | 'invalid_type'
      | 'invalid_value'
      | 'integer_below_min_value'
      | 'string_above_max_length'
      | 'empty_string';
    401: 'invalid_api_key';
    403: 'permission_denied';
    408: 'request_timeout';
    426: 'upgrade_required';
    429: 'rate_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    503: 'overloaded';
  };
  readonly listStatement: {
    400:
      | 'malformed_request'
      | 'unknown_parameter'
      | 'invalid_type'
      | 'invalid_value'
      | 'integer_below_min_value'
      | 'integer_above_max_value'
      | 'string_above_max_length'
      | 'empty_string';
    401: 'invalid_api_key';
    403: 'permission_denied';
    408: 'request_timeout';
    426: 'upgrade_required';
    429: 'rate_limit_exceeded';
    431: 'headers_too_large';
    500: 'internal_error';
    503: 'overloaded';
  };
}

/** Every code of the gateway, by status. */
export interface ErrorCodes {
  400:
    | 'invalid_json'
    | 'malformed_request'
    | 'unknown_parameter'
    | 'unsupported_parameter'
    | 'unsupported_value'
    | 'missing_required_parameter'
    | 'invalid_type'
    | 'invalid_value'
    | 'integer_below_min_value'
    | 'integer_above_max_value'
    | 'decimal_below_min_value'
    | 'decimal_above_max_value'
    | 'string_above_max_length'
    | 'empty_string'
    | 'array_above_max_length'
    | 'empty_array'
    | 'context_length_exceeded'
    | 'previous_response_not_found'
    | 'invalid_image_format'
    | 'invalid_base64_image'
    | 'invalid_image_url'
    | 'image_file_too_large'
    | 'moderation_blocked'
    | 'item_not_found'
    | 'idempotency_key_reused';
  401: 'invalid_api_key';
  403:
    | 'permission_denied'
    | 'insufficient_balance'
    | 'subscription_inactive'
    | 'storage_quota_exceeded';
  404:
    | 'model_not_found'
    | 'response_not_found'
    | 'not_found'
    | 'unknown_url';
  405: 'method_not_allowed';
  408: 'request_timeout';
  409:
    | 'idempotency_conflict'
    | 'conflict'
    | 'config_changed';
  413: 'request_too_large';
  415: 'unsupported_media_type';
  426: 'upgrade_required';
  429:
    | 'rate_limit_exceeded'
    | 'token_limit_exceeded'
    | 'concurrency_limit_exceeded';
  431: 'headers_too_large';
  500: 'internal_error';
  502: 'upstream_error';
  503:
    | 'upstream_unavailable'
    | 'overloaded'
    | 'no_upstream_available';
  504: 'upstream_timeout';
}

/** The name of an operation, which is that of the client's method. */
export type OperationName = keyof OperationErrors;

/** The codes that an operation can return, with any status or with one: `ErrorCodeOf<'createResponse', 404>` is `'model_not_found'`. */
export type ErrorCodeOf<Name extends OperationName, Status extends keyof OperationErrors[Name] = keyof OperationErrors[Name]> =
  OperationErrors[Name][Status];
