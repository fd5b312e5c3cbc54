/** GET /v1/protocol: what happens to the fields of a request, by model, as calls show it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProtocolList } from '../../contract/protocol.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';

const address = 'http://127.0.0.1:9/v1';
const text = (id: string, upstream: string) => ({ id, kind: 'text', upstream, prices: 'free' });
const settings = {
  upstreams: {
    openai: { kind: 'openai', baseUrl: address, apiKey: 'sk-1' },
    anthropic: { kind: 'anthropic', baseUrl: address, apiKey: 'sk-1' },
    google: { kind: 'gemini', baseUrl: address, apiKey: 'sk-1' },
    small: { kind: 'openai-compatible', baseUrl: address, protocols: ['chat'], quirks: { unsupported: ['seed', 'tools'] } },
  },
  models: [
    text('gpt', 'openai'),
    text('gpt-5.4', 'openai'),
    text('claude', 'anthropic'),
    text('gemini-3-pro', 'google'),
    text('small', 'small'),
    {
      id: 'both',
      kind: 'text',
      prices: 'free',
      candidates: ['openai', 'anthropic', 'openai'].map((upstream, index) => ({ upstream, upstreamModel: `m${index}` })),
    },
    { id: 'gpt-image-2', kind: 'image', upstream: 'openai', prices: 'free' },
    { id: 'draws', kind: 'image', upstream: 'openai', prices: 'free', images: { edits: false } },
  ],
};

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway(settings);
});
afterAll(() => gateway.close());

async function read(query = '', key = gateway.key): Promise<ProtocolList['data']> {
  const answer = await gateway.call(`/protocol${query}`, { key });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  // The gateway under test checks its answers against the contract.
  return ((await answer.json()) as ProtocolList).data;
}
async function fieldsOf(model: string, operation: string, key = gateway.key) {
  const [found] = await read(`?model=${model}`, key);
  const fields = found?.upstreams[0]?.operations.find((one) => one.operation === operation);
  if (!fields) throw new Error(`${model} has no ${operation}`);
  return fields;
}

describe('a chat request in the list', () => {
  test('lists both protocols of a model that supports tools over responses only', async () => {
    const [found] = await read('?model=gpt-5.4');
    const routes = found?.upstreams[0]?.operations.filter(({ operation }) => operation === 'createChatCompletion') ?? [];
    expect(routes.map(({ protocol, calls }) => [protocol, calls])).toEqual([
      ['chat', 'others'],
      ['responses', 'tools-with-reasoning'],
    ]);
    expect(routes[1]?.rejected).toEqual(expect.arrayContaining(['n', 'stop', 'logit_bias']));
    expect(routes[1]?.dropped).toContain('seed');
  });

  test('forwards its fields over a chat upstream, except those that the gateway handles', async () => {
    const { protocol, forwarded, translated, dropped, rejected } = await fieldsOf('gpt', 'createChatCompletion');
    expect(protocol).toBe('chat');
    expect(forwarded).toEqual(
      expect.arrayContaining(['messages', 'model', 'n', 'response_format', 'seed', 'stream', 'temperature', 'tools']),
    );
    expect([translated.includes('temperature'), dropped.includes('store'), rejected]).toEqual([false, true, []]);
  });

  test('lists the fields that an Anthropic upstream translates, drops, or rejects', async () => {
    const { protocol, forwarded, translated, dropped, rejected } = await fieldsOf('claude', 'createChatCompletion');
    expect(protocol).toBe('anthropic');
    expect(translated).toEqual(expect.arrayContaining(['max_completion_tokens', 'response_format', 'stop', 'tool_choice', 'tools']));
    expect(dropped).toEqual(expect.arrayContaining(['metadata', 'user', 'verbosity']));
    expect(rejected).toEqual(expect.arrayContaining(['logit_bias', 'n', 'presence_penalty', 'seed']));
    // Up to 1 it is forwarded.
    expect([forwarded.includes('temperature'), rejected.includes('temperature')]).toEqual([true, true]);
  });

  test('follows the settings of an upstream with quirks', async () => {
    const { rejected, dropped } = await fieldsOf('small', 'createChatCompletion');
    expect([...rejected, ...dropped]).toEqual(expect.arrayContaining(['seed', 'tools']));
  });

  test('lists a field as rejected when a call rejects it', async () => {
    const { rejected } = await fieldsOf('gemini-3-pro', 'createChatCompletion');
    expect(rejected).toContain('logit_bias');
    const json = { model: 'gemini-3-pro', messages: [{ role: 'user', content: 'hello' }], logit_bias: { 1: 1 } };
    await expectRefusal(await gateway.call('/chat/completions', { json }), { code: 'unsupported_parameter', param: 'logit_bias' });
  });
});

test('forwards the fields of a responses request to responses, and translates them to others', async () => {
  expect(await fieldsOf('gpt', 'createResponse')).toMatchObject({ protocol: 'responses', translated: [], dropped: [], rejected: [] });
  const { protocol, translated, dropped } = await fieldsOf('gemini-3-pro', 'createResponse');
  expect(protocol).toBe('gemini');
  expect(translated).toEqual(expect.arrayContaining(['input', 'instructions', 'max_output_tokens', 'model', 'stream']));
  expect(dropped).toContain('tools[]');
});

test("lists image fields by the model's rules", async () => {
  const fields = await fieldsOf('gpt-image-2', 'editImages');
  expect(fields).toMatchObject({ protocol: 'images', translated: [], dropped: [] });
  expect(fields.forwarded).toEqual(expect.arrayContaining(['images', 'mask', 'n', 'quality', 'size']));
  expect(fields.rejected).toEqual(expect.arrayContaining(['frame_count', 'svg']));
  const [draws] = await read('?model=draws');
  expect(draws?.upstreams[0]?.operations.map(({ operation }) => operation)).toEqual(['generateImages']);
});

test('merges upstreams with the same rules into one entry, and names none of them', async () => {
  const [both] = await read('?model=both');
  expect(both?.upstreams.map(({ protocols }) => protocols)).toEqual([['chat', 'responses'], ['anthropic']]);
  expect(JSON.stringify(both)).not.toMatch(/openai|"m\d"/);
});

test("lists only the key's models and operations", async () => {
  expect((await read()).map(({ id }) => id)).toEqual(settings.models.map(({ id }) => id));
  const { key } = await gateway.newKey({
    account: 'narrow',
    permissions: { models: ['gpt', 'claude'], operations: ['createResponse'], mayStore: true },
  });
  const models = await read('', key);
  expect(models.map(({ id }) => id)).toEqual(['gpt', 'claude']);
  for (const { upstreams } of models)
    for (const { operations } of upstreams) expect(operations.map(({ operation }) => operation)).toEqual(['createResponse']);
  await expectRefusal(await gateway.call('/protocol?model=small', { key }), { code: 'model_not_found', param: 'model' });
});
