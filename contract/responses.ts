/** The responses operation: request and response object (specification 2.4 and 4.2). */
import { z } from 'zod';
import {
  CacheOptions,
  CacheRetention,
  Id,
  JsonObject,
  JsonValue,
  Label,
  MAX_ITEMS,
  MAX_TOOLS,
  Metadata,
  Moderation,
  maybe,
  ReasoningEffort,
  ServiceTier,
  Text,
  Tokens,
  Verbosity,
} from './bounds.ts';
import { foreignFields, foreignToResponses } from './foreign.ts';
import { JsonObjectFormat, PlainTextFormat } from './formats.ts';
import { InputItem, OutputItem } from './response-items.ts';
import { responseRules } from './response-rules.ts';
import { Tool, ToolChoice } from './tools.ts';

const JsonSchemaFormat = z
  .looseObject({
    type: z.literal('json_schema'),
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'The name has 1 to 64 letters, digits, underscores and hyphens.'),
    schema: JsonObject,
    strict: maybe(z.boolean()).describe('Set it to true to have the answer follow the schema exactly.'),
    description: maybe(Text),
  })
  .meta({ id: 'JsonSchemaFormat', description: 'JSON that follows a schema of the caller.' });

const TextFormat = z
  .discriminatedUnion('type', [PlainTextFormat, JsonObjectFormat, JsonSchemaFormat])
  .meta({ id: 'TextFormat', description: 'Structured output; takes the place of `response_format` on chat.' });

const TextOptions = z.looseObject({ format: maybe(TextFormat), verbosity: maybe(Verbosity) }).meta({ id: 'TextOptions' });

const ReasoningOptions = z
  .looseObject({
    effort: maybe(ReasoningEffort),
    summary: maybe(z.enum(['auto', 'concise', 'detailed'])),
    generate_summary: maybe(z.enum(['auto', 'concise', 'detailed'])).describe('Deprecated: use `summary`.'),
    context: maybe(Label),
    mode: maybe(Label),
  })
  .meta({ id: 'ReasoningOptions' });

const limits = {
  max_output_tokens: maybe(z.int().min(16).max(10_000_000)).describe('Most output tokens, reasoning included.'),
  max_tool_calls: maybe(z.int().min(1).max(10_000)).describe('Most calls of hosted tools.'),
  temperature: maybe(z.number().min(0).max(2)).describe('Leave it out when no tuning is wanted.'),
  top_p: maybe(z.number().min(0).max(1)),
  top_logprobs: maybe(z.int().min(0).max(20)).describe('Needs `message.output_text.logprobs` in `include`.'),
  presence_penalty: maybe(z.number().min(-2).max(2)),
  frequency_penalty: maybe(z.number().min(-2).max(2)),
  truncation: maybe(z.enum(['auto', 'disabled'])).describe('Deprecated. What happens when the input is too long.'),
  context_management: maybe(z.array(z.looseObject({ type: Label, compact_threshold: maybe(Tokens) })).max(16)),
};

const state = {
  previous_response_id: maybe(Id).describe('Id of a stored response to go on from. `instructions` are not carried over.'),
  store: maybe(z.boolean()).describe('Whether the response may be chained from later. Absent: true.'),
  background: maybe(z.boolean()).describe('Only false is supported.'),
};

const hints = {
  include: maybe(z.array(Label).max(32)).describe('Extra output, for example `reasoning.encrypted_content`.'),
  metadata: maybe(Metadata),
  client_metadata: maybe(z.record(z.string().max(256), JsonValue)).describe('Sent by coding agents; taken and not used.'),
  prompt_cache_key: maybe(z.string().max(64)),
  prompt_cache_retention: maybe(CacheRetention),
  prompt_cache_options: maybe(CacheOptions),
  safety_identifier: maybe(z.string().max(64)),
  service_tier: maybe(ServiceTier),
  user: maybe(Label).describe('Deprecated: use `safety_identifier` and `prompt_cache_key`.'),
  moderation: maybe(Moderation),
};

