/** Status 400 for unknown fields of a query, except where SDKs add fields of their own (C7). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminContract } from '../../contract/admin/index.ts';
import { governed, startAdmin, type TestAdmin } from '../harness/admin.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';

const refusalOf = (field: string) => ({ code: 'unknown_parameter', param: field, says: `'${field}'` }) as const;

describe('on the callers’ listener', () => {
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
});

describe('on the admin listener', () => {
  let admin: TestAdmin;
  beforeAll(async () => {
    admin = await startAdmin(governed);
  });
  afterAll(() => admin.close());

  const routes = Object.entries(adminContract).map(([name, { method, path }]) => ({ name, method, path }));
  test.each(routes)('C7: rejects an unknown field in the query of $name with its name', async ({ name, method, path }) => {
    const needed = name === 'search' ? '&q=abc' : '';
    const { status, body } = await admin.call(
      method,
      `${path.replace('/admin/v1', '').replaceAll(/:\w+/g, 'x')}?modell=x${needed}`,
      method === 'GET' ? undefined : {},
    );
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'unknown_parameter', param: 'modell' });
  });
});
