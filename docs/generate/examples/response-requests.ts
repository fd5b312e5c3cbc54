/** Example requests for the responses operation. */
import type { ResponseRequest } from '../../../contract/responses.ts';
import type { Example } from './example.ts';
import { TINY_PNG_URL } from './pictures.ts';

const model = 'gpt-5.4';
const show = (summary: string, value: ResponseRequest): Example => ({ summary, value });

const weatherTool = {
  type: 'function',
  name: 'get_weather',
  description: 'Today’s weather in a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
  strict: true,
} as const;

const simple = show('One question', { model, input: 'Why is the sky blue?' });

const items = show('Instructions and a conversation as items', {
  model,
  instructions: 'You answer in one short sentence.',
  input: [
    { role: 'user', content: 'Which planet is the largest?' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Jupiter.' }] },
    { role: 'user', content: 'And the smallest?' },
  ],
  max_output_tokens: 200,
});

const chained = show('The next turn of a stored response', {
  model,
  previous_response_id: 'resp_5b17d0',
  instructions: 'You answer in one short sentence.',
  input: 'And at sunset?',
});

const toolResult = show('The output of a tool call', {
  model,
  input: [
    { role: 'user', content: 'Do I need an umbrella in Oslo?' },
    { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Oslo"}' },
    { type: 'function_call_output', call_id: 'call_1', output: '{"rain_mm":4.2}' },
  ],
  tools: [weatherTool],
});

const structured = show('Structured output that follows a JSON schema', {
  model,
  input: 'Lunch on Friday at noon with Ada.',
  text: {
    format: {
      type: 'json_schema',
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
  input: [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'What color is this?' },
        { type: 'input_image', image_url: TINY_PNG_URL, detail: 'low' },
      ],
    },
  ],
});

const stateless = show('Nothing stored; encrypted reasoning to send back', {
  model,
  input: 'Plan a day in Oslo.',
  store: false,
  reasoning: { effort: 'medium', summary: 'auto' },
  include: ['reasoning.encrypted_content'],
});

export const responseRequests = {
  simple,
  items,
  stream: show('A stream', { model, input: 'Why is the sky blue?', stream: true }),
  chained,
  tools: show('A function tool', {
    model,
    input: 'Do I need an umbrella in Oslo?',
    tools: [weatherTool],
    tool_choice: 'auto',
  }),
  toolResult,
  structured,
  image,
  stateless,
};
