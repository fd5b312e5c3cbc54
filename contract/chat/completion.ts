/** The answer of a chat completion: one JSON object, or the chunks of a stream. */
import { z } from 'zod';
import { Cost, Index, Tokens, UnixSeconds } from '../shared/bounds.ts';
import { deprecated, kind, UNSAID } from '../shared/descriptions.ts';

const count = Tokens.nullish();

export const ChatUsage = z
  .looseObject({
    prompt_tokens: Tokens.describe('Tokens of the input, including those read from a cache.'),
    completion_tokens: Tokens.describe('Tokens of the output, reasoning included.'),
    total_tokens: Tokens.describe('The sum of `prompt_tokens` and `completion_tokens`.'),
    prompt_tokens_details: z
      .looseObject({
        cached_tokens: count.describe(
          'Tokens that were read from a cache of the upstream; charged at the price of cached input. Omitted if none.',
        ),
        cache_write_tokens: count.describe(
          'Tokens that were written to a cache of the upstream; charged at the price of cache writes. Omitted if none.',
        ),
        audio_tokens: count.describe('Tokens of audio input. Absent: none, or not counted separately.'),
      })
      .nullish()
      .describe('Parts of `prompt_tokens`. Absent when the upstream reports none.'),
    completion_tokens_details: z
      .looseObject({
        reasoning_tokens: count.describe('Reasoning tokens; charged as output. Absent: none, or not counted separately.'),
        audio_tokens: count.describe('Tokens of audio output. Absent: none, or not counted separately.'),
        accepted_prediction_tokens: count.describe('Tokens of `prediction` that are in the answer. Omitted if none.'),
        rejected_prediction_tokens: count.describe(
          'Tokens of `prediction` that are not in the answer; still charged as output. Omitted if none.',
        ),
      })
      .nullish()
      .describe('Parts of `completion_tokens`. Absent when the upstream reports none.'),
    cost: Cost,
  })
  .meta({
    id: 'ChatUsage',
    description:
      'What the answer used, in tokens, as the upstream counted it. When the upstream reports nothing, only the receipt has a count.',
  });

export const FinishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']).meta({
  id: 'FinishReason',
  description:
    '`stop`: a natural end, one of `stop`, or a refusal. `length`: a token limit. `tool_calls`: the model calls tools. `content_filter`: output was withheld. `function_call`: the same as `tool_calls`, for requests with `functions`.',
});

const bytes = z
  .array(z.int().min(0).max(255))
  .nullish()
  .describe('The token as UTF-8 bytes; one character may span several tokens. Null when the token has none.');
const logprob = z.number().describe('Natural logarithm of its probability, at most 0.');

const TopLogprob = z
  .looseObject({ token: z.string().describe('The other token as text.'), logprob, bytes })
  .meta({ id: 'ChatTopLogprob', description: 'An alternative token at this position, and its log probability.' });

const TokenLogprob = z
  .looseObject({
    token: z.string().describe('The token as text.'),
    logprob,
    bytes,
    top_logprobs: z
      .array(TopLogprob)
      .describe('The likeliest tokens at this position, as many as `top_logprobs` of the request; empty for 0.'),
  })
  .meta({ id: 'ChatTokenLogprob', description: 'A token of the answer, and its log probability.' });

const ChatLogprobs = z
  .looseObject({
    content: z.array(TokenLogprob).nullish().describe('Each token of the text. Null when there is no text.'),
    refusal: z.array(TokenLogprob).nullish().describe('Each token of a refusal. Null when there is none.'),
  })
  .meta({ id: 'ChatLogprobs', description: 'Log probabilities of the tokens of an answer.' });

