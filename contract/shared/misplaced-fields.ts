/**
 * Fields that belong to another operation: rejected with 400, with the field to use instead.
 * An unknown top-level field isn't rejected: it's omitted, or forwarded if the upstream is configured to allow it.
 */
import type { z } from 'zod';
import { isFields, isSet, rule } from './rules.ts';

const IMAGES = 'POST /v1/images/generations';
const CHAT = 'POST /v1/chat/completions';
const RESPONSES = 'POST /v1/responses';

const EDITS = 'POST /v1/images/edits';

const onImagesOnly = (field: string) => `'${field}' belongs to ${IMAGES}. Text models don't support image options.`;
const instead = (field: string, remedy: string) => `'${field}' isn't a field of this operation: ${remedy}`;

type Hints = Readonly<Record<string, string>>;

/** The message names the operation that has the field. */
const onEditsOnly = (field: string) => `'${field}' belongs to ${EDITS}. Text models accept images as parts of their input.`;

const drawing = ['size', 'quality', 'output_format', 'output_compression', 'partial_images'];
const editing = ['images', 'mask', 'input_fidelity'];
const imageOptions: Hints = {
  ...Object.fromEntries(drawing.map((field) => [field, onImagesOnly(field)])),
  ...Object.fromEntries(editing.map((field) => [field, onEditsOnly(field)])),
  image: `'image' is a form part of ${EDITS}, where the JSON field is 'images'. Text models accept images as parts of their input.`,
  style: "'style' belongs to older image models. No operation of this gateway supports it.",
};

export const misplacedInChat: Hints = {
  ...imageOptions,
  prompt: instead('prompt', `send 'messages' here, or use ${IMAGES} to generate images.`),
  background: onImagesOnly('background'),
  input: instead('input', `send 'messages', or use ${RESPONSES}.`),
  instructions: instead('instructions', "send a message with the role 'system' or 'developer'."),
  text: instead('text', "use 'response_format' for structured output and 'verbosity' for length."),
  max_output_tokens: instead('max_output_tokens', "use 'max_completion_tokens'."),
  previous_response_id: instead('previous_response_id', `resend the conversation in 'messages', or use ${RESPONSES}.`),
  include: instead('include', `use ${RESPONSES}. For log probabilities, send 'logprobs: true'.`),
  truncation: instead('truncation', `use ${RESPONSES}.`),
  conversation: instead('conversation', "resend the conversation in 'messages'."),
};

export const misplacedInResponses: Hints = {
  ...imageOptions,
  messages: instead('messages', "use 'input': a string, or an array of items."),
  response_format: instead('response_format', "use 'text.format', with 'strict: true' set on the schema."),
  max_tokens: instead('max_tokens', "use 'max_output_tokens'."),
  max_completion_tokens: instead('max_completion_tokens', "use 'max_output_tokens'."),
  n: instead('n', 'a response has one output. Send the request again for another one, or use chat completions.'),
  stop: instead('stop', `only ${CHAT} supports stop sequences.`),
  seed: instead('seed', `only ${CHAT} supports a seed.`),
  logprobs: instead('logprobs', "add 'message.output_text.logprobs' to 'include' and set 'top_logprobs'."),
  logit_bias: instead('logit_bias', `only ${CHAT} supports it.`),
  functions: instead('functions', "use 'tools'."),
  function_call: instead('function_call', "use 'tool_choice'."),
  reasoning_effort: instead('reasoning_effort', "use 'reasoning.effort'."),
  verbosity: instead('verbosity', "use 'text.verbosity'."),
  modalities: instead('modalities', `only ${CHAT} supports audio output.`),
  audio: instead('audio', `only ${CHAT} supports audio output.`),
  prediction: instead('prediction', `only ${CHAT} supports it.`),
  web_search_options: instead('web_search_options', 'add the tool \'{"type":"web_search"}\' to \'tools\'.'),
};

const textOptions = [
  ...['messages', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'temperature', 'top_p', 'max_tokens'],
  ...['max_completion_tokens', 'max_output_tokens', 'reasoning', 'reasoning_effort', 'verbosity', 'text', 'stop', 'previous_response_id'],
  ...['store', 'metadata', 'seed', 'logprobs', 'top_logprobs', 'stream_options', 'modalities', 'audio'],
];

const textOptionHints: Hints = Object.fromEntries(
  textOptions.map((field) => [field, instead(field, "it belongs to text models. Describe the image in 'prompt'.")]),
);

const editOnly = ['image', 'images', 'mask', 'input_fidelity'];
export const misplacedInGenerations: Hints = {
  ...textOptionHints,
  ...Object.fromEntries(editOnly.map((field) => [field, instead(field, 'to edit an image, use POST /v1/images/edits.')])),
};

export const misplacedInEdits: Hints = {
  ...textOptionHints,
  image: instead('image', 'in a JSON body, send \'images: [{"image_url": "data:…"}]\'. \'image\' is the name of a form part.'),
};

/** OpenAI has options for images in responses, under a name that image edits use for a file. */
const isOwn = (field: string, value: unknown, hints: Hints): boolean =>
  hints === misplacedInResponses && field === 'image' && isFields(value) && !Array.isArray(value);

/** Rejects the fields of other operations that are set to a value. */
export function misplacedFields<T extends object>(hints: Hints): z.core.$ZodCheck<T> {
  return rule(function* find(body: T) {
    // One pass over the names: nearly every body has no such field.
    for (const field of Object.keys(body)) {
      const message = Object.hasOwn(hints, field) ? hints[field] : undefined;
      const value: unknown = Reflect.get(body, field);
      if (message !== undefined && isSet(value) && !isOwn(field, value, hints)) yield { path: [field], message, code: 'unknown_parameter' };
    }
  });
}
