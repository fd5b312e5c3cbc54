/** The response of a chat completion: a JSON object, or the chunks of a stream. */
import { z } from 'zod';
import { Cost, Index, Tokens, UnixSeconds } from '../shared/bounds.ts';
import { createTypeField, markDeprecated, OMITTED_NOTE } from '../shared/descriptions.ts';
import { createOpenUnion } from '../shared/open.ts';

const count = Tokens.nullish();

export const ChatUsage = z
  .looseObject({
    prompt_tokens: Tokens.describe('Number of input tokens, including tokens read from a cache.'),
    completion_tokens: Tokens.describe('Number of output tokens, including reasoning tokens.'),
    total_tokens: Tokens.describe('The sum of `prompt_tokens` and `completion_tokens`.'),
    prompt_tokens_details: z
      .looseObject({
        cached_tokens: count.describe("Tokens read from the upstream's cache, charged at the price of cached input. Omitted if none."),
        cache_write_tokens: count.describe(
          "Tokens written to the upstream's cache, charged at the price of cache writes. Omitted if none.",
        ),
        audio_tokens: count.describe("Audio input tokens. Omitted if none, or if the upstream doesn't count them separately."),
      })
      .nullish()
      .describe("Breakdown of `prompt_tokens`. Omitted if the upstream doesn't report it."),
    completion_tokens_details: z
      .looseObject({
        reasoning_tokens: count.describe(
          "Reasoning tokens, charged as output. Omitted if none, or if the upstream doesn't count them separately.",
        ),
        audio_tokens: count.describe("Audio output tokens. Omitted if none, or if the upstream doesn't count them separately."),
        accepted_prediction_tokens: count.describe('Tokens of the `prediction` that appear in the output. Omitted if none.'),
        rejected_prediction_tokens: count.describe(
          "Tokens of the `prediction` that don't appear in the output. They're still charged as output. Omitted if none.",
        ),
      })
      .nullish()
      .describe("Breakdown of `completion_tokens`. Omitted if the upstream doesn't report it."),
    cost: Cost,
  })
  .meta({
    id: 'ChatUsage',
    description:
      "Tokens used by the completion, as counted by the upstream. If the upstream doesn't report usage, see the receipt for the gateway's count.",
  });

/** A closed enum, because agents branch on the value. The gateway maps each provider's reason to one of these. */
export const FinishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']).meta({
  id: 'FinishReason',
  description:
    '`stop`: the model finished, reached a stop sequence, or returned a refusal. `length`: a token limit was reached. `tool_calls`: the model called tools. `content_filter`: output was withheld. `function_call`: the same as `tool_calls`, for requests with `functions`.',
});

const bytes = z
  .array(z.int().min(0).max(255))
  .nullish()
  .describe('The token as UTF-8 bytes. One character can span several tokens. Null if the token has no bytes.');
const logprob = z.number().describe("The natural logarithm of the token's probability, at most 0.");

const TopLogprob = z
  .looseObject({ token: z.string().describe('The alternative token as text.'), logprob, bytes })
  .meta({ id: 'ChatTopLogprob', description: 'An alternative token at this position, with its log probability.' });

const TokenLogprob = z
  .looseObject({
    token: z.string().describe('The token as text.'),
    logprob,
    bytes,
    top_logprobs: z
      .array(TopLogprob)
      .describe("The most likely tokens at this position, as many as the request's `top_logprobs`. Empty if that is 0."),
  })
  .meta({ id: 'ChatTokenLogprob', description: 'A token of the output, with its log probability.' });

const ChatLogprobs = z
  .looseObject({
    content: z.array(TokenLogprob).nullish().describe('The tokens of the text. Null without text.'),
    refusal: z.array(TokenLogprob).nullish().describe('The tokens of the refusal. Null without a refusal.'),
  })
  .meta({ id: 'ChatLogprobs', description: 'Log probabilities of the output tokens.' });

