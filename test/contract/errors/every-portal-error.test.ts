/** Every error that the contract names for an operation of the portal can be provoked there, with its status and its body. */
import { afterAll } from 'vitest';
import { type PortalOperation, portalErrors } from '../../../contract/portal/errors.ts';
import { portalContract } from '../../../contract/portal/index.ts';
import { pageHeaders, signInAtPortal } from '../../harness/console.ts';
import { startGateway } from '../../harness/gateway.ts';
import { createFault, type Kind, openByName, openProvoker, type States, testErrors } from './provoke.ts';

const { open, close } = openByName(start);
afterAll(close);

/** With a key that manages the keys of its account, which can have one more. */
async function start(kind: Kind) {
  const gateway = await startGateway(kind === 'hasty' ? { server: { headersTimeoutMs: 100, requestTimeoutMs: 200 } } : {});
  const permissions = { operations: null, models: null, mayStore: true, manageKeys: true };
  const { key: manager, accountId } = await gateway.newKey({ account: 'managed', permissions });
  const noted = { actor: 'test', action: 'account.edit', target: accountId, details: {}, at: Date.now() };
  const { access, sessions } = gateway.gateway;
  await access.store.editAccount(accountId, { selfService: { maxKeys: 1, delegate: false } }, noted);
  const fail = createFault(kind);
  if (kind === 'broken' || kind === 'without store') {
    Object.assign(access.store, { findKey: fail });
    Object.assign(sessions, { find: fail });
  }
  return { ...gateway, manager };
}

const UNKNOWN_COOKIE = `__Host-modelgate-portal=${'A'.repeat(43)}`;
const bodies: { readonly [Name in PortalOperation]?: object } = {
  createKey: { name: 'x', permissions: { models: ['m'] }, ip_ranges: ['::1'], limits: { concurrency: 1 } },
  rotateKey: { overlap_seconds: 0 },
  revokeKey: {},
  estimateCost: { operation: 'createResponse', body: {} },
};

const { 'content-type': _type, ...ownHeaders } = pageHeaders;
const { ask, asking, findWays } = openProvoker({
  contract: portalContract,
  async openRequest(operation: PortalOperation, kind) {
    const { origin, key, manager } = await open(kind);
    if (operation === 'createSession') return { origin, headers: ownHeaders, body: JSON.stringify({ key }) };
    const cookie = kind === 'plain' || kind === 'hasty' ? await signInAtPortal({ origin }, manager) : UNKNOWN_COOKIE;
    const body = bodies[operation];
    return { origin, headers: { ...ownHeaders, cookie }, ...(body && { body: JSON.stringify(body) }) };
  },
});

const states: States<PortalOperation> = {
  invalid_api_key: asking({ headers: { cookie: UNKNOWN_COOKIE }, body: JSON.stringify({ key: 'mg-nobody' }) }),
  /** A key with other address ranges, or a page of another site. */
  async permission_denied(operation) {
    if (portalContract[operation].method !== 'GET') return ask(operation, { headers: { 'sec-fetch-site': 'cross-site' } });
    const { origin, newKey, editKey } = await open('plain');
    const { key, id } = await newKey({ account: 'elsewhere' });
    const cookie = await signInAtPortal({ origin }, key);
    await editKey(id, { ipRanges: ['192.0.2.0/24'] });
    return ask(operation, { headers: { cookie } });
  },
  async rate_limit_exceeded() {
    const { origin } = await open('guessed');
    const body = JSON.stringify({ key: 'mg-nobody' });
    const guess = () => fetch(`${origin}${portalContract.createSession.path}`, { method: 'POST', headers: pageHeaders, body });
    for (let tries = 0; tries < 10; tries++) await guess();
    return guess();
  },
  request_too_large: (operation) =>
    ask(operation, { body: JSON.stringify({ key: 'x'.repeat(operation === 'estimateCost' ? 1_100_000 : 70_000) }) }),
  /** More keys than an account can have, or the rotation of a revoked key. */
  async conflict(operation) {
    const { id } = Object(await (await ask('createKey')).json());
    const tooMany = await ask('createKey');
    await ask('revokeKey', { id });
    return operation === 'createKey' ? tooMany : ask(operation, { id });
  },
};

testErrors('a page of the portal that calls', { contract: portalContract, errors: portalErrors }, (operation, code) =>
  findWays(states, operation, code),
);
