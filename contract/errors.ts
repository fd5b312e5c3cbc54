/** The error table: code → status, type, and message. It imports nothing, so that apps can use it alone. */

interface ErrorRow {
  /** HTTP status of a response with this code. */
  readonly status: number;
  /** General category, with OpenAI's names, which its SDKs understand. */
  readonly type: ErrorType;
  /** Default message, if the code that throws the error has none. */
  readonly message: string;
  /** When the error occurs. Shown in the documentation, which adds what to do about it. */
  readonly meaning: string;
}

export const errorTypes = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'rate_limit_error',
  'server_error',
  'image_generation_user_error',
] as const;
export type ErrorType = (typeof errorTypes)[number];

/** Defines an error in the body: status 400. */
const defineBadRequest = (message: string, meaning: string) => ({ status: 400, type: 'invalid_request_error', message, meaning }) as const;
/** Defines an error outside the body, with its own status. */
const defineInvalidRequest = <const Status extends number>(status: Status, message: string, meaning: string) =>
  ({ status, type: 'invalid_request_error', message, meaning }) as const;
const defineForbidden = (message: string, meaning: string) => ({ status: 403, type: 'permission_error', message, meaning }) as const;
const defineRateLimited = (message: string, meaning: string) => ({ status: 429, type: 'rate_limit_error', message, meaning }) as const;
const defineServerError = <const Status extends number>(status: Status, message: string, meaning: string) =>
  ({ status, type: 'server_error', message, meaning }) as const;

