/** Nested fields and long call IDs: sent in another form, or named in x-modelgate-dropped. */
import { describe, expect, test } from 'vitest';
import { useOpened } from '../harness/opened.ts';
import { clearFakes, kinds, modelOver, openPairs } from '../harness/pairs.ts';

const pairs = useOpened(() => openPairs(), clearFakes);

const ephemeral = { cache_control: { type: 'ephemeral' } };
const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }];
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };
const user = { role: 'user', content: 'Hi' };
const result = { role: 'tool', tool_call_id: 'call_1', content: 'ok' };

async function ignoredOver(kind: (typeof kinds)[number], body: object): Promise<readonly string[]> {
  pairs.expectToSay(kind, { text: 'Yes.' });
  const answer = await pairs.gateway.call('/chat/completions', { json: { model: modelOver(kind), messages: [user], ...body } });
  expect(answer.status, await answer.text()).toBe(200);
  return answer.headers.get('x-modelgate-dropped')?.split(', ') ?? [];
}

test.each(['gemini', 'converse'] as const)(
  'returns a response over %s, which can make parallel calls, although they are forbidden',
  async (kind) => {
    const forbidden = { tools, parallel_tool_calls: false };
    expect(await ignoredOver(kind, forbidden)).toEqual(['parallel_tool_calls']);
    expect(await ignoredOver(kind, { ...forbidden, parallel_tool_calls: true })).toEqual([]);
    pairs.expectToSay(kind, { text: 'Yes.' });
    const flat = tools.map(({ type, function: called }) => ({ type, ...called }));
    const json = { model: modelOver(kind), input: 'Hi', ...forbidden, tools: flat };
    const answer = await pairs.gateway.call('/responses', { json });
    expect([answer.status, answer.headers.get('x-modelgate-dropped')]).toEqual([200, 'parallel_tool_calls']);
  },
);

describe.each(kinds)('parsed values that an SDK added, over %s', (kind) => {
  const model = modelOver(kind);
  const secret = { city: 'not sent' };
  const sent = { name: 'f', arguments: '{}' };

  async function send(path: string, body: object): Promise<unknown> {
    pairs.expectToSay(kind, { text: 'Yes.' });
    const answer = await pairs.gateway.call(path, { json: { model, ...body } });
    expect([answer.status, answer.headers.get('x-modelgate-dropped')]).toEqual([200, null]);
    expect(JSON.stringify(pairs.fakes[kind].last.json)).not.toContain('not sent');
    return pairs.fakes[kind].last.json;
  }

  test('omits them for a chat caller', async () => {
    const answer = { role: 'assistant', content: [{ type: 'text', text: 'a', parsed: secret }], parsed: secret };
    const called = { ...call, function: { ...sent, parsed_arguments: secret } };
    const messages = [user, { ...answer, tool_calls: [called] }, result];
    const body = await send('/chat/completions', { messages, tools });
    if (kind === 'chat')
      expect(body).toMatchObject({
        messages: [user, { content: [{ type: 'text', text: 'a' }], tool_calls: [{ ...call, function: sent }] }, result],
      });
  });

  test('omits them for a responses caller', async () => {
    const content = [{ type: 'output_text', text: '{}', annotations: [], parsed: secret }];
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'message', role: 'assistant', status: 'completed', content, parsed: secret },
      { type: 'function_call', call_id: 'call_1', ...sent, parsed_arguments: secret },
      { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
    ];
    const body = await send('/responses', { input });
    if (kind === 'responses')
      expect(body).toMatchObject({ input: [{}, { content: [{ text: '{}' }] }, { type: 'function_call', ...sent }, {}] });
  });
});

describe('a chat caller', () => {
  test.each(['gemini', 'responses'] as const)('finds its cache marks in x-modelgate-dropped over %s', async (kind) => {
    const messages = [
      { role: 'system', content: 's', ...ephemeral },
      { role: 'user', content: [{ type: 'text', text: 'Hi', ...ephemeral }] },
    ];
    const marked = tools.map((tool) => ({ ...tool, ...ephemeral }));
    const dropped = await ignoredOver(kind, { messages, tools: marked });
    expect(dropped).toEqual(['messages[0].cache_control', 'messages[1].content[0].cache_control', 'tools[0].cache_control']);
  });

  test.each(['anthropic', 'gemini', 'responses', 'converse'] as const)(
    'finds names and foreign reasoning in x-modelgate-dropped over %s',
    async (kind) => {
      const answer = {
        role: 'assistant',
        content: null,
        reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }],
        thinking_blocks: [{ type: 'thinking', thinking: 'x', signature: 'x' }],
        tool_calls: [{ ...call, extra_content: { google: { thought_signature: 'x' } } }],
      };
      expect(await ignoredOver(kind, { messages: [{ ...user, name: 'ada' }, answer, result], tools })).toEqual([
        'messages[0].name',
        'messages[1].reasoning_details',
        'messages[1].thinking_blocks',
        'messages[1].tool_calls[0].extra_content',
      ]);
    },
  );
});

describe('a call ID of another provider', () => {
  const id = `chatcmpl-tool-${'0123456789abcdef'.repeat(4)}`;
  const messages = [user, { role: 'assistant', content: null, tool_calls: [{ ...call, id }] }, { ...result, tool_call_id: id }];
  const input = [
    { role: 'user', content: 'Hi' },
    { type: 'function_call', call_id: id, name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: id, output: 'ok' },
  ];

  test.each(['chat', 'responses'] as const)('fits chat when %s calls', async (caller) => {
    pairs.expectToSay('chat', { text: 'Yes.' });
    const body = caller === 'chat' ? { messages, tools } : { input };
    const path = caller === 'chat' ? '/chat/completions' : '/responses';
    expect((await pairs.gateway.call(path, { json: { model: modelOver('chat'), ...body } })).status).toBe(200);
    const sent = JSON.stringify(pairs.fakes.chat.last.fields.messages);
    const ids = [...sent.matchAll(/"(?:id|tool_call_id)":"([^"]+)"/g)].map(([, found]) => found);
    expect([ids.length, new Set(ids).size, ids[0]?.length]).toEqual([2, 1, 40]);
  });

  test.each(['chat', 'responses'] as const)('fits responses when %s calls', async (caller) => {
    pairs.expectToSay('responses', { text: 'Yes.' });
    const body = caller === 'chat' ? { messages, tools } : { input };
    const path = caller === 'chat' ? '/chat/completions' : '/responses';
    expect((await pairs.gateway.call(path, { json: { model: modelOver('responses'), ...body } })).status).toBe(200);
    const sent = JSON.stringify(pairs.fakes.responses.last.fields.input);
    const ids = [...sent.matchAll(/"call_id":"([^"]+)"/g)].map(([, found]) => found);
    expect([ids.length, new Set(ids).size, ids[0]?.length]).toEqual([2, 1, 64]);
  });
});
