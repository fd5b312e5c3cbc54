/** Keys of callers over the admin API: shown once, changed, rotated with an overlap, revoked. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashKey, hasKeyFormat } from '../../server/access/key-format.ts';
import { governed, refusalOf, startAdmin, type TestAdmin } from '../harness/admin.ts';

let admin: TestAdmin;
beforeAll(async () => {
  admin = await startAdmin(governed);
  await admin.call('POST', '/accounts', { name: 'research', group: 'vip' });
  await admin.call('POST', '/accounts', { name: 'other' });
});
afterAll(() => admin.close());

const newKey = async (more: object = {}) => (await admin.call('POST', '/keys', { account: 'research', name: 'build', ...more })).body;
const recordOf = (key: string) => admin.access.store.findKey(hashKey(key, admin.access.pepper));

test('creates a working key for an operator, and shows it in this one response only', async () => {
  const permissions = { operations: ['createResponse'], models: ['play', 'p*'], may_store: false, manage_keys: true };
  const limits = { requests_per_minute: 5 };
  const more = {
    permissions,
    limits,
    ip_ranges: ['192.0.2.0/24', '2001:db8::1'],
    spending_caps: [{ amount: '1.5', period: 'day' }],
    expires_at: '2090-01-01T00:00:00Z',
  };
  const { key, ...made } = await newKey(more);
  expect(hasKeyFormat(key)).toBe(true);
  expect(made).toMatchObject({
    object: 'key',
    name: 'build',
    state: 'active',
    permissions,
    ip_ranges: more.ip_ranges,
    expires_at: '2090-01-01T00:00:00.000Z',
    account: { name: 'research' },
    spending_caps: [{ amount: '1.500000', period: 'day' }],
    last_four: String(key).slice(-4),
  });
  expect(made.permissions).toEqual(permissions);
  expect(await recordOf(key)).toMatchObject({ id: made.id, account: { name: 'research', group: 'vip' }, caps: [{ micros: 1_500_000n }] });
  const unused = { last_used_at: null, charged_30d: '0.000000', spending_caps: [{ amount: '1.500000', period: 'day', used: '0.000000' }] };
  expect((await admin.call('GET', `/keys/${made.id}`)).body).toEqual({ ...made, use: unused });
  const everything = [await admin.call('GET', '/keys'), await admin.call('GET', '/audit')];
  for (const { body } of everything) expect(JSON.stringify(body)).not.toContain(String(key).slice(3, 20));
});

test('allows a key without permissions and limits whatever its group allows', async () => {
  expect(await newKey()).toMatchObject({
    permissions: { operations: null, models: null, may_store: true, manage_keys: false },
    ip_ranges: null,
    spending_caps: [],
    expires_at: null,
    limits: { requests_per_minute: null, tokens_per_minute: null, concurrency: null },
  });
});

test.each([
  { more: { account: 'nobody' }, says: { status: 404, code: 'not_found', param: 'account' } },
  { more: { ip_ranges: ['192.0.2.1', '300.0.0.1'] }, says: { status: 400, code: 'invalid_value', param: 'ip_ranges[1]' } },
  { more: { ip_ranges: [] }, says: { status: 400, code: 'empty_array', param: 'ip_ranges' } },
  { more: { permissions: { operations: ['fly'] } }, says: { status: 400, code: 'invalid_value', param: 'permissions.operations[0]' } },
  { more: { permissions: { models: ['a b'] } }, says: { status: 400, code: 'invalid_value', param: 'permissions.models[0]' } },
  {
    more: { spending_caps: [{ amount: '-1', period: 'day' }] },
    says: { status: 400, code: 'invalid_value', param: 'spending_caps[0].amount' },
  },
  {
    more: { spending_caps: ['1', '2'].map((amount) => ({ amount, period: 'day' })) },
    says: { status: 400, code: 'invalid_value', param: 'spending_caps' },
  },
  {
    more: { spending_caps: [{ amount: '1', period: 'year' }] },
    says: { status: 400, code: 'invalid_value', param: 'spending_caps[0].period' },
  },
  { more: { expires_at: '2020-01-01T00:00:00Z' }, says: { status: 400, code: 'invalid_value', param: 'expires_at' } },
  { more: { expires_at: 'soon' }, says: { status: 400, code: 'invalid_value', param: 'expires_at' } },
])('rejects a key with $more, and creates none', async ({ more, says }) => {
  const count = (await admin.call('GET', '/keys')).body.data.length;
  expect(refusalOf(await admin.call('POST', '/keys', { account: 'research', name: 'x', ...more }))).toEqual(says);
  expect((await admin.call('GET', '/keys')).body.data).toHaveLength(count);
});

test('lists the keys of an account oldest first, by pages', async () => {
  const made = [];
  for (const name of ['one', 'two', 'three']) made.push(await newKey({ account: 'other', name }));
  const first = (await admin.call('GET', '/keys?account_id=other&limit=2')).body;
  expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 2).map(({ id }) => id));
  const rest = (await admin.call('GET', `/keys?account_id=other&limit=2&after=${first.last_id}`)).body;
  expect([rest.data.map(({ name }) => name), rest.has_more]).toEqual([['three'], false]);
});

test('changes only the named fields, and removes a bound by null', async () => {
  const { id } = await newKey({
    limits: { requests_per_minute: 5 },
    spending_caps: [{ amount: '1', period: 'day' }],
    ip_ranges: ['192.0.2.1'],
  });
  const edited = (await admin.call('PATCH', `/keys/${id}`, { name: 'renamed', spending_caps: [], permissions: { models: ['play'] } })).body;
  expect(edited).toMatchObject({
    name: 'renamed',
    spending_caps: [],
    permissions: { operations: null, models: ['play'], may_store: true },
    limits: { requests_per_minute: { limit: 5, mode: 'enforce' } },
    ip_ranges: ['192.0.2.1'],
  });
  expect((await admin.call('PATCH', `/keys/${id}`, { ip_ranges: null, expires_at: '2020-01-01T00:00:00Z' })).body).toMatchObject({
    ip_ranges: null,
    state: 'expired',
    name: 'renamed',
  });
  expect((await admin.call('PATCH', `/keys/${id}`, { expires_at: null })).body).toMatchObject({ state: 'active', expires_at: null });
});

test('rotates a key with the same permissions, and keeps both valid until the overlap ends', async () => {
  const inherited = { ip_ranges: ['192.0.2.0/24'], limits: { requests_per_minute: { limit: 5, mode: 'observe' } } };
  const { id, key: oldKey } = await newKey({
    ...inherited,
    permissions: { models: ['play'] },
    spending_caps: [{ amount: '3', period: 'month' }],
  });
  const before = Date.now();
  const { key, replaces, ...successor } = (await admin.call('POST', `/keys/${id}/rotate`, { overlap_seconds: 3600 })).body;
  expect(successor).toMatchObject({
    name: 'build',
    state: 'active',
    permissions: { models: ['play'] },
    spending_caps: [{ amount: '3.000000' }],
    expires_at: null,
    ...inherited,
  });
  expect(replaces).toMatchObject({ id, state: 'active', replaced_by: successor.id });
  const rotatedAt = Date.parse((replaces as Record<string, string>).expires_at ?? '') - 3_600_000;
  expect(rotatedAt).toBeGreaterThanOrEqual(before);
  expect(rotatedAt).toBeLessThanOrEqual(Date.now());
  expect([(await recordOf(oldKey))?.id, (await recordOf(key))?.id]).toEqual([id, successor.id]);
  expect(refusalOf(await admin.call('POST', `/keys/${id}/rotate`, { overlap_seconds: 0 }))).toMatchObject({
    status: 409,
    code: 'conflict',
  });
  const ended = (await admin.call('POST', `/keys/${successor.id}/rotate`, { overlap_seconds: 0, expires_at: '2090-01-01T00:00:00Z' })).body;
  expect(ended).toMatchObject({ expires_at: '2090-01-01T00:00:00.000Z', replaces: { state: 'expired' } });
});

test('keeps an expiry that is earlier than the end of the overlap', async () => {
  const soon = new Date(Date.now() + 60_000).toISOString();
  const { id } = await newKey({ expires_at: soon });
  expect((await admin.call('POST', `/keys/${id}/rotate`, { overlap_seconds: 3600 })).body.replaces).toMatchObject({ expires_at: soon });
});

test('keeps a revoked key revoked, and rejects its rotation', async () => {
  const { id } = await newKey();
  const revoked = (await admin.call('POST', `/keys/${id}/revoke`)).body;
  expect(revoked).toMatchObject({ state: 'revoked', revoked_at: expect.any(String) });
  expect((await admin.call('POST', `/keys/${id}/revoke`)).body).toEqual(revoked);
  expect(refusalOf(await admin.call('POST', `/keys/${id}/rotate`, { overlap_seconds: 0 }))).toMatchObject({ status: 409 });
});

test('shows the keys of a suspended account as suspended', async () => {
  const { id } = await newKey({ account: 'other' });
  await admin.call('PATCH', '/accounts/other', { suspended: true });
  expect((await admin.call('GET', `/keys/${id}`)).body).toMatchObject({ state: 'suspended' });
});
