/** Request of a chat completion (specification 2.2 and 4.3). */
import { z } from 'zod';
import {
  CacheOptions,
  CacheRetention,
  Id,
  JsonObject,
  Label,
  MAX_ITEMS,
  MAX_TOOLS,
  Metadata,
  Moderation,
  maybe,
  ReasoningEffort,
  ServiceTier,
  Text,
  Verbosity,
} from './bounds.ts';
import { ChatMessage, ChatTextPart } from './chat-messages.ts';
import { chatNever, chatRules } from './chat-rules.ts';
import { foreignFields, foreignToChat } from './foreign.ts';
import { JsonObjectFormat, PlainTextFormat } from './formats.ts';
import { ChatTool, ChatToolChoice } from './tools.ts';

const JsonSchemaFormat = z
  .looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({
      name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'The name has 1 to 64 letters, digits, underscores and hyphens.'),
      description: maybe(Text),
      schema: maybe(JsonObject),
      strict: maybe(z.boolean()),
    }),
  })
  .meta({ id: 'ChatJsonSchemaFormat', description: 'JSON that follows a schema of the caller.' });

const ResponseFormat = z
  .discriminatedUnion('type', [PlainTextFormat, JsonObjectFormat, JsonSchemaFormat])
  .meta({ id: 'ChatResponseFormat', description: 'Form of the answer. On responses this is `text.format`, one level flatter.' });

const FunctionName = z
  .looseObject({ name: Label })
  .meta({ id: 'ChatFunctionName', description: 'Deprecated: the one of `functions` that has to be called.' });

const ChatAudio = z
  .looseObject({ voice: z.union([Label, JsonObject]), format: z.enum(['wav', 'aac', 'mp3', 'flac', 'opus', 'pcm16']) })
  .meta({ id: 'ChatAudioOptions' });

const limits = {
  temperature: maybe(z.number().min(0).max(2)).describe('Usual range 0 to 2. Absent: the model’s own.'),
  top_p: maybe(z.number().min(0).max(1)).describe('Nucleus sampling. Absent: the model’s own.'),
  max_tokens: maybe(z.int().min(1).max(10_000_000)).describe('The older name of `max_completion_tokens`; send one of the two.'),
  n: maybe(z.int().min(1).max(128)).describe('Number of answers. Absent: 1.'),
  stop: maybe(z.union([z.string().max(1024), z.array(z.string().max(1024)).max(4)])).describe('Up to four texts that end the answer.'),
  frequency_penalty: maybe(z.number().min(-2).max(2)),
  presence_penalty: maybe(z.number().min(-2).max(2)),
  logit_bias: maybe(z.record(z.string().max(32), z.number().min(-100).max(100))).describe('Token id to a bias from -100 to 100.'),
  logprobs: maybe(z.boolean()).describe('Return log probabilities of the output tokens.'),
  top_logprobs: maybe(z.int().min(0).max(20)).describe('How many alternatives per token; needs `logprobs: true`.'),
  seed: maybe(z.number()).describe('Deprecated; best effort to repeat an answer.'),
};

/** Ahead of the others: the reference folds away what comes after the twelfth field, and most people look for these. */
const leading = {
  tools: maybe(z.array(ChatTool).max(MAX_TOOLS)),
  tool_choice: maybe(ChatToolChoice),
  response_format: maybe(ResponseFormat),
  reasoning_effort: maybe(ReasoningEffort),
  max_completion_tokens: maybe(z.int().min(1).max(10_000_000)).describe('Most output tokens, reasoning included.'),
};

const tooling = {
  parallel_tool_calls: maybe(z.boolean()).describe('Whether the model may make several calls at once. Absent: true.'),
  functions: maybe(
    z.array(z.looseObject({ name: Label, description: maybe(Text), parameters: maybe(JsonObject) })).max(MAX_TOOLS),
  ).describe('Deprecated: use `tools`.'),
  function_call: maybe(z.union([z.enum(['none', 'auto']), FunctionName])).describe('Deprecated: use `tool_choice`.'),
};

const form = {
  reasoning: maybe(z.looseObject({ effort: maybe(ReasoningEffort) })).describe(
    'Sent by bridge tools: `reasoning.effort` counts as `reasoning_effort`.',
  ),
  verbosity: maybe(Verbosity),
  modalities: maybe(z.array(z.enum(['text', 'audio'])).max(2)),
  audio: maybe(ChatAudio).describe('Needed when `modalities` has `audio`.'),
  prediction: maybe(z.looseObject({ type: z.literal('content'), content: z.union([Text, z.array(ChatTextPart).max(1024)]) })),
};

const hints = {
  store: maybe(z.boolean()).describe(
    'Taken, and never honoured: upstreams are told to keep nothing, and true is named in `x-modelgate-ignored`.',
  ),
  metadata: maybe(Metadata),
  user: maybe(Label).describe('Deprecated: use `safety_identifier` and `prompt_cache_key`.'),
  safety_identifier: maybe(z.string().max(64)),
  prompt_cache_key: maybe(z.string().max(64)),
  prompt_cache_retention: maybe(CacheRetention),
  prompt_cache_options: maybe(CacheOptions),
  service_tier: maybe(ServiceTier),
  web_search_options: maybe(
    z.looseObject({ search_context_size: maybe(z.enum(['low', 'medium', 'high'])), user_location: maybe(JsonObject) }),
  ),
  moderation: maybe(Moderation),
};

export const ChatCompletionRequest = z
  .looseObject({
    model: Id.meta({ description: 'Id of a text model.', examples: ['gpt-5.4'] }),
    messages: z.array(ChatMessage).min(1).max(MAX_ITEMS).describe('The conversation, oldest first.'),
    stream: maybe(z.boolean()).describe('True: the answer comes as Server-Sent Events. Absent: false.'),
    ...leading,
    stream_options: maybe(z.looseObject({ include_usage: maybe(z.boolean()), include_obfuscation: maybe(z.boolean()) })).describe(
      'Only with `stream: true`. `include_usage` adds a last chunk with the usage.',
    ),
    ...limits,
    ...tooling,
    ...form,
    ...hints,
  })
  .check(foreignFields(foreignToChat), ...chatRules)
  .meta({
    id: 'ChatCompletionRequest',
    ...chatNever,
    description:
      'Null counts as absent. A field that no operation knows is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it.',
    examples: [{ model: 'gpt-5.4', messages: [{ role: 'user', content: 'Say hello in five languages.' }] }],
  });
export type ChatCompletionRequest = z.infer<typeof ChatCompletionRequest>;
