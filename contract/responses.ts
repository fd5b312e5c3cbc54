/** The responses operation: the request and the response object. */
import { z } from 'zod';
import { InputItem, OutputItem } from './responses/items.ts';
import { ReasoningOptions, TextOptions } from './responses/options.ts';
import { responseRules } from './responses/rules.ts';
import {
  CacheOptions,
  CacheRetention,
  Cost,
  Id,
  JsonObject,
  JsonValue,
  Label,
  MAX_ITEMS,
  MAX_TOOLS,
  Metadata,
  Moderation,
  maybe,
  ServiceTier,
  Text,
  Tokens,
  UsageOptions,
} from './shared/bounds.ts';
import { deprecated, HINT, kind, UNSAID } from './shared/descriptions.ts';
import { misplacedFields, misplacedInResponses } from './shared/misplaced-fields.ts';
import { word } from './shared/open.ts';
import { Tool, ToolChoice } from './tools.ts';

export const Truncation = word(['auto', 'disabled']);

const limits = {
  max_output_tokens: maybe(z.int().min(16).max(10_000_000)).describe(
    "Maximum number of output tokens, including reasoning tokens. A response that reaches it ends as `incomplete`. Defaults to the model's maximum. If your account can't pay for that many, the gateway sets a lower limit and reports it in `x-modelgate-output-limit`.",
  ),
  max_tool_calls: maybe(z.int().min(1).max(10_000)).describe(
    'Maximum number of calls to tools that the upstream runs. The price of that many calls is reserved. Omit for no limit; the price of 16 calls is then reserved. Supported only for models on upstreams that serve the Responses API; otherwise returns 400.',
  ),
  temperature: maybe(z.number().min(0).max(2)).describe(
    "Sampling temperature, from 0 to 2. Higher values make the output more varied. Defaults to the model's own value. Anthropic upstreams accept 0 to 1 and return 400 for more; reasoning models may reject any value.",
  ),
  top_p: maybe(z.number().min(0).max(1)).describe(
    "Nucleus sampling, from 0 to 1: the model considers only the most likely tokens that together have this probability. Defaults to the model's own value.",
  ),
  top_logprobs: maybe(z.int().min(0).max(20)).describe(
    'How many of the most likely tokens to return at each position, from 0 to 20. Requires `message.output_text.logprobs` in `include`. Defaults to 0. More than 0 returns 400 on Anthropic upstreams.',
  ),
  presence_penalty: maybe(z.number().min(-2).max(2)).describe(
    'From -2 to 2. Positive values make a token less likely once it has occurred in the text, however often. Defaults to 0. Any other value returns 400 on Anthropic upstreams, and some responses upstreams reject it.',
  ),
  frequency_penalty: maybe(z.number().min(-2).max(2)).describe(
    'From -2 to 2. Positive values make a token less likely each time it has already occurred in the text. Defaults to 0. Any other value returns 400 on Anthropic upstreams, and some responses upstreams reject it.',
  ),
  truncation: deprecated(
    maybe(Truncation),
    'no replacement. Controls what a responses upstream does if the input is too long: `auto` drops the oldest items, `disabled` returns an error. Defaults to `disabled`. Not sent to other upstreams.',
  ),
  context_management: maybe(
    z
      .array(
        z.looseObject({
          type: Label.describe('The action on the conversation, such as `compaction`.'),
          compact_threshold: maybe(Tokens).describe(
            'The number of input tokens that triggers the action. Optional; the provider decides if omitted.',
          ),
        }),
      )
      .max(16),
  ).describe(
    'How a responses upstream shortens a conversation that grows too long; up to 16 entries. Not sent to other upstreams. Omit to leave the conversation as it is.',
  ),
};

