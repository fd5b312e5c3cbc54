/** The responses operation: request and response object. */
import { z } from 'zod';
import {
  CacheOptions,
  CacheRetention,
  Id,
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
} from './bounds.ts';
import { foreignFields, foreignToResponses } from './foreign.ts';
import { InputItem, OutputItem } from './response-items.ts';
import { ReasoningOptions, TextOptions } from './response-options.ts';
import { responseRules } from './response-rules.ts';
import { Tool, ToolChoice } from './tools.ts';
import { deprecated, HINT, kind, UNSAID } from './wording.ts';

const limits = {
  max_output_tokens: maybe(z.int().min(16).max(10_000_000)).describe(
    'Most output tokens, reasoning included; an answer that is cut by it ends as `incomplete`. Absent: what the model can; where the account cannot pay for that, the gateway sets a limit and names it in `x-modelgate-output-limit`.',
  ),
  max_tool_calls: maybe(z.int().min(1).max(10_000)).describe(
    'Most calls of tools that the upstream runs itself; the price of so many is held. Absent: no limit, and the price of 16 is held. 400 where the upstream does not speak responses.',
  ),
  temperature: maybe(z.number().min(0).max(2)).describe(
    'Higher is more varied. Absent: the model’s own. Anthropic upstreams take 0 to 1 and refuse more with 400; models that reason may refuse any.',
  ),
  top_p: maybe(z.number().min(0).max(1)).describe(
    'Nucleus sampling: only the likeliest tokens are drawn from, up to this share of probability. Absent: the model’s own.',
  ),
  top_logprobs: maybe(z.int().min(0).max(20)).describe(
    'How many alternatives to show for each token; needs `message.output_text.logprobs` in `include`. Absent: 0. Above 0 it is 400 over Anthropic upstreams.',
  ),
  presence_penalty: maybe(z.number().min(-2).max(2)).describe(
    'Above 0, tokens that stood in the text before become less likely, once for all. Absent: 0. Any other value is 400 over Anthropic upstreams, and some responses upstreams refuse it.',
  ),
  frequency_penalty: maybe(z.number().min(-2).max(2)).describe(
    'Above 0, tokens become the less likely the more often they stood in the text before. Absent: 0. Any other value is 400 over Anthropic upstreams, and some responses upstreams refuse it.',
  ),
  truncation: deprecated(
    maybe(z.enum(['auto', 'disabled'])),
    'there is nothing in its place. What a responses upstream does when the input is too long: `auto` drops the oldest items, `disabled` refuses. Absent: `disabled`. Others are not sent it.',
  ),
  context_management: maybe(
    z
      .array(
        z.looseObject({
          type: Label.describe('What is done to the conversation, such as `compaction`.'),
          compact_threshold: maybe(Tokens).describe('Tokens of input from which on it is done. Absent: the upstream decides.'),
        }),
      )
      .max(16),
  ).describe(
    'How a responses upstream shortens a conversation that grows too long; up to 16 ways. Others are not sent it. Absent: not at all.',
  ),
};

const state = {
  previous_response_id: maybe(Id).describe(
    'Id of a stored response of this account to go on from; its items and those before it are input, and charged as input. `instructions` are not carried over. Absent: a new conversation.',
  ),
  store: maybe(z.boolean()).describe(
    'Whether the gateway keeps the response, for 30 days unless its operator says otherwise, so that it can be read and gone on from; upstreams keep nothing. Absent: true, unless the key may not store; true is 403 then.',
  ),
  background: maybe(z.boolean()).describe(
    'Whether the answer is to be made while nobody waits. Only false is supported: use `stream` for answers that take long. Absent: false.',
  ),
};