const Annotation = z
  .looseObject({
    type: z.string().describe('The type of the annotation: `url_citation`, or a type that the upstream defines.'),
    url_citation: z
      .looseObject({
        url: z.string().describe('The URL of the page.'),
        title: z.string().describe('The title of the page.'),
        start_index: Index.describe('Index at which the citing text starts in `content`, from 0.'),
        end_index: Index.describe('Index at which the citing text ends in `content`, from 0.'),
      })
      .nullish()
      .describe('The page that a part of the text cites. Omitted for other types.'),
  })
  .meta({ id: 'ChatAnnotation', description: "The source of a part of the text, found by the upstream's web search." });

const callId = z.string().describe('The ID of the tool call. Send it back as `tool_call_id`.');

const AnsweredFunction = z
  .looseObject({
    name: z.string().describe('The name of the function, as declared in the request.'),
    arguments: z.string().describe('The arguments as the model wrote them, in JSON. Validate them before you use them.'),
  })
  .meta({ id: 'ChatAnsweredFunction', description: 'The function that the model calls, and its arguments.' });

const AnsweredFunctionCall = z
  .looseObject({ id: callId, type: createTypeField('function'), function: AnsweredFunction.describe('The function to call.') })
  .meta({ id: 'ChatAnsweredFunctionCall', description: 'A function call for you to run.' });

const AnsweredCustomCall = z
  .looseObject({
    id: callId,
    type: createTypeField('custom'),
    custom: z
      .looseObject({
        name: z.string().describe('The name of the tool, as declared in the request.'),
        input: z.string().describe('The input of the tool, as free text.'),
      })
      .describe('The free-form tool to call.'),
  })
  .meta({ id: 'ChatAnsweredCustomCall', description: 'A call to a free-form tool, for you to run.' });

const AnsweredToolCall = createOpenUnion([AnsweredFunctionCall, AnsweredCustomCall], {
  id: 'ChatUnknownToolCall',
  shape: { id: callId },
}).meta({ id: 'ChatAnsweredToolCall', description: 'A tool call for you to run. Send its `id` back as `tool_call_id`.' });

const AnsweredMessage = z
  .looseObject({
    role: createTypeField('assistant', 'The role of the author'),
    content: z.string().nullish().describe('The text of the message. Null if the message has only tool calls or a refusal.'),
    refusal: z.string().nullish().describe("The refusal, in the model's words. Null if the message isn't a refusal."),
    annotations: z.array(Annotation).nullish().describe('The sources of the text. Empty or omitted if none.'),
    tool_calls: z.array(AnsweredToolCall).nullish().describe('Tool calls for you to run. Omitted if none.'),
    function_call: markDeprecated(
      AnsweredFunction.nullish(),
      'send `tools` and read `tool_calls`. The single call for a request with `functions`; omitted otherwise.',
    ),
    audio: z
      .looseObject({
        id: z.string().describe('The ID of this audio, for use in a later turn.'),
        data: z.string().describe("The audio in base64, in the request's `audio.format`."),
        expires_at: UnixSeconds.describe('When the upstream deletes the audio, as a Unix timestamp in seconds.'),
        transcript: z.string().describe('The transcript of the audio.'),
      })
      .nullish()
      .describe("The audio output. Omitted unless the request's `modalities` contains `audio`."),
  })
  .meta({ id: 'ChatAnsweredMessage', description: "The model's text, refusal, or tool calls. Append it to `messages` unchanged." });

const id = z
  .string()
  .describe(
    "The ID of the completion, the same in all of its chunks. Chat completions aren't stored, so they can't be retrieved by this ID.",
  );
const model = z.string().describe('The ID of the model, as in the request.');
const choiceIndex = Index.describe('Index of the choice among the `n` choices, from 0.');
const logprobs = ChatLogprobs.nullish().describe(
  'Log probabilities of the output tokens. Null or omitted unless the request has `logprobs: true`.',
);
const service_tier = z.string().nullish().describe(`The processing tier that was used. ${OMITTED_NOTE}`);
const system_fingerprint = z
  .string()
  .nullish()
  .describe(
    `An ID of the backend configuration that the model ran with. Use it to compare responses for the same \`seed\`. ${OMITTED_NOTE}`,
  );

