/** Request of a chat completion. */
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
import { deprecated, HINT, kind } from './wording.ts';

const JsonSchemaFormat = z
  .looseObject({
    type: kind('json_schema'),
    json_schema: z
      .looseObject({
        name: z
          .string()
          .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'The name has 1 to 64 letters, digits, underscores and hyphens.')
          .describe('A name for the form, which the model may see.'),
        description: maybe(Text).describe('What the form is for; the model reads this. Absent: nothing is said.'),
        schema: maybe(JsonObject).describe('JSON schema of the answer, at most 64 levels deep. Absent: any JSON.'),
        strict: maybe(z.boolean()).describe(
          'Whether the answer must follow the schema exactly. Absent: false. Anthropic and Gemini upstreams make no difference: they always hold to it.',
        ),
      })
      .describe('The schema and what is said about it.'),
  })
  .meta({
    id: 'ChatJsonSchemaFormat',
    description: 'JSON that follows a schema of the caller. A vendor of chat may know no schemas: then 400.',
  });

const ResponseFormat = z
  .discriminatedUnion('type', [PlainTextFormat, JsonObjectFormat, JsonSchemaFormat])
  .meta({ id: 'ChatResponseFormat', description: 'Form of the answer. On responses this is `text.format`, one level flatter.' });

const FunctionName = z.looseObject({ name: Label.describe('Name of that function.') }).meta({
  id: 'ChatFunctionName',
  description: 'Deprecated: use `tool_choice`. The one of `functions` that has to be called.',
  deprecated: true,
});

const ChatAudio = z
  .looseObject({
    voice: z
      .union([Label, JsonObject.describe('A custom voice, in the words of the upstream.')])
      .describe('Name of a voice of the upstream, or an object that names a custom one.'),
    format: z.enum(['wav', 'aac', 'mp3', 'flac', 'opus', 'pcm16']).describe('How the recording in the answer is encoded.'),
  })
  .meta({
    id: 'ChatAudioOptions',
    description: 'How a spoken answer sounds. Only upstreams that speak chat give one; others refuse it with 400.',
  });

const limits = {
  temperature: maybe(z.number().min(0).max(2)).describe(
    'Higher is more varied. Absent: the model’s own. Anthropic upstreams take 0 to 1 and refuse more with 400; models that reason may refuse any.',
  ),
  top_p: maybe(z.number().min(0).max(1)).describe(
    'Nucleus sampling: only the likeliest tokens are drawn from, up to this share of probability. Absent: the model’s own.',
  ),
  max_tokens: maybe(z.int().min(1).max(10_000_000)).describe(
    'The older name of `max_completion_tokens`, with the same meaning; send one of the two, both are 400. Absent: as `max_completion_tokens` says.',
  ),
  n: maybe(z.int().min(1).max(128)).describe(
    'Number of answers, each of which is charged. Absent: 1. More than one only where the upstream speaks chat; others refuse it with 400.',
  ),
  stop: maybe(z.union([z.string().max(1024), z.array(z.string().max(1024)).max(4)])).describe(
    'Up to four texts that end the answer, each up to 1,024 characters; none of them is part of it. Absent: none. Refused with 400 where the model is served over responses.',
  ),
  frequency_penalty: maybe(z.number().min(-2).max(2)).describe(
    'Above 0, tokens become the less likely the more often they stood in the text before. Absent: 0. Any other value is 400 over responses and Anthropic upstreams.',
  ),
  presence_penalty: maybe(z.number().min(-2).max(2)).describe(
    'Above 0, tokens that stood in the text before become less likely, once for all. Absent: 0. Any other value is 400 over responses and Anthropic upstreams.',
  ),
  logit_bias: maybe(z.record(z.string().max(32), z.number().min(-100).max(100))).describe(
    'Token id to a bias from -100 (never) to 100 (always). Absent: none. Refused with 400 unless the upstream speaks chat.',
  ),
  logprobs: maybe(z.boolean()).describe(
    'Whether to return log probabilities of the output tokens. Absent: false. True is 400 over Anthropic upstreams.',
  ),
  top_logprobs: maybe(z.int().min(0).max(20)).describe('How many alternatives to show for each token; needs `logprobs: true`. Absent: 0.'),
  seed: deprecated(
    maybe(z.number()),
    'there is nothing in its place. Best effort to repeat an answer. Left out where the model is served over responses, and named in `x-modelgate-ignored`; Anthropic upstreams refuse it with 400, Gemini upstreams take whole numbers.',
  ),
};

/** Ahead of the others: the reference folds away what comes after the twelfth field, and most people look for these. */
const leading = {
  tools: maybe(z.array(ChatTool).max(MAX_TOOLS)).describe(
    `Tools that the model may call, up to ${MAX_TOOLS}; the caller runs them. Absent: none. Upstreams without free-form tools are sent those as functions of one text.`,
  ),
  tool_choice: maybe(ChatToolChoice).describe('Which tools the model may or must call. Absent: `auto` with tools, `none` without.'),
  response_format: maybe(ResponseFormat).describe('Form of the answer. Absent: plain text.'),
  reasoning_effort: maybe(ReasoningEffort).describe(
    'How much the model should think. Absent: the model’s own. Chat shows no thoughts, but they count as output tokens.',
  ),
  max_completion_tokens: maybe(z.int().min(1).max(10_000_000)).describe(
    'Most output tokens, reasoning included; an answer that is cut by it ends with `length`. Absent: what the model can; where the account cannot pay for that, the gateway sets a limit and names it in `x-modelgate-output-limit`. Where the model is served over responses, less than 16 becomes 16.',
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
            description: maybe(Text).describe('What the function does; the model reads this. Absent: nothing is said.'),
            parameters: maybe(JsonObject).describe('JSON schema of the arguments. Absent: no arguments.'),
          }),
        )
        .max(MAX_TOOLS),
    ),
    'use `tools`. Who sends these alone gets at most one call, as `function_call`.',
  ),
  function_call: deprecated(maybe(z.union([z.enum(['none', 'auto']), FunctionName])), 'use `tool_choice`.'),
};

