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
import { Tool, ToolChoice } from './tools.ts';

const limits = {
  max_output_tokens: maybe(z.int().min(16).max(10_000_000)).describe(
    'The most output tokens, reasoning included; an answer that reaches it ends as `incomplete`. Absent: the maximum of the model; when the account cannot pay for that, the gateway sets a limit and reports it in `x-modelgate-output-limit`.',
  ),
  max_tool_calls: maybe(z.int().min(1).max(10_000)).describe(
    'The most calls of tools that the upstream runs; the price of that many is held. Absent: no limit, and the price of 16 is held. 400 when the upstream does not speak responses.',
  ),
  temperature: maybe(z.number().min(0).max(2)).describe(
    'Higher is more varied. Defaults to what the model does. Anthropic upstreams take 0 to 1 and refuse more with 400; models that reason may refuse any.',
  ),
  top_p: maybe(z.number().min(0).max(1)).describe(
    'Nucleus sampling: only the likeliest tokens are drawn from, up to this share of probability. Defaults to what the model does.',
  ),
  top_logprobs: maybe(z.int().min(0).max(20)).describe(
    'How many alternatives to show for each token; needs `message.output_text.logprobs` in `include`. Defaults to 0. Above 0 it is 400 over Anthropic upstreams.',
  ),
  presence_penalty: maybe(z.number().min(-2).max(2)).describe(
    'Above 0, a token that has occurred in the text becomes less likely, however often it occurred. Defaults to 0. Any other value is 400 over Anthropic upstreams, and some responses upstreams refuse it.',
  ),
  frequency_penalty: maybe(z.number().min(-2).max(2)).describe(
    'Above 0, a token becomes less likely each time that it has occurred in the text. Defaults to 0. Any other value is 400 over Anthropic upstreams, and some responses upstreams refuse it.',
  ),
  truncation: deprecated(
    maybe(z.enum(['auto', 'disabled'])),
    'there is no replacement. What a responses upstream does when the input is too long: `auto` drops the oldest items, `disabled` refuses. Absent: `disabled`. Others are not sent it.',
  ),
  context_management: maybe(
    z
      .array(
        z.looseObject({
          type: Label.describe('The action on the conversation, such as `compaction`.'),
          compact_threshold: maybe(Tokens).describe(
            'The number of input tokens that triggers it. Optional; the provider decides if omitted.',
          ),
        }),
      )
      .max(16),
  ).describe(
    'How a responses upstream shortens a conversation that grows too long; up to 16 entries. Others are not sent it. Absent: not at all.',
  ),
};

const state = {
  previous_response_id: maybe(Id).describe(
    'Id of a stored response of this account to continue; its items and those of earlier turns become input, and are charged as input. `instructions` are not carried over. Absent: a new conversation.',
  ),
  store: maybe(z.boolean()).describe(
    'Whether the gateway stores the response, so that it can be read and continued, for 30 days unless configured otherwise. Upstreams are told to store nothing. Absent: true, unless the key may not store; then true is 403.',
  ),
  background: maybe(z.boolean()).describe(
    'Whether to answer in the background. Only false is supported: use `stream` for long answers. Defaults to false.',
  ),
};

const hints = {
  include: maybe(z.array(Label).max(32)).describe(
    'Extra output, such as `reasoning.encrypted_content` or `message.output_text.logprobs`; up to 32 names. What an upstream cannot provide is left out and named in `x-modelgate-ignored`. Optional.',
  ),
  metadata: maybe(Metadata).describe(`Metadata of the caller, which the response repeats. ${HINT}`),
  client_metadata: maybe(z.record(z.string().max(256), JsonValue)).describe(
    'Private metadata of a coding agent; accepted, not logged and not forwarded. Names have up to 256 characters. Optional.',
  ),
  prompt_cache_key: maybe(z.string().max(64)).describe(
    `Name of a conversation. When a model has several upstreams, calls with the same name go to the same one, for cache hits. ${HINT}`,
  ),
  prompt_cache_retention: maybe(CacheRetention),
  prompt_cache_options: maybe(CacheOptions).describe('How the upstream may cache the prompt. Optional; the provider decides if omitted.'),
  safety_identifier: maybe(z.string().max(64)).describe(
    `An opaque id of the end user, so that the vendor can find a user who breaks its rules. ${HINT}`,
  ),
  service_tier: maybe(ServiceTier).describe('Processing tier to ask the upstream for. Defaults to `auto`.'),
  image: maybe(JsonObject).describe(
    'How the upstream handles images of the conversation, in its own format. Sent to upstreams that speak responses, and named in `x-modelgate-ignored` elsewhere. Optional; the provider decides if omitted.',
  ),
  usage: maybe(UsageOptions).describe(
    'Asks for the cost of the call in the response. Not sent to upstreams. Absent: the response has no cost.',
  ),
  user: deprecated(maybe(Label), `use \`safety_identifier\` and \`prompt_cache_key\`. ${HINT}`),
  moderation: maybe(Moderation).describe(
    'Asks the upstream to moderate the texts of the call. Absent: the upstream does what it does by default.',
  ),
};

