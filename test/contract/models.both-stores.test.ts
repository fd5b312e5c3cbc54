import { afterAll, beforeAll, expect, test } from 'vitest';
import { ModelList } from '../../contract/models.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

test('a caller reads the seven models of the service, in the shape that SDKs parse', async () => {
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

test('the list depends on the key, so no cache may keep it', async () => {
  const answer = await gateway.call('/models');
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
});

test('a query that clients add is no reason to refuse', async () => {
  expect((await gateway.call('/models?client_version=0.169.0')).status).toBe(200);
});
