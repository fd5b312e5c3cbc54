/** The Responses API operation: its request and the response object. */
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
  ServiceTier,
  Text,
  Tokens,
  toNullish,
  UsageOptions,
} from './shared/bounds.ts';
import { createTypeField, HINT_DESCRIPTION, markDeprecated, OMITTED_NOTE } from './shared/descriptions.ts';
import { misplacedInResponses, rejectMisplacedFields } from './shared/misplaced-fields.ts';
import { createOpenEnum } from './shared/open.ts';
import { Tool, ToolChoice } from './tools.ts';

export const Truncation = createOpenEnum(['auto', 'disabled']);

const limitFields = {
  max_output_tokens: toNullish(z.int().min(16).max(10_000_000)).describe(
    "Maximum number of output tokens, including reasoning tokens. A response that reaches it ends as `incomplete`. Defaults to the model's maximum. If your account can't pay for that many, the gateway sets a lower limit and reports it in `x-modelgate-output-limit`.",
  ),
  max_tool_calls: toNullish(z.int().min(1).max(10_000)).describe(
    'Maximum number of calls to tools that the upstream runs. The price of that many calls is reserved. Omit for no limit; the price of 16 calls is then reserved. Supported only for models on upstreams that serve the Responses API; otherwise returns 400.',
  ),
  temperature: toNullish(z.number().min(0).max(2)).describe(
    "Sampling temperature, from 0 to 2. Higher values make the output more varied. Defaults to the model's own value. Anthropic upstreams accept 0 to 1 and return 400 for more; reasoning models may reject any value.",
  ),
  top_p: toNullish(z.number().min(0).max(1)).describe(
    "Nucleus sampling, from 0 to 1: the model considers only the most likely tokens that together have this probability. Defaults to the model's own value.",
  ),
  top_logprobs: toNullish(z.int().min(0).max(20)).describe(
    'How many of the most likely tokens to return at each position, from 0 to 20. Requires `message.output_text.logprobs` in `include`. Defaults to 0. More than 0 returns 400 on Anthropic upstreams.',
  ),
  presence_penalty: toNullish(z.number().min(-2).max(2)).describe(
    'From -2 to 2. Positive values make a token less likely once it has occurred in the text, however often. Defaults to 0. Any other value returns 400 on Anthropic upstreams, and some responses upstreams reject it.',
  ),
  frequency_penalty: toNullish(z.number().min(-2).max(2)).describe(
    'From -2 to 2. Positive values make a token less likely each time it has already occurred in the text. Defaults to 0. Any other value returns 400 on Anthropic upstreams, and some responses upstreams reject it.',
  ),
  truncation: markDeprecated(
    toNullish(Truncation),
    'no replacement. Controls what a responses upstream does if the input is too long: `auto` drops the oldest items, `disabled` returns an error. Defaults to `disabled`. Not sent to other upstreams.',
  ),
  context_management: toNullish(
    z
      .array(
        z.looseObject({
          type: Label.describe('The action on the conversation, such as `compaction`.'),
          compact_threshold: toNullish(Tokens).describe(
            'The number of input tokens that triggers the action. Optional; the provider decides if omitted.',
          ),
        }),
      )
      .max(16),
  ).describe(
    'How a responses upstream shortens a conversation that grows too long; up to 16 entries. Not sent to other upstreams. Omit to leave the conversation as it is.',
  ),
};

const stateFields = {
  previous_response_id: toNullish(Id).describe(
    "The ID of a stored response of your account to continue. Its items and those of earlier turns become input, and are charged as input. `instructions` aren't carried over. Omit to start a new conversation.",
  ),
  store: toNullish(z.boolean()).describe(
    "Whether the gateway stores the response, so that you can read and continue it, for 30 days unless configured otherwise. The gateway asks upstreams not to store anything. Defaults to true. If the key doesn't have permission to store responses, the default is false, and true returns 403.",
  ),
  background: toNullish(z.boolean()).describe(
    'Whether to run the response in the background. The gateway then returns it at once, with the status `queued`, and completes it without you: read it with `GET /v1/responses/{response_id}`. With `stream`, you get its events, and it continues if you disconnect. Requires a stored response; otherwise returns 400. Defaults to false.',
  ),
  background_options: toNullish(
    z.looseObject({
      completion_window: toNullish(z.literal('soonest')).describe(
        'When the response must be complete. Only `soonest` is supported. Defaults to `soonest`.',
      ),
    }),
  ).describe('Options for responses in the background. Optional.'),
};

