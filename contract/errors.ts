/** The error body and the one table of errors: code → status, type, message. */
import { z } from 'zod';

interface ErrorRow {
  /** HTTP status of an answer with this code. */
  readonly status: number;
  /** Coarse class, in the words that OpenAI's SDKs know. */
  readonly type: ErrorType;
  /** The message when the code that throws gives none. */
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
  invalid_json: mistake('The request body is not valid JSON.', 'The body could not be parsed. Send one JSON object.'),
  malformed_request: mistake(
    'The request is not valid HTTP.',
    'The request line or a header cannot be parsed. A proxy in between may be at fault.',
  ),
  unknown_parameter: mistake(
    'Unknown parameter.',
    'The field belongs to another operation, or this operation has no such query parameter. The message names the field and what to use instead.',
  ),
  unsupported_parameter: mistake(
    'This parameter is not supported.',
    'The field is known, but this model or this gateway does not support it. Leave it out, or choose another model.',
  ),
  unsupported_value: mistake('This value is not supported.', 'The field is supported, but this value is not.'),
  missing_required_parameter: mistake('A required parameter is missing.', 'Add the field that `param` names.'),
  invalid_type: mistake(
    'A parameter has the wrong type.',
    'For example a string where an object is expected. `param` is the path of the field.',
  ),
  invalid_value: mistake(
    'A parameter has an invalid value.',
    'The field does not allow the value, or the body is nested deeper than 500 levels. `param` is the path of the field.',
  ),
  integer_below_min_value: mistake('An integer is too small.', 'The message names the minimum.'),
  integer_above_max_value: mistake('An integer is too large.', 'The message names the maximum.'),
  decimal_below_min_value: mistake('A number is too small.', 'The message names the minimum.'),
  decimal_above_max_value: mistake('A number is too large.', 'The message names the maximum.'),
  string_above_max_length: mistake('A string is too long.', 'The message names the maximum length.'),
  empty_string: mistake('A string is too short.', 'The field needs some text.'),
  array_above_max_length: mistake('An array is too long.', 'The message names the maximum number of entries.'),
  empty_array: mistake('An array has too few entries.', 'The message names the minimum number of entries.'),
  context_length_exceeded: mistake(
    'The input does not fit into the context window of this model.',
    'Shorten the conversation, or choose a model with a larger window.',
  ),
  previous_response_not_found: mistake(
    'No response with this id is stored for this account.',
    'The id is unknown, belongs to another account, was made with `store: false`, or was deleted after its retention time. Or an earlier response of its conversation is gone; the message names it.',
  ),
  invalid_image_format: mistake('The file is not an image of a supported format.', 'Send PNG, JPEG or WebP.'),
  invalid_base64_image: mistake('The image is not valid base64.', 'Send a data URL such as `data:image/png;base64,…`.'),
  invalid_image_url: mistake('The image address cannot be used.', 'Send a data URL, or an https address that the upstream can fetch.'),
  image_file_too_large: mistake('The image file is too large.', 'An image may have 50 MB, a mask 4 MB.'),
  moderation_blocked: {
    ...mistake('The upstream rejected this image request.', 'The moderation of the upstream rejected the prompt or an input image.'),
    type: 'image_generation_user_error',
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'The API key is missing, mistyped, expired or revoked. Send it as: Authorization: Bearer <API_KEY>.',
    meaning:
      'The body is the same for every reason. Check the header, and whether an environment variable overrides the key that you mean to use.',
  },
  permission_denied: denial(
    'This key may not do that.',
    'The key, or its account group, lacks the permission for this model or operation. Or the call has the cookie of a browser and comes from another page.',
  ),
  insufficient_balance: denial('The balance of the account is too low for this request.', 'Top up the account, or ask for less output.'),
  subscription_inactive: denial(
    'The subscription of the account cannot pay for this request.',
    'It has ended, is paused, or its included amount is used up.',
  ),
  storage_quota_exceeded: denial(
    'The account has reached its storage limit for responses.',
    'The stored responses of the account have reached their limit (`history.accountMb`). Delete some, wait until old ones expire, or send `store: false`.',
  ),
  model_not_found: rejection(
    404,
    'There is no such model.',
    'The model id is wrong, or belongs to another platform. `GET /v1/models` lists what the key can call.',
  ),
  response_not_found: rejection(
    404,
    'No response with this id is stored for this account.',
    'The id is unknown, belongs to another account, was made with `store: false`, or was deleted after its retention time.',
  ),
  not_found: rejection(
    404,
    'The requested object does not exist.',
    'The id or name is wrong, or belongs to another account. `param` says which one; the list operation shows all.',
  ),
  item_not_found: mistake('No item with this id is stored for this account.', 'Send the item itself instead of an `item_reference`.'),
  unknown_url: rejection(
    404,
    'There is nothing at this address.',
    'The path is wrong: the base URL of a client ends in `/v1`. Or the path belongs to an operation that this gateway does not have; the message names it.',
  ),
  method_not_allowed: rejection(405, 'This address does not support that method.', 'The `allow` header names the supported methods.'),
  request_timeout: rejection(408, 'The request did not arrive in time.', 'The headers or the body came too slowly. Send it again.'),
  idempotency_conflict: rejection(
    409,
    'A request with this idempotency key is still running.',
    'Wait until the first request ends, then send it again: you get the answer of the first.',
  ),
  conflict: rejection(
    409,
    'The request conflicts with the current state.',
    'In the admin API: a name that is taken, a second subscription, a different transfer with the id of an earlier one, or taking away more money than is available. The message says which.',
  ),
  config_changed: rejection(
    409,
    'The configuration file is not the one that was checked.',
    'In the admin API: the file was changed after the check whose digest the reload was given. Nothing was reloaded; check the file again.',
  ),
  request_too_large: rejection(
    413,
    'The request body is too large.',
    'The message names the limit. The stored items behind `previous_response_id` and item references count too; `param` then names that field.',
  ),
  unsupported_media_type: rejection(
    415,
    'The content type or content encoding is not supported.',
    'Send `application/json` (image edits also take `multipart/form-data`). A JSON body may be compressed once, with gzip, deflate, br or zstd.',
  ),
  upgrade_required: rejection(
    426,
    'This gateway supports HTTP and Server-Sent Events only.',
    'The client requested a WebSocket upgrade. Send a POST with `stream: true` instead.',
  ),
  headers_too_large: rejection(431, 'The request headers are too large.', 'Send fewer or shorter headers; the limit is 16 KiB in all.'),
  rate_limit_exceeded: limit('Too many requests.', 'Wait for `retry-after` seconds.'),
  token_limit_exceeded: limit('Too many tokens.', 'Wait for `retry-after` seconds, or send less.'),
  concurrency_limit_exceeded: limit('Too many requests at once.', 'Wait until a running request has ended.'),
  internal_error: fault(
    500,
    'The gateway failed to handle this request.',
    'A bug or fault in the gateway. Its operator finds the log entry by the request id.',
  ),
  upstream_error: fault(
    502,
    'The upstream failed.',
    'The upstream broke the connection, rejected the gateway, or sent an invalid answer. A retry may help.',
  ),
  overloaded: fault(503, 'No capacity at the moment.', 'Wait for `retry-after` seconds.'),
  no_upstream_available: fault(503, 'No upstream can serve this model at the moment.', 'Wait for `retry-after` seconds.'),
  upstream_timeout: fault(504, 'The upstream did not answer in time.', 'A retry may help.'),
} as const satisfies Record<string, ErrorRow>;

