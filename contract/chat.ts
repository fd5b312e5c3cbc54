/** Request of a chat completion. */
import { z } from 'zod';
import { ChatMessage, ChatTextPart } from './chat/messages.ts';
import { chatNever, chatRules } from './chat/rules.ts';
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
  UsageOptions,
  Verbosity,
} from './shared/bounds.ts';
import { deprecated, HINT, kind } from './shared/descriptions.ts';
import { JsonObjectFormat, PlainTextFormat } from './shared/formats.ts';
import { misplacedFields, misplacedInChat } from './shared/misplaced-fields.ts';
import { ChatTool, ChatToolChoice } from './tools.ts';

const JsonSchemaFormat = z
  .looseObject({
    type: kind('json_schema'),
    json_schema: z
      .looseObject({
        name: z
          .string()
          .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'The name has 1 to 64 letters, digits, underscores and hyphens.')
          .describe('A name for the format, which the model may see.'),
        description: maybe(Text).describe('What the format is for; the model reads this. Optional.'),
        schema: maybe(JsonObject).describe('JSON schema of the answer, at most 64 levels deep. Absent: any JSON.'),
        strict: maybe(z.boolean()).describe(
          'Whether the answer must follow the schema exactly. Defaults to false. Anthropic and Gemini upstreams ignore this: they always follow the schema.',
        ),
      })
      .describe('The schema, its name and its description.'),
  })
  .meta({
    id: 'ChatJsonSchemaFormat',
    description: 'JSON that follows a schema of the caller. 400 when a chat vendor does not support schemas.',
  });

const ResponseFormat = z
  .discriminatedUnion('type', [PlainTextFormat, JsonObjectFormat, JsonSchemaFormat])
  .meta({ id: 'ChatResponseFormat', description: 'Format of the answer. In responses this is `text.format`, one level flatter.' });

const FunctionName = z.looseObject({ name: Label.describe('Name of that function.') }).meta({
  id: 'ChatFunctionName',
  description: 'Deprecated: use `tool_choice`. The one of `functions` that has to be called.',
  deprecated: true,
});

const ChatAudio = z
  .looseObject({
    voice: z
      .union([Label, JsonObject.describe('A custom voice, in the format of the upstream.')])
      .describe('Name of a voice of the upstream, or an object that names a custom one.'),
    format: z.enum(['wav', 'aac', 'mp3', 'flac', 'opus', 'pcm16']).describe('Encoding of the audio in the answer.'),
  })
  .meta({
    id: 'ChatAudioOptions',
    description: 'Voice and encoding of a spoken answer. Only upstreams that speak chat give one; others refuse it with 400.',
  });

const limits = {
  temperature: maybe(z.number().min(0).max(2)).describe(
    'Higher is more varied. Defaults to what the model does. Anthropic upstreams take 0 to 1 and refuse more with 400; models that reason may refuse any.',
  ),
  top_p: maybe(z.number().min(0).max(1)).describe(
    'Nucleus sampling: only the likeliest tokens are drawn from, up to this share of probability. Defaults to what the model does.',
  ),
  max_tokens: maybe(z.int().min(1).max(10_000_000)).describe(
    'The older name of `max_completion_tokens`, with the same meaning; send one of the two, both are 400. Absent: as `max_completion_tokens` says.',
  ),
  n: maybe(z.int().min(1).max(128)).describe(
    'Number of answers; each is charged. Absent: 1. More than one only when the upstream speaks chat; others refuse it with 400.',
  ),
  stop: maybe(z.union([z.string().max(1024), z.array(z.string().max(1024)).max(4)])).describe(
    'Up to four texts at which the model stops, each up to 1,024 characters; the answer does not contain them. Optional. Rejected with 400 when the model is served over responses.',
  ),
  frequency_penalty: maybe(z.number().min(-2).max(2)).describe(
    'Above 0, a token becomes less likely each time that it has occurred in the text. Defaults to 0. Any other value is 400 over responses and Anthropic upstreams.',
  ),
  presence_penalty: maybe(z.number().min(-2).max(2)).describe(
    'Above 0, a token that has occurred in the text becomes less likely, however often it occurred. Defaults to 0. Any other value is 400 over responses and Anthropic upstreams.',
  ),
  logit_bias: maybe(z.record(z.string().max(32), z.number().min(-100).max(100))).describe(
    'Token id to a bias from -100 (never) to 100 (always). Optional. Rejected with 400 unless the upstream speaks chat.',
  ),
  logprobs: maybe(z.boolean()).describe(
    'Whether to return log probabilities of the output tokens. Defaults to false. True is 400 over Anthropic upstreams.',
  ),
  top_logprobs: maybe(z.int().min(0).max(20)).describe(
    'How many alternatives to show for each token; needs `logprobs: true`. Defaults to 0.',
  ),
  seed: deprecated(
    maybe(z.number()),
    'there is no replacement. Asks for the same answer again, without a guarantee. Left out when the model is served over responses, and named in `x-modelgate-ignored`; Anthropic upstreams refuse it with 400, Gemini upstreams take whole numbers.',
  ),
};

