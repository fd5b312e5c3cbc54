/** Option objects of a responses request: the output format, and reasoning. */
import { z } from 'zod';
import { JsonObject, Label, ReasoningEffort, Text, toNullish, Verbosity } from '../shared/bounds.ts';
import { createTypeField, markDeprecated } from '../shared/descriptions.ts';
import { JsonObjectFormat, PlainTextFormat, UNKNOWN_FORMAT } from '../shared/formats.ts';
import { createOpenEnum, createOpenUnion } from '../shared/open.ts';

const JsonSchemaFormat = z
  .looseObject({
    type: createTypeField('json_schema'),
    name: z
      .string()
      .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'The name must have 1 to 64 letters, digits, underscores, or hyphens.')
      .describe('The name of the response format. The model may see it.'),
    schema: JsonObject.describe('JSON Schema for the response, at most 64 levels deep.'),
    strict: toNullish(z.boolean()).describe(
      'Whether the output must follow the schema exactly. Optional; the provider decides if omitted, and chat upstreams get false. Anthropic and Gemini upstreams ignore this and always follow the schema.',
    ),
    description: toNullish(Text).describe('Optional. Describes the response format to the model.'),
  })
  .meta({
    id: 'JsonSchemaFormat',
    description: "JSON that follows the schema you supply. Returns 400 if a chat upstream's provider doesn't support schemas.",
  });

export const TextFormat = createOpenUnion([PlainTextFormat, JsonObjectFormat, JsonSchemaFormat], UNKNOWN_FORMAT).meta({
  id: 'TextFormat',
  description: 'The format of the output, for structured output. In chat completions this is `response_format`.',
});

export const TextOptions = z
  .looseObject({
    format: toNullish(TextFormat).describe('The format of the output. Defaults to plain text.'),
    verbosity: toNullish(Verbosity).describe("How verbose the output is. Defaults to the model's own value, usually `medium`."),
  })
  .meta({ id: 'TextOptions', description: 'The format and verbosity of the output text.' });

export const Summary = createOpenEnum(['auto', 'concise', 'detailed']);

export const ReasoningOptions = z
  .looseObject({
    effort: toNullish(ReasoningEffort).describe("How much the model reasons before it responds. Defaults to the model's own value."),
    summary: toNullish(Summary).describe(
      'Whether to return summaries of the reasoning, as items of type `reasoning`, and how detailed they are. Optional; the provider decides if omitted, usually no summaries. Anthropic and Gemini upstreams have no levels of detail. Not sent to chat upstreams.',
    ),
    generate_summary: markDeprecated(toNullish(Summary), 'use `summary`, which takes precedence if you send both.'),
    context: toNullish(Label).describe(
      "The reasoning of earlier turns to give to the model, in the upstream's format. Sent to responses upstreams only. Optional; the provider decides if omitted.",
    ),
    mode: toNullish(Label).describe(
      "The reasoning mode, in the upstream's format. Sent to responses upstreams only. Optional; the provider decides if omitted.",
    ),
  })
  .meta({
    id: 'ReasoningOptions',
    description: "How the model reasons before it responds. Reasoning counts as output tokens, even if it isn't returned.",
  });
