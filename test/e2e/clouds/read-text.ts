/** Reads the same text as each caller of a model: chat and responses, whole and streamed. */
import type OpenAI from 'openai';
import { expect } from 'vitest';

/** Every answer has the text, and names the model that was asked for. */
export async function expectText(sdk: OpenAI, model: string, text: string): Promise<void> {
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const whole = await sdk.chat.completions.create({ model, messages });
  expect([whole.choices[0]?.message.content, whole.model]).toEqual([text, model]);
  const streamed = await sdk.chat.completions.stream({ model, messages }).finalChatCompletion();
  expect([streamed.choices[0]?.message.content, streamed.model]).toEqual([text, model]);
  const response = await sdk.responses.create({ model, input: 'Hi' });
  expect([response.output_text, response.model]).toEqual([text, model]);
  const final = await sdk.responses.stream({ model, input: 'Hi' }).finalResponse();
  expect([final.output_text, final.model, final.usage?.total_tokens]).toEqual([text, model, response.usage?.total_tokens]);
  expect(final.usage?.total_tokens).toBeGreaterThan(0);
}
