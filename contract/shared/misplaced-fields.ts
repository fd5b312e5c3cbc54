/**
 * Fields that belong to another operation. They're rejected with 400, and the message names the field to use instead.
 * Other unknown top-level fields aren't rejected: they're omitted, or forwarded if the upstream is configured to accept them.
 */
import type { z } from 'zod';
import { createRule, isFields, isSet } from './rules.ts';

const IMAGE_GENERATION_ROUTE = 'POST /v1/images/generations';
const CHAT_ROUTE = 'POST /v1/chat/completions';
const RESPONSES_ROUTE = 'POST /v1/responses';

const IMAGE_EDIT_ROUTE = 'POST /v1/images/edits';

const describeImageField = (field: string) => `'${field}' belongs to ${IMAGE_GENERATION_ROUTE}. Text models don't support image options.`;
const describeRemedy = (field: string, remedy: string) => `'${field}' isn't a field of this operation: ${remedy}`;

type Hints = Readonly<Record<string, string>>;

const describeEditField = (field: string) =>
  `'${field}' belongs to ${IMAGE_EDIT_ROUTE}. Text models accept images as parts of their input.`;

const generationFields = ['size', 'quality', 'output_format', 'output_compression', 'partial_images'];
const editFields = ['images', 'mask', 'input_fidelity'];
const imageFieldHints: Hints = {
  ...Object.fromEntries(generationFields.map((field) => [field, describeImageField(field)])),
  ...Object.fromEntries(editFields.map((field) => [field, describeEditField(field)])),
  image: `'image' is a form part of ${IMAGE_EDIT_ROUTE}, where the JSON field is 'images'. Text models accept images as parts of their input.`,
  style: "'style' belongs to older image models. No operation of this gateway supports it.",
};

export const misplacedInChat: Hints = {
  ...imageFieldHints,
  prompt: describeRemedy('prompt', `send 'messages' here, or use ${IMAGE_GENERATION_ROUTE} to generate images.`),
  background: describeImageField('background'),
  input: describeRemedy('input', `send 'messages', or use ${RESPONSES_ROUTE}.`),
  instructions: describeRemedy('instructions', "send a message with the role 'system' or 'developer'."),
  text: describeRemedy('text', "use 'response_format' for structured output and 'verbosity' for length."),
  max_output_tokens: describeRemedy('max_output_tokens', "use 'max_completion_tokens'."),
  previous_response_id: describeRemedy('previous_response_id', `resend the conversation in 'messages', or use ${RESPONSES_ROUTE}.`),
  include: describeRemedy('include', `use ${RESPONSES_ROUTE}. For log probabilities, send 'logprobs: true'.`),
  truncation: describeRemedy('truncation', `use ${RESPONSES_ROUTE}.`),
  conversation: describeRemedy('conversation', "resend the conversation in 'messages'."),
};

export const misplacedInResponses: Hints = {
  ...imageFieldHints,
  messages: describeRemedy('messages', "use 'input': a string, or an array of items."),
  response_format: describeRemedy('response_format', "use 'text.format', with 'strict: true' set on the schema."),
  max_tokens: describeRemedy('max_tokens', "use 'max_output_tokens'."),
  max_completion_tokens: describeRemedy('max_completion_tokens', "use 'max_output_tokens'."),
  n: describeRemedy('n', 'a response has one output. Send the request again for another one, or use chat completions.'),
  stop: describeRemedy('stop', `only ${CHAT_ROUTE} supports stop sequences.`),
  seed: describeRemedy('seed', `only ${CHAT_ROUTE} supports a seed.`),
  logprobs: describeRemedy('logprobs', "add 'message.output_text.logprobs' to 'include' and set 'top_logprobs'."),
  logit_bias: describeRemedy('logit_bias', `only ${CHAT_ROUTE} supports it.`),
  functions: describeRemedy('functions', "use 'tools'."),
  function_call: describeRemedy('function_call', "use 'tool_choice'."),
  reasoning_effort: describeRemedy('reasoning_effort', "use 'reasoning.effort'."),
  verbosity: describeRemedy('verbosity', "use 'text.verbosity'."),
  modalities: describeRemedy('modalities', `only ${CHAT_ROUTE} supports audio output.`),
  audio: describeRemedy('audio', `only ${CHAT_ROUTE} supports audio output.`),
  prediction: describeRemedy('prediction', `only ${CHAT_ROUTE} supports it.`),
  web_search_options: describeRemedy('web_search_options', 'add the tool \'{"type":"web_search"}\' to \'tools\'.'),
};

const textFields = [
  ...['messages', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'temperature', 'top_p', 'max_tokens'],
  ...['max_completion_tokens', 'max_output_tokens', 'reasoning', 'reasoning_effort', 'verbosity', 'text', 'stop', 'previous_response_id'],
  ...['store', 'metadata', 'seed', 'logprobs', 'top_logprobs', 'stream_options', 'modalities', 'audio'],
];

const textFieldHints: Hints = Object.fromEntries(
  textFields.map((field) => [field, describeRemedy(field, "it belongs to text models. Describe the image in 'prompt'.")]),
);

const editOnlyFields = ['image', 'images', 'mask', 'input_fidelity'];
export const misplacedInGenerations: Hints = {
  ...textFieldHints,
  ...Object.fromEntries(editOnlyFields.map((field) => [field, describeRemedy(field, 'to edit an image, use POST /v1/images/edits.')])),
};

export const misplacedInEdits: Hints = {
  ...textFieldHints,
  image: describeRemedy('image', 'in a JSON body, send \'images: [{"image_url": "data:…"}]\'. \'image\' is the name of a form part.'),
};

/** In a responses request, `image` can be OpenAI's object with image options. For image edits, `image` is a file. */
const isOwn = (field: string, value: unknown, hints: Hints): boolean =>
  hints === misplacedInResponses && field === 'image' && isFields(value) && !Array.isArray(value);

/** Rejects fields of other operations, unless they're null. */
export function rejectMisplacedFields<T extends object>(hints: Hints): z.core.$ZodCheck<T> {
  return createRule(function* find(body: T) {
    // Loops over the body, not over the hints: most bodies have none of these fields.
    for (const field of Object.keys(body)) {
      const message = Object.hasOwn(hints, field) ? hints[field] : undefined;
      const value: unknown = Reflect.get(body, field);
      if (message !== undefined && isSet(value) && !isOwn(field, value, hints)) yield { path: [field], message, code: 'unknown_parameter' };
    }
  });
}
