/** Every error that the contract names for an operation of the admin API can be provoked there, with its status and its body. */
import { afterAll } from 'vitest';
import { type AdminOperation, adminErrors } from '../../../contract/admin/errors.ts';
import { adminContract } from '../../../contract/admin/index.ts';
import { exampleBody } from '../../../docs/generate/openapi/admin-operation.ts';
import { governed, startAdmin } from '../../harness/admin.ts';
import { signIn } from '../../harness/console.ts';
import { createFault, type Kind, openByName, openProvoker, type States, testErrors } from './provoke.ts';

const { open, close } = openByName(async (kind: Kind) => {
  const settings = kind === 'without billing' ? { billing: 'off' } : governed;
  const admin = await startAdmin(settings, kind === 'hasty' ? { arrivalMs: 100 } : { isReloading: kind === 'reloading' });
  const fail = createFault(kind);
  // Where callers are looked up first.
  if (kind === 'broken' || kind === 'without store')
    Object.assign(admin.access.store, { findAdminKey: fail, findAdminKeyById: fail, listAdminKeys: fail });
  return admin;
});
afterAll(close);

const { ask, asking, findWays } = openProvoker({
  contract: adminContract,
  async openRequest(operation: AdminOperation, kind) {
    const { origin, key } = await open(kind);
    // The store isn't asked for a mistyped key, like that of the example.
    const example = operation === 'createSession' ? { admin_key: key } : exampleBody(operation);
    return {
      origin,
      headers: { authorization: `Bearer ${key}` },
      ...(operation === 'search' && { query: '?q=abc' }),
      ...(operation === 'getConfigText' && { query: '?section=models&name=gpt-5.4' }),
      ...(example !== undefined && { body: JSON.stringify(example) }),
    };
  },
});

let names = 0;
const newName = (): string => `name ${++names}`;

/** What is in the way of an operation: a duplicate, an end, or a gateway that doesn't run beside this listener. */
const conflicts: { readonly [Name in AdminOperation]?: () => Promise<Response> } = {
  testUpstream: () => ask('testUpstream', { id: 'demo' }),
  checkUpstreamKeys: () => ask('checkUpstreamKeys', { id: 'demo' }),
  resetUpstream: () => ask('resetUpstream', { id: 'demo' }),
  /** The second follows too soon. */
  async testAlertChannel() {
    await ask('testAlertChannel', { id: 'ops' });
    return ask('testAlertChannel', { id: 'ops' });
  },
  async acknowledgeAlert() {
    const { alerts } = await open('plain');
    const about = { kind: 'ledger_mismatch', subject: '', name: null, message: 'over', value: null, threshold: null } as const;
    await alerts.open({ id: 'alert_0', ...about, openedAt: 0 }, []);
    await alerts.resolve('alert_0', 1, []);
    return ask('acknowledgeAlert', { id: 'alert_0' });
  },
  async createAccount() {
    const body = JSON.stringify({ name: newName(), group: 'default' });
    await ask('createAccount', { body });
    return ask('createAccount', { body });
  },
  async editAccount() {
    const { call } = await open('plain');
    const [one, other] = [await call('POST', '/accounts', { name: newName() }), await call('POST', '/accounts', { name: newName() })];
    return ask('editAccount', { id: other.body.id, body: JSON.stringify({ name: one.body.name }) });
  },
  async rotateKey() {
    const { call } = await open('plain');
    const account = newName();
    await call('POST', '/accounts', { name: account });
    const { body: key } = await call('POST', '/keys', { account, name: 'gone' });
    await call('POST', `/keys/${key.id}/revoke`);
    return ask('rotateKey', { id: key.id });
  },
};

const states: States<AdminOperation> = {
  request_too_large: asking({ body: JSON.stringify({ a: 'x'.repeat(1_100_000) }) }),
  invalid_api_key: asking({ headers: { authorization: 'Bearer mga-nobody' }, body: JSON.stringify({ admin_key: 'mga-nobody' }) }),
  async conflict(operation) {
    const { call } = await open('without billing');
    return (
      conflicts[operation]?.() ?? ask(operation, { id: (await call('POST', '/accounts', { name: newName() })).body.id }, 'without billing')
    );
  },
  /** A call that a page of another site makes the browser of a reader send. */
  async permission_denied(operation) {
    const cookie = await signIn(await open('plain'));
    return ask(operation, { headers: { authorization: '', cookie, 'sec-fetch-site': 'cross-site' } });
  },
  async rate_limit_exceeded(operation) {
    const body = JSON.stringify({ admin_key: 'mga-nobody' });
    for (let tries = 0; tries < 10; tries++) await ask(operation, { body }, 'guessed');
    return ask(operation, { body }, 'guessed');
  },
  config_changed: (operation) =>
    ask(operation, { body: JSON.stringify({ ...Object(exampleBody(operation)), digest: 'of another file' }) }, 'reloading'),
};

testErrors('an operator who calls', { contract: adminContract, errors: adminErrors }, (operation, code) =>
  findWays(states, operation, code),
);
