import { afterAll, beforeAll, expect, test } from 'vitest';
import { Model, ModelList } from '../../contract/models.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

test('lists the seven standard models in the shape of the contract', async () => {
  const answer = await gateway.call('/models');
  const list = ModelList.parse(await answer.json());
  expect(answer.status).toBe(200);
  expect(list.data.map(({ id }) => id)).toEqual([
    'gpt-5.5',
    'codex-auto-review',
    'gpt-5.2',
    'gpt-5.3-codex',
    'gpt-5.4',
    'gpt-5.4-mini',
    'gpt-image-2',
  ]);
});

test('shows each model with its bounds, its abilities, and the price for this key', async () => {
  const own = await startGateway({
    models: [
      { id: 'small', kind: 'text', contextWindow: 8_192, maxOutputTokens: 1_024, prices: { input: '1', output: '4' } },
      { id: 'gift', kind: 'text', prices: 'free' },
      { id: 'drawn', kind: 'image', prices: { images: { default: '0.25' } } },
    ],
    groups: { partner: { multiplier: '0.5' } },
    plans: { pro: { included: '20', priceList: 'wholesale' } },
    priceLists: { wholesale: { small: { input: '0.8', output: '2' } } },
  });
  try {
    const { key, accountId } = await own.newKey({ account: 'partner', group: 'partner' });
    const read = async () => ModelList.parse(await (await own.call('/models', { key })).json()).data;
    const [small, gift, drawn] = await read();
    expect(small).toMatchObject({ context_window: 8_192, max_output_tokens: 1_024, pricing: { input: '0.500000', output: '2.000000' } });
    expect(small?.capabilities).toMatchObject({ tools: true, structured_output: 'schema' });
    expect(gift?.pricing).toMatchObject({ input: '0.000000', output: '0.000000' });
    expect(drawn).toMatchObject({ context_window: null, max_output_tokens: null, pricing: { images: { default: '0.125000' } } });
    const plan = own.gateway.config.plans.pro ?? expect.fail('no plan');
    await own.gateway.money?.ledger.addSubscription({
      id: 'sub_1',
      accountId,
      plan: 'pro',
      included: 20_000_000n,
      period: plan.period,
      onExhaustion: plan.onExhaustion,
      priceList: plan.priceList,
      startsAt: Date.now() - 1_000,
      endsAt: null,
      cancelledAt: null,
    });
    expect((await read())[0]).toMatchObject({ pricing: { input: '0.400000', output: '1.000000' } });
  } finally {
    await own.close();
  }
});

test('returns a model by its exact ID, and 404 for any other', async () => {
  for (const id of ['gpt-5.4', 'gpt-image-2']) {
    const answer = await gateway.call(`/models/${id}`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    const list = ModelList.parse(await (await gateway.call('/models')).json());
    expect(Model.strict().parse(await answer.json())).toEqual(list.data.find((model) => model.id === id));
  }
  for (const id of ['gpt-9', 'GPT-5.4', '__proto__', 'x'.repeat(512)]) {
    await expectRefusal(await gateway.call(`/models/${id}`), { code: 'model_not_found', param: 'model', says: 'GET /v1/models lists' });
  }
  await expectRefusal(await gateway.call(`/models/${'x'.repeat(513)}`), { code: 'string_above_max_length', param: 'model' });
  await expectRefusal(await gateway.call('/models/gpt-5.4', { key: null }), { code: 'invalid_api_key' });
});

test('forbids caching of the list', async () => {
  const answer = await gateway.call('/models');
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
});

test('ignores an unknown query field', async () => {
  expect((await gateway.call('/models?client_version=0.169.0')).status).toBe(200);
});
