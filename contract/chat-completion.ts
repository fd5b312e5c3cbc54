/** Answer of a chat completion, whole and as the chunks of a stream (specification 2.3 and part 6). */
import { z } from 'zod';
import { Index, Tokens, UnixSeconds } from './bounds.ts';

const count = Tokens.nullish();

export const ChatUsage = z
  .looseObject({
    prompt_tokens: Tokens,
    completion_tokens: Tokens,
    total_tokens: Tokens.describe('The sum of the two.'),
    prompt_tokens_details: z
      .looseObject({ cached_tokens: count, cache_write_tokens: count, audio_tokens: count })
      .nullish()
      .describe('Parts of `prompt_tokens`.'),
    completion_tokens_details: z
      .looseObject({ reasoning_tokens: count, audio_tokens: count, accepted_prediction_tokens: count, rejected_prediction_tokens: count })
      .nullish()
      .describe('Parts of `completion_tokens`.'),
  })
  .meta({ id: 'ChatUsage' });

export const FinishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']).meta({
  id: 'FinishReason',
  description:
    '`stop`: a natural end. `length`: a token limit. `tool_calls`: the model calls tools. `content_filter`: output was withheld.',
});

const TopLogprob = z
  .looseObject({ token: z.string(), logprob: z.number(), bytes: z.array(z.int().min(0).max(255)).nullish() })
  .meta({ id: 'ChatTopLogprob', description: 'A token that could have stood there, and how likely it was.' });

const TokenLogprob = z
  .looseObject({
    token: z.string(),
    logprob: z.number(),
    bytes: z.array(z.int().min(0).max(255)).nullish(),
    top_logprobs: z.array(TopLogprob),
  })
  .meta({ id: 'ChatTokenLogprob', description: 'A token of the answer, and how likely it was.' });

const ChatLogprobs = z
  .looseObject({ content: z.array(TokenLogprob).nullish(), refusal: z.array(TokenLogprob).nullish() })
  .meta({ id: 'ChatLogprobs' });

const Annotation = z
  .looseObject({
    type: z.string(),
    url_citation: z.looseObject({ url: z.string(), title: z.string(), start_index: Index, end_index: Index }).nullish(),
  })
  .meta({ id: 'ChatAnnotation' });

const AnsweredFunction = z
  .looseObject({ name: z.string(), arguments: z.string() })
  .meta({ id: 'ChatAnsweredFunction', description: 'The function that the model calls; `arguments` is JSON as it wrote it.' });

const AnsweredFunctionCall = z
  .looseObject({ id: z.string(), type: z.literal('function'), function: AnsweredFunction })
  .meta({ id: 'ChatAnsweredFunctionCall', description: 'A call of a function.' });

const AnsweredCustomCall = z
  .looseObject({ id: z.string(), type: z.literal('custom'), custom: z.looseObject({ name: z.string(), input: z.string() }) })
  .meta({ id: 'ChatAnsweredCustomCall', description: 'A call of a custom tool.' });

const AnsweredToolCall = z
  .discriminatedUnion('type', [AnsweredFunctionCall, AnsweredCustomCall])
  .meta({ id: 'ChatAnsweredToolCall', description: 'A call for the caller to run; its `id` goes back as `tool_call_id`.' });

const AnsweredMessage = z
  .looseObject({
    role: z.literal('assistant'),
    content: z.string().nullish().describe('The text of the answer; null when the model only calls tools.'),
    refusal: z.string().nullish(),
    annotations: z.array(Annotation).nullish(),
    tool_calls: z.array(AnsweredToolCall).nullish(),
    function_call: AnsweredFunction.nullish(),
    audio: z.looseObject({ id: z.string(), data: z.string(), expires_at: UnixSeconds, transcript: z.string() }).nullish(),
  })
  .meta({ id: 'ChatAnsweredMessage' });

export const ChatCompletion = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: UnixSeconds,
    model: z.string().describe('Id of the model that answered.'),
    choices: z.array(
      z.looseObject({ index: Index, message: AnsweredMessage, finish_reason: FinishReason, logprobs: ChatLogprobs.nullish() }),
    ),
    usage: ChatUsage.nullish(),
    service_tier: z.string().nullish(),
    system_fingerprint: z.string().nullish(),
  })
  .meta({ id: 'ChatCompletion', description: 'The text is in `choices[0].message.content`.' });
export type ChatCompletion = z.infer<typeof ChatCompletion>;

const FunctionDelta = z
  .looseObject({ name: z.string().optional(), arguments: z.string().optional() })
  .meta({ id: 'ChatFunctionDelta', description: 'A piece of a function call: its name once, its arguments bit by bit.' });

const ToolCallDelta = z
  .looseObject({
    index: Index.max(127).describe('Which call this piece belongs to.'),
    id: z.string().optional(),
    type: z.enum(['function', 'custom']).optional(),
    function: FunctionDelta.optional(),
    custom: z.looseObject({ name: z.string().optional(), input: z.string().optional() }).optional(),
  })
  .meta({ id: 'ChatToolCallDelta', description: '`id`, `type` and the name come once, on the first piece of a call.' });

const Delta = z
  .looseObject({
    role: z.enum(['assistant', 'developer', 'system', 'user', 'tool']).nullish(),
    content: z.string().nullish(),
    refusal: z.string().nullish(),
    tool_calls: z.array(ToolCallDelta).nullish(),
    function_call: FunctionDelta.nullish(),
  })
  .meta({ id: 'ChatDelta' });

export const ChatCompletionChunk = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion.chunk'),
    created: UnixSeconds,
    model: z.string(),
    choices: z
      .array(z.looseObject({ index: Index, delta: Delta, finish_reason: FinishReason.nullish(), logprobs: ChatLogprobs.nullish() }))
      .describe('Empty in the chunk that carries the usage.'),
    usage: ChatUsage.nullish().describe('Only where `stream_options.include_usage` was asked for: null, and filled in the last chunk.'),
    service_tier: z.string().nullish(),
    system_fingerprint: z.string().nullish(),
  })
  .meta({ id: 'ChatCompletionChunk', description: 'One `data:` line of a chat stream. The stream ends with `data: [DONE]`.' });
export type ChatCompletionChunk = z.infer<typeof ChatCompletionChunk>;
