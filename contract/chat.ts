/** The request body of a chat completion. */
import { z } from 'zod';
import { ChatMessage, ChatTextPart } from './chat/messages.ts';
import { chatConflicts, chatRules } from './chat/rules.ts';
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
  ReasoningEffort,
  ServiceTier,
  Text,
  toNullish,
  UsageOptions,
  Verbosity,
} from './shared/bounds.ts';
import { createTypeField, HINT_DESCRIPTION, markDeprecated } from './shared/descriptions.ts';
import { JsonObjectFormat, PlainTextFormat, UNKNOWN_FORMAT } from './shared/formats.ts';
import { misplacedInChat, rejectMisplacedFields } from './shared/misplaced-fields.ts';
import { createOpenEnum, createOpenUnion } from './shared/open.ts';
import { ChatTool, ChatToolChoice } from './tools.ts';

const JsonSchemaFormat = z
  .looseObject({
    type: createTypeField('json_schema'),
    json_schema: z
      .looseObject({
        name: z
          .string()
          .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'The name must have 1 to 64 letters, digits, underscores, or hyphens.')
          .describe('The name of the response format. The model may see it.'),
        description: toNullish(Text).describe('Optional. Describes the response format to the model.'),
        schema: toNullish(JsonObject).describe('JSON Schema for the response, at most 64 levels deep. Omit to allow any JSON.'),
        strict: toNullish(z.boolean()).describe(
          'Whether the output must follow the schema exactly. Defaults to false. Anthropic and Gemini upstreams ignore this and always follow the schema.',
        ),
      })
      .describe('The schema, with its name and description.'),
  })
  .meta({
    id: 'ChatJsonSchemaFormat',
    description: "JSON that follows the schema you supply. Returns 400 if a chat upstream's provider doesn't support schemas.",
  });

const ResponseFormat = createOpenUnion([PlainTextFormat, JsonObjectFormat, JsonSchemaFormat], UNKNOWN_FORMAT).meta({
  id: 'ChatResponseFormat',
  description: 'The format of the output. In the Responses API this is `text.format`, which is one level flatter.',
});

const FunctionName = z.looseObject({ name: Label.describe('The name of the function.') }).meta({
  id: 'ChatFunctionName',
  description: 'Deprecated: use `tool_choice`. Forces the model to call this one of `functions`.',
  deprecated: true,
});

const ChatAudio = z
  .looseObject({
    voice: z
      .union([Label, JsonObject.describe("A custom voice, in the upstream's format.")])
      .describe("The name of one of the upstream's voices, or an object that identifies a custom voice."),
    format: createOpenEnum(['wav', 'aac', 'mp3', 'flac', 'opus', 'pcm16']).describe('The encoding of the output audio.'),
  })
  .meta({
    id: 'ChatAudioOptions',
    description: 'The voice and encoding of audio output. Returns 400 unless the model is on a chat upstream.',
  });

const limitFields = {
  temperature: toNullish(z.number().min(0).max(2)).describe(
    "Sampling temperature, from 0 to 2. Higher values make the output more varied. Defaults to the model's own value. Anthropic upstreams accept 0 to 1 and return 400 for more; reasoning models may reject any value.",
  ),
  top_p: toNullish(z.number().min(0).max(1)).describe(
    "Nucleus sampling, from 0 to 1: the model considers only the most likely tokens that together have this probability. Defaults to the model's own value.",
  ),
  max_tokens: toNullish(z.int().min(1).max(10_000_000)).describe(
    'The older name of `max_completion_tokens`, with the same meaning. Optional; sending both returns 400.',
  ),
  n: toNullish(z.int().min(1).max(128)).describe(
    'How many choices to generate, from 1 to 128; each is charged. Defaults to 1. More than 1 returns 400 unless the model is on a chat upstream.',
  ),
  stop: toNullish(z.union([z.string().max(1024), z.array(z.string().max(1024)).max(4)])).describe(
    "Optional. Up to 4 sequences, each up to 1,024 characters, at which the model stops generating. The output doesn't contain the sequence. Returns 400 on responses upstreams.",
  ),
  frequency_penalty: toNullish(z.number().min(-2).max(2)).describe(
    'From -2 to 2. Positive values make a token less likely each time it has already occurred in the text. Defaults to 0. Any other value returns 400 on responses upstreams and Anthropic upstreams.',
  ),
  presence_penalty: toNullish(z.number().min(-2).max(2)).describe(
    'From -2 to 2. Positive values make a token less likely once it has occurred in the text, however often. Defaults to 0. Any other value returns 400 on responses upstreams and Anthropic upstreams.',
  ),
  logit_bias: toNullish(z.record(z.string().max(32), z.number().min(-100).max(100))).describe(
    'Optional. Maps token IDs to a bias from -100 (never) to 100 (always). Returns 400 unless the model is on a chat upstream.',
  ),
  logprobs: toNullish(z.boolean()).describe(
    'Whether to return log probabilities of the output tokens. Defaults to false. True returns 400 on Anthropic upstreams.',
  ),
  top_logprobs: toNullish(z.int().min(0).max(20)).describe(
    'How many of the most likely tokens to return at each position, from 0 to 20. Requires `logprobs: true`. Defaults to 0.',
  ),
  seed: markDeprecated(
    toNullish(z.number()),
    'no replacement. Asks for the same output as before, without a guarantee. Not sent to responses upstreams, and listed in `x-modelgate-dropped` there. Returns 400 on Anthropic upstreams. Gemini upstreams accept only integers.',
  ),
};