const Annotation = z
  .looseObject({
    type: z.string().describe('Kind of the annotation: `url_citation`, or a kind that the upstream defines.'),
    url_citation: z
      .looseObject({
        url: z.string().describe('Address of the page.'),
        title: z.string().describe('Title of the page.'),
        start_index: Index.describe('Where the citing part of `content` begins, in characters from 0.'),
        end_index: Index.describe('Where it ends, in characters from 0.'),
      })
      .nullish()
      .describe('The page that a part of the text cites. Absent for other kinds.'),
  })
  .meta({ id: 'ChatAnnotation', description: 'The source of a part of the text, found by a web search of the upstream.' });

const callId = z.string().describe('Id of the call; send it back as `tool_call_id`.');

const AnsweredFunction = z
  .looseObject({
    name: z.string().describe('Name of the function, as the request declared it.'),
    arguments: z.string().describe('JSON as the model wrote it: check it before use.'),
  })
  .meta({ id: 'ChatAnsweredFunction', description: 'The function that the model calls, and its arguments.' });

const AnsweredFunctionCall = z
  .looseObject({ id: callId, type: kind('function'), function: AnsweredFunction.describe('The function to run.') })
  .meta({ id: 'ChatAnsweredFunctionCall', description: 'A call of a function, for the caller to run.' });

const AnsweredCustomCall = z
  .looseObject({
    id: callId,
    type: kind('custom'),
    custom: z
      .looseObject({
        name: z.string().describe('Name of the tool, as the request declared it.'),
        input: z.string().describe('Free text for the tool.'),
      })
      .describe('The free-form tool to run.'),
  })
  .meta({ id: 'ChatAnsweredCustomCall', description: 'A call of a free-form tool, for the caller to run.' });

const AnsweredToolCall = z
  .discriminatedUnion('type', [AnsweredFunctionCall, AnsweredCustomCall])
  .meta({ id: 'ChatAnsweredToolCall', description: 'A call for the caller to run; send its `id` back as `tool_call_id`.' });

const AnsweredMessage = z
  .looseObject({
    role: kind('assistant', 'Role of the author'),
    content: z.string().nullish().describe('The text of the answer; null when the model only calls tools or refuses.'),
    refusal: z.string().nullish().describe('Why the model does not answer. Null when it answers.'),
    annotations: z.array(Annotation).nullish().describe('Sources of the text. Empty or absent: none.'),
    tool_calls: z.array(AnsweredToolCall).nullish().describe('Calls for the caller to run. Omitted if none.'),
    function_call: deprecated(
      AnsweredFunction.nullish(),
      'send `tools` and read `tool_calls`. The one call in answer to `functions`; absent otherwise.',
    ),
    audio: z
      .looseObject({
        id: z.string().describe('Id of this audio, for a later turn.'),
        data: z.string().describe('The audio in plain base64, in the `audio.format` of the request.'),
        expires_at: UnixSeconds.describe('When the upstream deletes the audio, in seconds since 1970-01-01 UTC.'),
        transcript: z.string().describe('The words that are spoken in the audio.'),
      })
      .nullish()
      .describe('The spoken answer. Absent unless `modalities` asked for audio.'),
  })
  .meta({ id: 'ChatAnsweredMessage', description: 'The text, refusal or calls of the model. Append it to `messages` as it is.' });

const id = z
  .string()
  .describe('Id of the answer, the same in all of its chunks. Chat answers are not stored, so they cannot be read by this id.');
const model = z.string().describe('Id of the model that answered, as in the request.');
const choiceIndex = Index.describe('Which of the `n` answers this is, from 0.');
const logprobs = ChatLogprobs.nullish().describe(
  'Log probabilities of the tokens. Null or absent unless the request has `logprobs: true`.',
);
const service_tier = z.string().nullish().describe(`The processing tier that was used. ${UNSAID}`);
const system_fingerprint = z
  .string()
  .nullish()
  .describe(`Name of the set-up that answered, for who compares answers by \`seed\`. ${UNSAID}`);

