/** Example requests for the chat operation. */
import type { ChatCompletionRequest } from '../../../contract/chat.ts';
import type { Example } from './example.ts';
import { TINY_PNG_URL } from './pictures.ts';

const model = 'gpt-5.4';
const show = (summary: string, value: ChatCompletionRequest): Example => ({ summary, value });

const weatherTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Today’s weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
    strict: true,
  },
} as const;

const weatherQuestion = { role: 'user', content: 'Do I need an umbrella in Oslo?' } as const;

const conversation = show('A conversation with instructions', {
  model,
  messages: [
    { role: 'system', content: 'You answer in one short sentence.' },
    { role: 'user', content: 'Which planet is the largest?' },
    { role: 'assistant', content: 'Jupiter.' },
    { role: 'user', content: 'And the smallest?' },
  ],
  temperature: 0.2,
  max_completion_tokens: 200,
});

const toolResult = show('The output of a tool call', {
  model,
  messages: [
    weatherQuestion,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '{"rain_mm":4.2}' },
  ],
  tools: [weatherTool],
});

const structured = show('Structured output that follows a JSON schema', {
  model,
  messages: [{ role: 'user', content: 'Lunch on Friday at noon with Ada.' }],
  response_format: {
    type: 'json_schema',
    json_schema: {
      name: 'appointment',
      strict: true,
      schema: {
        type: 'object',
        properties: { title: { type: 'string' }, day: { type: 'string' }, people: { type: 'array', items: { type: 'string' } } },
        required: ['title', 'day', 'people'],
        additionalProperties: false,
      },
    },
  },
});

const image = show('A question about an image', {
  model,
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What color is this?' },
        { type: 'image_url', image_url: { url: TINY_PNG_URL, detail: 'low' } },
      ],
    },
  ],
});

export const chatRequests = {
  simple: show('One question', { model, messages: [{ role: 'user', content: 'Why is the sky blue?' }] }),
  conversation,
  stream: show('A stream with the usage at the end', {
    model,
    messages: [{ role: 'user', content: 'Why is the sky blue?' }],
    stream: true,
    stream_options: { include_usage: true },
  }),
  tools: show('A function tool', { model, messages: [weatherQuestion], tools: [weatherTool], tool_choice: 'auto' }),
  toolResult,
  structured,
  image,
};