export const ResponseRequest = z
  .looseObject({
    model: Id.meta({ description: 'Id of a text model, as `GET /v1/models` lists it.', examples: ['gpt-5.4'] }),
    input: z
      .union([Text, z.array(InputItem).max(MAX_ITEMS)])
      .describe(`A string, which is one message of the user, or up to ${MAX_ITEMS} items: messages, calls and their outputs.`),
    instructions: maybe(Text).describe(
      'The system prompt of this turn, before the input; send it again in every turn of a conversation. Optional.',
    ),
    stream: maybe(z.boolean()).describe('True: the answer comes as Server-Sent Events. Defaults to false.'),
    stream_options: maybe(
      z.looseObject({
        include_obfuscation: maybe(z.boolean()).describe(
          'Whether the upstream pads its events, so that their sizes reveal nothing. Sent to responses upstreams; the gateway itself pads nothing. Optional; the provider decides if omitted.',
        ),
      }),
    ).describe('Options of a stream. Optional.'),
    text: maybe(TextOptions).describe('Format and length of the text. Defaults to plain text.'),
    reasoning: maybe(ReasoningOptions).describe('How the model reasons. Defaults to what the model does.'),
    tools: maybe(z.array(Tool).max(MAX_TOOLS)).describe(`Tools that the model may call, up to ${MAX_TOOLS}. Optional.`),
    tool_choice: maybe(ToolChoice).describe('Which tools the model may or must call. Defaults to `auto`.'),
    parallel_tool_calls: maybe(z.boolean()).describe(
      'Whether the model may make several calls at once. Absent: the upstream decides, usually true. False is 400 over Gemini upstreams.',
    ),
    ...state,
    ...limits,
    ...hints,
  })
  .check(misplacedFields(misplacedInResponses), ...responseRules)
  .meta({
    id: 'ResponseRequest',
    description:
      'The input, and options for the answer. Null counts as absent. A field that no operation knows is forwarded to OpenAI and Azure, unless it may choose a model, provider, tier, tool or price; otherwise it is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it.',
    examples: [{ model: 'gpt-5.4', instructions: 'Answer in one sentence.', input: 'Why is the sky blue?' }],
  });
export type ResponseRequest = z.infer<typeof ResponseRequest>;

export const ResponseUsage = z
  .looseObject({
    input_tokens: Tokens.describe('Tokens of the input, including earlier turns of the conversation and tokens read from a cache.'),
    input_tokens_details: z
      .looseObject({
        cached_tokens: Tokens.describe('Tokens that were read from a cache of the upstream; charged at the price of cached input.'),
        cache_write_tokens: Tokens.nullish().describe(
          'Tokens that were written to a cache of the upstream; charged at the price of cache writes. Omitted if none.',
        ),
      })
      .nullish()
      .describe('Parts of `input_tokens`. Absent when the upstream reports none.'),
    output_tokens: Tokens.describe('Tokens of the output, reasoning included.'),
    output_tokens_details: z
      .looseObject({ reasoning_tokens: Tokens.describe('Reasoning tokens; charged as output.') })
      .nullish()
      .describe('Parts of `output_tokens`. Absent when the upstream reports none.'),
    total_tokens: Tokens.describe('The sum of `input_tokens` and `output_tokens`.'),
    cost: Cost,
  })
  .meta({ id: 'ResponseUsage', description: 'What the response used, in tokens, as the upstream counted it.' });

export const ResponseStatus = z.enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled']).meta({
  id: 'ResponseStatus',
  description:
    '`queued`, `in_progress`: in the first events of a stream. `completed`: a natural end. `incomplete`: ended early, see `incomplete_details`. `failed`: see `error`. `cancelled`: stopped by the upstream.',
});

/** For a field that repeats a field of the request. */
const asked = (field: string, absent: string) => `\`${field}\` of the request, or the value used instead. ${absent}`;

/** Upstreams write tools in their own ways, so the schema of the request does not apply here. */
const ToolEcho = z
  .looseObject({ type: z.string().describe('Kind of the tool, such as `function` or `web_search`.') })
  .meta({ id: 'ToolEcho', description: 'A tool of the request, as the upstream repeats it.', additionalProperties: true });

/** The same for the format of the text. */
const TextFormatEcho = z.looseObject({ type: z.string().describe('Kind of the format: `text`, `json_object` or `json_schema`.') }).meta({
  id: 'TextFormatEcho',
  description: 'The text format of the request, as the upstream repeats it.',
  additionalProperties: true,
});