/** Every code that an error body can carry. */
export type ErrorCode = keyof typeof errorTable;
export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];

/** The status that a code answers with. */
export type StatusOf<Code extends ErrorCode> = (typeof errorTable)[Code]['status'];
export type TypeOf<Code extends ErrorCode> = (typeof errorTable)[Code]['type'];
export type ErrorStatus = StatusOf<ErrorCode>;
/** The codes that answer with a status. */
export type CodeOf<Status extends ErrorStatus> = { [Code in ErrorCode]: StatusOf<Code> extends Status ? Code : never }[ErrorCode];

/**
 * The body of every answer that is not 2xx, and of an error inside a stream. All four keys are always there.
 * `param` is the path of the field at fault (`messages[2].content[0].image_url`), or null when no field is.
 */
export const ErrorBody = z
  .object({
    error: z
      .object({
        message: z.string().meta({ description: 'What went wrong and what to do, as a sentence for people. The wording may change.' }),
        type: z.enum(errorTypes).meta({ description: 'Coarse class of the error.' }),
        param: z
          .string()
          .nullable()
          .meta({ description: 'Path of the field that caused the error, such as `messages[2].content`. Null: no field did.' }),
        code: z.enum(errorCodes).meta({ description: 'The exact reason, for programs. It belongs to one status and one type.' }),
      })
      .meta({ id: 'ErrorDetail', description: 'The error. All four fields are always present.' })
      .describe('The error itself.'),
  })
  .meta({
    id: 'ErrorBody',
    description: 'The body of every answer that is not 2xx.',
    examples: [
      { error: { message: errorTable.model_not_found.message, type: 'invalid_request_error', param: 'model', code: 'model_not_found' } },
    ],
  });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** Codes by the status they answer with, for the documentation and the contract tests. */
export function codesOfStatus(status: number): ErrorCode[] {
  return errorCodes.filter((code) => errorTable[code].status === status);
}
