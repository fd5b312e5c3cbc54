/** One example body for each code of the error table: what a caller would read when it happens (specification part 7). */
import { type ErrorBody, type ErrorCode, errorCodes, errorTable } from '../../contract/errors.ts';

interface Sight {
  readonly param?: string;
  /** Where the table's own message is too general to be a good example. */
  readonly message?: string;
}

const sights: { readonly [Code in ErrorCode]?: Sight } = {
  unknown_parameter: {
    param: 'max_tokens',
    message: "'max_tokens' is not a field of this operation: use `max_output_tokens`.",
  },
  unsupported_parameter: {
    param: 'conversation',
    message: "'conversation' is not supported: chain with 'previous_response_id', or resend the history in 'input'.",
  },
  unsupported_value: { param: 'background', message: "'background: true' is not supported: use 'stream: true'." },
  missing_required_parameter: { param: 'model', message: "'model' is missing." },
  invalid_type: { param: 'messages[2].content[0].image_url', message: "'messages[2].content[0].image_url' has to be an object." },
  invalid_value: { param: 'messages[0].role', message: "'messages[0].role' has to be one of system, developer, user, assistant, tool." },
  integer_below_min_value: { param: 'n', message: "'n' has to be at least 1." },
  integer_above_max_value: { param: 'n', message: "'n' may be at most 10." },
  decimal_below_min_value: { param: 'temperature', message: "'temperature' has to be at least 0." },
  decimal_above_max_value: { param: 'temperature', message: "'temperature' may be at most 2." },
  string_above_max_length: { param: 'prompt', message: "'prompt' may have at most 32000 characters." },
  empty_string: { param: 'prompt', message: "'prompt' has to have at least 1 character." },
  array_above_max_length: { param: 'tools', message: "'tools' may have at most 128 entries." },
  empty_array: { param: 'messages', message: "'messages' has to have at least 1 entry." },
  context_length_exceeded: { param: 'messages' },
  previous_response_not_found: { param: 'previous_response_id' },
  invalid_image_format: { param: 'image' },
  invalid_base64_image: { param: 'images[0].image_url' },
  invalid_image_url: { param: 'images[0].image_url' },
  image_file_too_large: { param: 'image' },
  permission_denied: { param: 'model' },
  model_not_found: { param: 'model' },
};

/** The example body of a code. */
export function errorExample(code: ErrorCode): ErrorBody {
  const { type, message } = errorTable[code];
  const sight = sights[code];
  return { error: { message: sight?.message ?? message, type, param: sight?.param ?? null, code } };
}

export const errorExamples: Readonly<Record<string, ErrorBody>> = Object.fromEntries(errorCodes.map((code) => [code, errorExample(code)]));
