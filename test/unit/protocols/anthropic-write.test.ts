/** Writing requests to an Anthropic upstream for both callers, and the fields that are rejected. */
import { describe, expect, test } from 'vitest';
import { anthropicDialect } from '../../../server/protocols/anthropic/dialect.ts';
import { packReasoning } from '../../../server/protocols/canonical/packed-reasoning.ts';
import { fromChat, fromResponses, thoughts } from '../../fixtures/anthropic/requests.ts';
import { richChat, richResponses } from '../../fixtures/foreign/rich-calls.ts';
import { chatTurn, refusal, responsesTurn, unsupported } from './foreign-turns.ts';

const chat = (body: Record<string, unknown>) => anthropicDialect.writeRequest(chatTurn(body, 'claude-fake'));
const responses = (body: Record<string, unknown>) => anthropicDialect.writeRequest(responsesTurn(body, 'claude-fake'));
const tool = { type: 'function', name: 'f' };
const chatTool = { type: 'function', function: { name: 'f' } };
const parts = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });

test('a conversation of a chat caller is written', () => {
  expect(chat(richChat)).toEqual(fromChat);
  expect(anthropicDialect.getPath(chatTurn(richChat, 'claude-fake'))).toBe('/messages');
});

test('a caller of responses gets items, namespaces and its signed thoughts across', () => {
  const sealed = thoughts.map((block) => packReasoning('anthropic', { provider: 'anthropic', blocks: [block] }));
  expect(responses(richResponses([...sealed, packReasoning('gemini', { signature: 'x' })]))).toEqual(fromResponses);
});

test('without a limit of the caller max_tokens is 32,000', () => {
  expect(chat({})).toEqual({
    model: 'claude-fake',
    max_tokens: 32_000,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  });
});

test('tools of past calls that are no longer offered are declared, with tool_choice none', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'get_rain', arguments: '{}' } };
  const body = chat({
    messages: [
      { role: 'user', content: 'Rain?' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: '3 mm' },
      { role: 'user', content: 'Sum it up.' },
    ],
  });
  expect(body).toMatchObject({ tools: [{ name: 'get_rain', input_schema: { type: 'object' } }], tool_choice: { type: 'none' } });
});

describe('a conversation that does not begin with a user', () => {
  test('V9: begins with the assistant, and its instructions stay instructions', () => {
    const messages = [
      { role: 'system', content: 'A' },
      { role: 'system', content: 'B' },
      { role: 'assistant', content: 'C' },
    ];
    expect(chat({ messages })).toMatchObject({ system: 'A\n\nB', messages: [{ role: 'assistant', content: [{ text: 'C' }] }] });
    expect(chat({ messages: messages.slice(2) })).toMatchObject({ messages: [{ role: 'assistant', content: [{ text: 'C' }] }] });
  });
  test('says the last instruction as the user where nobody has said anything', () => {
    const body = chat({ messages: [{ role: 'system', content: 'A' }] });
    expect(body).toMatchObject({ messages: [{ role: 'user', content: [{ text: 'A' }] }] });
  });
  test('is rejected when it is empty', () => {
    expect(refusal(() => responses({ input: [] }))).toEqual({ code: 'invalid_value', param: 'input' });
  });
});

test('results of parallel calls are together, also when one comes later', () => {
  const call = (call_id: string) => ({ type: 'function_call', call_id, name: 'f', arguments: '' });
  const output = (call_id: string) => ({ type: 'function_call_output', call_id, output: call_id });
  const input = [{ role: 'user', content: 'Go' }, call('a'), call('b'), output('a'), { role: 'assistant', content: 'Wait' }, output('b')];
  expect(responses({ input }).messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: [{ id: 'a', input: {} }, { id: 'b' }] },
    { role: 'user', content: [{ tool_use_id: 'a' }, { tool_use_id: 'b', content: 'b' }] },
    { role: 'assistant', content: [{ text: 'Wait' }] },
  ]);
});

test('a result without its call is rejected with its path', () => {
  const input = [
    { role: 'user', content: 'Go' },
    { type: 'function_call_output', call_id: 'x', output: '' },
  ];
  expect(refusal(() => responses({ input }))).toEqual({ code: 'invalid_value', param: 'input[1]' });
});

