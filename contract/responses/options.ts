/** Option objects of a responses request: the format of the output, and the reasoning. */
import { z } from 'zod';
import { JsonObject, Label, maybe, ReasoningEffort, Text, Verbosity } from '../shared/bounds.ts';
import { deprecated, kind } from '../shared/descriptions.ts';
import { JsonObjectFormat, PlainTextFormat, UNKNOWN_FORMAT } from '../shared/formats.ts';
import { openUnion, word } from '../shared/open.ts';

const JsonSchemaFormat = z
  .looseObject({
    type: kind('json_schema'),
    name: z
      .string()
      .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'The name must have 1 to 64 letters, digits, underscores, or hyphens.')
      .describe('The name of the response format. The model may see it.'),
    schema: JsonObject.describe('JSON Schema for the response, at most 64 levels deep.'),
    strict: maybe(z.boolean()).describe(
      'Whether the output must follow the schema exactly. Optional; the provider decides if omitted, and chat upstreams get false. Anthropic and Gemini upstreams ignore this and always follow the schema.',
    ),
    description: maybe(Text).describe('Optional. Describes the response format to the model.'),
  })
  .meta({
    id: 'JsonSchemaFormat',
    description: "JSON that follows the schema you supply. Returns 400 if a chat upstream's provider doesn't support schemas.",
  });

export const TextFormat = openUnion([PlainTextFormat, JsonObjectFormat, JsonSchemaFormat], UNKNOWN_FORMAT).meta({
  id: 'TextFormat',
  description: 'The format of the output, for structured output. In chat completions this is `response_format`.',
});

export const TextOptions = z
  .looseObject({
    format: maybe(TextFormat).describe('The format of the output. Defaults to plain text.'),
    verbosity: maybe(Verbosity).describe("How verbose the output is. Defaults to the model's own value, usually `medium`."),
  })
  .meta({ id: 'TextOptions', description: 'The format and verbosity of the output text.' });

export const Summary = word(['auto', 'concise', 'detailed']);

export const ReasoningOptions = z
  .looseObject({
    effort: maybe(ReasoningEffort).describe("How much the model reasons before it responds. Defaults to the model's own value."),
    summary: maybe(Summary).describe(
      'Whether to return summaries of the reasoning, as items of type `reasoning`, and how detailed they are. Optional; the provider decides if omitted, usually no summaries. Anthropic and Gemini upstreams have no levels of detail. Not sent to chat upstreams.',
    ),
    generate_summary: deprecated(maybe(Summary), 'use `summary`, which takes precedence if you send both.'),
    context: maybe(Label).describe(
      "The reasoning of earlier turns to give to the model, in the upstream's format. Sent to responses upstreams only. Optional; the provider decides if omitted.",
    ),
    mode: maybe(Label).describe(
      "The reasoning mode, in the upstream's format. Sent to responses upstreams only. Optional; the provider decides if omitted.",
    ),
  })
  .meta({
    id: 'ReasoningOptions',
    description: "How the model reasons before it responds. Reasoning counts as output tokens, even if it isn't returned.",
  });