const state = {
  previous_response_id: maybe(Id).describe(
    "The ID of a stored response of your account to continue. Its items and those of earlier turns become input, and are charged as input. `instructions` aren't carried over. Omit to start a new conversation.",
  ),
  store: maybe(z.boolean()).describe(
    "Whether the gateway stores the response, so that you can read and continue it, for 30 days unless configured otherwise. The gateway asks upstreams not to store anything. Defaults to true. If the key doesn't have permission to store responses, the default is false, and true returns 403.",
  ),
  background: maybe(z.boolean()).describe(
    'Whether to run the request in the background. Only false is supported; use `stream` for long responses. Defaults to false.',
  ),
};

const hints = {
  include: maybe(z.array(Label).max(32)).describe(
    "Optional. Up to 32 names of additional output to include, such as `reasoning.encrypted_content` or `message.output_text.logprobs`. Output that an upstream can't provide is omitted and listed in `x-modelgate-ignored`.",
  ),
  metadata: maybe(Metadata).describe(`Key-value pairs that are repeated in the response. ${HINT}`),
  client_metadata: maybe(z.record(z.string().max(256), JsonValue)).describe(
    'Optional. Private metadata of a coding agent, accepted but neither logged nor forwarded. Names have up to 256 characters.',
  ),
  prompt_cache_key: maybe(z.string().max(64)).describe(
    `A stable key for the conversation, up to 64 characters. If a model has several upstreams, calls with the same key go to the same one, which improves cache hits. ${HINT}`,
  ),
  prompt_cache_retention: maybe(CacheRetention),
  prompt_cache_options: maybe(CacheOptions).describe('How the upstream caches the prompt. Optional; the provider decides if omitted.'),
  safety_identifier: maybe(z.string().max(64)).describe(
    `A stable, opaque ID of your end user, which lets the provider identify users who violate its policies. ${HINT}`,
  ),
  service_tier: maybe(ServiceTier).describe('The processing tier to request from the upstream. Defaults to `auto`.'),
  image: maybe(JsonObject).describe(
    'How the upstream handles images in the conversation, in its own format. Sent to responses upstreams; otherwise listed in `x-modelgate-ignored`. Optional; the provider decides if omitted.',
  ),
  usage: maybe(UsageOptions).describe(
    'Options for the usage in the response. Not sent to upstreams. Omit to get a response without the cost.',
  ),
  user: deprecated(maybe(Label), `use \`safety_identifier\` and \`prompt_cache_key\`. ${HINT}`),
  moderation: maybe(Moderation).describe('Asks the upstream to moderate the text of the call. Optional; the provider decides if omitted.'),
};

export const ResponseRequest = z
  .looseObject({
    model: Id.meta({ description: 'The ID of a text model, as listed by `GET /v1/models`.', examples: ['gpt-5.4'] }),
    input: z
      .union([Text, z.array(InputItem).max(MAX_ITEMS)])
      .describe(`A string, which becomes a user message, or up to ${MAX_ITEMS} items: messages, tool calls, and their outputs.`),
    instructions: maybe(Text).describe(
      'Optional. The system prompt of this turn, placed before the input. Send it again with every turn of a conversation.',
    ),
    stream: maybe(z.boolean()).describe('Whether to stream the response as server-sent events. Defaults to false.'),
    stream_options: maybe(
      z.looseObject({
        include_obfuscation: maybe(z.boolean()).describe(
          "Whether the upstream pads its events, so that their sizes don't reveal their content. Sent to responses upstreams; the gateway doesn't add padding itself. Optional; the provider decides if omitted.",
        ),
      }),
    ).describe('Optional. Options for streaming.'),
    text: maybe(TextOptions).describe('The format and verbosity of the text. Defaults to plain text.'),
    reasoning: maybe(ReasoningOptions).describe("How the model reasons. Defaults to the model's own settings."),
    tools: maybe(z.array(Tool).max(MAX_TOOLS)).describe(`Optional. Up to ${MAX_TOOLS} tools that the model can call.`),
    tool_choice: maybe(ToolChoice).describe('Controls which tools the model can or must call. Defaults to `auto`.'),
    parallel_tool_calls: maybe(z.boolean()).describe(
      'Whether the model can make several tool calls in parallel. Optional; the provider decides if omitted, usually true. False returns 400 on Gemini upstreams.',
    ),
    ...state,
    ...limits,
    ...hints,
  })
  .check(misplacedFields(misplacedInResponses), ...responseRules)
  .meta({
    id: 'ResponseRequest',
    description:
      'The input, and options for the response. Fields set to null are treated as omitted. Unknown fields are forwarded to OpenAI and Azure, unless they could select a model, provider, tier, tool, or price. All other unknown fields are dropped and listed in `x-modelgate-ignored`, unless the upstream is configured to allow them.',
    examples: [{ model: 'gpt-5.4', instructions: 'Answer in one sentence.', input: 'Why is the sky blue?' }],
  });
