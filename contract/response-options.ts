/** Option objects of a responses request: the form of the answer, and how the model thinks. */
import { z } from 'zod';
import { JsonObject, Label, maybe, ReasoningEffort, Text, Verbosity } from './bounds.ts';
import { JsonObjectFormat, PlainTextFormat } from './formats.ts';
import { deprecated, kind } from './wording.ts';

const JsonSchemaFormat = z
  .looseObject({
    type: kind('json_schema'),
    name: z
      .string()
      .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'The name has 1 to 64 letters, digits, underscores and hyphens.')
      .describe('A name for the form, which the model may see.'),
    schema: JsonObject.describe('JSON schema of the answer, at most 64 levels deep.'),
    strict: maybe(z.boolean()).describe(
      'Set it to true to have the answer follow the schema exactly. Absent: the upstream decides, one that speaks chat is told false. Anthropic and Gemini upstreams make no difference: they always hold to it.',
    ),
    description: maybe(Text).describe('What the form is for; the model reads this. Absent: nothing is said.'),
  })
  .meta({
    id: 'JsonSchemaFormat',
    description: 'JSON that follows a schema of the caller. A vendor of chat may know no schemas: then 400.',
  });

const TextFormat = z
  .discriminatedUnion('type', [PlainTextFormat, JsonObjectFormat, JsonSchemaFormat])
  .meta({ id: 'TextFormat', description: 'Structured output; takes the place of `response_format` on chat.' });

export const TextOptions = z
  .looseObject({
    format: maybe(TextFormat).describe('Form of the answer. Absent: plain text.'),
    verbosity: maybe(Verbosity).describe('How long the answer should be. Absent: the model’s own, usually `medium`.'),
  })
  .meta({ id: 'TextOptions', description: 'What the text of the answer looks like.' });

const Summary = z.enum(['auto', 'concise', 'detailed']);

export const ReasoningOptions = z
  .looseObject({
    effort: maybe(ReasoningEffort).describe('How much the model should think. Absent: the model’s own.'),
    summary: maybe(Summary).describe(
      'Whether thoughts are told in short as items of the type `reasoning`, and how closely. Absent: the upstream decides, usually not at all. Anthropic and Gemini upstreams know no degrees, and chat upstreams are not asked.',
    ),
    generate_summary: deprecated(maybe(Summary), 'use `summary`, which counts where both are sent.'),
    context: maybe(Label).describe(
      'Which thoughts of earlier turns the model is shown, in the words of the upstream. Sent to responses upstreams alone. Absent: the upstream decides.',
    ),
    mode: maybe(Label).describe(
      'How the model thinks, in the words of the upstream. Sent to responses upstreams alone. Absent: the upstream decides.',
    ),
  })
  .meta({
    id: 'ReasoningOptions',
    description: 'How the model thinks before it answers. What it thinks counts as output tokens, whether it is shown or not.',
  });
