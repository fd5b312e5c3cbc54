/** The error body and the one table of errors: code → status, type, message. */
import { z } from 'zod';

interface ErrorRow {
  /** HTTP status of an answer with this code. */
  readonly status: number;
  /** Coarse class, in the words that OpenAI's SDKs know. */
  readonly type: ErrorType;
  /** What the caller reads when the place that raised it has nothing better to say. */
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

/** A row of a caller's mistake in the body: status 400. */
const mistake = (message: string, meaning: string) => ({ status: 400, type: 'invalid_request_error', message, meaning }) as const;
/** A row of a caller's mistake outside the body, with a status of its own. */
const refusal = <const Status extends number>(status: Status, message: string, meaning: string) =>
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
    'The field belongs to another operation, or the query of this one does not have it. The message says which field it is, and what to use here instead.',
  ),
  unsupported_parameter: mistake(
    'This parameter is not supported.',
    'The field is known, but it cannot be honoured for this model or by this gateway. Leave it out, or choose another model.',
  ),
  unsupported_value: mistake('This value is not supported.', 'The field is fine, its value cannot be honoured here.'),
  missing_required_parameter: mistake('A required parameter is missing.', 'Add the field that `param` names.'),
  invalid_type: mistake(
    'A parameter has the wrong type.',
    'For example a string where an object is expected. `param` is the path of the field.',
  ),
  invalid_value: mistake(
    'A parameter has an invalid value.',
    'The value is outside of what the field allows, or nested so deep that the body has over 500 levels. `param` is the path of the field.',
  ),
  integer_below_min_value: mistake('An integer is too small.', 'The message names the least allowed value.'),
  integer_above_max_value: mistake('An integer is too large.', 'The message names the greatest allowed value.'),
  decimal_below_min_value: mistake('A number is too small.', 'The message names the least allowed value.'),
  decimal_above_max_value: mistake('A number is too large.', 'The message names the greatest allowed value.'),
  string_above_max_length: mistake('A string is too long.', 'The message names the greatest allowed length.'),
  empty_string: mistake('A string is too short.', 'The field needs some text.'),
  array_above_max_length: mistake('An array is too long.', 'The message names the greatest allowed number of entries.'),
  empty_array: mistake('An array has too few entries.', 'The field needs at least the number of entries the message names.'),
  context_length_exceeded: mistake(
    'The input does not fit into the context window of this model.',
    'Shorten the conversation, or choose a model with a larger window.',
  ),
  previous_response_not_found: mistake(
    'No response with this id is stored for this account.',
    'The id is unknown, belongs to another account, was made with `store: false`, or has passed its retention time; or a response that it goes on from is gone, which the message names.',
  ),
  invalid_image_format: mistake('The file is not an image of a supported format.', 'Send PNG, JPEG or WebP.'),
  invalid_base64_image: mistake('The image is not valid base64.', 'Send a data URL such as `data:image/png;base64,…`.'),
  invalid_image_url: mistake('The image address cannot be used.', 'Send a data URL, or an https address where the upstream can fetch it.'),
  image_file_too_large: mistake('The image file is too large.', 'An image may have 50 MB, a mask 4 MB.'),
  moderation_blocked: {
    ...mistake('The upstream refused to draw this.', 'The prompt or an input image was refused by the moderation of the upstream.'),
    type: 'image_generation_user_error',
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'The API key is missing, mistyped, expired or revoked. Send it as: Authorization: Bearer <API_KEY>.',
    meaning: 'One body for every reason. Check the header, and whether an environment variable overrides the key you mean to use.',
  },
  permission_denied: denial(
    'This key may not do that.',
    'The key, or its account group, lacks the permission for this model or operation.',
  ),
  insufficient_balance: denial('The balance of the account is too low for this request.', 'Top up the account, or ask for less output.'),
  subscription_inactive: denial(
    'The subscription of the account is not usable.',
    'It has ended, is paused, or its included amount is used up.',
  ),
  storage_quota_exceeded: denial(
    'The account keeps as much as it may.',
    'Stored responses of the account have reached their bound (`history.accountMb`). Delete some, wait until old ones pass their retention time, or send `store: false`.',
  ),
  model_not_found: refusal(
    404,
    'There is no such model.',
    'The model id is wrong or belongs to another platform. `GET /v1/models` lists what the key can call.',
  ),
  response_not_found: refusal(
    404,
    'No response with this id is stored for this account.',
    'The id is unknown, belongs to another account, was made with `store: false`, or has passed its retention time.',
  ),
  not_found: refusal(
    404,
    'There is no such thing.',
    'The id or name is wrong, or of another account. `param` says which one; the list beside it has them all.',
  ),
  item_not_found: mistake('No item with this id is stored for this account.', 'Send the item itself instead of an `item_reference`.'),
  unknown_url: refusal(
    404,
    'There is nothing at this address.',
    'The path is wrong: the base URL of a client ends in `/v1`. Or it is of an operation that this gateway does not have; the message says which.',
  ),
  method_not_allowed: refusal(405, 'This address does not take that method.', 'The `allow` header names the methods it takes.'),
  request_timeout: refusal(408, 'The request did not arrive in time.', 'The headers or the body came too slowly. Send it again.'),
  idempotency_conflict: refusal(
    409,
    'A request with this idempotency key is still running.',
    'Wait for the first request to end, then ask again: its answer is repeated.',
  ),
  conflict: refusal(
    409,
    'This does not go together with what is there.',
    'In the admin API: a name that is taken, a second subscription, another transfer under the name of one that is booked, more money taken away than is free. The message says which.',
  ),
  request_too_large: refusal(
    413,
    'The request body is too large.',
    'The message names the limit. What `previous_response_id` and item references stand for counts too; `param` names them then.',
  ),
  unsupported_media_type: refusal(
    415,
    'The content type or content encoding is not supported.',
    'Send `application/json` (image edits also take `multipart/form-data`). A JSON body may be packed once, in gzip, deflate, br or zstd.',
  ),
  upgrade_required: refusal(
    426,
    'This gateway speaks HTTP and Server-Sent Events, no other protocol.',
    'A WebSocket upgrade was asked for. Send a POST with `stream: true`.',
  ),
  headers_too_large: refusal(431, 'The request headers are too large.', 'Send fewer or shorter headers; the limit is 16 KiB in all.'),
  rate_limit_exceeded: limit('Too many requests.', 'Wait for `retry-after` seconds.'),
  token_limit_exceeded: limit('Too many tokens.', 'Wait for `retry-after` seconds, or send less.'),
  concurrency_limit_exceeded: limit('Too many requests at once.', 'Wait until a running request has ended.'),
  internal_error: fault(
    500,
    'The gateway failed to handle this request.',
    'A fault of the gateway. The request id leads its operator to the log entry.',
  ),
  upstream_error: fault(502, 'The upstream failed.', 'It broke off, refused the gateway, or answered nonsense. Trying again may help.'),
  overloaded: fault(503, 'No capacity at the moment.', 'Wait for `retry-after` seconds.'),
  no_upstream_available: fault(503, 'No upstream can serve this model at the moment.', 'Wait for `retry-after` seconds.'),
  upstream_timeout: fault(504, 'The upstream did not answer in time.', 'Trying again may help.'),
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
 * `param` is the path of the field at fault (`messages[2].content[0].image_url`), or null where no field is.
 */
export const ErrorBody = z
  .object({
    error: z
      .object({
        message: z.string().meta({ description: 'What went wrong and what to do, in a sentence for people. Its words may change.' }),
        type: z.enum(errorTypes).meta({ description: 'Coarse class of the error.' }),
        param: z.string().nullable().meta({ description: 'Path of the field at fault, such as `messages[2].content`. Null: none is.' }),
        code: z.enum(errorCodes).meta({ description: 'The exact reason, for programs. It belongs to one status and one type.' }),
      })
      .meta({ id: 'ErrorDetail', description: 'What went wrong. All four fields are always there.' })
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
