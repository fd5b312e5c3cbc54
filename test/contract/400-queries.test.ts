/** Status 400 for unknown fields of a query, except where SDKs add fields of their own (C7). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';

const refusalOf = (field: string) => ({ code: 'unknown_parameter', param: field, says: `'${field}'` }) as const;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

test.each(['/usage?model=gpt-5.4', '/usage?limit=1&model=x&from=0', '/usage/req_1?model=x'])(
  'C7: rejects %s with the name of the unknown field',
  async (path) => {
    await expectRefusal(await gateway.call(path), refusalOf('model'));
  },
);

test('C7: rejects an unknown field of /catalog with its name', async () => {
  await expectRefusal(await fetch(`${gateway.origin}/catalog?groups=vip`), refusalOf('groups'));
});

test.each(['/models?after=gpt-5.4&order=asc', '/models?api-version=2025-04-01', '/models?client_version=1.2.3'])(
  'C7: accepts %s, since SDKs add such fields',
  async (path) => {
    expect((await gateway.call(path)).status).toBe(200);
  },
);