export const ChatCompletion = z
  .looseObject({
    id,
    object: createTypeField('chat.completion'),
    created: UnixSeconds,
    model,
    choices: z
      .array(
        z.looseObject({
          index: choiceIndex,
          message: AnsweredMessage.describe('The message that the model generated.'),
          finish_reason: FinishReason.describe('Why the model stopped.'),
          logprobs,
        }),
      )
      .describe('The choices: one, or as many as `n`.'),
    usage: ChatUsage.nullish().describe("Total usage of all choices. Omitted if the upstream doesn't report it."),
    service_tier,
    system_fingerprint,
  })
  .meta({ id: 'ChatCompletion', description: 'The text is in `choices[0].message.content`.' });
export type ChatCompletion = z.infer<typeof ChatCompletion>;

const FunctionDelta = z
  .looseObject({
    name: z.string().optional().describe('The name of the function. Sent only in the first piece of a call, and omitted in the others.'),
    arguments: z.string().optional().describe('The next piece of the JSON arguments. Omitted if this chunk has none.'),
  })
  .meta({ id: 'ChatFunctionDelta', description: 'A piece of a function call. The name is sent once, the arguments in pieces.' });

const ToolCallDelta = z
  .looseObject({
    index: Index.max(127).describe('Index of the tool call that this piece belongs to, from 0 without gaps.'),
    id: z.string().optional().describe('The ID of the tool call. Sent only in the first piece of a call, and omitted in the others.'),
    type: z
      .enum(['function', 'custom'])
      .optional()
      .describe('The type of the tool. Sent only in the first piece of a call, and omitted in the others.'),
    function: FunctionDelta.optional().describe('A piece of a function call. Omitted for a free-form tool.'),
    custom: z
      .looseObject({
        name: z.string().optional().describe('The name of the tool. Sent only in the first piece of a call, and omitted in the others.'),
        input: z.string().optional().describe('The next piece of the input. Omitted if this chunk has none.'),
      })
      .optional()
      .describe('A piece of a call to a free-form tool. Omitted for a function.'),
  })
  .meta({ id: 'ChatToolCallDelta', description: 'A piece of a tool call. `id`, `type`, and the name are sent once, in the first piece.' });

const Delta = z
  .looseObject({
    role: z
      .enum(['assistant', 'developer', 'system', 'user', 'tool'])
      .nullish()
      .describe('The role of the author: `assistant`. Sent only in the first chunk of a choice, and omitted in the others.'),
    content: z.string().nullish().describe('The next piece of the text. Omitted if this chunk has none.'),
    refusal: z.string().nullish().describe('The next piece of a refusal. Omitted if this chunk has none.'),
    annotations: z.array(Annotation).nullish().describe('The sources of the text. Omitted if this chunk has none.'),
    tool_calls: z.array(ToolCallDelta).nullish().describe('The next pieces of tool calls. Omitted if this chunk has none.'),
    function_call: markDeprecated(
      FunctionDelta.nullish(),
      'send `tools` and read `tool_calls`. The next piece of the single call for a request with `functions`.',
    ),
  })
  .meta({ id: 'ChatDelta', description: 'The delta that this chunk adds to its choice. Empty in the last chunk of the choice.' });

export const ChatCompletionChunk = z
  .looseObject({
    id,
    object: createTypeField('chat.completion.chunk'),
    created: UnixSeconds,
    model,
    choices: z
      .array(
        z.looseObject({
          index: choiceIndex,
          delta: Delta.describe('The addition of this chunk to its choice.'),
          finish_reason: FinishReason.nullish().describe('Why the model stopped. Null except in the last chunk of a choice.'),
          logprobs,
        }),
      )
      .describe('The choices that this chunk adds to. Empty in the chunk with the usage.'),
    usage: ChatUsage.nullish().describe(
      'Total usage of all choices, in the last chunk; null in earlier chunks. Omitted unless the request has `stream_options.include_usage: true`.',
    ),
    service_tier,
    system_fingerprint,
  })
  .meta({
    id: 'ChatCompletionChunk',
    description: 'One `data:` line of a chat stream. The stream ends with `data: [DONE]`, or with `data: {"error": …}` if it failed.',
  });
export type ChatCompletionChunk = z.infer<typeof ChatCompletionChunk>;
