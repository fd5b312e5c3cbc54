/** Example responses and streams of the chat operation. */
import type { ChatCompletion, ChatCompletionChunk } from '../../../contract/chat/completion.ts';
import { chatRequests } from './chat-requests.ts';
import { errorExample } from './errors.ts';
import type { OperationExamples } from './example.ts';

const head = { id: 'chatcmpl-9f2c41', created: 1790000000, model: 'gpt-5.4' };
const usage = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
});

function answer(content: string): ChatCompletion {
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content, refusal: null, annotations: [] }, logprobs: null, finish_reason: 'stop' }],
    usage: usage(14, 12),
    service_tier: 'default',
  };
}

const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } } as const;

const toolCall: ChatCompletion = {
  ...head,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: null, refusal: null, tool_calls: [call] },
      logprobs: null,
      finish_reason: 'tool_calls',
    },
  ],
  usage: usage(58, 17),
};

type Choice = ChatCompletionChunk['choices'][number];
const chunk = (delta: Choice['delta'], finish: Choice['finish_reason'] = null): ChatCompletionChunk => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
  usage: null,
});
const usageChunk = (value: ChatCompletionChunk['usage']): ChatCompletionChunk => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [],
  usage: value,
});

const textStream = [
  chunk({ role: 'assistant', content: '', refusal: null }),
  chunk({ content: 'Air scatters' }),
  chunk({ content: ' blue light' }),
  chunk({ content: ' more than red.' }),
  chunk({}, 'stop'),
  usageChunk(usage(14, 12)),
];

const brokenStream = [...textStream.slice(0, 2), errorExample('upstream_error')];

const toolStream = [
  chunk({ role: 'assistant', content: null }),
  chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] }),
  chunk({}, 'tool_calls'),
  usageChunk(usage(58, 17)),
];

export const chatExamples: OperationExamples = {
  requests: chatRequests,
  answers: {
    text: { summary: 'A text', value: answer('Air scatters blue light more than red.') },
    toolCall: { summary: 'A tool call', value: toolCall },
    structured: { summary: 'JSON that follows a schema', value: answer('{"title":"Lunch","day":"Friday","people":["Ada"]}') },
  },
  streams: {
    text: { summary: 'Text, with the usage at the end', events: textStream },
    toolCall: { summary: 'A tool call, with its arguments in pieces', events: toolStream },
    failed: { summary: 'An upstream that closed the connection midway', events: brokenStream, isCut: true },
  },
};