/** Listed first, because the reference page collapses fields after the twelfth, and most readers need these. */
const leadingFields = {
  tools: toNullish(z.array(ChatTool).max(MAX_TOOLS)).describe(
    `Optional. Up to ${MAX_TOOLS} tools that the model can call and you run. Upstreams without free-form tools get those as functions with one string parameter.`,
  ),
  tool_choice: toNullish(ChatToolChoice).describe(
    'Controls which tools the model can or must call. Defaults to `auto` if there are tools, and to `none` otherwise.',
  ),
  response_format: toNullish(ResponseFormat).describe('The format of the output. Defaults to plain text.'),
  reasoning_effort: toNullish(ReasoningEffort).describe(
    "How much the model reasons before it responds. Defaults to the model's own value. Chat completions don't return the reasoning, but it counts as output tokens.",
  ),
  max_completion_tokens: toNullish(z.int().min(1).max(10_000_000)).describe(
    "Maximum number of output tokens, including reasoning. A completion that reaches it ends with `finish_reason: length`. Defaults to the model's maximum, or to what your account can pay for, reported in `x-modelgate-output-limit`. On a responses upstream, less than 16 becomes 16.",
  ),
};

const toolFields = {
  parallel_tool_calls: toNullish(z.boolean()).describe(
    'Whether the model can make several tool calls in parallel. Optional; the provider decides if omitted, usually true. False is omitted for Gemini upstreams, and listed in `x-modelgate-dropped` there.',
  ),
  functions: markDeprecated(
    toNullish(
      z
        .array(
          z.looseObject({
            name: Label.describe('The name of the function.'),
            description: toNullish(Text).describe('Optional. Tells the model what the function does.'),
            parameters: toNullish(JsonObject).describe('JSON Schema for the arguments. Omit if the function has no arguments.'),
          }),
        )
        .max(MAX_TOOLS),
    ),
    'use `tools`. A request with `functions` and no `tools` gets at most one call, as `function_call`.',
  ),
  function_call: markDeprecated(toNullish(z.union([z.enum(['none', 'auto']), FunctionName])), 'use `tool_choice`.'),
};

const outputFields = {
  reasoning: toNullish(
    z.looseObject({ effort: toNullish(ReasoningEffort).describe('Used as `reasoning_effort` if that is omitted.') }),
  ).describe(
    "Optional. `reasoning.effort`, which some client adapters send, is used if `reasoning_effort` is omitted. Other fields are sent only to an upstream that is configured to accept them; otherwise they're listed in `x-modelgate-dropped`.",
  ),
  verbosity: toNullish(Verbosity).describe("How verbose the output is. Defaults to the model's own value, usually `medium`."),
  // A closed enum, because tokens of each output type have their own price.
  modalities: toNullish(z.array(z.enum(['text', 'audio'])).max(2)).describe(
    'The output types to generate. Defaults to `["text"]`. `audio` requires the `audio` field, and returns 400 unless the model is on a chat upstream.',
  ),
  audio: toNullish(ChatAudio).describe(
    'The voice and encoding of audio output. Required if `modalities` contains `audio`; optional otherwise.',
  ),
  prediction: toNullish(
    z.looseObject({
      type: createTypeField('content'),
      content: z.union([Text, z.array(ChatTextPart).max(1024)]).describe('The expected text: a string, or up to 1,024 parts.'),
    }),
  ).describe(
    'Optional. Text that most of the output is expected to repeat, which makes the response faster. Returns 400 unless the model is on a chat upstream.',
  ),
};

