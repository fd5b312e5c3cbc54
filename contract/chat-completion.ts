/** Answer of a chat completion, whole and as the chunks of a stream. */
import { z } from 'zod';
import { Index, Tokens, UnixSeconds } from './bounds.ts';
import { deprecated, kind, UNSAID } from './wording.ts';

const count = Tokens.nullish();

export const ChatUsage = z
  .looseObject({
    prompt_tokens: Tokens.describe('Tokens of the input, those read from a cache included.'),
    completion_tokens: Tokens.describe('Tokens of the output, reasoning included.'),
    total_tokens: Tokens.describe('The sum of `prompt_tokens` and `completion_tokens`.'),
    prompt_tokens_details: z
      .looseObject({
        cached_tokens: count.describe(
          'Tokens that were read from a cache of the upstream; charged at the price of cached input. Absent: none.',
        ),
        cache_write_tokens: count.describe(
          'Tokens that were written to a cache of the upstream; charged at the price of cache writes. Absent: none.',
        ),
        audio_tokens: count.describe('Tokens that were heard in recordings. Absent: none, or not told apart.'),
      })
      .nullish()
      .describe('Parts of `prompt_tokens`. Absent where the upstream tells none.'),
    completion_tokens_details: z
      .looseObject({
        reasoning_tokens: count.describe('Tokens that were spent on thoughts; charged as output. Absent: none, or not told apart.'),
        audio_tokens: count.describe('Tokens that were spoken. Absent: none, or not told apart.'),
        accepted_prediction_tokens: count.describe('Tokens of `prediction` that came true. Absent: none.'),
        rejected_prediction_tokens: count.describe(
          'Tokens of `prediction` that did not come true; charged as output all the same. Absent: none.',
        ),
      })
      .nullish()
      .describe('Parts of `completion_tokens`. Absent where the upstream tells none.'),
  })
  .meta({
    id: 'ChatUsage',
    description: 'What the answer used, in tokens, as the upstream counted it. Where it tells nothing, only the receipt has a count.',
  });

export const FinishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']).meta({
  id: 'FinishReason',
  description:
    '`stop`: a natural end, one of `stop`, or a refusal. `length`: a token limit. `tool_calls`: the model calls tools. `content_filter`: output was withheld. `function_call`: as `tool_calls`, for who sent `functions`.',
});

const bytes = z
  .array(z.int().min(0).max(255))
  .nullish()
  .describe('The token as UTF-8 bytes; a character may be spread over several tokens. Null where it has none.');
const logprob = z.number().describe('Natural logarithm of its probability, at most 0.');

const TopLogprob = z
  .looseObject({ token: z.string().describe('The other token as text.'), logprob, bytes })
  .meta({ id: 'ChatTopLogprob', description: 'A token that could have stood there, and how likely it was.' });

const TokenLogprob = z
  .looseObject({
    token: z.string().describe('The token as text.'),
    logprob,
    bytes,
    top_logprobs: z
      .array(TopLogprob)
      .describe('The likeliest tokens at this place, as many as `top_logprobs` of the request; empty for 0.'),
  })
  .meta({ id: 'ChatTokenLogprob', description: 'A token of the answer, and how likely it was.' });

const ChatLogprobs = z
  .looseObject({
    content: z.array(TokenLogprob).nullish().describe('Each token of the text. Null where there is no text.'),
    refusal: z.array(TokenLogprob).nullish().describe('Each token of a refusal. Null where there is none.'),
  })
  .meta({ id: 'ChatLogprobs', description: 'How sure the model was of each token.' });

const Annotation = z
  .looseObject({
    type: z.string().describe('Kind of the annotation: `url_citation`, or one that the upstream invented.'),
    url_citation: z
      .looseObject({
        url: z.string().describe('Address of the page.'),
        title: z.string().describe('Title of the page.'),
        start_index: Index.describe('Where the quoted piece of `content` begins, in characters from 0.'),
        end_index: Index.describe('Where it ends, in characters from 0.'),
      })
      .nullish()
      .describe('The page that a piece of the text rests on. Absent for other kinds.'),
  })
  .meta({ id: 'ChatAnnotation', description: 'A source of a piece of the text, found by a search of the upstream.' });

const callId = z.string().describe('Id of the call; it goes back as `tool_call_id`.');

const AnsweredFunction = z
  .looseObject({
    name: z.string().describe('Name of the function, as the request declared it.'),
    arguments: z.string().describe('JSON as the model wrote it: check it before use.'),
  })
  .meta({ id: 'ChatAnsweredFunction', description: 'The function that the model calls, and with what.' });

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
  .meta({ id: 'ChatAnsweredToolCall', description: 'A call for the caller to run; its `id` goes back as `tool_call_id`.' });