export const ChatCompletion = z
  .looseObject({
    id,
    object: kind('chat.completion'),
    created: UnixSeconds,
    model,
    choices: z
      .array(
        z.looseObject({
          index: choiceIndex,
          message: AnsweredMessage.describe('The answer itself.'),
          finish_reason: FinishReason.describe('Why the answer ended.'),
          logprobs,
        }),
      )
      .describe('The answers: one, or as many as `n`.'),
    usage: ChatUsage.nullish().describe('What all choices used together. Absent when the upstream reports nothing.'),
    service_tier,
    system_fingerprint,
  })
  .meta({ id: 'ChatCompletion', description: 'The text is in `choices[0].message.content`.' });
export type ChatCompletion = z.infer<typeof ChatCompletion>;

const FunctionDelta = z
  .looseObject({
    name: z.string().optional().describe('Name of the function; only in the first piece, absent in the others.'),
    arguments: z.string().optional().describe('The next piece of the JSON of the arguments. Absent when this chunk has none.'),
  })
  .meta({ id: 'ChatFunctionDelta', description: 'A piece of a function call: the name comes once, the arguments in pieces.' });

const ToolCallDelta = z
  .looseObject({
    index: Index.max(127).describe('Number of the call that this piece belongs to, from 0 without a gap.'),
    id: z.string().optional().describe('Id of the call; only in the first piece, absent in the others.'),
    type: z.enum(['function', 'custom']).optional().describe('What is called; only in the first piece, absent in the others.'),
    function: FunctionDelta.optional().describe('Piece of a call of a function. Absent for a free-form tool.'),
    custom: z
      .looseObject({
        name: z.string().optional().describe('Name of the tool; only in the first piece, absent in the others.'),
        input: z.string().optional().describe('The next piece of its text. Absent when this chunk has none.'),
      })
      .optional()
      .describe('Piece of a call of a free-form tool. Absent for a function.'),
  })
  .meta({ id: 'ChatToolCallDelta', description: '`id`, `type` and the name come once, in the first piece of a call.' });

const Delta = z
  .looseObject({
    role: z
      .enum(['assistant', 'developer', 'system', 'user', 'tool'])
      .nullish()
      .describe('Role of the author: `assistant`, only in the first chunk of an answer, absent in the others.'),
    content: z.string().nullish().describe('The next piece of the text. Absent when this chunk has none.'),
    refusal: z.string().nullish().describe('The next piece of a refusal. Absent when this chunk has none.'),
    annotations: z.array(Annotation).nullish().describe('Sources of the text. Absent when this chunk has none.'),
    tool_calls: z.array(ToolCallDelta).nullish().describe('The next pieces of calls. Absent when this chunk has none.'),
    function_call: deprecated(
      FunctionDelta.nullish(),
      'send `tools` and read `tool_calls`. The next piece of the one call in answer to `functions`.',
    ),
  })
  .meta({ id: 'ChatDelta', description: 'What a chunk adds to its answer; empty in the chunk that ends it.' });

export const ChatCompletionChunk = z
  .looseObject({
    id,
    object: kind('chat.completion.chunk'),
    created: UnixSeconds,
    model,
    choices: z
      .array(
        z.looseObject({
          index: choiceIndex,
          delta: Delta.describe('What this chunk adds to its answer.'),
          finish_reason: FinishReason.nullish().describe('Why the answer ended: in its last chunk, null before.'),
          logprobs,
        }),
      )
      .describe('Empty in the chunk that carries the usage.'),
    usage: ChatUsage.nullish().describe(
      'What the answers used: in the last chunk, null before. Absent unless `stream_options.include_usage` asked for it.',
    ),
    service_tier,
    system_fingerprint,
  })
  .meta({
    id: 'ChatCompletionChunk',
    description:
      'One `data:` line of a chat stream. The stream ends with `data: [DONE]`; one that fails ends with `data: {"error": …}` instead.',
  });
export type ChatCompletionChunk = z.infer<typeof ChatCompletionChunk>;
