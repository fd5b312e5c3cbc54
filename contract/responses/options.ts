/** Option objects of a responses request: the format of the answer, and the reasoning. */
import { z } from 'zod';
import { JsonObject, Label, maybe, ReasoningEffort, Text, Verbosity } from '../shared/bounds.ts';
import { deprecated, kind } from '../shared/descriptions.ts';
import { JsonObjectFormat, PlainTextFormat } from '../shared/formats.ts';

const JsonSchemaFormat = z
  .looseObject({
    type: kind('json_schema'),
    name: z
      .string()
      .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'The name has 1 to 64 letters, digits, underscores and hyphens.')
      .describe('A name for the format, which the model may see.'),
    schema: JsonObject.describe('JSON schema of the answer, at most 64 levels deep.'),
    strict: maybe(z.boolean()).describe(
      'True: the answer follows the schema exactly. Absent: the upstream decides, and one that speaks chat gets false. Anthropic and Gemini upstreams ignore this: they always follow the schema.',
    ),
    description: maybe(Text).describe('What the format is for; the model reads this. Optional.'),
  })
  .meta({
    id: 'JsonSchemaFormat',
    description: 'JSON that follows a schema of the caller. 400 when a chat vendor does not support schemas.',
  });

const TextFormat = z
  .discriminatedUnion('type', [PlainTextFormat, JsonObjectFormat, JsonSchemaFormat])
  .meta({ id: 'TextFormat', description: 'Format of the answer, for structured output. In chat this is `response_format`.' });

export const TextOptions = z
  .looseObject({
    format: maybe(TextFormat).describe('Format of the answer. Defaults to plain text.'),
    verbosity: maybe(Verbosity).describe('How long the answer should be. Absent: the default of the model, usually `medium`.'),
  })
  .meta({ id: 'TextOptions', description: 'Format and length of the text of the answer.' });

const Summary = z.enum(['auto', 'concise', 'detailed']);

export const ReasoningOptions = z
  .looseObject({
    effort: maybe(ReasoningEffort).describe('How much the model should reason. Defaults to what the model does.'),
    summary: maybe(Summary).describe(
      'Whether the answer has summaries of the reasoning, as items of the type `reasoning`, and how detailed they are. Absent: the upstream decides, usually no summaries. Anthropic and Gemini upstreams have no levels of detail, and chat upstreams are not asked.',
    ),
    generate_summary: deprecated(maybe(Summary), 'use `summary`, which wins when both are sent.'),
    context: maybe(Label).describe(
      'Which reasoning of earlier turns the model gets, in the format of the upstream. Sent to responses upstreams only. Optional; the provider decides if omitted.',
    ),
    mode: maybe(Label).describe(
      'The mode of reasoning, in the format of the upstream. Sent to responses upstreams only. Optional; the provider decides if omitted.',
    ),
  })
  .meta({
    id: 'ReasoningOptions',
    description: 'How the model reasons before it answers. Reasoning counts as output tokens, shown or not.',
  });