/** These come first: the reference page folds fields after the twelfth, and most readers look for these. */
const leading = {
  tools: maybe(z.array(ChatTool).max(MAX_TOOLS)).describe(
    `Tools that the model may call, up to ${MAX_TOOLS}; the caller runs them. Optional. Upstreams without free-form tools get those as functions with one string parameter.`,
  ),
  tool_choice: maybe(ChatToolChoice).describe('Which tools the model may or must call. Absent: `auto` with tools, `none` without.'),
  response_format: maybe(ResponseFormat).describe('Format of the answer. Defaults to plain text.'),
  reasoning_effort: maybe(ReasoningEffort).describe(
    'How much the model should reason. Defaults to what the model does. Chat does not show the reasoning, but it counts as output tokens.',
  ),
  max_completion_tokens: maybe(z.int().min(1).max(10_000_000)).describe(
    'The most output tokens, reasoning included; an answer that reaches it ends with `length`. Absent: the maximum of the model; when the account cannot pay for that, the gateway sets a limit and reports it in `x-modelgate-output-limit`. When the model is served over responses, less than 16 becomes 16.',
  ),
};

const tooling = {
  parallel_tool_calls: maybe(z.boolean()).describe(
    'Whether the model may make several calls at once. Absent: the upstream decides, usually true. False is 400 over Gemini upstreams.',
  ),
  functions: deprecated(
    maybe(
      z
        .array(
          z.looseObject({
            name: Label.describe('Name of the function.'),
            description: maybe(Text).describe('What the function does; the model reads this. Optional.'),
            parameters: maybe(JsonObject).describe('JSON schema of the arguments. Absent: no arguments.'),
          }),
        )
        .max(MAX_TOOLS),
    ),
    'use `tools`. A request with these and no `tools` gets at most one call, as `function_call`.',
  ),
  function_call: deprecated(maybe(z.union([z.enum(['none', 'auto']), FunctionName])), 'use `tool_choice`.'),
};

const form = {
  reasoning: maybe(z.looseObject({ effort: maybe(ReasoningEffort).describe('Used as `reasoning_effort` when that is absent.') })).describe(
    'Another form of `reasoning_effort`, which some client adapters send: `reasoning.effort` is used as `reasoning_effort`. Other fields, such as `max_tokens` and `enabled`, are sent to an upstream that is configured to take them, and named in `x-modelgate-ignored` elsewhere. Absent: `reasoning_effort` applies.',
  ),
  verbosity: maybe(Verbosity).describe('How long the answer should be. Absent: the default of the model, usually `medium`.'),
  modalities: maybe(z.array(z.enum(['text', 'audio'])).max(2)).describe(
    'Media of the answer. Absent: text. `audio` needs `audio`, and is 400 unless the upstream speaks chat.',
  ),
  audio: maybe(ChatAudio).describe(
    'Voice and encoding of a spoken answer. Absent: the answer is not spoken; required when `modalities` has `audio`.',
  ),
  prediction: maybe(
    z.looseObject({
      type: kind('content'),
      content: z.union([Text, z.array(ChatTextPart).max(1024)]).describe('The text that is expected: a string, or up to 1,024 parts.'),
    }),
  ).describe(
    'A text that most of the answer is expected to repeat, which makes it faster. Optional. Rejected with 400 unless the upstream speaks chat.',
  ),
};

