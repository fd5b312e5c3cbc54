/** The roles of operators: every operation of the admin API, with a key of each role. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AdminOperation } from '../../contract/admin/errors.ts';
import { adminContract } from '../../contract/admin/index.ts';
import { type AdminRole, adminRoleNames, adminRoles } from '../../contract/admin/roles.ts';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { governed, refusalOf, startAdmin, type TestAdmin } from '../harness/admin.ts';

let admin: TestAdmin;
const keys = new Map<AdminRole, string>();
beforeAll(async () => {
  admin = await startAdmin(governed);
  for (const role of adminRoleNames) keys.set(role, (await admin.call('POST', '/admin-keys', { name: `a ${role}`, role })).body.key);
});
afterAll(() => admin.close());

// The keys of an object are those of its type.
const operations = Object.keys(adminRoles) as AdminOperation[];
/** Written out, since the test must not repeat the comparison of the product. */
const rejected: Readonly<Record<AdminRole, readonly AdminRole[]>> = { viewer: ['billing', 'admin'], billing: ['admin'], admin: [] };

function call(operation: AdminOperation, role: AdminRole) {
  const { method, path } = adminContract[operation];
  const address = path.replace('/admin/v1', '').replace(/:\w+/, 'nobody');
  // No operation has this query field, so an admitted call changes nothing.
  const headers = { authorization: `Bearer ${keys.get(role)}`, 'content-type': 'application/json' };
  return fetch(`${admin.origin}/admin/v1${address}?unknown=1&q=abc&section=models&name=m`, {
    method,
    headers,
    ...(method !== 'GET' && { body: '{"unknown":1}' }),
  });
}

describe.each(adminRoleNames)('an operator with the role %s', (role) => {
  test.each(operations)('calls %s, or gets 403 with the role that it needs', async (operation) => {
    const answer = await call(operation, role);
    const { error } = ErrorBody.parse(await answer.json());
    const needed = adminRoles[operation];
    if (!rejected[role].includes(needed)) return expect([answer.status, error.code]).toEqual([400, 'unknown_parameter']);
    expect([answer.status, error.code]).toEqual([403, 'permission_denied']);
    expect(error.message).toContain(`'${needed}'`);
  });
});

test('gives a key the role that it was created with, by default admin', async () => {
  await admin.call('POST', '/admin-keys', { name: 'of no role' });
  const { data } = (await admin.call('GET', '/admin-keys', undefined, keys.get('viewer'))).body;
  expect(Object.fromEntries(data.map(({ name, role }) => [name, role]))).toEqual({
    tester: 'admin',
    'a viewer': 'viewer',
    'a billing': 'billing',
    'a admin': 'admin',
    'of no role': 'admin',
  });
  expect(refusalOf(await admin.call('POST', '/admin-keys', { name: 'x', role: 'owner' }))).toMatchObject({ status: 400, param: 'role' });
});

test('lets only the role admin create admin keys', async () => {
  const before = (await admin.call('GET', '/admin-keys')).body;
  for (const role of ['viewer', 'billing'] as const)
    expect((await admin.call('POST', '/admin-keys', { name: 'more', role: 'admin' }, keys.get(role))).status).toBe(403);
  expect((await admin.call('GET', '/admin-keys')).body).toEqual(before);
});

test('lets the role billing change balances, but not create accounts', async () => {
  await admin.call('POST', '/accounts', { name: 'payer' });
  const key = keys.get('billing');
  const paid = { kind: 'top_up', amount: '1', transfer_id: 'by-billing' };
  expect((await admin.call('POST', '/accounts/payer/adjustments', paid, key)).status).toBe(200);
  expect((await admin.call('POST', '/accounts', { name: 'another' }, key)).status).toBe(403);
});
