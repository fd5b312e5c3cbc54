/** Admin keys: who may call the admin API, what others get, and that every change has one audit entry. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminContract } from '../../contract/admin/index.ts';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { generateAdminKey } from '../../server/access/key-format.ts';
import { governed, refusalOf, startAdmin, type TestAdmin } from '../harness/admin.ts';

let admin: TestAdmin;
let callersKey: string;
beforeAll(async () => {
  admin = await startAdmin(governed);
  await admin.call('POST', '/accounts', { name: 'research' });
  callersKey = (await admin.call('POST', '/keys', { account: 'research', name: 'caller' })).body.key ?? '';
});
afterAll(() => admin.close());

/** All operations but the sign-in, which needs no key. */
const routes = Object.entries(adminContract)
  .filter(([name]) => name !== 'createSession')
  .map(([name, { method, path }]) => ({
    name,
    method,
    path: path.replace('/admin/v1', '').replace(/:\w+/, 'x'),
  }));
const keysOfOthers = {
  'no key': () => null,
  "a caller's key": () => callersKey,
  'an unknown admin key': () => generateAdminKey(),
  'half a key': () => admin.key.slice(0, -1),
};

test.each(Object.entries(keysOfOthers))(
  'returns the same 401 on every route to a caller with %s, and changes nothing',
  async (_, keyOf) => {
    const before = await admin.call('GET', '/audit');
    for (const { name, method, path } of routes) {
      // Without a key, it returns how to sign in.
      if (name === 'getSession' && keyOf() === null) continue;
      const response = await admin.call(method, path, method === 'GET' ? undefined : {}, keyOf());
      expect(refusalOf(response)).toEqual({ status: 401, code: 'invalid_api_key', param: null });
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
    expect((await admin.call('GET', '/audit')).body).toEqual(before.body);
  },
);

test('shows an admin key once, accepts it immediately, and rejects it after its revocation', async () => {
  const made = (await admin.call('POST', '/admin-keys', { name: 'bob' })).body;
  expect(made.key).toMatch(/^mga-[0-9A-Za-z]{49}$/);
  const list = await admin.call('GET', '/admin-keys', undefined, made.key);
  expect(list.body.data.map(({ name }) => name)).toEqual(['tester', 'bob']);
  expect(JSON.stringify(list.body)).not.toContain(String(made.key).slice(4, 20));
  expect((await admin.call('POST', `/admin-keys/${made.id}/revoke`, undefined, made.key)).body).toMatchObject({
    id: made.id,
    revoked_at: expect.any(String),
  });
  expect(refusalOf(await admin.call('GET', '/admin-keys', undefined, made.key))).toMatchObject({ status: 401 });
});

test('writes one audit entry with actor, action and target per change, and none for reads and repeats', async () => {
  const { body: account } = await admin.call('POST', '/accounts', { name: 'watched', opening_balance: '5' });
  const { body: key } = await admin.call('POST', '/keys', { account: 'watched', name: 'k' });
  const start = Number((await admin.call('GET', '/audit?limit=1')).body.data[0]?.id);
  const { body: second } = await admin.call('POST', '/admin-keys', { name: 'second' });
  const changes: [string, string, unknown?][] = [
    ['PATCH', '/accounts/watched', { group: 'vip' }],
    ['PATCH', `/keys/${key.id}`, { name: 'k2' }],
    ['POST', `/keys/${key.id}/rotate`, { overlap_seconds: 60 }],
    ['POST', `/keys/${key.id}/revoke`],
    ['POST', `/keys/${key.id}/revoke`],
    ['POST', '/accounts/watched/adjustments', { kind: 'top_up', amount: '1', transfer_id: 't' }],
    ['POST', '/accounts/watched/adjustments', { kind: 'top_up', amount: '1', transfer_id: 't' }],
    ['POST', '/prices', { model: 'play', prices: { input: '3', output: '9' } }],
  ];
  for (const [method, path, body] of changes) expect((await admin.call(method, path, body, second.key)).status).toBe(200);
  const { body: subscription } = await admin.call('POST', '/accounts/watched/subscriptions', { plan: 'pro' }, second.key);
  await admin.call('POST', `/subscriptions/${subscription.id}/cancel`, undefined, second.key);
  for (const path of ['/accounts', '/keys', '/groups', '/prices', '/limits', '/audit']) await admin.call('GET', path);

  const entries = (await admin.call('GET', '/audit')).body.data.filter(({ id }) => Number(id) > start).reverse();
  expect(entries.map(({ actor, action, target }) => [actor, action, target])).toEqual([
    [admin.keyId, 'admin_key.create', second.id],
    [second.id, 'account.edit', account.id],
    [second.id, 'key.edit', key.id],
    [second.id, 'key.rotate', key.id],
    [second.id, 'key.revoke', key.id],
    [second.id, 'balance.adjust', account.id],
    [second.id, 'price.set', 'standard/play'],
    [second.id, 'subscription.create', subscription.id],
    [second.id, 'subscription.cancel', subscription.id],
  ]);
  expect(entries[5]).toMatchObject({ details: { transfer: 't', kind: 'top_up', amount: '1.000000' } });
});

test('lists the audit log newest first, by pages', async () => {
  const all = (await admin.call('GET', '/audit')).body.data.map(({ id }) => id);
  const first = (await admin.call('GET', '/audit?limit=3')).body;
  const second = (await admin.call('GET', `/audit?limit=3&after=${first.last_id}`)).body;
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(all.slice(0, 6));
});

test('sends `no-store` and a request ID with every response', async () => {
  for (const path of ['/accounts', '/accounts/none', '/nothing']) {
    const { headers } = await admin.call('GET', path);
    expect([headers.get('cache-control'), headers.get('x-request-id')]).toEqual(['no-store', expect.stringMatching(/^req_/)]);
  }
});

test.each([
  { method: 'GET', path: '/nothing', says: { status: 404, code: 'unknown_url' } },
  { method: 'DELETE', path: '/keys/key_1', says: { status: 405, code: 'method_not_allowed' } },
  { method: 'PUT', path: '/accounts', says: { status: 405, code: 'method_not_allowed' } },
])('returns for $method $path without a key $says.status in the shape of the contract', async ({ method, path, says }) => {
  const rejected = await admin.call(method, path, undefined, null);
  expect(refusalOf(rejected)).toMatchObject(says);
  expect(ErrorBody.safeParse(rejected.body).success).toBe(true);
  if (path === '/accounts') expect(rejected.headers.get('allow')).toBe('GET, HEAD, POST');
});
