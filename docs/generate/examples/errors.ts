/** One example body for each code of the error table: what a caller would read when it happens. */
import { type ErrorBody, type ErrorCode, errorCodes, errorTable } from '../../../contract/errors.ts';

interface Sight {
  readonly param?: string;
  /** Where the table's own message is too general to be a good example. */
  readonly message?: string;
}

const sights: { readonly [Code in ErrorCode]?: Sight } = {
  unknown_parameter: { param: 'max_tokens', message: "'max_tokens' is not a field of this operation: use `max_output_tokens`." },
  unsupported_parameter: {
    param: 'conversation',
    message: "'conversation' is not supported: chain with 'previous_response_id', or resend the history in 'input'.",
  },
  unsupported_value: { param: 'background', message: "'background: true' is not supported: use 'stream: true'." },
  missing_required_parameter: { param: 'model', message: "Missing required parameter: 'model'." },
  invalid_type: {
    param: 'messages[2].content[0].text',
    message: "Invalid type for 'messages[2].content[0].text': expected a string, got an object.",
  },
  invalid_value: {
    param: 'reasoning_effort',
    message: "Invalid value for 'reasoning_effort': expected one of 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'.",
  },
  integer_below_min_value: { param: 'n', message: "'n' is under the minimum of 1." },
  integer_above_max_value: { param: 'n', message: "'n' is over the maximum of 10." },
  decimal_below_min_value: { param: 'temperature', message: "'temperature' is under the minimum of 0." },
  decimal_above_max_value: { param: 'temperature', message: "'temperature' is over the maximum of 2." },
  string_above_max_length: { param: 'prompt', message: "'prompt' is over the maximum of 32000." },
  empty_string: { param: 'prompt', message: "'prompt' is under the minimum of 1." },
  array_above_max_length: { param: 'tools', message: "'tools' is over the maximum of 128." },
  empty_array: { param: 'messages', message: "'messages' is under the minimum of 1." },
  context_length_exceeded: { param: 'messages' },
  previous_response_not_found: { param: 'previous_response_id' },
  invalid_image_format: { param: 'image', message: "'image' is not a PNG, JPEG or WebP image." },
  invalid_base64_image: { param: 'images[0].image_url' },
  invalid_image_url: {
    param: 'images[0].image_url',
    message: 'images[0].image_url has to be a data URL of a PNG, JPEG or WebP image: the gateway does not fetch URLs.',
  },
  image_file_too_large: { param: 'image', message: "'image' is over 50 MB." },
  permission_denied: { param: 'model' },
  storage_quota_exceeded: {
    param: 'store',
    message:
      "The stored responses of this account take 4095.2 of 4096.0 MiB, and this one would not fit. Delete some, or send 'store: false'.",
  },
  model_not_found: { param: 'model' },
};

/** The example body of a code. */
export function errorExample(code: ErrorCode): ErrorBody {
  const { type, message } = errorTable[code];
  const sight = sights[code];
  return { error: { message: sight?.message ?? message, type, param: sight?.param ?? null, code } };
}

export const errorExamples: Readonly<Record<string, ErrorBody>> = Object.fromEntries(errorCodes.map((code) => [code, errorExample(code)]));
