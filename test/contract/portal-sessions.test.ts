/** Sessions of the portal: signing in and out, and that neither a key nor a cookie is accepted in place of the other. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateKey } from '../../server/access/key-format.ts';
import { issueSetupToken } from '../../server/access/sessions/sessions.ts';
import { cookieOf, pageHeaders, signInAtPortal } from '../harness/console.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ pages: { issuer: 'Example Ltd' } });
});
afterAll(() => gateway.close());

interface Asked {
  readonly method?: string;
  readonly cookie?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

async function ask({ method = 'GET', cookie = '', body, headers = pageHeaders }: Asked = {}) {
  const answer = await fetch(`${gateway.origin}/portal/v1/session`, {
    method,
    headers: { cookie, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const parsed = JSON.parse(await answer.text());
  return { answer, status: answer.status, body: parsed, code: parsed.error?.code };
}

test('shows key, account and balance in a new session, but not the secret of the key', async () => {
  const { key, id, accountId } = await gateway.newKey({
    account: 'holder',
    group: 'vip',
    name: 'laptop',
    balance: 5_000_000n,
    caps: [{ micros: 2_000_000n, period: 'month' }],
  });
  const { answer, body } = await ask({ method: 'POST', body: { key } });
  expect(answer.headers.getSetCookie()[0]).toMatch(
    /^__Host-modelgate-portal=[\w-]{43}; Max-Age=43200; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  );
  expect(body).toMatchObject({
    object: 'portal_session',
    key: { id, name: 'laptop', last_four: key.slice(-4), expires_at: null },
    account: { id: accountId, name: 'holder', group: 'vip' },
    balance: { available: '5.000000' },
    spending_caps: [{ left: '2.000000' }],
    subscription: null,
    base_url: gateway.baseURL,
    issuer: 'Example Ltd',
  });
  expect(JSON.stringify(body)).not.toContain(key.slice(3, -6));
  expect((await ask({ cookie: cookieOf(answer) })).body).toEqual(body);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

describe('keys and cookies are separate', () => {
  test('rejects a cookie under /v1', async () => {
    const cookie = await signInAtPortal(gateway, gateway.key);
    for (const path of ['/v1/models', '/v1/usage']) {
      const answer = await fetch(`${gateway.origin}${path}`, { headers: { cookie, ...pageHeaders } });
      expect(answer.status).toBe(401);
    }
    const body = JSON.stringify({ model: 'gpt-5.4', messages: [{ role: 'user', content: 'hi' }] });
    const call = await fetch(`${gateway.origin}/v1/chat/completions`, { method: 'POST', headers: { cookie, ...pageHeaders }, body });
    expect(call.status).toBe(401);
  });

  test('rejects a key in the header under /portal/v1', async () => {
    const headers = { ...pageHeaders, authorization: `Bearer ${gateway.key}` };
    expect(await ask({ headers })).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect(await ask({ method: 'DELETE', headers })).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  test('rejects the same token in a console cookie', async () => {
    const cookie = await signInAtPortal(gateway, gateway.key);
    expect(await ask({ cookie: cookie.replace('portal', 'console') })).toMatchObject({ status: 401 });
  });
});

describe('a session', () => {
  test('ends when its owner signs out', async () => {
    const cookie = await signInAtPortal(gateway, gateway.key);
    expect((await ask({ method: 'DELETE', cookie })).body).toMatchObject({ object: 'ended_session', id: expect.stringMatching(/^sess_/) });
    expect(await ask({ cookie })).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  test('ends when its key is revoked', async () => {
    const { key, id } = await gateway.newKey({ account: 'leaving' });
    const cookie = await signInAtPortal(gateway, key);
    await gateway.revokeKey(id);
    expect(await ask({ cookie })).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  test('ends while its account is suspended', async () => {
    const { key, accountId } = await gateway.newKey({ account: 'late payer' });
    const cookie = await signInAtPortal(gateway, key);
    const suspend = (suspendedAt: number | null) =>
      gateway.withAccess(({ store }) =>
        store.editAccount(accountId, { suspendedAt }, { actor: 'test', action: 'account.edit', target: accountId, details: {}, at: 1 }),
      );
    await suspend(Date.now());
    expect(await ask({ cookie })).toMatchObject({ status: 401 });
    await suspend(null);
    expect(await ask({ cookie })).toMatchObject({ status: 200 });
  });

  test('ends for an earlier cookie when the browser signs in again', async () => {
    const planted = await signInAtPortal(gateway, (await gateway.newKey({ account: 'mallory' })).key);
    const { answer } = await ask({ method: 'POST', cookie: planted, body: { key: gateway.key } });
    expect(cookieOf(answer)).not.toBe(planted);
    expect(await ask({ cookie: planted })).toMatchObject({ status: 401 });
  });
});

test('rejects sign-in and session of a key with other address ranges', async () => {
  const { key, id } = await gateway.newKey({ account: 'at home' });
  const cookie = await signInAtPortal(gateway, key);
  await gateway.editKey(id, { ipRanges: ['192.0.2.0/24'] });
  expect(await ask({ cookie })).toMatchObject({ status: 403, code: 'permission_denied' });
  expect(await ask({ method: 'POST', body: { key } })).toMatchObject({ status: 401, code: 'invalid_api_key' });
});

test('stops a page of another site from signing in or out', async () => {
  const cookie = await signInAtPortal(gateway, gateway.key);
  const headers = { ...pageHeaders, 'sec-fetch-site': 'cross-site' };
  expect(await ask({ method: 'DELETE', cookie, headers })).toMatchObject({ status: 403, code: 'permission_denied' });
  expect(await ask({ method: 'POST', headers, body: { key: gateway.key } })).toMatchObject({ status: 403 });
  expect(await ask({ cookie })).toMatchObject({ status: 200 });
});

test('accepts the setup link of the portal once', async () => {
  const { id } = await gateway.newKey({ account: 'newcomer' });
  const { sessions, access } = gateway.gateway;
  const setup_token = await issueSetupToken({ kind: 'portal', keyId: id }, { store: sessions, pepper: access.pepper, now: Date.now });
  expect((await ask({ method: 'POST', body: { setup_token } })).body).toMatchObject({ key: { id }, account: { name: 'newcomer' } });
  expect(await ask({ method: 'POST', body: { setup_token } })).toMatchObject({ status: 401 });
});

test('limits an address after ten failed sign-ins, whatever x-forwarded-for claims', async () => {
  const guessed = await startGateway();
  try {
    const send = (key: string) =>
      fetch(`${guessed.origin}/portal/v1/session`, {
        method: 'POST',
        headers: { ...pageHeaders, 'x-forwarded-for': `192.0.2.${Math.floor(Math.random() * 250)}` },
        body: JSON.stringify({ key }),
      });
    for (let at = 0; at < 10; at++) expect((await send(generateKey())).status).toBe(401);
    expect((await send(guessed.key)).status).toBe(429);
  } finally {
    await guessed.close();
  }
});

test('rejects unknown methods and paths in the shape of the contract', async () => {
  const wrong = await fetch(`${gateway.origin}/portal/v1/session`, { method: 'PUT' });
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, GET, HEAD, DELETE']);
  const nothing = await fetch(`${gateway.origin}/portal/v1/nothing`);
  expect([nothing.status, nothing.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
});

test('serves neither pages nor API with the portal off', async () => {
  const bare = await startGateway({ pages: { portal: false } });
  try {
    for (const path of ['/portal/', '/portal/v1/session']) expect((await fetch(`${bare.origin}${path}`)).status).toBe(404);
    expect((await fetch(`${bare.origin}/`, { redirect: 'manual' })).headers.get('location')).toBe('docs/');
  } finally {
    await bare.close();
  }
});