const hintFields = {
  include: toNullish(z.array(Label).max(32)).describe(
    "Optional. Up to 32 names of additional output to include, such as `reasoning.encrypted_content` or `message.output_text.logprobs`. Output that an upstream can't provide is omitted and listed in `x-modelgate-dropped`.",
  ),
  metadata: toNullish(Metadata).describe(`Key-value pairs that are repeated in the response. ${HINT_DESCRIPTION}`),
  client_metadata: toNullish(z.record(z.string().max(256), JsonValue)).describe(
    'Optional. Private metadata of a coding agent, accepted but neither logged nor forwarded. Names have up to 256 characters.',
  ),
  prompt_cache_key: toNullish(z.string().max(64)).describe(
    `A stable key for the conversation, up to 64 characters. If a model has several upstreams, calls with the same key go to the same one, which improves cache hits. ${HINT_DESCRIPTION}`,
  ),
  prompt_cache_retention: toNullish(CacheRetention),
  prompt_cache_options: toNullish(CacheOptions).describe('How the upstream caches the prompt. Optional; the provider decides if omitted.'),
  safety_identifier: toNullish(z.string().max(64)).describe(
    `A stable, opaque ID of your end user, which lets the provider identify users who violate its policies. ${HINT_DESCRIPTION}`,
  ),
  service_tier: toNullish(ServiceTier).describe('The processing tier to request from the upstream. Defaults to `auto`.'),
  image: toNullish(JsonObject).describe(
    'How the upstream handles images in the conversation, in its own format. Sent to responses upstreams; otherwise listed in `x-modelgate-dropped`. Optional; the provider decides if omitted.',
  ),
  usage: toNullish(UsageOptions).describe(
    'Options for the usage in the response. Not sent to upstreams. Omit to get a response without the cost.',
  ),
  user: markDeprecated(toNullish(Label), `use \`safety_identifier\` and \`prompt_cache_key\`. ${HINT_DESCRIPTION}`),
  moderation: toNullish(Moderation).describe(
    'Asks the upstream to moderate the text of the call. Optional; the provider decides if omitted.',
  ),
};