export type ResponseRequest = z.infer<typeof ResponseRequest>;

export const ResponseUsage = z
  .looseObject({
    input_tokens: Tokens.describe('Number of input tokens, including earlier turns of the conversation and tokens read from a cache.'),
    input_tokens_details: z
      .looseObject({
        cached_tokens: Tokens.describe("Tokens read from the upstream's cache, charged at the price of cached input."),
        cache_write_tokens: Tokens.nullish().describe(
          "Tokens written to the upstream's cache, charged at the price of cache writes. Omitted if none.",
        ),
      })
      .nullish()
      .describe("Breakdown of `input_tokens`. Omitted if the upstream doesn't report it."),
    output_tokens: Tokens.describe('Number of output tokens, including reasoning tokens.'),
    output_tokens_details: z
      .looseObject({ reasoning_tokens: Tokens.describe('Reasoning tokens, charged as output.') })
      .nullish()
      .describe("Breakdown of `output_tokens`. Omitted if the upstream doesn't report it."),
    total_tokens: Tokens.describe('The sum of `input_tokens` and `output_tokens`.'),
    cost: Cost,
  })
  .meta({ id: 'ResponseUsage', description: 'Tokens used by the response, as counted by the upstream.' });

export const ResponseStatus = word(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled']).meta({
  id: 'ResponseStatus',
  description:
    '`queued`, `in_progress`: only in the first events of a stream. `completed`: finished normally. `incomplete`: ended early; see `incomplete_details`. `failed`: see `error`. `cancelled`: canceled by the upstream.',
});

/** For a field that repeats a field of the request. */
const asked = (field: string, absent: string) => `\`${field}\` of the request, or the value used instead. ${absent}`;

/** Upstreams write tools in their own ways, so the schema of the request doesn't apply here. */
const ToolEcho = z
  .looseObject({ type: z.string().describe('The type of the tool, such as `function` or `web_search`.') })
  .meta({ id: 'ToolEcho', description: 'A tool of the request, as repeated by the upstream.', additionalProperties: true });

/** The same for the format of the text. */
const TextFormatEcho = z
  .looseObject({ type: z.string().describe('The type of the format: `text`, `json_object`, or `json_schema`.') })
  .meta({
    id: 'TextFormatEcho',
    description: 'The text format of the request, as repeated by the upstream.',
    additionalProperties: true,
  });

