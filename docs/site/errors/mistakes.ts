/** How to fix mistakes in a body (400). */
export interface Advice {
  /** One command or check that confirms the cause. */
  readonly check: string;
  readonly remedy: string;
  /** A guide that says more: its name and its title. */
  readonly guide?: readonly [name: string, title: string];
  /** Messages of clients and tools, and terms that people search for. */
  readonly seen: readonly string[];
}

const bounds = {
  check:
    "The message names the field, the value you sent, and the limit; `param` is the field's path. The operation's reference lists all limits.",
} as const;

export const mistakes = {
  invalid_json: {
    check:
      'Print the body exactly as you send it, and pass it to a JSON parser: `node -e "JSON.parse(require(\'fs\').readFileSync(0))" < body.json`.',
    remedy:
      'Send one JSON object in UTF-8. Shells replace quotes, so put the body into a file and send it with `curl --data-binary @body.json`.',
    seen: ['unexpected token', 'could not parse the JSON body', 'malformed json', 'Unexpected end of JSON input'],
  },
  malformed_request: {
    check: 'Send the same call with `curl -v` directly to the gateway, without the proxy.',
    remedy: "Fix the request line or the header that can't be parsed. If only calls through a proxy fail, the proxy changes them.",
    seen: ['400 bad request html', 'Parse Error', 'HPE_INVALID_HEADER_TOKEN'],
  },
  unknown_parameter: {
    check: '`param` names the field. Look it up on the page of the operation that you call.',
    remedy:
      'Use the field that the message names. Chat and responses use different names for the same thing (`max_tokens`, `max_output_tokens`).',
    seen: [
      'unrecognized request argument',
      'Unknown parameter',
      'extra fields not permitted',
      'wrong field for responses',
      "'…' isn't a field of this operation",
    ],
  },
  unsupported_parameter: {
    check: '`param` names the field. The page on translation shows which upstreams support it.',
    remedy: 'Omit the field, or call a model whose upstream uses the same protocol as your call.',
    seen: [
      'Unsupported parameter',
      'not supported with this model',
      'background',
      'conversation',
      'file_id',
      "'…' isn't supported by '…'. Omit it",
      "'…' is not supported. Use",
    ],
  },
  unsupported_value: {
    check: 'The message names the value. The page of the operation lists the allowed values.',
    remedy: 'Send another value, or use another model.',
    seen: [
      'Unsupported value',
      'does not support 0 with this model',
      'service_tier priority',
      "isn't supported by '…'. Supported:",
      "'…' needs '…'",
      "has no price for '…'",
    ],
  },
  missing_required_parameter: {
    check: '`param` names the field.',
    remedy: 'Send it. If your SDK omits undefined fields, check for an empty variable.',
    seen: [
      'Missing required parameter',
      'you must provide a model parameter',
      'field required',
      "'…' is required and must be a non-empty string",
    ],
  },
  invalid_type: {
    check:
      '`param` is the path of the value, such as `messages[2].content[0].text`; the message shows the expected type and the type you sent.',
    remedy: 'Send the type that the reference names. A number in quotes is a string.',
    seen: ['Invalid type for', 'expected an object, but got a string instead', 'is not of type', 'expected …, got'],
  },
  invalid_value: {
    check: "The message says what's expected; `param` is the path of the field.",
    remedy: 'Send one of the allowed values. Each tool call needs a result with the same `tool_call_id` or `call_id`.',
    seen: [
      'Invalid value',
      'must be one of',
      'tool_call_ids did not have response messages',
      'No tool output found for function call',
      'nested too deeply',
      "Invalid value for '…': expected one of",
      "'…' is nested too deeply",
    ],
  },
  integer_below_min_value: {
    ...bounds,
    remedy: 'Send a larger number.',
    seen: ['must be greater than or equal', 'integer below minimum value', 'too small', "'…' must be at least …"],
  },
  integer_above_max_value: {
    ...bounds,
    remedy: "Send a smaller number. For output tokens, the limit is the model's maximum output, listed in `GET /v1/models`.",
    seen: ['must be less than or equal', 'integer above maximum value', 'max_tokens is too large', 'too large', "'…' must be at most …"],
  },
  decimal_below_min_value: {
    ...bounds,
    remedy: 'Send a larger number.',
    seen: [
      'decimal below minimum value',
      'temperature too low',
      "'temperature' must be at least …",
      "'top_p' must be at least …",
      "_penalty' must be at least …",
    ],
  },
  decimal_above_max_value: {
    ...bounds,
    remedy: 'Send a smaller number.',
    seen: [
      'decimal above maximum value',
      'temperature too high',
      "'temperature' must be at most …",
      "'top_p' must be at most …",
      "_penalty' must be at most …",
    ],
  },
  string_above_max_length: {
    ...bounds,
    remedy: 'Shorten the text.',
    seen: ['string too long', 'maximum length', 'prompt is too long', "'…' must have at most … characters", "'…' exceeds … KiB"],
  },
  empty_string: {
    ...bounds,
    remedy: 'Send some text. Check for an empty variable in your program.',
    seen: ['string too short', 'must not be empty', 'empty prompt', "'…' must have at least … character"],
  },
  array_above_max_length: {
    ...bounds,
    remedy: 'Send fewer entries: shorten the conversation, or offer fewer tools.',
    seen: [
      'array too long',
      'too many messages',
      'too many tools',
      'at most 128 tools',
      "'…' must have at most … item",
      "'…' accepts at most … files",
    ],
  },
  empty_array: {
    ...bounds,
    remedy: 'Send at least one entry.',
    seen: ['array too short', 'messages must not be empty', 'empty messages', "'…' must have at least … item"],
  },
  context_length_exceeded: {
    check:
      '`GET /v1/models/{model}` names the context window. `usage.prompt_tokens` of an earlier response shows how long the conversation is.',
    remedy:
      'Shorten or summarize the conversation, request less output, or choose a model with a larger window. The same call would fail again.',
    seen: [
      "This model's maximum context length is",
      'context window exceeded',
      'prompt is too long',
      'input is too long',
      'Your input exceeds the context window',
    ],
  },
  previous_response_not_found: {
    check: '`GET /v1/responses/{response_id}` with the same key shows whether the response is stored.',
    remedy:
      'Send the conversation in `input`. Chains need `store` (true by default), the same account, and a response newer than the retention time.',
    seen: [
      'Previous response with id not found',
      'previous_response_id',
      'zero data retention',
      'conversation lost',
      "Response '…' not found",
    ],
  },
  invalid_image_format: {
    check: "Check the first bytes of the file with `file image.png`. Its name doesn't matter.",
    remedy: "Convert the image to PNG, JPEG, or WebP. HEIC, TIFF, and SVG aren't supported.",
    seen: [
      'unsupported image',
      'You uploaded an unsupported image',
      'invalid image',
      'HEIC',
      'image format',
      "'…' must be a PNG, JPEG, or WebP image",
    ],
  },
  invalid_base64_image: {
    check: 'Decode the part after the comma: `base64 -d`.',
    remedy: 'Send `data:image/png;base64,` and the bytes in base64, without line breaks inside JSON.',
    seen: ['Invalid base64', 'invalid base64-encoded image', 'data URL', "'…' isn't valid base64"],
  },
  invalid_image_url: {
    check: 'Open the URL from a machine outside your network, because the upstream fetches it, not the gateway.',
    remedy: 'Send the image as a data URL, or use a public https URL.',
    seen: [
      'Failed to download image',
      'Timeout while downloading',
      'Invalid image_url',
      'localhost image',
      '… must be a data URL of a PNG',
    ],
  },
  image_file_too_large: {
    check: 'Check the size of the file.',
    remedy: 'Scale the image down, or compress it more.',
    seen: ['image too large', 'image size exceeds', '50 MB', 'mask too large', "'…' exceeds 50 MB", "'mask' exceeds 4 MB"],
  },
  moderation_blocked: {
    check: "The message contains the upstream's reason. The same prompt would fail there again.",
    remedy: "Change the prompt or the image. Don't repeat the call without changes: it would fail again.",
    seen: [
      'Your request was rejected as a result of our safety system',
      'content_policy_violation',
      'safety',
      'blocked by content filter',
      'ResponsibleAIPolicyViolation',
    ],
  },
} as const satisfies Readonly<Record<string, Advice>>;
