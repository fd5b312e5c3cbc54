/** Writing requests to a Gemini upstream for both callers, and the fields that are rejected. */
import { expect, test } from 'vitest';
import { packReasoning } from '../../../server/protocols/canonical/packed-reasoning.ts';
import { geminiDialect } from '../../../server/protocols/gemini/dialect.ts';
import { richChat, richResponses } from '../../fixtures/foreign/rich-calls.ts';
import { fromChat, fromResponses, signed } from '../../fixtures/gemini/requests.ts';
import { chatTurn, responsesTurn } from './foreign-turns.ts';

const model = 'gemini-3.5-flash';
const chat = (body: Record<string, unknown>, id = model) => geminiDialect.writeRequest(chatTurn(body, id));
const responses = (body: Record<string, unknown>) => geminiDialect.writeRequest(responsesTurn(body, model));
const tool = { type: 'function', name: 'f' };

test('a conversation of a chat caller is written', () => {
  expect(chat(richChat)).toEqual(fromChat);
});

test('a caller of responses gets items, namespaces and the signature of its call across', () => {
  expect(responses(richResponses([packReasoning('gemini', signed), packReasoning('anthropic', { blocks: [] })]))).toEqual(fromResponses);
});

test('the path has the model and whether the answer is a stream', () => {
  expect(geminiDialect.getPath(chatTurn({}, 'a/b c'))).toBe('/models/a%2Fb%20c:generateContent');
  expect(geminiDialect.getPath(chatTurn({ stream: true }, model))).toBe(`/models/${model}:streamGenerateContent?alt=sse`);
});

test('an old model gets a thinking budget, and no signatures on calls', () => {
  const body = chat({ ...richChat, reasoning_effort: 'none' }, 'gemini-2.5-pro');
  expect(body.generationConfig).toMatchObject({ thinkingConfig: { thinkingBudget: 0 } });
  expect(JSON.stringify(body)).not.toContain('thoughtSignature');
});

test('settings that Anthropic lacks are written', () => {
  const settings = { seed: 7, presence_penalty: 0.5, frequency_penalty: -1, logprobs: true, top_logprobs: 3, temperature: 1.5 };
  expect(chat({ ...settings, response_format: { type: 'json_object' } }).generationConfig).toEqual({
    seed: 7,
    presencePenalty: 0.5,
    frequencyPenalty: -1,
    responseLogprobs: true,
    logprobs: 3,
    temperature: 1.5,
    responseMimeType: 'application/json',
  });
});

test('C9: an old model with functions is asked for JSON in its instructions', () => {
  const asked = { tools: [{ type: 'function', function: { name: 'f' } }], response_format: { type: 'json_object' } };
  const body = chat(asked, 'gemini-2.5-flash');
  expect(body).not.toHaveProperty('generationConfig');
  expect(body.systemInstruction).toMatchObject({ parts: [{ text: expect.stringMatching(/^Answer with a single JSON object/) }] });
  const answer = (text: string) => ({ candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP' }] });
  const read = (text: string) => geminiDialect.readResponse(answer(text), chatTurn(asked, 'gemini-2.5-flash'));
  expect(read('```json\n{"a":1}\n```')).toContainEqual({ kind: 'text', text: '{"a":1}' });
  expect(read('Hello.').at(-1)).toMatchObject({ kind: 'failed', error: { code: 'upstream_error' } });
  expect(chat(asked).generationConfig).toEqual({ responseMimeType: 'application/json' });
  expect(chat({ response_format: asked.response_format }, 'gemini-2.5-flash').generationConfig).toEqual({
    responseMimeType: 'application/json',
  });
});

test.each([
  ['none', { mode: 'NONE' }],
  ['auto', { mode: 'AUTO' }],
  ['required', { mode: 'ANY' }],
  [
    { type: 'function', name: 'f' },
    { mode: 'ANY', allowedFunctionNames: ['f'] },
  ],
  [
    { type: 'allowed_tools', mode: 'auto', tools: [tool] },
    { mode: 'VALIDATED', allowedFunctionNames: ['f'] },
  ],
  [
    { type: 'allowed_tools', mode: 'required', tools: [tool] },
    { mode: 'ANY', allowedFunctionNames: ['f'] },
  ],
])('the tool choice %j is translated', (tool_choice, functionCallingConfig) => {
  expect(responses({ tools: [tool], tool_choice, parallel_tool_calls: true }).toolConfig).toEqual({ functionCallingConfig });
});

test('a text that was signed at its end goes back in the two pieces that it came in', () => {
  const sealed = packReasoning('gemini', { ...signed, on: 'text', length: 4 });
  const input = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello you.' },
    { type: 'reasoning', summary: [], encrypted_content: sealed },
  ];
  expect(responses({ input }).contents).toEqual([
    { role: 'user', parts: [{ text: 'Hi' }] },
    { role: 'model', parts: [{ text: 'Hello ' }, { text: 'you.', thoughtSignature: 'c2ln' }] },
  ]);
});

test('a signature without its call is left out', () => {
  const input = [
    { role: 'user', content: 'Hi' },
    { type: 'reasoning', summary: [], encrypted_content: packReasoning('gemini', signed) },
    { role: 'user', content: 'So?' },
  ];
  expect(responses({ input }).contents).toEqual([{ role: 'user', parts: [{ text: 'Hi' }, { text: 'So?' }] }]);
});