export const ResponseRequest = z
  .looseObject({
    model: Id.meta({ description: 'The ID of a text model, as listed by `GET /v1/models`.', examples: ['gpt-5.4'] }),
    input: z
      .union([Text, z.array(InputItem).max(MAX_ITEMS)])
      .describe(`A string, which becomes a user message, or up to ${MAX_ITEMS} items: messages, tool calls, and their outputs.`),
    instructions: toNullish(Text).describe(
      'Optional. The system prompt of this turn, placed before the input. Send it again with every turn of a conversation.',
    ),
    stream: toNullish(z.boolean()).describe('Whether to stream the response as server-sent events. Defaults to false.'),
    stream_options: toNullish(
      z.looseObject({
        include_obfuscation: toNullish(z.boolean()).describe(
          "Whether the upstream pads its events, so that their sizes don't reveal their content. Sent to responses upstreams; the gateway doesn't add padding itself. Optional; the provider decides if omitted.",
        ),
      }),
    ).describe('Optional. Options for streaming.'),
    text: toNullish(TextOptions).describe('The format and verbosity of the text. Defaults to plain text.'),
    reasoning: toNullish(ReasoningOptions).describe("How the model reasons. Defaults to the model's own settings."),
    tools: toNullish(z.array(Tool).max(MAX_TOOLS)).describe(`Optional. Up to ${MAX_TOOLS} tools that the model can call.`),
    tool_choice: toNullish(ToolChoice).describe('Controls which tools the model can or must call. Defaults to `auto`.'),
    parallel_tool_calls: toNullish(z.boolean()).describe(
      'Whether the model can make several tool calls in parallel. Optional; the provider decides if omitted, usually true. False is omitted for Gemini upstreams, and listed in `x-modelgate-dropped` there.',
    ),
    ...stateFields,
    ...limitFields,
    ...hintFields,
  })
  .check(rejectMisplacedFields(misplacedInResponses), ...responseRules)
  .meta({
    id: 'ResponseRequest',
    description:
      'The input, and options for the response. Fields set to null are treated as omitted. Unknown fields are forwarded to OpenAI and Azure, unless they could select a model, provider, tier, tool, or price. All other unknown fields are dropped and listed in `x-modelgate-dropped`, unless the upstream is configured to allow them.',
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

export const ResponseStatus = createOpenEnum(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled']).meta({
  id: 'ResponseStatus',
  description:
    '`queued`, `in_progress`: it runs in the background, or in the first events of a stream. `completed`: finished normally. `incomplete`: ended early; see `incomplete_details`. `failed`: see `error`. `cancelled`: canceled by you or by the upstream.',
});

/** Describes a response field that repeats a request field. */
const describeEcho = (field: string, absent: string) => `\`${field}\` of the request, or the value used instead. ${absent}`;

/** Not the request's schema, because upstreams can write tools differently. */
const ToolEcho = z
  .looseObject({ type: z.string().describe('The type of the tool, such as `function` or `web_search`.') })
  .meta({ id: 'ToolEcho', description: 'A tool of the request, as repeated by the upstream.', additionalProperties: true });

/** Not the request's schema, because upstreams can write text formats differently. */
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
    object: createTypeField('response'),
    created_at: z.number().describe('When the response was created, as a Unix timestamp in seconds.'),
    completed_at: z
      .number()
      .nullish()
      .describe("When the response was completed, as a Unix timestamp in seconds. Null if it wasn't completed."),
    status: ResponseStatus.nullish().describe(`The status of the response. ${OMITTED_NOTE}`),
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
    instructions: z.unknown().optional().describe(describeEcho('instructions', 'Null if the request had none.')),
    tools: z.array(ToolEcho).nullish().describe(`The tools that the model could call. Empty if none. ${OMITTED_NOTE}`),
    tool_choice: z
      .unknown()
      .optional()
      .describe(describeEcho('tool_choice', `A string or an object, as in the request. ${OMITTED_NOTE}`)),
    parallel_tool_calls: z.boolean().nullish().describe(`Whether the model could make several tool calls in parallel. ${OMITTED_NOTE}`),
    text: z
      .looseObject({
        format: TextFormatEcho.nullish().describe(
          `The format of the output: \`text.format\` of the request, or \`text\` if the request had none. ${OMITTED_NOTE}`,
        ),
        verbosity: z.string().nullish().describe(`The requested verbosity: \`low\`, \`medium\`, or \`high\`. ${OMITTED_NOTE}`),
      })
      .nullish()
      .describe(describeEcho('text', OMITTED_NOTE)),
    reasoning: z
      .looseObject({
        effort: z.string().nullish().describe("The requested reasoning effort. Null if the model's default was used."),
        summary: z.string().nullish().describe("The requested reasoning summary. Null if the upstream's default was used."),
      })
      .nullish()
      .describe(describeEcho('reasoning', `Also contains its other settings. ${OMITTED_NOTE}`)),
    temperature: z.number().nullish().describe(describeEcho('temperature', '1 if omitted from the request.')),
    top_p: z.number().nullish().describe(describeEcho('top_p', '1 if omitted from the request.')),
    presence_penalty: z.number().nullish().describe(describeEcho('presence_penalty', '0 if omitted from the request.')),
    frequency_penalty: z.number().nullish().describe(describeEcho('frequency_penalty', '0 if omitted from the request.')),
    top_logprobs: z.int().nullish().describe(describeEcho('top_logprobs', '0 if omitted from the request.')),
    max_output_tokens: z
      .int()
      .nullish()
      .describe('The output limit in tokens, from the request or set by the gateway. Null if not limited.'),
    max_tool_calls: z.int().nullish().describe(describeEcho('max_tool_calls', 'Null if not limited.')),
    truncation: z.string().nullish().describe(describeEcho('truncation', '`disabled` if omitted from the request.')),
    store: z
      .boolean()
      .nullish()
      .describe(`Whether the gateway stores the response. False if the key doesn't have permission to store responses. ${OMITTED_NOTE}`),
    background: z.boolean().nullish().describe(`Whether the response runs or ran in the background. ${OMITTED_NOTE}`),
    service_tier: z.string().nullish().describe(`The processing tier that was used. ${OMITTED_NOTE}`),
    metadata: z
      .record(z.string(), z.string())
      .nullish()
      .describe(describeEcho('metadata', `Empty if the request had none. ${OMITTED_NOTE}`)),
    safety_identifier: z.string().nullish().describe(describeEcho('safety_identifier', 'Null if the request had none.')),
    prompt_cache_key: z.string().nullish().describe(describeEcho('prompt_cache_key', 'Null if the request had none.')),
    user: markDeprecated(
      z.string().nullish(),
      `send \`safety_identifier\`. ${describeEcho('user', 'Null or omitted if the request had none.')}`,
    ),
    usage: ResponseUsage.nullish().describe('Tokens used by the response. Null until the response has ended.'),
  })
  .meta({
    id: 'ModelResponse',
    description:
      "A model response. To read the text, look for items of type `message` in `output`. Client libraries offer it as `output_text`, which isn't part of the JSON.",
  });
export type Response = z.infer<typeof Response>;
