/** The text of a response or a completion. */
import { expect, test } from 'vitest';
import { type ChatCompletion, chatText, type ModelResponse, type OutputItem, outputText } from '../../../client/sdk/src/index.ts';

const response = (...output: OutputItem[]): ModelResponse => ({ id: 'resp_1', object: 'response', created_at: 1, model: 'm', output });
const part = (text: string) => ({ type: 'output_text' as const, text, annotations: [] });
const message = (...content: (ReturnType<typeof part> | { type: 'refusal'; refusal: string })[]): OutputItem => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content,
});

test('joins the messages of a response, without reasoning, calls, and refusals', () => {
  const reasoning: OutputItem = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'thinking' }] };
  const call: OutputItem = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
  const refusal = { type: 'refusal' as const, refusal: 'no' };
  expect(outputText(response(reasoning, message(part('Hel'), part('lo')), call, message(refusal, part('!'))))).toBe('Hello!');
});

test('returns an empty text for a response without a message', () => {
  expect(outputText(response())).toBe('');
});

const completion = (content: string | null): ChatCompletion => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
});

test('returns the text of the first choice of a chat completion, or an empty one', () => {
  expect([chatText(completion('Hi')), chatText(completion(null)), chatText({ ...completion(''), choices: [] })]).toEqual(['Hi', '', '']);
});
