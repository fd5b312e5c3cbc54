/** Counting the input of a call without making it: as each provider counts, or else by an estimate that says so. */
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { InputTokens } from '../../contract/responses/stored.ts';
import { json } from '../fakes/delivery.ts';
import { failure, silence } from '../fakes/faults.ts';
import { startGateway } from '../harness/gateway.ts';
import { useFake, useOpened } from '../harness/opened.ts';
import { expectRefusal } from '../harness/refusal.ts';

const vendor = useFake();
const gateway = useOpened(() => {
  const place = { baseUrl: vendor.url, apiKey: 'sk-vendor' };
  return startGateway({
    upstreams: {
      openai: { kind: 'openai', ...place },
      claude: { kind: 'anthropic', ...place },
      gemini: { kind: 'gemini', ...place, baseUrl: vendor.url.replace('/v1', '/v1beta') },
      local: { kind: 'openai-compatible', ...place },
    },
    models: ['openai', 'claude', 'gemini', 'local'].map((upstream) => ({ id: upstream, kind: 'text', upstream })),
  });
});

const tool = { type: 'function', name: 'look', parameters: { type: 'object', properties: {} }, strict: false };
const ask = (fields: Record<string, unknown>, key?: string): Promise<Response> =>
  gateway.call('/responses/input_tokens', { method: 'POST', json: { input: 'How long is this?', ...fields }, ...(key && { key }) });
const count = async (fields: Record<string, unknown>): Promise<InputTokens> => InputTokens.parse(await (await ask(fields)).json());

test.each([
  ['openai', '/v1/responses/input_tokens', { object: 'response.input_tokens', input_tokens: 42 }],
  ['claude', '/v1/messages/count_tokens', { input_tokens: 42 }],
  ['gemini', '/v1beta/models/gemini:countTokens', { totalTokens: 42 }],
])('counts with %s, without sending fields that its count rejects', async (model, path, counted) => {
  vendor.next(json(counted));
  const asked = { model, tools: [tool], max_output_tokens: 100, temperature: 0.5, stream: true };
  expect(await count(asked)).toEqual({ object: 'response.input_tokens', input_tokens: 42, estimated: false });
  expect(vendor.last.path).toBe(path);
  expect(vendor.last.body.toString()).toContain('How long is this?');
  expect(vendor.last.body.toString()).toContain('look');
  expect(vendor.last.body.toString()).not.toMatch(/max_tokens|max_output_tokens|maxOutputTokens|temperature|stream/);
});

test('estimates when a provider has no count, fails, or returns nothing useful', async () => {
  vendor.always(failure(404), { path: '/v1/responses/input_tokens' });
  const estimate = await count({ model: 'openai' });
  expect(estimate).toMatchObject({ estimated: true });
  expect(estimate.input_tokens).toBeGreaterThan(3);
  expect(estimate.input_tokens).toBeLessThan(30);
  expect(await count({ model: 'local' })).toMatchObject({ estimated: true });
  expect(vendor.requests).toHaveLength(1);
  vendor.next(json({ input_tokens: -1 }));
  expect(await count({ model: 'claude' })).toMatchObject({ estimated: true });
});

test('counts a stored conversation with its earlier turns, and stores and charges nothing', async () => {
  const first = await gateway.call('/responses', { method: 'POST', json: { model: 'openai', input: 'A secret word: lighthouse.' } });
  const { id } = Object(await first.json());
  const before = await gateway.gateway.money?.ledger.getBalance((await gateway.newKey()).accountId);
  vendor.clear();
  vendor.next(json({ object: 'response.input_tokens', input_tokens: 99 }));
  expect(await count({ model: 'openai', previous_response_id: id })).toMatchObject({ input_tokens: 99 });
  expect(vendor.last.body.toString()).toContain('lighthouse');
  expect(await gateway.gateway.money?.ledger.getBalance((await gateway.newKey()).accountId)).toEqual(before);
});

test('ends the count when the caller disconnects', async () => {
  vendor.next(silence);
  const leaving = new AbortController();
  const answer = gateway.call('/responses/input_tokens', {
    method: 'POST',
    json: { model: 'claude', input: 'Hello' },
    signal: leaving.signal,
  });
  await vendor.arrival(0);
  leaving.abort();
  await expect(answer).rejects.toThrow();
  await vendor.hangUp(0);
});

test('rejects a count for the reasons of a call, but needs no balance', async () => {
  await expectRefusal(await ask({ model: 'nobody' }), { code: 'model_not_found', param: 'model' });
  const { key } = await gateway.newKey({ account: 'poor', balance: 0n });
  vendor.next(json({ input_tokens: 5 }));
  expect((await ask({ model: 'claude' }, key)).status).toBe(200);
  const drawing = await gateway.newKey({ permissions: { operations: ['generateImages'], models: null, mayStore: true } });
  await expectRefusal(await ask({ model: 'claude' }, drawing.key), { code: 'permission_denied' });
});

test('counts with the OpenAI SDK', async () => {
  vendor.next(json({ object: 'response.input_tokens', input_tokens: 7 }));
  const client = new OpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key });
  const { input_tokens } = await client.responses.inputTokens.count({ model: 'openai', input: 'Hello' });
  expect(input_tokens).toBe(7);
});