const form = {
  reasoning: maybe(
    z.looseObject({ effort: maybe(ReasoningEffort).describe('Counts as `reasoning_effort` where that is absent.') }),
  ).describe(
    'A form of `reasoning_effort` that bridge tools send: `reasoning.effort` counts as `reasoning_effort`. Whatever else is in it is not looked at. Absent: as `reasoning_effort` says.',
  ),
  verbosity: maybe(Verbosity).describe('How long the answer should be. Absent: the model’s own, usually `medium`.'),
  modalities: maybe(z.array(z.enum(['text', 'audio'])).max(2)).describe(
    'What the answer is made of. Absent: text. `audio` needs `audio`, and is 400 unless the upstream speaks chat.',
  ),
  audio: maybe(ChatAudio).describe('How a spoken answer sounds. Absent: nothing is spoken; it is needed when `modalities` has `audio`.'),
  prediction: maybe(
    z.looseObject({
      type: kind('content'),
      content: z.union([Text, z.array(ChatTextPart).max(1024)]).describe('The text that is expected: a string, or up to 1,024 parts.'),
    }),
  ).describe(
    'A text that most of the answer is expected to repeat, which makes it faster. Absent: none. Refused with 400 unless the upstream speaks chat.',
  ),
};

const hints = {
  store: maybe(z.boolean()).describe(
    'Whether the answer is to be kept, which chat never does: upstreams are told to keep nothing, and true is named in `x-modelgate-ignored`. Absent: false.',
  ),
  metadata: maybe(Metadata).describe(`Notes of the caller for the upstream; the gateway does not use them. ${HINT}`),
  user: deprecated(maybe(Label), `use \`safety_identifier\` and \`prompt_cache_key\`. ${HINT}`),
  safety_identifier: maybe(z.string().max(64)).describe(
    `An opaque name of the person behind the request, by which the vendor can tell whoever breaks its rules. ${HINT}`,
  ),
  prompt_cache_key: maybe(z.string().max(64)).describe(
    `Name of a conversation. Calls with one name are kept at one upstream where a model has several, so that its cache hits. ${HINT}`,
  ),
  prompt_cache_retention: maybe(CacheRetention),
  prompt_cache_options: maybe(CacheOptions).describe('How the upstream may cache the prompt. Absent: it decides.'),
  service_tier: maybe(ServiceTier).describe('Processing tier to ask the upstream for. Absent: `auto`.'),
  web_search_options: maybe(
    z.looseObject({
      search_context_size: maybe(z.enum(['low', 'medium', 'high'])).describe(
        'How much of what was found the model reads. Absent: the upstream decides, usually `medium`.',
      ),
      user_location: maybe(JsonObject).describe('Roughly where the user is, in the words of the upstream. Absent: nowhere in particular.'),
    }),
  ).describe(
    'Lets the upstream search the web. Absent: it does not. Charged as one call of `web_search_call`, and 400 where that has no price; unless it is empty, it is also 400 where the upstream does not speak chat. An empty one is left out there, named in `x-modelgate-ignored`, and costs nothing.',
  ),
  moderation: maybe(Moderation).describe('Has the upstream judge the texts of the call. Absent: as it does anyway.'),
};

export const ChatCompletionRequest = z
  .looseObject({
    model: Id.meta({ description: 'Id of a text model, as `GET /v1/models` lists it.', examples: ['gpt-5.4'] }),
    messages: z.array(ChatMessage).min(1).max(MAX_ITEMS).describe(`The conversation, oldest first: 1 to ${MAX_ITEMS} messages.`),
    stream: maybe(z.boolean()).describe('True: the answer comes as Server-Sent Events. Absent: false.'),
    ...leading,
    stream_options: maybe(
      z.looseObject({
        include_usage: maybe(z.boolean()).describe(
          'Whether one more chunk, with the usage and no choices, comes before `[DONE]`. Absent: false.',
        ),
        include_obfuscation: maybe(z.boolean()).describe(
          'Whether the upstream pads its chunks, so that their sizes tell nothing. Sent to upstreams that speak chat; the gateway itself pads nothing. Absent: the upstream decides.',
        ),
      }),
    ).describe('Options of a stream; 400 without `stream: true`. Absent: none.'),
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
      'A conversation and how it is to go on. Null counts as absent. A field that no operation knows is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it.',
    examples: [{ model: 'gpt-5.4', messages: [{ role: 'user', content: 'Say hello in five languages.' }] }],
  });
export type ChatCompletionRequest = z.infer<typeof ChatCompletionRequest>;
