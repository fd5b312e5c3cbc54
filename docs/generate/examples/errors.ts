/** One example body for each error code. */
import { type ErrorCode, errorCodes, errorTable } from '../../../contract/errors.ts';
import type { ErrorBody } from '../../../contract/shared/error-bodies.ts';

interface Sight {
  readonly param?: string;
  /** Set if the default message is too general for an example. */
  readonly message?: string;
}

const sights: { readonly [Code in ErrorCode]?: Sight } = {
  unknown_parameter: { param: 'max_tokens', message: "'max_tokens' isn't a field of this operation: use 'max_output_tokens'." },
  unsupported_parameter: {
    param: 'conversation',
    message: "'conversation' is not supported. Use 'previous_response_id', or resend the conversation in 'input'.",
  },
  unsupported_value: { param: 'background', message: "'background: true' needs 'store: true'." },
  missing_required_parameter: { param: 'model', message: "Missing required parameter: 'model'." },
  invalid_type: {
    param: 'messages[2].content[0].text',
    message: "Invalid type for 'messages[2].content[0].text': expected a string, got an object.",
  },
  invalid_value: {
    param: 'messages[0].role',
    message: "Invalid value for 'messages[0].role': expected one of 'system', 'developer', 'user', 'assistant', 'tool', 'function'.",
  },
  integer_below_min_value: { param: 'n', message: "'n' must be at least 1. Got 0." },
  integer_above_max_value: { param: 'n', message: "'n' must be at most 10. Got 11." },
  decimal_below_min_value: { param: 'temperature', message: "'temperature' must be at least 0. Got -1." },
  decimal_above_max_value: { param: 'temperature', message: "'temperature' must be at most 2. Got 2.5." },
  string_above_max_length: { param: 'prompt', message: "'prompt' must have at most 32000 characters." },
  empty_string: { param: 'prompt', message: "'prompt' must have at least 1 character." },
  array_above_max_length: { param: 'tools', message: "'tools' must have at most 128 items." },
  empty_array: { param: 'messages', message: "'messages' must have at least 1 item." },
  context_length_exceeded: { param: 'messages' },
  previous_response_not_found: { param: 'previous_response_id' },
  invalid_image_format: { param: 'image', message: "'image' must be a PNG, JPEG, or WebP image." },
  invalid_base64_image: { param: 'images[0].image_url' },
  invalid_image_url: {
    param: 'images[0].image_url',
    message: 'images[0].image_url must be a data URL of a PNG, JPEG, or WebP image, or an https URL that the upstream can fetch.',
  },
  image_file_too_large: { param: 'image', message: "'image' exceeds 50 MB." },
  permission_denied: { param: 'model' },
  storage_quota_exceeded: {
    param: 'store',
    message: "This account's stored responses use 4095.2 of 4096.0 MiB, and this response doesn't fit. Delete some or send 'store: false'.",
  },
  model_not_found: { param: 'model' },
};

export function errorExample(code: ErrorCode): ErrorBody {
  const { type, message } = errorTable[code];
  const sight = sights[code];
  return { error: { message: sight?.message ?? message, type, param: sight?.param ?? null, code } };
}

export const errorExamples: Readonly<Record<string, ErrorBody>> = Object.fromEntries(errorCodes.map((code) => [code, errorExample(code)]));
