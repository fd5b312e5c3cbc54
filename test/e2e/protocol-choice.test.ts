/** Chat calls that OpenAI refuses over chat: they go over responses, translated, and their reasoning comes back with the results of their tools. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { strictOpenAi, type Turn } from '../fakes/openai-rules.ts';
import { startGateway } from '../harness/gateway.ts';
import { useFake, useOpened } from '../harness/opened.ts';

const known = ['gpt-5.5', 'codex-auto-review', 'gpt-5.2', 'gpt-5.3-codex', 'gpt-5.4', 'gpt-5.4-mini'] as const;
const others = ['gpt-5.6-terra', 'mystery-1', 'mystery-2', 'mystery-3', 'mystery-4'] as const;

const vendor = useFake();
const gateway = useOpened(() => {
  const settings = { kind: 'openai', baseUrl: vendor.url, apiKey: 'sk-vendor' };
  const texts = [...known, ...others].map((id) => ({ id, kind: 'text' }));
  return startGateway({
    upstreams: { openai: settings },
    models: [...texts, { id: 'left-alone', kind: 'text', upstreamModel: 'gpt-5.4', responsesOnly: 'never' }],
  });
});

const tool = { name: 'get_weather', description: 'Weather of a city', parameters: { type: 'object', properties: {} } };
const tools = [{ type: 'function', function: tool }] as const;
const user = { role: 'user', content: 'How is the weather in Oslo?' } as const;
const oslo = { id: 'call_oslo', name: 'get_weather', arguments: '{"city":"Oslo"}' };

const plays = (turn: Turn): void => void vendor.always((request) => strictOpenAi(request, turn));
const ask = (fields: Record<string, unknown>, key?: string): Promise<Response> =>
  gateway.call('/chat/completions', { method: 'POST', json: { messages: [user], ...fields }, ...(key !== undefined && { key }) });
const paths = (): string[] => vendor.requests.map(({ path }) => path.replace('/v1/', ''));
const protocolOf = (answer: Response): string | null => answer.headers.get('x-modelgate-protocol');
const Receipt = z.object({ attempts: z.array(z.object({ upstream: z.string(), status: z.number(), protocol: z.string().nullable() })) });
async function attemptsOf(answer: Response) {
  const id = String(answer.headers.get('x-request-id'));
  const { attempts } = Receipt.parse(await (await gateway.call(`/usage/${id}`)).json());
  return attempts.map(({ status, protocol }) => [status, protocol]);
}

describe.each(known)('%s', (model) => {
  test.each([false, true])('serves a chat with tools and an effort over responses (stream: %s)', async (stream) => {
    plays({ thought: 'A tool.', calls: [oslo] });
    const answer = await ask({ model, tools, reasoning_effort: 'low', stream });
    expect([answer.status, protocolOf(answer)]).toEqual([200, 'responses']);
    expect(await answer.text()).toContain('call_oslo');
    expect(paths()).toEqual(['responses']);
    expect(vendor.last.fields).toMatchObject({
      reasoning: { effort: 'low' },
      store: false,
      tools: [{ type: 'function', name: 'get_weather' }],
    });
    expect(await attemptsOf(answer)).toEqual([[200, 'responses']]);
    expect((await gateway.lineOf(answer)).protocol).toBe('responses');
  });
});

test.each([
  ['tools without an effort', 'gpt-5.4', { tools }],
  ['tools with the effort none', 'gpt-5.6-terra', { tools, reasoning_effort: 'none' }],
  ['an effort without tools', 'gpt-5.6-terra', { reasoning_effort: 'high' }],
])('keeps %s on chat, byte for byte', async (_, model, fields) => {
  plays({ text: 'Wet.' });
  const answer = await ask({ model, ...fields });
  expect([answer.status, protocolOf(answer), paths()]).toEqual([200, null, ['chat/completions']]);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(vendor.sent[0]);
  expect(await attemptsOf(answer)).toEqual([]);
});

test('sends function tools to a newer model over responses unless its effort is none', async () => {
  plays({ text: 'Wet.' });
  expect(protocolOf(await ask({ model: 'gpt-5.6-terra', tools }))).toBe('responses');
  expect(paths()).toEqual(['responses']);
});

test('retries a rejected call to an unknown model over responses, and remembers it only for such calls', async () => {
  plays({ text: 'Wet.' });
  const first = await ask({ model: 'mystery-1', tools, reasoning_effort: 'low' });
  expect([first.status, protocolOf(first), paths()]).toEqual([200, 'responses', ['chat/completions', 'responses']]);
  expect(await attemptsOf(first)).toEqual([
    [400, null],
    [200, 'responses'],
  ]);
  await ask({ model: 'mystery-1', tools, reasoning_effort: 'high' });
  await ask({ model: 'mystery-1' });
  expect(paths().slice(2)).toEqual(['responses', 'chat/completions']);
  expect((await gateway.lineWhere(({ msg }) => String(msg).startsWith('provider rejected the call'))).model).toBe('mystery-1');
});

test('retries a stream of an unknown model before its first byte', async () => {
  plays({ text: 'Wet.' });
  const answer = await ask({ model: 'mystery-2', tools, stream: true });
  expect([answer.status, protocolOf(answer)]).toEqual([200, 'responses']);
  expect(await answer.text()).toContain('[DONE]');
});

test('remembers and charges nothing when the other protocol fails too, and returns the last error', async () => {
  vendor.always((request) => (request.path.endsWith('/responses') ? [{ kind: 'reset' }] : strictOpenAi(request, { text: 'Wet.' })));
  const answer = await ask({ model: 'mystery-3', tools });
  expect(answer.status).toBe(502);
  vendor.clear();
  plays({ text: 'Wet.' });
  await ask({ model: 'mystery-3', tools });
  expect(paths()).toEqual(['chat/completions', 'responses']);
});

test("forwards the provider's rejection when the Responses API lacks a field", async () => {
  plays({ text: 'Wet.' });
  const answer = await ask({ model: 'mystery-4', tools, stop: ['x'] });
  expect([answer.status, paths()]).toEqual([400, ['chat/completions']]);
});

test('omits seed over responses, and names it', async () => {
  plays({ text: 'Wet.' });
  const answer = await ask({ model: 'gpt-5.4', tools, reasoning_effort: 'low', seed: 7 });
  expect([answer.status, protocolOf(answer), answer.headers.get('x-modelgate-dropped')]).toEqual([200, 'responses', 'seed']);
  expect(vendor.last.fields).not.toHaveProperty('seed');
});

test.each([{ n: 2 }, { stop: ['x'] }, { presence_penalty: 1 }, { logit_bias: { 1: 1 } }])(
  'returns 400 for %j over responses, with a message that the call goes there',
  async (fields) => {
    const answer = await ask({ model: 'gpt-5.4', tools, reasoning_effort: 'low', ...fields });
    const [param = ''] = Object.keys(fields);
    const message = `'${param}' is not supported: this call goes over the Responses API, which has no equivalent.`;
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { param, message } }]);
  },
);

test('keeps calls on chat with responsesOnly: never', async () => {
  plays({ text: 'Wet.' });
  const answer = await ask({ model: 'left-alone', tools, reasoning_effort: 'low' });
  expect([answer.status, paths()]).toEqual([400, ['chat/completions']]);
});

const thoughtsOf = (): unknown[] => {
  const input = vendor.last.fields.input;
  return Array.isArray(input) ? input.map((item) => item.type) : [];
};

describe('reasoning of an earlier turn', () => {
  const call = { id: 'call_oslo', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } };
  const turnTwo = [
    user,
    { role: 'assistant', content: 'I look.', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_oslo', content: 'wet' },
  ];
  const asked = { model: 'gpt-5.4', tools, reasoning_effort: 'low' };
  const bothTurns = async (fields: Record<string, unknown> = {}, key?: string) => {
    plays({ thought: 'A tool.', text: 'I look.', calls: [oslo] });
    const stream = fields.stream === true;
    await (await ask({ ...asked, ...fields, stream }, key)).text();
    vendor.clear();
    plays({ text: 'Wet.' });
    expect((await ask({ ...asked, ...fields, stream, messages: turnTwo }, key)).status).toBe(200);
  };

  test.each([false, true])('comes back with the results of its tools, in its place (stream: %s)', async (stream) => {
    await bothTurns({ stream });
    expect(thoughtsOf()).toEqual(['message', 'reasoning', 'message', 'function_call', 'function_call_output']);
    expect(vendor.last.fields.input).toMatchObject([
      {},
      { summary: [{ text: 'A tool.' }], encrypted_content: 'ZmFrZSByZWFzb25pbmc=' },
      {},
      { call_id: 'call_oslo' },
      {},
    ]);
  });

  test("stays unsaved with store: false or for a key that can't store, and hidden from other accounts", async () => {
    await bothTurns();
    const without = ['message', 'message', 'function_call', 'function_call_output'];
    const stranger = await gateway.newKey({ account: 'stranger' });
    expect((await ask({ ...asked, messages: turnTwo }, stranger.key)).status).toBe(200);
    expect(thoughtsOf()).toEqual(without);
    await bothTurns({ store: false }, stranger.key);
    expect(thoughtsOf()).toEqual(without);
    const bare = await gateway.newKey({ account: 'bare', permissions: { operations: null, models: null, mayStore: false } });
    await bothTurns({}, bare.key);
    expect(thoughtsOf()).toEqual(without);
  });

  test('stays hidden from GET /responses', async () => {
    await bothTurns();
    expect((await gateway.call('/responses/thoughts:call_oslo')).status).toBe(404);
  });
});
