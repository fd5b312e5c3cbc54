/** GET /catalog: the models and their prices, without a key. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Modelgate } from '../../client/sdk/src/index.ts';
import type { CatalogList, CatalogModel } from '../../contract/catalog.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';

const settings = {
  groups: { vip: { multiplier: '0.8' }, partners: {} },
  upstreams: {
    west: { kind: 'simulator', eventDelayMs: 0 },
    local: {
      kind: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:9/v1',
      quirks: { structuredOutput: 'json', parallelToolCalls: false, reasoningEffort: 'ignore', unsupported: ['tools'] },
    },
    google: { kind: 'gemini', apiKey: 'sk-1' },
    claude: { kind: 'anthropic', apiKey: 'sk-1' },
  },
  models: [
    {
      id: 'gpt-5.4',
      kind: 'text',
      ownedBy: 'openai',
      contextWindow: 400_000,
      maxOutputTokens: 128_000,
      prices: { input: '1.25', cachedInput: '0.125', output: '10' },
    },
    { id: 'gpt-image-2', kind: 'image', prices: { images: { '*/low': '0.016', default: '0.25' } } },
    { id: 'small', kind: 'text', upstream: 'local', prices: 'free', groups: ['vip', 'partners'] },
    { id: 'claude-3-5-haiku', kind: 'text', upstream: 'claude', prices: 'free', groups: ['partners'] },
    { id: 'blind', kind: 'text', prices: 'free', groups: ['partners'], capabilities: { imageInput: false, reasoningEffort: false } },
    { id: 'flash', kind: 'text', upstream: 'google', prices: { input: '0.5', output: '3' }, groups: ['vip'] },
  ],
};

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway(settings);
});
afterAll(() => gateway.close());

const ask = (query = '') => fetch(`${gateway.origin}/catalog${query}`);

async function read(query = ''): Promise<CatalogList> {
  const answer = await ask(query);
  expect(answer.status).toBe(200);
  // The gateway under test checks its answers against the contract.
  return (await answer.json()) as CatalogList;
}
const idsOf = ({ data }: CatalogList) => data.map(({ id }) => id);
async function find(id: string): Promise<CatalogModel> {
  const model = (await read()).data.find((one) => one.id === id);
  if (!model) throw new Error(`${id} is not in the catalog`);
  return model;
}

test('lists every model without a key, with its prices and the multiplier of each group', async () => {
  const answer = await ask();
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  expect(((await answer.json()) as CatalogList).data[0]).toEqual({
    id: 'gpt-5.4',
    object: 'model',
    owned_by: 'openai',
    kind: 'text',
    groups: [
      { name: 'default', multiplier: '1.000000' },
      { name: 'vip', multiplier: '0.800000' },
      { name: 'partners', multiplier: '1.000000' },
    ],
    prices: {
      input: '1.250000',
      cached_input: '0.125000',
      cache_write: '1.250000',
      cache_write_1h: '1.250000',
      cache_write_12h: '1.250000',
      image_input: '1.250000',
      audio_input: '1.250000',
      output: '10.000000',
      image_output: '10.000000',
      audio_output: '10.000000',
      service_tiers: {},
      tools: {},
    },
    context_window: 400_000,
    max_output_tokens: 128_000,
    protocols: ['chat', 'responses'],
    abilities: {
      tools: true,
      hosted_tools: true,
      parallel_tool_calls: true,
      image_input: true,
      structured_output: 'schema',
      reasoning_effort: true,
    },
  });
});

test('shows an image model with prices by image, and without abilities of text models', async () => {
  expect(await find('gpt-image-2')).toMatchObject({
    kind: 'image',
    protocols: ['images'],
    context_window: null,
    max_output_tokens: null,
    prices: { images: { '*/low': '0.016000', default: '0.250000' } },
    abilities: { tools: false, hosted_tools: false, image_input: true, structured_output: 'none', reasoning_effort: false },
  });
});

