/** What to do about mistakes in a body (400). */
export interface Advice {
  /** One command or one look that shows whether it is this. */
  readonly check: string;
  readonly remedy: string;
  /** As clients and tools show it, and what people search for. */
  readonly seen: readonly string[];
}

const bounds = {
  check:
    'The message names the field, what was sent and the bound; `param` is the path of the field. The reference of the operation has all bounds.',
} as const;

export const mistakes = {
  invalid_json: {
    check:
      'Print the body as it is sent, and give it to a JSON parser: `node -e "JSON.parse(require(\'fs\').readFileSync(0))" < body.json`.',
    remedy:
      'Send one JSON object in UTF-8. Shells replace quotes: put the body into a file and send it with `curl --data-binary @body.json`.',
    seen: ['unexpected token', 'could not parse the JSON body', 'malformed json', 'Unexpected end of JSON input'],
  },
  malformed_request: {
    check: 'Send the same call with `curl -v` past the proxy, straight to the gateway.',
    remedy: 'Mend the request line or the header that cannot be parsed. Where only calls through a proxy fail, the proxy changes them.',
    seen: ['400 bad request html', 'Parse Error', 'HPE_INVALID_HEADER_TOKEN'],
  },
  unknown_parameter: {
    check: '`param` names the field. Look for it on the page of the operation that you call.',
    remedy:
      'Use the field that the message names: chat and responses name the same things differently (`max_tokens`, `max_output_tokens`).',
    seen: ['unrecognized request argument', 'Unknown parameter', 'extra fields not permitted', 'wrong field for responses'],
  },
  unsupported_parameter: {
    check: '`param` names the field. The page on translation says which upstream supports it.',
    remedy: 'Leave the field out, or call a model whose upstream speaks the protocol in which you call.',
    seen: ['Unsupported parameter', 'not supported with this model', 'background', 'conversation', 'file_id'],
  },
  unsupported_value: {
    check: 'The message names the value. The page of the operation lists those that are allowed.',
    remedy: 'Send another value, or another model.',
    seen: ['Unsupported value', 'does not support 0 with this model', 'service_tier priority'],
  },
  missing_required_parameter: {
    check: '`param` names the field.',
    remedy: 'Send it. An SDK that leaves out what is undefined may have been given an empty variable.',
    seen: ['Missing required parameter', 'you must provide a model parameter', 'field required'],
  },
  invalid_type: {
    check: '`param` is the path of the value, such as `messages[2].content[0].text`; the message says what was expected and what came.',
    remedy: 'Send the type that the reference names. A number in quotes is a string.',
    seen: ['Invalid type for', 'expected an object, but got a string instead', 'is not of type'],
  },
  invalid_value: {
    check: 'The message says what is expected; `param` is the path of the field.',
    remedy: 'Send one of the allowed values. Each call of a tool needs its answer with the same `tool_call_id` or `call_id`.',
    seen: [
      'Invalid value',
      'must be one of',
      'tool_call_ids did not have response messages',
      'No tool output found for function call',
      'nested too deeply',
    ],
  },
  integer_below_min_value: {
    ...bounds,
    remedy: 'Send a larger number.',
    seen: ['must be greater than or equal', 'integer below minimum value', 'too small'],
  },
  integer_above_max_value: {
    ...bounds,
    remedy: 'Send a smaller number. For output tokens that is the most that the model can write: `GET /v1/models` names it.',
    seen: ['must be less than or equal', 'integer above maximum value', 'max_tokens is too large', 'too large'],
  },
  decimal_below_min_value: { ...bounds, remedy: 'Send a larger number.', seen: ['decimal below minimum value', 'temperature too low'] },
  decimal_above_max_value: { ...bounds, remedy: 'Send a smaller number.', seen: ['decimal above maximum value', 'temperature too high'] },
  string_above_max_length: { ...bounds, remedy: 'Shorten the text.', seen: ['string too long', 'maximum length', 'prompt is too long'] },
  empty_string: {
    ...bounds,
    remedy: 'Send some text. A variable of your program may be empty.',
    seen: ['string too short', 'must not be empty', 'empty prompt'],
  },
  array_above_max_length: {
    ...bounds,
    remedy: 'Send fewer entries: shorten the conversation, or offer fewer tools.',
    seen: ['array too long', 'too many messages', 'too many tools', 'at most 128 tools'],
  },
  empty_array: { ...bounds, remedy: 'Send at least one entry.', seen: ['array too short', 'messages must not be empty', 'empty messages'] },
  context_length_exceeded: {
    check:
      '`GET /v1/models/{model}` names the context window. `usage.prompt_tokens` of an earlier answer says how long the conversation is.',
    remedy:
      'Shorten or summarise the conversation, ask for less output, or choose a model with a larger window. The same call fails again.',
    seen: [
      "This model's maximum context length is",
      'context window exceeded',
      'prompt is too long',
      'input is too long',
      'Your input exceeds the context window',
    ],
  },
  previous_response_not_found: {
    check: '`GET /v1/responses/{response_id}` with the same key says whether the response is stored.',
    remedy:
      'Send the conversation in `input`. Chains need `store` (true by default), the same account, and a response that is younger than the retention time.',
    seen: ['Previous response with id not found', 'previous_response_id', 'zero data retention', 'conversation lost'],
  },
  invalid_image_format: {
    check: 'Look at the first bytes of the file: `file picture.png`. Its name says nothing.',
    remedy: 'Convert the picture to PNG, JPEG or WebP. HEIC, TIFF and SVG are not supported.',
    seen: ['unsupported image', 'You uploaded an unsupported image', 'invalid image', 'HEIC', 'image format'],
  },
  invalid_base64_image: {
    check: 'Decode the part after the comma: `base64 -d`.',
    remedy: 'Send `data:image/png;base64,` and the bytes in base64, without line breaks inside JSON.',
    seen: ['Invalid base64', 'invalid base64-encoded image', 'data URL'],
  },
  invalid_image_url: {
    check: 'Open the address from a machine outside your network: the upstream fetches it, not the gateway.',
    remedy: 'Send the picture as a data URL, or give it a public https address.',
    seen: ['Failed to download image', 'Timeout while downloading', 'Invalid image_url', 'localhost image'],
  },
  image_file_too_large: {
    check: 'Look at the size of the file.',
    remedy: 'Scale the picture down, or compress it more.',
    seen: ['image too large', 'image size exceeds', '50 MB', 'mask too large'],
  },
  moderation_blocked: {
    check: 'The message holds what the upstream said. The same prompt fails again there.',
    remedy: 'Change the prompt or the picture. Do not repeat the call: it fails in the same way.',
    seen: [
      'Your request was rejected as a result of our safety system',
      'content_policy_violation',
      'safety',
      'blocked by content filter',
      'ResponsibleAIPolicyViolation',
    ],
  },
} as const satisfies Readonly<Record<string, Advice>>;
