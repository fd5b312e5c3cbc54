import { afterAll, beforeAll, expect, test } from 'vitest';
import { Model, ModelList } from '../../contract/models.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

test('the list has the seven standard models in the shape of the contract', async () => {
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

test('a model is read by its exact id; any other id is 404', async () => {
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

test('the list may not be cached', async () => {
  const answer = await gateway.call('/models');
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
});

test('an unknown query field is ignored', async () => {
  expect((await gateway.call('/models?client_version=0.169.0')).status).toBe(200);
});