export const Response = z
  .looseObject({
    id: z.string().describe('Id of the response; use it as `previous_response_id` when the response was stored.'),
    object: kind('response'),
    created_at: z.number().describe('When the response began, in seconds since 1970-01-01 UTC.'),
    completed_at: z.number().nullish().describe('When it was completed, in seconds since 1970-01-01 UTC. Null: it was not.'),
    status: ResponseStatus.nullish().describe(`Status of the response. ${UNSAID}`),
    error: z
      .looseObject({
        code: z
          .string()
          .nullish()
          .describe(
            'The reason, for programs: an error code of this API, `server_error`, or a code of the upstream. Absent when the upstream gave none.',
          ),
        message: z.string().describe('What went wrong, for people.'),
      })
      .nullish()
      .describe('Why the response failed. Null: it did not.'),
    incomplete_details: z
      .looseObject({
        reason: z
          .string()
          .nullish()
          .describe(
            '`max_output_tokens`: a limit on the output. `content_filter`: output was withheld. Null or absent when the upstream does not report it.',
          ),
      })
      .nullish()
      .describe('Why the response is incomplete. Null: it is not.'),
    model: z.string().describe('Id of the model that answered, as in the request.'),
    output: z.array(OutputItem).describe('Items of several types; the answer is not always the first.'),
    previous_response_id: z.string().nullish().describe('The response that this one continues. Null: none.'),
    instructions: z.unknown().optional().describe(asked('instructions', 'Null: there were none.')),
    tools: z.array(ToolEcho).nullish().describe(`The tools that the model could call; empty: none. ${UNSAID}`),
    tool_choice: z
      .unknown()
      .optional()
      .describe(asked('tool_choice', `A string or an object, as in the request. ${UNSAID}`)),
    parallel_tool_calls: z.boolean().nullish().describe(`Whether the model could make several calls at once. ${UNSAID}`),
    text: z
      .looseObject({
        format: TextFormatEcho.nullish().describe(
          `Format of the answer: \`text.format\` of the request, or \`text\` when it had none. ${UNSAID}`,
        ),
        verbosity: z.string().nullish().describe(`The requested length of the answer: \`low\`, \`medium\` or \`high\`. ${UNSAID}`),
      })
      .nullish()
      .describe(asked('text', UNSAID)),
    reasoning: z
      .looseObject({
        effort: z.string().nullish().describe('The reasoning effort of the request. Null: the default of the model.'),
        summary: z.string().nullish().describe('The reasoning summary that was requested. Null: the default of the upstream.'),
      })
      .nullish()
      .describe(asked('reasoning', `Its other settings are there as well. ${UNSAID}`)),
    temperature: z.number().nullish().describe(asked('temperature', '1 when it was absent.')),
    top_p: z.number().nullish().describe(asked('top_p', '1 when it was absent.')),
    presence_penalty: z.number().nullish().describe(asked('presence_penalty', '0 when it was absent.')),
    frequency_penalty: z.number().nullish().describe(asked('frequency_penalty', '0 when it was absent.')),
    top_logprobs: z.int().nullish().describe(asked('top_logprobs', '0 when it was absent.')),
    max_output_tokens: z.int().nullish().describe('The limit on the output in tokens, from the request or set by the gateway. Null: none.'),
    max_tool_calls: z.int().nullish().describe(asked('max_tool_calls', 'Null: no limit.')),
    truncation: z.string().nullish().describe(asked('truncation', '`disabled` when it was absent.')),
    store: z.boolean().nullish().describe(`Whether the gateway keeps the response. Also false when the key may not store. ${UNSAID}`),
    background: z.boolean().nullish().describe(`Always false: the gateway has no background responses. ${UNSAID}`),
    service_tier: z.string().nullish().describe(`The processing tier that was used. ${UNSAID}`),
    metadata: z
      .record(z.string(), z.string())
      .nullish()
      .describe(asked('metadata', `Empty: there was none. ${UNSAID}`)),
    safety_identifier: z.string().nullish().describe(asked('safety_identifier', 'Null: there was none.')),
    prompt_cache_key: z.string().nullish().describe(asked('prompt_cache_key', 'Null: there was none.')),
    user: deprecated(z.string().nullish(), `send \`safety_identifier\`. ${asked('user', 'Null or absent: there was none.')}`),
    usage: ResponseUsage.nullish().describe('What the response used. Null until it has ended.'),
  })
  .meta({
    id: 'ModelResponse',
    description:
      'An answer of a model. Read the text by walking `output` for items of type `message`; client libraries offer it as `output_text`, which is not on the wire.',
  });
export type Response = z.infer<typeof Response>;