export const ResponseRequest = z
  .looseObject({
    model: Id.meta({ description: 'Id of a text model.', examples: ['gpt-5.4'] }),
    input: z.union([Text, z.array(InputItem).max(MAX_ITEMS)]).describe('A string, or items: messages, calls and their outputs.'),
    instructions: maybe(Text).describe('The system prompt of this turn; send it again on every chained turn.'),
    stream: maybe(z.boolean()).describe('True: the answer comes as Server-Sent Events. Absent: false.'),
    stream_options: maybe(z.looseObject({ include_obfuscation: maybe(z.boolean()) })),
    text: maybe(TextOptions),
    reasoning: maybe(ReasoningOptions),
    tools: maybe(z.array(Tool).max(MAX_TOOLS)),
    tool_choice: maybe(ToolChoice),
    parallel_tool_calls: maybe(z.boolean()),
    ...state,
    ...limits,
    ...hints,
  })
  .check(foreignFields(foreignToResponses), ...responseRules)
  .meta({
    id: 'ResponseRequest',
    description:
      'Null counts as absent. A field that no operation knows is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it.',
    examples: [{ model: 'gpt-5.4', instructions: 'Answer in one sentence.', input: 'Why is the sky blue?' }],
  });
export type ResponseRequest = z.infer<typeof ResponseRequest>;

export const ResponseUsage = z
  .looseObject({
    input_tokens: Tokens,
    input_tokens_details: z.looseObject({ cached_tokens: Tokens, cache_write_tokens: Tokens.nullish() }).nullish(),
    output_tokens: Tokens,
    output_tokens_details: z.looseObject({ reasoning_tokens: Tokens }).nullish(),
    total_tokens: Tokens,
  })
  .meta({ id: 'ResponseUsage' });

export const ResponseStatus = z
  .enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled'])
  .meta({ id: 'ResponseStatus' });

/** Upstreams write it in their own way, so it is not held to what a request may offer. */
const ToolEcho = z
  .looseObject({ type: z.string() })
  .meta({ id: 'ToolEcho', description: 'A tool of the request, as the upstream repeats it.', additionalProperties: true });

export const Response = z
  .looseObject({
    id: z.string().describe('Usable as `previous_response_id` where the response was stored.'),
    object: z.literal('response'),
    created_at: z.number().describe('Seconds since 1970-01-01 UTC.'),
    completed_at: z.number().nullish(),
    status: ResponseStatus.nullish(),
    error: z.looseObject({ code: z.string().nullish(), message: z.string() }).nullish(),
    incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish().describe('`max_output_tokens` or `content_filter`.'),
    model: z.string(),
    output: z.array(OutputItem).describe('Typed items; the answer is not always the first.'),
    previous_response_id: z.string().nullish(),
    instructions: z.unknown().optional(),
    tools: z.array(ToolEcho).nullish(),
    tool_choice: z.unknown().optional(),
    parallel_tool_calls: z.boolean().nullish(),
    text: z
      .looseObject({ format: z.unknown().optional().describe('As the request asked for it.'), verbosity: z.string().nullish() })
      .nullish(),
    reasoning: z.looseObject({ effort: z.string().nullish(), summary: z.string().nullish() }).nullish(),
    temperature: z.number().nullish(),
    top_p: z.number().nullish(),
    presence_penalty: z.number().nullish(),
    frequency_penalty: z.number().nullish(),
    top_logprobs: z.int().nullish(),
    max_output_tokens: z.int().nullish(),
    max_tool_calls: z.int().nullish(),
    truncation: z.string().nullish(),
    store: z.boolean().nullish(),
    background: z.boolean().nullish(),
    service_tier: z.string().nullish(),
    metadata: z.record(z.string(), z.string()).nullish(),
    safety_identifier: z.string().nullish(),
    prompt_cache_key: z.string().nullish(),
    user: z.string().nullish(),
    usage: ResponseUsage.nullish().describe('Null until the response has ended.'),
  })
  .meta({
    id: 'ModelResponse',
    description:
      'Read the text by walking `output` for items of type `message`; client libraries offer it as `output_text`, which is not on the wire.',
  });
export type Response = z.infer<typeof Response>;