const hintFields = {
  store: toNullish(z.boolean()).describe(
    'Whether Modelgate can keep reasoning between tool calls. The gateway asks upstreams not to store anything, and lists `store: true` in `x-modelgate-dropped`. On a responses upstream, it keeps the encrypted reasoning before each tool call for a day and sends it back with the tool results, unless you send `false`. Omit it to keep the reasoning.',
  ),
  metadata: toNullish(Metadata).describe(`Key-value pairs for the upstream. The gateway doesn't use them. ${HINT_DESCRIPTION}`),
  usage: toNullish(UsageOptions).describe(
    'Options for the usage in the response. Not sent to upstreams. Omit to get a response without the cost.',
  ),
  user: markDeprecated(toNullish(Label), `use \`safety_identifier\` and \`prompt_cache_key\`. ${HINT_DESCRIPTION}`),
  safety_identifier: toNullish(z.string().max(64)).describe(
    `A stable, opaque ID of your end user, so the provider can find users who violate its policies. ${HINT_DESCRIPTION}`,
  ),
  prompt_cache_key: toNullish(z.string().max(64)).describe(
    `A stable key for the conversation. Calls with the same key go to the same upstream of the model, which improves cache hits. ${HINT_DESCRIPTION}`,
  ),
  prompt_cache_retention: toNullish(CacheRetention),
  prompt_cache_options: toNullish(CacheOptions).describe('How the upstream caches the prompt. Optional; the provider decides if omitted.'),
  service_tier: toNullish(ServiceTier).describe('The processing tier to request from the upstream. Defaults to `auto`.'),
  web_search_options: toNullish(
    z.looseObject({
      // A closed enum, because a larger context costs more.
      search_context_size: toNullish(z.enum(['low', 'medium', 'high'])).describe(
        'How much of the search results is added to the context. Optional; the provider decides if omitted, usually `medium`.',
      ),
      user_location: toNullish(JsonObject).describe("Optional. The user's approximate location, in the upstream's format."),
    }),
  ).describe(
    "Lets the upstream search the web. Omit to disable web search. Charged as one `web_search_call`; returns 400 if that has no price. If the model isn't on a chat upstream, an empty object is listed in `x-modelgate-dropped`, and any other returns 400.",
  ),
  moderation: toNullish(Moderation).describe(
    'Asks the upstream to moderate the text of the call. Optional; the provider decides if omitted.',
  ),
};

export const ChatCompletionRequest = z
  .looseObject({
    model: Id.meta({ description: 'The ID of a text model, as listed by `GET /v1/models`.', examples: ['gpt-5.4'] }),
    messages: z
      .array(ChatMessage)
      .min(1)
      .max(MAX_ITEMS)
      .describe(`The conversation so far, oldest message first: 1 to ${MAX_ITEMS} messages.`),
    stream: toNullish(z.boolean()).describe('Whether to stream the response as server-sent events. Defaults to false.'),
    ...leadingFields,
    stream_options: toNullish(
      z.looseObject({
        include_usage: toNullish(z.boolean()).describe(
          'Whether to send one more chunk before `[DONE]`, with the usage and an empty `choices` array. Defaults to false.',
        ),
        include_obfuscation: toNullish(z.boolean()).describe(
          "Whether the upstream pads its chunks, so that their sizes don't reveal their content. Sent to chat upstreams; the gateway doesn't add padding itself. Optional; the provider decides if omitted.",
        ),
      }),
    ).describe('Optional. Options for streaming. Returns 400 without `stream: true`.'),
    ...limitFields,
    ...toolFields,
    ...outputFields,
    ...hintFields,
  })
  .check(rejectMisplacedFields(misplacedInChat), ...chatRules)
  .meta({
    id: 'ChatCompletionRequest',
    ...chatConflicts,
    description:
      'A conversation, and options for the completion. Fields set to null are treated as omitted. Unknown fields are forwarded to OpenAI and Azure, unless they could select a model, provider, tier, tool, or price. All other unknown fields are dropped and listed in `x-modelgate-dropped`, unless the upstream is configured to allow them.',
    examples: [{ model: 'gpt-5.4', messages: [{ role: 'user', content: 'Say hello in five languages.' }] }],
  });
export type ChatCompletionRequest = z.infer<typeof ChatCompletionRequest>;