test('F28: lists the tools and settings that each model supports', async () => {
  expect(await find('small')).toMatchObject({
    prices: 'free',
    abilities: { tools: false, hosted_tools: false, parallel_tool_calls: false, structured_output: 'json', reasoning_effort: false },
  });
  expect(await find('flash')).toMatchObject({
    abilities: { tools: true, hosted_tools: false, parallel_tool_calls: false, structured_output: 'schema', reasoning_effort: true },
  });
});

test('lists abilities from the rules and the configuration of a model', async () => {
  expect((await find('claude-3-5-haiku')).abilities).toMatchObject({ image_input: true, reasoning_effort: false });
  expect((await find('blind')).abilities).toMatchObject({ tools: true, image_input: false, reasoning_effort: false });
});

test('rejects a call with tools exactly where the catalog shows none for the model', async () => {
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }];
  for (const { id, kind, abilities } of (await read()).data.filter(
    (model) => model.kind === 'text' && !['flash', 'claude-3-5-haiku'].includes(model.id),
  )) {
    const json = { model: id, messages: [{ role: 'user', content: 'Hi' }], tools };
    const { key } = await gateway.newKey({ account: 'of vip', group: 'vip' });
    const answer = await gateway.call('/chat/completions', { json, key });
    const isRejected = answer.status === 400 && JSON.stringify(await answer.json()).includes('"tools"');
    expect(isRejected, `${id} ${kind}`).toBe(!abilities.tools);
  }
});

test.each([
  { group: 'default', ids: ['gpt-5.4', 'gpt-image-2'] },
  { group: 'vip', ids: ['gpt-5.4', 'gpt-image-2', 'small', 'flash'] },
  { group: 'partners', ids: ['gpt-5.4', 'gpt-image-2', 'small', 'claude-3-5-haiku', 'blind'] },
])('lists in GET /models for a key of $group the models of the catalog for $group', async ({ group, ids }) => {
  expect(idsOf(await read(`?group=${group}`))).toEqual(ids);
  const { key } = await gateway.newKey({ account: `of ${group}`, group });
  const callable = (await (await gateway.call('/models', { key })).json()) as { data: { id: string }[] };
  expect(callable.data.map(({ id }) => id)).toEqual(ids);
});

test.each(['gold', 'Default', '__proto__', 'constructor'])('rejects an unknown group by name: %s', async (group) => {
  await expectRefusal(await ask(`?group=${group}`), { code: 'invalid_value', param: 'group', says: `'${group}'` });
});

test.each([
  { query: '?group=', code: 'empty_string' },
  { query: `?group=${'x'.repeat(65)}`, code: 'string_above_max_length' },
  { query: '?group=default&group=vip', code: 'invalid_type' },
] as const)('rejects $query with the field', async ({ query, code }) => {
  await expectRefusal(await ask(query), { code, param: 'group' });
});

test('shows a price that an operator sets without a refresh', async () => {
  const { money } = gateway.gateway;
  const before = await find('flash');
  const prices = JSON.stringify({ input: '0.6', output: '3' });
  await money?.ledger.addPrice({ priceList: 'standard', model: 'flash', source: 'admin', prices, createdAt: Date.now() });
  expect(before.prices).toMatchObject({ input: '0.500000' });
  await expect.poll(async () => (await find('flash')).prices).toMatchObject({ input: '0.600000' });
});

test('shows no prices if billing is off', async () => {
  const free = await startGateway({ billing: 'off' });
  const { data } = (await (await fetch(`${free.origin}/catalog`)).json()) as CatalogList;
  expect(data.length).toBe(7);
  for (const { prices } of data) expect(prices).toBeNull();
  await free.close();
});

test('reads the catalog with the typed client, though its base URL ends in /v1', async () => {
  const client = new Modelgate({ baseURL: gateway.baseURL, apiKey: gateway.key });
  expect(idsOf(await client.getCatalog())).toEqual(idsOf(await read()));
  expect(idsOf(await client.getCatalog({ group: 'default' }))).toEqual(['gpt-5.4', 'gpt-image-2']);
});
