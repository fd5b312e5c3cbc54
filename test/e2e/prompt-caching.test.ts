/** Prompt caching over Claude: what is marked, what the marks save, and that the receipt has each token in its class. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { anthropicFrames, anthropicMessage } from '../fakes/anthropic.ts';
import { ClaudeCache, type ClaudeUsage } from '../fakes/claude-cache.ts';
import { converseAnswer } from '../fakes/converse.ts';
import { json, stream } from '../fakes/delivery.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

const prices = { input: '3', cachedInput: '0.3', cacheWrite: '3.75', cacheWrite1h: '6', output: '15' };

let claude: Fake;
let bedrock: Fake;
let gateway: TestGateway;
beforeAll(async () => {
  [claude, bedrock] = [await openFake(), await openFake()];
  const place = { kind: 'anthropic', baseUrl: claude.url, apiKey: 'sk-vendor' };
  gateway = await startGateway({
    upstreams: {
      claude: place,
      unmarked: { ...place, promptCaching: 'off' },
      bedrock: { kind: 'converse', baseUrl: new URL(bedrock.url).origin, auth: { type: 'none' } },
    },
    models: [
      { id: 'sonnet', kind: 'text', upstream: 'claude', prices },
      { id: 'plain-sonnet', kind: 'text', upstream: 'unmarked', prices },
      { id: 'converse-claude', kind: 'text', upstream: 'bedrock', upstreamModel: 'anthropic.claude-sonnet-4-6', prices: 'free' },
      { id: 'nova', kind: 'text', upstream: 'bedrock', upstreamModel: 'amazon.nova-pro-v1:0', prices: 'free' },
    ],
  });
});
beforeEach(() => {
  claude.clear();
  bedrock.clear();
  claude.always(json(anthropicMessage({ text: 'Yes.' })));
  bedrock.always(json(converseAnswer({ text: 'Yes.' })));
});
afterAll(async () => {
  await gateway.close();
  await claude.close();
  await bedrock.close();
});

type Fields = Record<string, unknown>;
const tool = { type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } } };
const user = (content: unknown): Fields => ({ role: 'user', content });
const text = (words: string, more: Fields = {}): Fields => ({ type: 'text', text: words, ...more });
const chat = (fields: Fields): Promise<Response> =>
  gateway.call('/chat/completions', { method: 'POST', json: { model: 'sonnet', ...fields } });
const ignoredOf = (answer: Response): string | null => answer.headers.get('x-modelgate-dropped');

/** The marks in the body of the last request, by the place of their blocks. */
function marksIn(fake: Fake): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const look = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'cache_control' || name === 'cachePoint') found[path] = inner;
      else look(inner, Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`);
    }
  };
  look(fake.last.fields, '');
  return found;
}
const five = { type: 'ephemeral' };
const hour = { type: 'ephemeral', ttl: '1h' };

const talk = [
  { role: 'system', content: 'You look.' },
  user('First.'),
  { role: 'assistant', content: 'Well.' },
  user('Second.'),
  { role: 'assistant', content: 'Well.' },
  user('Third.'),
];

describe('marks of the gateway', () => {
  test('adds them to tools, instructions, and the last two user messages', async () => {
    await chat({ tools: [tool, { ...tool, function: { ...tool.function, name: 'see' } }], messages: talk });
    expect(marksIn(claude)).toEqual({
      'tools[1]': five,
      'system[0]': five,
      'messages[2].content[0]': five,
      'messages[4].content[0]': five,
    });
  });

  test('adds them to a conversation without tools, and to a call with a cache key', async () => {
    await chat({ messages: talk.slice(1) });
    expect(Object.keys(marksIn(claude))).toEqual(['messages[2].content[0]', 'messages[4].content[0]']);
    await chat({ messages: [user('Once.')], prompt_cache_key: 'handbook' });
    expect(marksIn(claude)).toEqual({ 'messages[0].content[0]': five });
  });

  test('adds them with the retention that the caller requests', async () => {
    await chat({ messages: talk, prompt_cache_options: { ttl: '12h' } });
    expect(new Set(Object.values(marksIn(claude)).map((mark) => JSON.stringify(mark)))).toEqual(new Set([JSON.stringify(hour)]));
    const answer = await chat({ messages: talk, prompt_cache_retention: '24h' });
    expect(Object.values(marksIn(claude))[0]).toEqual(hour);
    expect(ignoredOf(answer)).toBeNull();
  });

  test('adds none to a single question, in explicit mode, or when the operator switches it off', async () => {
    const once = await chat({ messages: [{ role: 'system', content: 'You look.' }, user('Once.')], prompt_cache_options: { ttl: '5m' } });
    expect(marksIn(claude)).toEqual({});
    expect(ignoredOf(once)).toBe('prompt_cache_options');
    await chat({ messages: talk, prompt_cache_options: { mode: 'explicit' } });
    expect(marksIn(claude)).toEqual({});
    await chat({ model: 'plain-sonnet', tools: [tool], messages: talk });
    expect(marksIn(claude)).toEqual({});
    expect(claude.last.fields.system).toBe('You look.');
  });
});

describe('marks of the caller', () => {
  const breakpoint = { prompt_cache_breakpoint: { mode: 'explicit' } };
  const control = (ttl?: string) => ({ cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } });

  test('forwards them and adds none, also without caching by the gateway', async () => {
    const messages = [
      { role: 'system', content: [text('You look.', breakpoint)] },
      user([text('A', control()), text('B')]),
      ...talk.slice(2),
    ];
    for (const model of ['sonnet', 'plain-sonnet']) {
      const answer = await chat({ model, tools: [tool], messages });
      expect(marksIn(claude)).toEqual({ 'system[0]': five, 'messages[0].content[0]': five });
      expect(ignoredOf(answer)).toBeNull();
    }
  });

  test('forwards them on a tool, a function, a message, a tool result, and a part of a responses call', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };
    const result = { role: 'tool', tool_call_id: 'call_1', content: [text('Seen.', breakpoint)] };
    await chat({ tools: [{ ...tool, ...control() }], messages: [user('Look.'), { role: 'assistant', tool_calls: [call] }, result] });
    expect(marksIn(claude)).toEqual({ 'tools[0]': five, 'messages[2].content[0]': five });
    const marked = { ...tool, function: { ...tool.function, ...control() } };
    await chat({ tools: [marked], messages: [{ role: 'system', content: 'You look.', ...control() }, user('Look.')] });
    expect(marksIn(claude)).toEqual({ 'tools[0]': five, 'system[0]': five });
    const input = [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.', ...breakpoint },
          { type: 'input_text', text: 'Now.' },
        ],
      },
    ];
    await gateway.call('/responses', { method: 'POST', json: { model: 'sonnet', input } });
    expect(marksIn(claude)).toEqual({ 'messages[0].content[0]': five });
  });

  test('keeps the last four, the longest retention first', async () => {
    const parts = ['5m', '5m', '1h', '5m', '5m', undefined].map((ttl, index) => text(`${index}`, control(ttl)));
    const answer = await chat({ messages: [user(parts)] });
    expect(ignoredOf(answer)).toBe('messages[0].content[0].cache_control, messages[0].content[1].cache_control');
    expect(marksIn(claude)).toEqual({
      'messages[0].content[2]': hour,
      'messages[0].content[3]': five,
      'messages[0].content[4]': five,
      'messages[0].content[5]': five,
    });
  });
});

test('sends Converse cache points for Claude only, and names the omitted marks of other providers', async () => {
  await chat({ model: 'converse-claude', tools: [tool], messages: talk.slice(0, 2) });
  const { system, toolConfig, messages } = bedrock.last.fields;
  const point = { cachePoint: { type: 'default' } };
  expect([system, messages]).toMatchObject([[{ text: 'You look.' }, point], [{ content: [{ text: 'First.' }, point] }]]);
  expect(toolConfig).toMatchObject({ tools: [{ toolSpec: { name: 'look' } }, point] });
  const answer = await chat({ model: 'nova', messages: [user([text('A', { prompt_cache_breakpoint: { mode: 'explicit' } })])] });
  expect(marksIn(bedrock)).toEqual({});
  expect(ignoredOf(answer)).toBe('messages[0].content[0].prompt_cache_breakpoint');
});

const Receipt = z.object({
  lines: z.array(z.object({ class: z.string(), quantity: z.number() })),
  cost: z.string(),
});
async function receiptOf(answer: Response): Promise<z.infer<typeof Receipt>> {
  await answer.text();
  return Receipt.parse(await (await gateway.call(`/usage/${answer.headers.get('x-request-id')}`)).json());
}

/** Calls a model, and returns what the stand-in counted and what the receipt says. */
async function counted(model: string, cache: ClaudeCache, fields: Fields) {
  claude.clear();
  let usage: ClaudeUsage | undefined;
  claude.next((request) => {
    usage = cache.count(request);
    return json(anthropicMessage({ text: 'Yes.', usage }));
  });
  const receipt = await receiptOf(await chat({ model, ...fields }));
  if (usage === undefined) throw new Error('the vendor was not asked');
  return { usage, receipt };
}

/** The calls of an agent: long instructions and tools, then a call and a long result in each turn. */
function agentCalls(turns: number): Fields[] {
  const instructions = 'You are careful, and you check every file before you change it. '.repeat(120);
  const tools = ['read', 'write', 'run'].map((name) => ({
    ...tool,
    function: { ...tool.function, name, description: 'A tool. '.repeat(60) },
  }));
  const messages: Fields[] = [{ role: 'system', content: instructions }, user('Mend the build.')];
  return Array.from({ length: turns }, (_, turn) => {
    const asked = { tools, messages: [...messages] };
    const call = { id: `call_${turn}`, type: 'function', function: { name: 'read', arguments: `{"file":"${turn}.ts"}` } };
    messages.push({ role: 'assistant', content: null, tool_calls: [call] });
    messages.push({ role: 'tool', tool_call_id: call.id, content: `Line ${turn} of the file. `.repeat(30) });
    return asked;
  });
}

test('reads at least 85% of the input of agent turns 2 to 20 from the cache, as the receipt shows exactly', async () => {
  const cache = new ClaudeCache();
  let [read, all] = [0, 0];
  for (const [turn, fields] of agentCalls(20).entries()) {
    const { usage, receipt } = await counted('sonnet', cache, fields);
    const quantity = (name: string): number => receipt.lines.find((line) => line.class === name)?.quantity ?? 0;
    expect(['input', 'cached_input', 'cache_write', 'output'].map(quantity)).toEqual([
      usage.input_tokens,
      usage.cache_read_input_tokens,
      usage.cache_creation_input_tokens,
      usage.output_tokens,
    ]);
    if (turn === 0) continue;
    read += usage.cache_read_input_tokens;
    all += usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
  }
  expect(read / all).toBeGreaterThanOrEqual(0.85);
});

test('costs less with marks than without over a session of short talks and single questions', async () => {
  const long = 'A page of a report about the sea. '.repeat(200);
  const single = Array.from({ length: 10 }, (_, index) => ({ messages: [user(`${index} ${long}`)] }));
  const singleWithTools = Array.from({ length: 10 }, (_, index) => ({ tools: [tool], messages: [user(`${index} ${long}`)] }));
  const short = [{ messages: [user(long)] }, { messages: [user(long), { role: 'assistant', content: 'Yes.' }, user('Why?')] }];
  const calls = [...agentCalls(8), ...single, ...singleWithTools, ...short];
  const costOf = async (model: string): Promise<number> => {
    const cache = new ClaudeCache();
    let sum = 0;
    for (const fields of calls) sum += Number((await counted(model, cache, fields)).receipt.cost);
    return sum;
  };
  const [marked, plain] = [await costOf('sonnet'), await costOf('plain-sonnet')];
  expect(marked).toBeLessThan(plain);
});

test('shows cache writes for an hour on their own receipt line, with their own price', async () => {
  const [fields = {}] = agentCalls(1);
  const { usage, receipt } = await counted('sonnet', new ClaudeCache(), { ...fields, prompt_cache_options: { ttl: '1h' } });
  expect(receipt.lines).toContainEqual({ class: 'cache_write_1h', quantity: usage.cache_creation.ephemeral_1h_input_tokens });
});

test('shows them on their own line for a stream whose last event counts only the sum', async () => {
  const begun = {
    input_tokens: 10,
    cache_creation_input_tokens: 300,
    cache_creation: { ephemeral_1h_input_tokens: 300 },
    output_tokens: 1,
  };
  const ended = { input_tokens: 10, cache_creation_input_tokens: 300, output_tokens: 5 };
  claude.clear();
  claude.always(stream(anthropicFrames({ usage: begun, lastUsage: ended })));
  const answer = await chat({ messages: [user('Hello')], stream: true });
  await answer.text();
  const receipt = await (await gateway.call(`/usage/${answer.headers.get('x-request-id')}`)).json();
  expect(receipt).toMatchObject({
    lines: [{ class: 'input' }, { class: 'cache_write_1h', quantity: 300 }, { class: 'output', quantity: 5 }],
  });
});