const hints = {
  include: maybe(z.array(Label).max(32)).describe(
    'Extra output, such as `reasoning.encrypted_content` or `message.output_text.logprobs`; up to 32 names. What an upstream cannot give is left out and named in `x-modelgate-ignored`. Absent: none.',
  ),
  metadata: maybe(Metadata).describe(`Notes of the caller, which the response repeats. ${HINT}`),
  client_metadata: maybe(z.record(z.string().max(256), JsonValue)).describe(
    'Notes of a coding agent for itself; taken, written to no log and not sent on. Names have up to 256 characters. Absent: nothing.',
  ),
  prompt_cache_key: maybe(z.string().max(64)).describe(
    `Name of a conversation. Calls with one name are kept at one upstream where a model has several, so that its cache hits. ${HINT}`,
  ),
  prompt_cache_retention: maybe(CacheRetention),
  prompt_cache_options: maybe(CacheOptions).describe('How the upstream may cache the prompt. Absent: it decides.'),
  safety_identifier: maybe(z.string().max(64)).describe(
    `An opaque name of the person behind the request, by which the vendor can tell whoever breaks its rules. ${HINT}`,
  ),
  service_tier: maybe(ServiceTier).describe('Processing tier to ask the upstream for. Absent: `auto`.'),
  user: deprecated(maybe(Label), `use \`safety_identifier\` and \`prompt_cache_key\`. ${HINT}`),
  moderation: maybe(Moderation).describe('Has the upstream judge the texts of the call. Absent: as it does anyway.'),
};

export const ResponseRequest = z
  .looseObject({
    model: Id.meta({ description: 'Id of a text model, as `GET /v1/models` lists it.', examples: ['gpt-5.4'] }),
    input: z
      .union([Text, z.array(InputItem).max(MAX_ITEMS)])
      .describe(`A string, which is one message of the user, or up to ${MAX_ITEMS} items: messages, calls and their outputs.`),
    instructions: maybe(Text).describe(
      'The system prompt of this turn, ahead of the input; send it again on every chained turn. Absent: none.',
    ),
    stream: maybe(z.boolean()).describe('True: the answer comes as Server-Sent Events. Absent: false.'),
    stream_options: maybe(
      z.looseObject({
        include_obfuscation: maybe(z.boolean()).describe(
          'Whether the upstream pads its events, so that their sizes tell nothing. Sent to responses upstreams; the gateway itself pads nothing. Absent: the upstream decides.',
        ),
      }),
    ).describe('Options of a stream. Absent: none.'),
    text: maybe(TextOptions).describe('Form and length of the text. Absent: plain text.'),
    reasoning: maybe(ReasoningOptions).describe('How the model thinks. Absent: as it does by itself.'),
    tools: maybe(z.array(Tool).max(MAX_TOOLS)).describe(`Tools that the model may call, up to ${MAX_TOOLS}. Absent: none.`),
    tool_choice: maybe(ToolChoice).describe('Which tools the model may or must call. Absent: `auto`.'),
    parallel_tool_calls: maybe(z.boolean()).describe(
      'Whether the model may make several calls at once. Absent: the upstream decides, usually true. False is 400 over Gemini upstreams.',
    ),
    ...state,
    ...limits,
    ...hints,
  })
  .check(foreignFields(foreignToResponses), ...responseRules)
  .meta({
    id: 'ResponseRequest',
    description:
      'Input and how the model is to answer it. Null counts as absent. A field that no operation knows is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it.',
    examples: [{ model: 'gpt-5.4', instructions: 'Answer in one sentence.', input: 'Why is the sky blue?' }],
  });
export type ResponseRequest = z.infer<typeof ResponseRequest>;

export const ResponseUsage = z
  .looseObject({
    input_tokens: Tokens.describe('Tokens of the input, those of the chain and those read from a cache included.'),
    input_tokens_details: z
      .looseObject({
        cached_tokens: Tokens.describe('Tokens that were read from a cache of the upstream; charged at the price of cached input.'),
        cache_write_tokens: Tokens.nullish().describe(
          'Tokens that were written to a cache of the upstream; charged at the price of cache writes. Absent: none.',
        ),
      })
      .nullish()
      .describe('Parts of `input_tokens`. Absent where the upstream tells none.'),
    output_tokens: Tokens.describe('Tokens of the output, reasoning included.'),
    output_tokens_details: z
      .looseObject({ reasoning_tokens: Tokens.describe('Tokens that were spent on thoughts; charged as output.') })
      .nullish()
      .describe('Parts of `output_tokens`. Absent where the upstream tells none.'),
    total_tokens: Tokens.describe('The sum of `input_tokens` and `output_tokens`.'),
  })
  .meta({ id: 'ResponseUsage', description: 'What the response used, in tokens, as the upstream counted it.' });

export const ResponseStatus = z.enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled']).meta({
  id: 'ResponseStatus',
  description:
    '`queued`, `in_progress`: in the first events of a stream. `completed`: a natural end. `incomplete`: cut, as `incomplete_details` says. `failed`: as `error` says. `cancelled`: stopped by the upstream.',
});