const AnsweredMessage = z
  .looseObject({
    role: kind('assistant', 'Who speaks'),
    content: z.string().nullish().describe('The text of the answer; null when the model only calls tools or refuses.'),
    refusal: z.string().nullish().describe('Why the model does not answer. Null where it does.'),
    annotations: z.array(Annotation).nullish().describe('Sources of the text. Empty or absent: none.'),
    tool_calls: z.array(AnsweredToolCall).nullish().describe('Calls for the caller to run. Absent: none.'),
    function_call: deprecated(
      AnsweredFunction.nullish(),
      'send `tools` and read `tool_calls`. The one call that is answered to `functions`; absent otherwise.',
    ),
    audio: z
      .looseObject({
        id: z.string().describe('Id to name this recording by in a later turn.'),
        data: z.string().describe('The recording in plain base64, encoded as `audio.format` of the request says.'),
        expires_at: UnixSeconds.describe('When the upstream forgets the id, in seconds since 1970-01-01 UTC.'),
        transcript: z.string().describe('What is said in the recording.'),
      })
      .nullish()
      .describe('The spoken answer. Absent unless `modalities` asked for audio.'),
  })
  .meta({ id: 'ChatAnsweredMessage', description: 'What the model says or calls. It can be appended to `messages` as it is.' });

const id = z.string().describe('Id of the answer, the same in all of its chunks. It cannot be asked for later: nothing is stored.');
const model = z.string().describe('Id of the model that answered, as the request has it.');
const choiceIndex = Index.describe('Which of the `n` answers this is, from 0.');
const logprobs = ChatLogprobs.nullish().describe('How sure the model was of each token. Null or absent unless `logprobs` asked for it.');
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
    usage: ChatUsage.nullish().describe('What all of them used. Absent where the upstream tells nothing.'),
    service_tier,
    system_fingerprint,
  })
  .meta({ id: 'ChatCompletion', description: 'The text is in `choices[0].message.content`.' });
export type ChatCompletion = z.infer<typeof ChatCompletion>;

const FunctionDelta = z
  .looseObject({
    name: z.string().optional().describe('Name of the function; on the first piece alone, absent on the others.'),
    arguments: z.string().optional().describe('The next piece of the JSON of the arguments. Absent where this chunk brings none.'),
  })
  .meta({ id: 'ChatFunctionDelta', description: 'A piece of a function call: its name once, its arguments bit by bit.' });

const ToolCallDelta = z
  .looseObject({
    index: Index.max(127).describe('Which call this piece belongs to, from 0 without a gap.'),
    id: z.string().optional().describe('Id of the call; on its first piece alone, absent on the others.'),
    type: z.enum(['function', 'custom']).optional().describe('What is called; on the first piece alone, absent on the others.'),
    function: FunctionDelta.optional().describe('Piece of a call of a function. Absent for a free-form tool.'),
    custom: z
      .looseObject({
        name: z.string().optional().describe('Name of the tool; on the first piece alone, absent on the others.'),
        input: z.string().optional().describe('The next piece of its text. Absent where this chunk brings none.'),
      })
      .optional()
      .describe('Piece of a call of a free-form tool. Absent for a function.'),
  })
  .meta({ id: 'ChatToolCallDelta', description: '`id`, `type` and the name come once, on the first piece of a call.' });

const Delta = z
  .looseObject({
    role: z
      .enum(['assistant', 'developer', 'system', 'user', 'tool'])
      .nullish()
      .describe('Who speaks: `assistant`, on the first chunk of an answer alone, absent on the others.'),
    content: z.string().nullish().describe('The next piece of the text. Absent where this chunk brings none.'),
    refusal: z.string().nullish().describe('The next piece of a refusal. Absent where this chunk brings none.'),
    annotations: z.array(Annotation).nullish().describe('Where the text is from. Absent where this chunk brings none.'),
    tool_calls: z.array(ToolCallDelta).nullish().describe('The next pieces of calls. Absent where this chunk brings none.'),
    function_call: deprecated(
      FunctionDelta.nullish(),
      'send `tools` and read `tool_calls`. The next piece of the one call that is answered to `functions`.',
    ),
  })
  .meta({ id: 'ChatDelta', description: 'What a chunk adds to its answer; empty on the one that ends it.' });

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
          finish_reason: FinishReason.nullish().describe('Why the answer ended: on its last chunk, null before.'),
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
