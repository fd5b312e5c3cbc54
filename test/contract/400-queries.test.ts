/** Query fields that an operation does not know: refused by name where nobody but this gateway's own callers asks, left alone where SDKs send their own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminContract } from '../../contract/admin.ts';
import { governed, startAdmin, type TestAdmin } from '../harness/admin.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';

const told = (field: string) => ({ code: 'unknown_parameter', param: field, says: `There is no parameter '${field}' here.` }) as const;

describe('on the callers’ listener', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  test.each(['/usage?model=gpt-5.4', '/usage?limit=1&model=x&from=0', '/usage/req_1?model=x'])(
    'C7: a caller who asks %s is told which field is unknown',
    async (path) => {
      await expectRefusal(await gateway.call(path), told('model'));
    },
  );

  test('C7: a reader of the catalog who names a field that it has not is told so', async () => {
    await expectRefusal(await fetch(`${gateway.origin}/catalog?groups=vip`), told('groups'));
  });

  test.each(['/models?after=gpt-5.4&order=asc', '/models?api-version=2025-04-01', '/models?client_version=1.2.3'])(
    'C7: an SDK that asks %s is answered, whatever it adds of its own',
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
  test.each(routes)('C7: an operator who adds a field to the query of $name is told that there is none', async ({ method, path }) => {
    const { status, body } = await admin.call(
      method,
      `${path.replace('/admin/v1', '').replaceAll(/:\w+/g, 'x')}?modell=x`,
      method === 'GET' ? undefined : {},
    );
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'unknown_parameter', param: 'modell' });
  });
});