/** Of a field that says again what was asked for. */
const asked = (field: string, absent: string) => `\`${field}\` of the request, or what stood in its place. ${absent}`;

/** Upstreams write it in their own way, so it is not held to what a request may offer. */
const ToolEcho = z
  .looseObject({ type: z.string().describe('Kind of the tool, such as `function` or `web_search`.') })
  .meta({ id: 'ToolEcho', description: 'A tool of the request, as the upstream repeats it.', additionalProperties: true });

/** The same of the form of the text. */
const TextFormatEcho = z.looseObject({ type: z.string().describe('Kind of the form: `text`, `json_object` or `json_schema`.') }).meta({
  id: 'TextFormatEcho',
  description: 'The form of the text that the request asked for, as the upstream repeats it.',
  additionalProperties: true,
});

export const Response = z
  .looseObject({
    id: z.string().describe('Id of the response: usable as `previous_response_id` where the response was stored.'),
    object: kind('response'),
    created_at: z.number().describe('When the response was begun, in seconds since 1970-01-01 UTC.'),
    completed_at: z.number().nullish().describe('When it was completed, in seconds since 1970-01-01 UTC. Null: it was not.'),
    status: ResponseStatus.nullish().describe(`How far the response is, and how it ended. ${UNSAID}`),
    error: z
      .looseObject({
        code: z
          .string()
          .nullish()
          .describe(
            'What went wrong, for programs: a code of the errors of this API, `server_error`, or one of the upstream. Absent where the upstream gave none.',
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
            '`max_output_tokens`: a limit on the output. `content_filter`: output was withheld. Null or absent where the upstream does not say it.',
          ),
      })
      .nullish()
      .describe('Why the response was cut. Null: it was not.'),
    model: z.string().describe('Id of the model that answered, as the request has it.'),
    output: z.array(OutputItem).describe('Typed items; the answer is not always the first.'),
    previous_response_id: z.string().nullish().describe('The response that this one goes on from. Null: none.'),
    instructions: z.unknown().optional().describe(asked('instructions', 'Null: there were none.')),
    tools: z.array(ToolEcho).nullish().describe(`The tools that the model could call; empty: none. ${UNSAID}`),
    tool_choice: z
      .unknown()
      .optional()
      .describe(asked('tool_choice', `A word or an object, as in the request. ${UNSAID}`)),
    parallel_tool_calls: z.boolean().nullish().describe(`Whether the model could make several calls at once. ${UNSAID}`),
    text: z
      .looseObject({
        format: TextFormatEcho.nullish().describe(
          `Form of the answer: \`text.format\` of the request, or \`text\` where it had none. ${UNSAID}`,
        ),
        verbosity: z.string().nullish().describe(`How long the answer was to be: \`low\`, \`medium\` or \`high\`. ${UNSAID}`),
      })
      .nullish()
      .describe(asked('text', UNSAID)),
    reasoning: z
      .looseObject({
        effort: z.string().nullish().describe('How much the model was to think. Null: as much as it does by itself.'),
        summary: z.string().nullish().describe('How closely thoughts were to be told. Null: as the upstream does by itself.'),
      })
      .nullish()
      .describe(asked('reasoning', `Its other settings are there as well. ${UNSAID}`)),
    temperature: z.number().nullish().describe(asked('temperature', '1 where it was absent.')),
    top_p: z.number().nullish().describe(asked('top_p', '1 where it was absent.')),
    presence_penalty: z.number().nullish().describe(asked('presence_penalty', '0 where it was absent.')),
    frequency_penalty: z.number().nullish().describe(asked('frequency_penalty', '0 where it was absent.')),
    top_logprobs: z.int().nullish().describe(asked('top_logprobs', '0 where it was absent.')),
    max_output_tokens: z
      .int()
      .nullish()
      .describe('The limit on the output in tokens: that of the request, or one that the gateway set. Null: none.'),
    max_tool_calls: z.int().nullish().describe(asked('max_tool_calls', 'Null: no limit.')),
    truncation: z.string().nullish().describe(asked('truncation', '`disabled` where it was absent.')),
    store: z.boolean().nullish().describe(`Whether the gateway keeps the response. False also where the key may not store. ${UNSAID}`),
    background: z.boolean().nullish().describe(`Always false: there are no responses in the background. ${UNSAID}`),
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
