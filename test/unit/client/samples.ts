/** Requests, and the frames of their streams, for the tests of the client. */
import type { ChatCompletionRequest, ImageGenerationRequest, ResponseRequest } from '../../../client/sdk/src/index.ts';
import { frame } from './server.ts';

export const chatRequest = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hi' }] } satisfies ChatCompletionRequest;
export const responseRequest = { model: 'gpt-5.4', input: 'Hi' } satisfies ResponseRequest;
export const imageRequest = { model: 'gpt-image-2', prompt: 'A cat' } satisfies ImageGenerationRequest;

export const chunk = (content: string) => ({
  id: 'chatcmpl_1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-5.4',
  choices: [{ index: 0, delta: { content } }],
});
export const done = 'data: [DONE]\n\n';

export const response = (status: string) => ({ id: 'resp_1', object: 'response', created_at: 1, status, model: 'gpt-5.4', output: [] });
export const responseEvent = (type: string, fields: object = {}) => ({ type, sequence_number: 0, ...fields });
export const lifecycle = (status: string) => frame(responseEvent(`response.${status}`, { response: response(status) }));
export const delta = (text: string) =>
  frame(responseEvent('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta: text }));