test.each(['{"a":', '[1]', '"text"'])('arguments that are no object are rejected with the path of the call: %s', (written) => {
  const tool_calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: written } }];
  const messages = [
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: null, tool_calls },
    { role: 'tool', tool_call_id: 'c', content: '' },
  ];
  expect(refusal(() => chat({ messages }))).toEqual({ code: 'invalid_value', param: 'messages[1].tool_calls[0]' });
});

test('a call id with other characters is replaced by a valid one, in call and result', () => {
  const input = [
    { role: 'user', content: 'Go' },
    { type: 'function_call', call_id: 'f.x:0', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'f.x:0', output: 'ok' },
  ];
  const [, call, result] = responses({ input }).messages as { content: { id?: string; tool_use_id?: string }[] }[];
  expect(call?.content[0]?.id).toMatch(/^f_x_0_[0-9a-f]{8}$/);
  expect(result?.content[0]?.tool_use_id).toBe(call?.content[0]?.id);
});

test('a thought that leads to nothing is left out, since it may not stand alone', () => {
  const sealed = packReasoning('anthropic', { provider: 'anthropic', blocks: thoughts });
  const input = [
    { role: 'user', content: 'A' },
    { type: 'reasoning', summary: [], encrypted_content: sealed },
    { role: 'user', content: 'B' },
  ];
  expect(responses({ input }).messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'A' },
        { type: 'text', text: 'B' },
      ],
    },
  ]);
});

test('the URL of an image and a file of plain text are written', () => {
  const url = 'https://example.com/a.png';
  const file_data = `data:text/plain;base64,${Buffer.from('Grüße').toString('base64')}`;
  expect(chat(parts({ type: 'image_url', image_url: { url } }, { type: 'file', file: { file_data } })).messages).toMatchObject([
    { content: [{ source: { type: 'url', url } }, { source: { type: 'text', media_type: 'text/plain', data: 'Grüße' } }] },
  ]);
});

test.each([
  ['none', { type: 'none' }],
  ['auto', { type: 'auto', disable_parallel_tool_use: true }],
  ['required', { type: 'any', disable_parallel_tool_use: true }],
  [
    { type: 'function', name: 'f' },
    { type: 'tool', name: 'f', disable_parallel_tool_use: true },
  ],
  [
    { type: 'allowed_tools', mode: 'required', tools: [tool] },
    { type: 'tool', name: 'f', disable_parallel_tool_use: true },
  ],
  [null, { type: 'auto', disable_parallel_tool_use: true }],
])('the tool choice %j without parallel calls is translated', (tool_choice, expected) => {
  expect(responses({ tools: [tool], tool_choice, parallel_tool_calls: false }).tool_choice).toEqual(expected);
});

test('hosted tools that are optional are left out, with the choice auto', () => {
  expect(responses({ tools: [{ type: 'web_search' }], tool_choice: 'auto', parallel_tool_calls: false })).not.toHaveProperty('tools');
});

test.each([
  [{ effort: 'none' }, {}, { thinking: { type: 'disabled' } }],
  [{ effort: 'max', summary: 'auto' }, {}, { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'max' } }],
  [{ effort: 'high' }, { temperature: 0.2 }, { output_config: { effort: 'high' }, temperature: 0.2 }],
])('effort %j with %j is translated', (reasoning, more, expected) => {
  const { model: _model, max_tokens: _limit, messages: _messages, ...rest } = responses({ reasoning, ...more });
  expect(rest).toEqual(expected);
});

test.each([
  [{ tools: [chatTool], tool_choice: { type: 'function', function: { name: 'g' } } }, 'tool_choice', 'invalid_value'],
  [{ tool_choice: 'required' }, 'tool_choice'],
  [parts({ type: 'text', text: 'a' }, { type: 'image_url', image_url: { url: 'data:image/png,raw' } }), 'messages[0].content[1]'],
  [parts({ type: 'file', file: { file_data: 'data:application/zip;base64,AA==' } }), 'messages[0].content[0]'],
])('a chat caller that sends %j gets an error with the field', (body, param, code = 'unsupported_parameter') => {
  expect(refusal(() => chat(body))).toEqual({ code, param });
});

test('a responses caller that requires a tool that is left out gets an error with the field', () => {
  const body = { tools: [{ type: 'web_search' }], tool_choice: 'required' };
  expect(refusal(() => responses(body))).toEqual(unsupported('tool_choice'));
});