export const Response = z
  .looseObject({
    id: z.string().describe('The ID of the response. If the response was stored, you can use it as `previous_response_id`.'),
    object: kind('response'),
    created_at: z.number().describe('When the response was created, as a Unix timestamp in seconds.'),
    completed_at: z
      .number()
      .nullish()
      .describe("When the response was completed, as a Unix timestamp in seconds. Null if it wasn't completed."),
    status: ResponseStatus.nullish().describe(`The status of the response. ${UNSAID}`),
    error: z
      .looseObject({
        code: z
          .string()
          .nullish()
          .describe(
            "The reason, for use in code: an error code of this API, `server_error`, or a code of the upstream. Omitted if the upstream doesn't report one.",
          ),
        message: z.string().describe('A human-readable description of the error.'),
      })
      .nullish()
      .describe("Why the response failed. Null if it didn't fail."),
    incomplete_details: z
      .looseObject({
        reason: z
          .string()
          .nullish()
          .describe(
            "`max_output_tokens`: the output limit was reached. `content_filter`: output was withheld. Null or omitted if the upstream doesn't report it.",
          ),
      })
      .nullish()
      .describe("Why the response is incomplete. Null if it isn't incomplete."),
    model: z.string().describe('The ID of the model, as in the request.'),
    output: z.array(OutputItem).describe("The output items, of several types. The message isn't always the first item."),
    previous_response_id: z
      .string()
      .nullish()
      .describe('The ID of the response that this one continues. Null if it starts a conversation.'),
    instructions: z.unknown().optional().describe(asked('instructions', 'Null if the request had none.')),
    tools: z.array(ToolEcho).nullish().describe(`The tools that the model could call. Empty if none. ${UNSAID}`),
    tool_choice: z
      .unknown()
      .optional()
      .describe(asked('tool_choice', `A string or an object, as in the request. ${UNSAID}`)),
    parallel_tool_calls: z.boolean().nullish().describe(`Whether the model could make several tool calls in parallel. ${UNSAID}`),
    text: z
      .looseObject({
        format: TextFormatEcho.nullish().describe(
          `The format of the output: \`text.format\` of the request, or \`text\` if the request had none. ${UNSAID}`,
        ),
        verbosity: z.string().nullish().describe(`The requested verbosity: \`low\`, \`medium\`, or \`high\`. ${UNSAID}`),
      })
      .nullish()
      .describe(asked('text', UNSAID)),
    reasoning: z
      .looseObject({
        effort: z.string().nullish().describe("The requested reasoning effort. Null if the model's default was used."),
        summary: z.string().nullish().describe("The requested reasoning summary. Null if the upstream's default was used."),
      })
      .nullish()
      .describe(asked('reasoning', `Also contains its other settings. ${UNSAID}`)),
    temperature: z.number().nullish().describe(asked('temperature', '1 if omitted from the request.')),
    top_p: z.number().nullish().describe(asked('top_p', '1 if omitted from the request.')),
    presence_penalty: z.number().nullish().describe(asked('presence_penalty', '0 if omitted from the request.')),
    frequency_penalty: z.number().nullish().describe(asked('frequency_penalty', '0 if omitted from the request.')),
    top_logprobs: z.int().nullish().describe(asked('top_logprobs', '0 if omitted from the request.')),
    max_output_tokens: z
      .int()
      .nullish()
      .describe('The output limit in tokens, from the request or set by the gateway. Null if not limited.'),
    max_tool_calls: z.int().nullish().describe(asked('max_tool_calls', 'Null if not limited.')),
    truncation: z.string().nullish().describe(asked('truncation', '`disabled` if omitted from the request.')),
    store: z
      .boolean()
      .nullish()
      .describe(`Whether the gateway stores the response. False if the key doesn't have permission to store responses. ${UNSAID}`),
    background: z.boolean().nullish().describe(`Always false: the gateway doesn't support background responses. ${UNSAID}`),
    service_tier: z.string().nullish().describe(`The processing tier that was used. ${UNSAID}`),
    metadata: z
      .record(z.string(), z.string())
      .nullish()
      .describe(asked('metadata', `Empty if the request had none. ${UNSAID}`)),
    safety_identifier: z.string().nullish().describe(asked('safety_identifier', 'Null if the request had none.')),
    prompt_cache_key: z.string().nullish().describe(asked('prompt_cache_key', 'Null if the request had none.')),
    user: deprecated(z.string().nullish(), `send \`safety_identifier\`. ${asked('user', 'Null or omitted if the request had none.')}`),
    usage: ResponseUsage.nullish().describe('Tokens used by the response. Null until the response has ended.'),
  })
  .meta({
    id: 'ModelResponse',
    description:
      "A model response. To read the text, look for items of type `message` in `output`. Client libraries offer it as `output_text`, which isn't part of the JSON.",
  });
export type Response = z.infer<typeof Response>;