const hints = {
  store: maybe(z.boolean()).describe(
    'Whether Modelgate can keep reasoning between tool calls. Chat completions are never stored, and the gateway tells upstreams to store nothing; a true `store` is named in `x-modelgate-ignored`. If the call goes over responses, Modelgate keeps the encrypted reasoning before each tool call for a day and sends it back with the tool results. Send `false` to turn that off. Omit it to keep the reasoning.',
  ),
  metadata: maybe(Metadata).describe(`Metadata of the caller for the upstream; the gateway does not use it. ${HINT}`),
  usage: maybe(UsageOptions).describe(
    'Asks for the cost of the call in the response. Not sent to upstreams. Absent: the response has no cost.',
  ),
  user: deprecated(maybe(Label), `use \`safety_identifier\` and \`prompt_cache_key\`. ${HINT}`),
  safety_identifier: maybe(z.string().max(64)).describe(
    `An opaque id of the end user, so that the vendor can find a user who breaks its rules. ${HINT}`,
  ),
  prompt_cache_key: maybe(z.string().max(64)).describe(
    `Name of a conversation. When a model has several upstreams, calls with the same name go to the same one, for cache hits. ${HINT}`,
  ),
  prompt_cache_retention: maybe(CacheRetention),
  prompt_cache_options: maybe(CacheOptions).describe('How the upstream may cache the prompt. Optional; the provider decides if omitted.'),
  service_tier: maybe(ServiceTier).describe('Processing tier to ask the upstream for. Defaults to `auto`.'),
  web_search_options: maybe(
    z.looseObject({
      search_context_size: maybe(z.enum(['low', 'medium', 'high'])).describe(
        'How much of the search results the model reads. Absent: the upstream decides, usually `medium`.',
      ),
      user_location: maybe(JsonObject).describe('Roughly where the user is, in the format of the upstream. Absent: no location.'),
    }),
  ).describe(
    'Lets the upstream search the web. Absent: it does not. Charged as one call of `web_search_call`, and 400 when that has no price; unless it is empty, it is also 400 when the upstream does not speak chat. There, an empty one is left out, named in `x-modelgate-ignored`, and costs nothing.',
  ),
  moderation: maybe(Moderation).describe(
    'Asks the upstream to moderate the texts of the call. Absent: the upstream does what it does by default.',
  ),
};

export const ChatCompletionRequest = z
  .looseObject({
    model: Id.meta({ description: 'Id of a text model, as `GET /v1/models` lists it.', examples: ['gpt-5.4'] }),
    messages: z.array(ChatMessage).min(1).max(MAX_ITEMS).describe(`The conversation, oldest first: 1 to ${MAX_ITEMS} messages.`),
    stream: maybe(z.boolean()).describe('True: the answer comes as Server-Sent Events. Defaults to false.'),
    ...leading,
    stream_options: maybe(
      z.looseObject({
        include_usage: maybe(z.boolean()).describe(
          'Whether one more chunk, with the usage and no choices, comes before `[DONE]`. Defaults to false.',
        ),
        include_obfuscation: maybe(z.boolean()).describe(
          'Whether the upstream pads its chunks, so that their sizes reveal nothing. Sent to upstreams that speak chat; the gateway itself pads nothing. Optional; the provider decides if omitted.',
        ),
      }),
    ).describe('Options of a stream; 400 without `stream: true`. Optional.'),
    ...limits,
    ...tooling,
    ...form,
    ...hints,
  })
  .check(misplacedFields(misplacedInChat), ...chatRules)
  .meta({
    id: 'ChatCompletionRequest',
    ...chatNever,
    description:
      'A conversation, and options for the next answer. Null counts as absent. A field that no operation knows is forwarded to OpenAI and Azure, unless it may choose a model, provider, tier, tool or price; otherwise it is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it.',
    examples: [{ model: 'gpt-5.4', messages: [{ role: 'user', content: 'Say hello in five languages.' }] }],
  });
export type ChatCompletionRequest = z.infer<typeof ChatCompletionRequest>;
