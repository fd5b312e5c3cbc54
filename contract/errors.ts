/** The one table of errors: code → status, type, message. Imports nothing, so that an app can have the table alone. */

interface ErrorRow {
  /** HTTP status of a response with this code. */
  readonly status: number;
  /** General category, with the names that OpenAI's SDKs know. */
  readonly type: ErrorType;
  /** The message if the code that throws the error gives none. */
  readonly message: string;
  /** When it happens and what to do about it; shown in the documentation. */
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

/** A row for a mistake in the body: status 400. */
const mistake = (message: string, meaning: string) => ({ status: 400, type: 'invalid_request_error', message, meaning }) as const;
/** A row for a mistake outside the body, with its own status. */
const rejection = <const Status extends number>(status: Status, message: string, meaning: string) =>
  ({ status, type: 'invalid_request_error', message, meaning }) as const;
const denial = (message: string, meaning: string) => ({ status: 403, type: 'permission_error', message, meaning }) as const;
const limit = (message: string, meaning: string) => ({ status: 429, type: 'rate_limit_error', message, meaning }) as const;
const fault = <const Status extends number>(status: Status, message: string, meaning: string) =>
  ({ status, type: 'server_error', message, meaning }) as const;

export const errorTable = {
  invalid_json: mistake("The request body isn't valid JSON.", "The body couldn't be parsed. Send one JSON object."),
  malformed_request: mistake(
    "The request isn't valid HTTP.",
    "The request line or a header couldn't be parsed. A proxy between the client and the gateway may be the cause.",
  ),
  unknown_parameter: mistake(
    'Unknown parameter.',
    'The field belongs to another operation, or this operation has no such query parameter. The message names the field and what to use instead.',
  ),
  unsupported_parameter: mistake(
    "This parameter isn't supported.",
    "The field is known, but this model or this gateway doesn't support it. Omit it, or choose another model.",
  ),
  unsupported_value: mistake("This value isn't supported.", "The field is supported, but this value isn't."),
  missing_required_parameter: mistake('A required parameter is missing.', 'Add the field in `param`.'),
  invalid_type: mistake(
    'A parameter has the wrong type.',
    'For example, a string where an object is expected. `param` is the path of the field.',
  ),
  invalid_value: mistake(
    'A parameter has an invalid value.',
    "The field doesn't allow this value, or the body is nested deeper than 500 levels. `param` is the path of the field.",
  ),
  integer_below_min_value: mistake('An integer is too small.', 'The message contains the minimum.'),
  integer_above_max_value: mistake('An integer is too large.', 'The message contains the maximum.'),
  decimal_below_min_value: mistake('A number is too small.', 'The message contains the minimum.'),
  decimal_above_max_value: mistake('A number is too large.', 'The message contains the maximum.'),
  string_above_max_length: mistake('A string is too long.', 'The message contains the maximum length.'),
  empty_string: mistake(
    'A string is too short.',
    'The field is empty or shorter than the minimum length. The message contains the minimum.',
  ),
  array_above_max_length: mistake('An array is too long.', 'The message contains the maximum number of entries.'),
  empty_array: mistake('An array has too few entries.', 'The message contains the minimum number of entries.'),
  context_length_exceeded: mistake(
    "The input doesn't fit into the context window of this model.",
    'Shorten the conversation, or choose a model with a larger context window.',
  ),
  previous_response_not_found: mistake(
    'Response not found.',
    'The ID is unknown, belongs to another account, was created with `store: false`, or was deleted after its retention time. The same error occurs if an earlier response of the conversation is gone; the message names it.',
  ),
  invalid_image_format: mistake("The file isn't an image in a supported format.", 'Send a PNG, JPEG, or WebP image.'),
  invalid_base64_image: mistake("The image isn't valid base64.", 'Send a data URL such as `data:image/png;base64,…`.'),
  invalid_image_url: mistake("The image URL can't be used.", 'Send a data URL, or an https URL that the upstream can fetch.'),
  image_file_too_large: mistake('The image file is too large.', 'Images can have up to 50 MB, masks up to 4 MB.'),
  moderation_blocked: {
    ...mistake('The upstream rejected this image request.', "The upstream's moderation rejected the prompt or an input image."),
    type: 'image_generation_user_error',
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'The API key is missing, mistyped, expired, or revoked. Send it as: Authorization: Bearer <API_KEY>.',
    meaning:
      'The body is the same for every cause. Check the header, and whether an environment variable overrides the key you want to use.',
  },
  permission_denied: denial(
    "This key doesn't have permission to do that.",
    "The key, or its account's group, lacks the permission for this model or operation. The same error occurs if a request with a browser cookie comes from another page.",
  ),
  insufficient_balance: denial("The account's balance is too low for this request.", 'Top up the account, or request less output.'),
  subscription_inactive: denial(
    "The account's subscription can't pay for this request.",
    'The subscription has ended, is paused, or its included amount is used up.',
  ),
  storage_quota_exceeded: denial(
    'The account has reached its storage limit for responses.',
    "The account's stored responses have reached the limit (`history.accountMb`). Delete some, wait until old ones expire, or send `store: false`.",
  ),
  model_not_found: rejection(
    404,
    'Model not found.',
    'The model ID is wrong, or belongs to another platform. `GET /v1/models` lists the models that the key can call.',
  ),
  response_not_found: rejection(
    404,
    'Response not found.',
    'The ID is unknown, belongs to another account, was created with `store: false`, or was deleted after its retention time.',
  ),
  not_found: rejection(
    404,
    'Object not found.',
    'The ID or name is wrong, or belongs to another account. `param` contains the field; the list operation returns all objects.',
  ),
  item_not_found: mistake(
    'Item not found.',
    "The ID is unknown, or its response isn't stored for this account. Send the item itself instead of an `item_reference`.",
  ),
  unknown_url: rejection(
    404,
    'URL not found.',
    "The path is wrong: a client's base URL must end in `/v1`. Or the path belongs to an operation that this gateway doesn't support; the message names it.",
  ),
  method_not_allowed: rejection(405, "This URL doesn't support the method.", 'The `allow` header lists the supported methods.'),
  request_timeout: rejection(
    408,
    "The request didn't arrive in time.",
    'The headers or the body arrived too slowly. Send the request again.',
  ),
  idempotency_conflict: rejection(
    409,
    'A request with this idempotency key is still in flight.',
    'Wait until the first request has ended, then send it again to get its response.',
  ),
  conflict: rejection(
    409,
    'The request conflicts with the current state.',
    'In the admin API: the name is in use, the account already has a subscription, the transfer ID was used for a different transfer, or the amount to debit exceeds the available balance. The message contains the reason.',
  ),
  config_changed: rejection(
    409,
    'The configuration file has changed since it was checked.',
    'In the admin API: the file no longer matches the digest sent with the reload. Nothing was reloaded. Check the file again.',
  ),
  request_too_large: rejection(
    413,
    'The request body is too large.',
    'The message contains the limit. Stored items, referenced by `previous_response_id` or by item references, count toward it; `param` is then that field.',
  ),
  unsupported_media_type: rejection(
    415,
    "The content type or content encoding isn't supported.",
    'Send `application/json`. Image edits also accept `multipart/form-data`. A JSON body can be compressed once, with gzip, deflate, br, or zstd.',
  ),
  upgrade_required: rejection(
    426,
    'This gateway supports only HTTP and server-sent events.',
    'The client requested a WebSocket upgrade. Send a POST with `stream: true` instead.',
  ),
  headers_too_large: rejection(431, 'The request headers are too large.', 'Send fewer or shorter headers. The total limit is 16 KiB.'),
  rate_limit_exceeded: limit('Too many requests.', 'Wait for the number of seconds in `retry-after`.'),
  token_limit_exceeded: limit('Too many tokens.', 'Wait for the number of seconds in `retry-after`, or send fewer tokens.'),
  concurrency_limit_exceeded: limit('Too many concurrent requests.', 'Wait until a request in flight has ended.'),
  internal_error: fault(
    500,
    'The gateway failed to handle this request.',
    'A bug or fault in the gateway. The operator can find the log entry by the request ID.',
  ),
  upstream_error: fault(
    502,
    'The upstream failed.',
    'The upstream closed the connection, rejected the gateway, or sent an invalid response. A retry may help.',
  ),
  overloaded: fault(503, 'The gateway is overloaded. Try again later.', 'Wait for the number of seconds in `retry-after`.'),
  no_upstream_available: fault(
    503,
    'No upstream is available for this model. Try again later.',
    'Wait for the number of seconds in `retry-after`.',
  ),
  upstream_timeout: fault(504, "The upstream didn't respond in time.", 'A retry may help.'),
} as const satisfies Record<string, ErrorRow>;

/** Every code that an error body can carry. */
export type ErrorCode = keyof typeof errorTable;
export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];

/** The status of a code. */
export type StatusOf<Code extends ErrorCode> = (typeof errorTable)[Code]['status'];
export type TypeOf<Code extends ErrorCode> = (typeof errorTable)[Code]['type'];
export type ErrorStatus = StatusOf<ErrorCode>;
/** The codes of a status. */
export type CodeOf<Status extends ErrorStatus> = { [Code in ErrorCode]: StatusOf<Code> extends Status ? Code : never }[ErrorCode];

/** Codes by the status they answer with, for the documentation and the contract tests. */
export function codesOfStatus(status: number): ErrorCode[] {
  return errorCodes.filter((code) => errorTable[code].status === status);
}