export const errorTable = {
  invalid_json: defineBadRequest("The request body isn't valid JSON.", "The body couldn't be parsed as one JSON object."),
  malformed_request: defineBadRequest(
    "The request isn't valid HTTP.",
    "The request line or a header couldn't be parsed. A proxy between the client and the gateway may be the cause.",
  ),
  unknown_parameter: defineBadRequest(
    'Unknown parameter.',
    'The field belongs to another operation, or this operation has no such query parameter. The message names the field and what to use instead.',
  ),
  unsupported_parameter: defineBadRequest(
    "This parameter isn't supported.",
    "The field is known, but this model or this gateway doesn't support it.",
  ),
  unsupported_value: defineBadRequest("This value isn't supported.", "The field is supported, but this value isn't."),
  missing_required_parameter: defineBadRequest(
    'A required parameter is missing.',
    'The body lacks a field that the operation requires. `param` is the path of the field.',
  ),
  invalid_type: defineBadRequest(
    'A parameter has the wrong type.',
    'The value has another JSON type than expected, for example a string instead of an object. `param` is the path of the field.',
  ),
  invalid_value: defineBadRequest(
    'A parameter has an invalid value.',
    "The field doesn't allow this value, or the body is nested deeper than 500 levels. `param` is the path of the field.",
  ),
  integer_below_min_value: defineBadRequest(
    'An integer is too small.',
    "The value is below the field's minimum. The message contains the minimum.",
  ),
  integer_above_max_value: defineBadRequest(
    'An integer is too large.',
    "The value is above the field's maximum. The message contains the maximum.",
  ),
  decimal_below_min_value: defineBadRequest(
    'A number is too small.',
    "The value is below the field's minimum. The message contains the minimum.",
  ),
  decimal_above_max_value: defineBadRequest(
    'A number is too large.',
    "The value is above the field's maximum. The message contains the maximum.",
  ),
  string_above_max_length: defineBadRequest(
    'A string is too long.',
    'The text is longer than the field allows. The message contains the maximum length.',
  ),
  empty_string: defineBadRequest(
    'A string is too short.',
    'The field is empty or shorter than the minimum length. The message contains the minimum.',
  ),
  array_above_max_length: defineBadRequest(
    'An array is too long.',
    'The array has more entries than the field allows. The message contains the maximum.',
  ),
  empty_array: defineBadRequest(
    'An array has too few entries.',
    'The array has fewer entries than the field requires. The message contains the minimum.',
  ),
  context_length_exceeded: defineBadRequest(
    "The input doesn't fit into the context window of this model.",
    'The conversation is longer than the context window of the model, or leaves no room for the output.',
  ),
  previous_response_not_found: defineBadRequest(
    'Response not found.',
    'The ID is unknown, belongs to another account, was created with `store: false`, or was deleted after its retention time. The same error occurs if an earlier response of the conversation is gone; the message names it.',
  ),
  invalid_image_format: defineBadRequest(
    "The file isn't an image in a supported format.",
    "The file isn't PNG, JPEG, or WebP. The gateway checks the bytes, not the name or content type.",
  ),
  invalid_base64_image: defineBadRequest("The image isn't valid base64.", "The part of the data URL after the comma can't be decoded."),
  invalid_image_url: defineBadRequest(
    "The image URL can't be used.",
    'The value is neither a data URL nor an https URL that the upstream can fetch.',
  ),
  image_file_too_large: defineBadRequest('The image file is too large.', 'The file exceeds the limit: 50 MB for images, 4 MB for masks.'),
  moderation_blocked: {
    ...defineBadRequest('The upstream rejected this image request.', "The upstream's moderation rejected the prompt or an input image."),
    type: 'image_generation_user_error',
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'The API key is missing, mistyped, expired, or revoked. Send it as: Authorization: Bearer <API_KEY>.',
    meaning: "The key is missing, mistyped, expired, or revoked, or is that of another service. The error doesn't say which.",
  },
  permission_denied: defineForbidden(
    "This key doesn't have permission to do that.",
    "The key, or its account's group, lacks the permission for this model or operation. Also returned for a cookie-authenticated request from another origin.",
  ),
  insufficient_balance: defineForbidden(
    "The account's balance is too low for this request.",
    'The maximum possible cost of the call exceeds the available balance, or what is left of a spending cap of the key or its account.',
  ),
  subscription_inactive: defineForbidden(
    "The account's subscription can't pay for this request.",
    'The subscription has ended, is paused, or its included amount is used up.',
  ),
  storage_quota_exceeded: defineForbidden(
    'The account has reached its storage limit for responses.',
    "The account's stored responses have reached the limit (`history.accountMiB`).",
  ),
  model_not_found: defineInvalidRequest(
    404,
    'Model not found.',
    'The model ID is wrong, or belongs to another platform. `GET /v1/models` lists the models that the key can call.',
  ),
  response_not_found: defineInvalidRequest(
    404,
    'Response not found.',
    'The ID is unknown, belongs to another account, was created with `store: false`, or was deleted after its retention time.',
  ),
  not_found: defineInvalidRequest(
    404,
    'Object not found.',
    'The ID or name is wrong, or belongs to another account. `param` contains the field; the list operation returns all objects.',
  ),
  item_not_found: defineBadRequest('Item not found.', "The ID is unknown, or its response isn't stored for this account."),
  unknown_url: defineInvalidRequest(
    404,
    'URL not found.',
    "The path is wrong: a client's base URL must end in `/v1`. Or the path belongs to an operation that this gateway doesn't support; the message names it.",
  ),
  method_not_allowed: defineInvalidRequest(
    405,
    "This URL doesn't support the method.",
    'The URL exists, but not for this HTTP method, for example GET instead of POST. The `allow` header lists the supported methods.',
  ),
  request_timeout: defineInvalidRequest(408, "The request didn't arrive in time.", 'The headers or the body arrived too slowly.'),
  idempotency_key_reused: defineBadRequest(
    'The idempotency key was used for a different request.',
    'An earlier request with the same `idempotency-key` header had another body, or another URL.',
  ),
  idempotency_conflict: defineInvalidRequest(
    409,
    'A request with this idempotency key is still in flight.',
    "The first request with the same `idempotency-key` header hasn't ended.",
  ),
  conflict: defineInvalidRequest(
    409,
    'The request conflicts with the current state.',
    'In the admin API: the name is in use, the account already has a subscription, the transfer ID was used for a different transfer, or the amount to debit exceeds the available balance. The message contains the reason.',
  ),
  config_changed: defineInvalidRequest(
    409,
    'The configuration file has changed since it was checked.',
    'In the admin API: the file no longer matches the digest sent with the reload. Nothing was reloaded.',
  ),
  request_too_large: defineInvalidRequest(
    413,
    'The request body is too large.',
    'The message contains the limit. Stored items, referenced by `previous_response_id` or by item references, count toward it; `param` is then that field.',
  ),
  unsupported_media_type: defineInvalidRequest(
    415,
    "The content type or content encoding isn't supported.",
    'The body is neither `application/json` nor, for image edits, `multipart/form-data`. Or it is compressed more than once, or with anything but gzip, deflate, br, or zstd.',
  ),
  upgrade_required: defineInvalidRequest(
    426,
    "WebSocket isn't available for this request. Use HTTP.",
    "The client requested a WebSocket upgrade on a URL that doesn't support it, or the gateway accepts no more connections: WebSocket is off, `server.maxWebSockets` is reached, or the gateway is overloaded or stopping.",
  ),
  headers_too_large: defineInvalidRequest(431, 'The request headers are too large.', 'The headers of the request exceed 16 KiB.'),
  rate_limit_exceeded: defineRateLimited(
    'Too many requests.',
    'More requests arrived than a limit of the key, the account, its group, or the model allows per minute, or than the provider allows.',
  ),
  token_limit_exceeded: defineRateLimited(
    'Too many tokens.',
    'The calls of this minute, with the maximum output of this one, exceed the tokens that a limit of the key, the account, its group, or the model allows.',
  ),
  concurrency_limit_exceeded: defineRateLimited(
    'Too many concurrent requests.',
    'As many requests are in flight as a limit of the key, the account, its group, or the model allows.',
  ),
  internal_error: defineServerError(
    500,
    'The gateway failed to handle this request.',
    'A bug or fault in the gateway. The operator can find the log entry by the request ID.',
  ),
  upstream_error: defineServerError(
    502,
    'The upstream failed.',
    "The upstream closed the connection, rejected the gateway's request, or sent an invalid response.",
  ),
  upstream_unavailable: defineServerError(
    503,
    "The model's provider is overloaded or unavailable. Try again later.",
    'The provider reported that it is overloaded or out of service.',
  ),
  overloaded: defineServerError(
    503,
    'The gateway is overloaded. Try again later.',
    "The gateway rejects new calls to protect those in flight: its event loop, memory, or queues are at their limit, or a store that it needs doesn't respond.",
  ),
  no_upstream_available: defineServerError(
    503,
    'No upstream is available for this model. Try again later.',
    "Every candidate of the model is cooling down after failures, or its provider rejected the gateway's key.",
  ),
  upstream_timeout: defineServerError(
    504,
    "The upstream didn't respond in time.",
    'The provider sent no response, or no next event, within the configured time.',
  ),
} as const satisfies Record<string, ErrorRow>;

/** Every code of an error body. */
export type ErrorCode = keyof typeof errorTable;
export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];

export type StatusOf<Code extends ErrorCode> = (typeof errorTable)[Code]['status'];
export type TypeOf<Code extends ErrorCode> = (typeof errorTable)[Code]['type'];
export type ErrorStatus = StatusOf<ErrorCode>;
/** The codes with the given status. */
export type CodeOf<Status extends ErrorStatus> = { [Code in ErrorCode]: StatusOf<Code> extends Status ? Code : never }[ErrorCode];

/** Returns the codes with the given status, for the documentation and the contract tests. */
export function listCodes(status: number): ErrorCode[] {
  return errorCodes.filter((code) => errorTable[code].status === status);
}
