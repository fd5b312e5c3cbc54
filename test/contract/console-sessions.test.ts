/** Sessions of the console: what the cookie allows, when a session ends, and what other sites, stolen cookies and guesses get. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { issueAdminKey } from '../../server/access/issue-key.ts';
import { generateAdminKey } from '../../server/access/key-format.ts';
import { issueSetupToken, openSession } from '../../server/access/sessions/sessions.ts';
import { governed, startAdmin, type TestAdmin } from '../harness/admin.ts';
import { cookieOf, pageHeaders, signIn } from '../harness/console.ts';

let admin: TestAdmin;
beforeAll(async () => {
  admin = await startAdmin(governed);
});
afterAll(() => admin.close());

interface Asked {
  readonly method?: string;
  readonly cookie?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Asks as the page of the console does, but for the headers that are given. */
async function ask(path: string, { method = 'GET', cookie = '', body, headers = pageHeaders }: Asked = {}) {
  const answer = await fetch(`${admin.origin}/admin/v1${path}`, {
    method,
    headers: { cookie, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const parsed = JSON.parse(await answer.text());
  return { answer, status: answer.status, body: parsed, code: parsed.error?.code };
}

const newOperator = (name: string) => issueAdminKey(name, { ...admin.access, now: Date.now });
const setupToken = () =>
  issueSetupToken({ kind: 'console', keyId: null }, { store: admin.sessions, pepper: admin.access.pepper, now: Date.now });

test('signs an operator in with only the cookie, and names key and session in the audit log', async () => {
  const cookie = await signIn(admin);
  const { body } = await ask('/session', { cookie });
  expect(body).toMatchObject({ object: 'caller', actor: admin.keyId, name: 'tester', session: { actor: admin.keyId } });
  const made = await ask('/accounts', { method: 'POST', cookie, body: { name: 'by cookie' } });
  expect(made.status).toBe(200);
  expect((await ask('/keys', { method: 'POST', cookie, body: { account: 'by cookie', name: 'k' } })).status).toBe(200);
  const { data } = (await ask('/audit?limit=3', { cookie })).body;
  expect(data).toMatchObject([
    { actor: admin.keyId, action: 'key.create', details: { session: body.session.id } },
    { actor: admin.keyId, action: 'account.create', details: { session: body.session.id } },
    { actor: admin.keyId, action: 'session.create', target: body.session.id, details: { by: 'key' } },
  ]);
});

test('binds the cookie to this host, hides it from scripts and other sites, and stores no token', async () => {
  const { answer, body } = await ask('/session', { method: 'POST', body: { admin_key: admin.key } });
  const [set = ''] = answer.headers.getSetCookie();
  expect(set).toMatch(/^__Host-modelgate-console=[\w-]{43}; Max-Age=28800; Path=\/; Secure; HttpOnly; SameSite=Strict$/);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const token = /=([\w-]{43});/.exec(set)?.[1] ?? expect.fail('no token');
  expect(JSON.stringify([body, await admin.sessions.list('console'), await admin.access.store.listAudit({ limit: 100 })])).not.toContain(
    token,
  );
});

test('shows no session to a caller with a key, and signing out ends nothing', async () => {
  const headers = { authorization: `Bearer ${admin.key}`, 'content-type': 'application/json' };
  expect((await ask('/session', { headers })).body).toEqual({
    object: 'caller',
    actor: admin.keyId,
    name: 'tester',
    role: 'admin',
    session: null,
    sign_in: { oidc: null },
  });
  expect((await ask('/session', { method: 'DELETE', headers })).body).toEqual({ object: 'ended_session', id: null });
});

test('lists the address and browser of each session, which are null for a session of an earlier version', async () => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
  // Without a trusted proxy, the caller could have forged the header.
  const headers = { ...pageHeaders, 'user-agent': agent, 'x-forwarded-for': '203.0.113.9' };
  const opened = { address: '127.0.0.1', browser: 'Firefox on Linux' };
  const { answer, body } = await ask('/session', { method: 'POST', body: { admin_key: admin.key }, headers });
  expect(body).toMatchObject(opened);
  const place = { store: admin.sessions, pepper: admin.access.pepper, now: Date.now };
  const { session } = await openSession({ kind: 'console', keyId: admin.keyId, actor: admin.keyId, by: 'key' }, place);
  const { data } = (await ask('/sessions', { cookie: cookieOf(answer) })).body;
  const find = (id: string) => data.find((one: { id: string }) => one.id === id);
  expect(find(body.id)).toEqual(body);
  expect(find(session.id)).toMatchObject({ address: null, browser: null });
});

describe('a session', () => {
  test('ends when its operator signs out', async () => {
    const cookie = await signIn(admin);
    const { answer, status } = await ask('/session', { method: 'DELETE', cookie, body: {} });
    expect([status, answer.headers.getSetCookie()[0]]).toEqual([200, expect.stringContaining('__Host-modelgate-console=; Max-Age=0;')]);
    expect(await ask('/accounts', { cookie })).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  test('ends for a stolen cookie when the session is revoked', async () => {
    const stolen = await signIn(admin);
    const { id } = (await ask('/session', { cookie: stolen })).body.session;
    const other = await signIn(admin);
    expect((await ask('/sessions', { cookie: other })).body.data.map((one: { id: string }) => one.id)).toContain(id);
    expect((await ask(`/sessions/${id}/revoke`, { method: 'POST', cookie: other, body: {} })).body).toEqual({
      object: 'ended_session',
      id,
    });
    expect(await ask('/accounts', { cookie: stolen })).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect(await ask(`/sessions/${id}/revoke`, { method: 'POST', cookie: other, body: {} })).toMatchObject({ status: 404 });
    expect((await ask('/sessions', { cookie: other })).body.data.map((one: { id: string }) => one.id)).not.toContain(id);
  });

  test('ends when its key is revoked', async () => {
    const { key, id } = await newOperator('leaves');
    const cookie = await signIn({ origin: admin.origin, key });
    expect((await ask('/accounts', { cookie })).status).toBe(200);
    await admin.call('POST', `/admin-keys/${id}/revoke`);
    expect(await ask('/accounts', { cookie })).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });
});

describe('session fixation', () => {
  test('replaces an older cookie at sign-in, and rejects the old one', async () => {
    const planted = await signIn(await newOperatorHere('mallory'));
    const { answer } = await ask('/session', { method: 'POST', cookie: planted, body: { admin_key: admin.key } });
    const own = cookieOf(answer);
    expect(own).not.toBe(planted);
    expect(await ask('/accounts', { cookie: planted })).toMatchObject({ status: 401 });
    expect((await ask('/session', { cookie: own })).body.actor).toBe(admin.keyId);
  });

  test('rejects an invalid cookie, and two cookies of the name', async () => {
    const cookie = await signIn(admin);
    const name = '__Host-modelgate-console';
    for (const wrong of [`${name}=${'A'.repeat(43)}`, `${name}=`, `${cookie}; ${cookie}`, cookie.replace('__Host-', '')])
      expect(await ask('/accounts', { cookie: wrong }), wrong).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });
});

const newOperatorHere = async (name: string) => ({ origin: admin.origin, key: (await newOperator(name)).key });

describe('a call by cookie', () => {
  const others: Record<string, Record<string, string>> = {
    'from another site': { ...pageHeaders, 'sec-fetch-site': 'cross-site' },
    'from another origin of the site': { ...pageHeaders, 'sec-fetch-site': 'same-site' },
    'typed into the address bar': { ...pageHeaders, 'sec-fetch-site': 'none' },
    'as a form': { ...pageHeaders, 'content-type': 'application/x-www-form-urlencoded' },
    'as a form of text': { ...pageHeaders, 'content-type': 'text/plain' },
    'with a body of no type': { 'content-type': '', 'x-modelgate-console': '1', 'sec-fetch-site': 'same-origin' },
    'without the header of the console': { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    'from an old browser, of another origin': {
      'content-type': 'application/json',
      'x-modelgate-console': '1',
      origin: 'https://evil.example',
    },
    'without a word on where it comes from': { 'content-type': 'application/json', 'x-modelgate-console': '1' },
  };
  test.each(Object.entries(others))('fails %s, and changes nothing', async (_, headers) => {
    const cookie = await signIn(admin);
    const before = (await admin.call('GET', '/accounts')).body;
    expect(await ask('/accounts', { method: 'POST', cookie, headers, body: { name: 'forged' } })).toMatchObject({
      status: 403,
      code: 'permission_denied',
    });
    expect((await admin.call('GET', '/accounts')).body).toEqual(before);
  });

  test('needs no content type for an empty body from the console', async () => {
    const cookie = await signIn(admin);
    const { id } = await newOperator('spare');
    const headers = { 'x-modelgate-console': '1', 'sec-fetch-site': 'same-origin' };
    expect((await ask(`/admin-keys/${id}/revoke`, { method: 'POST', cookie, headers })).status).toBe(200);
  });

  test('works from the own origin in a browser without sec-fetch-site', async () => {
    const cookie = await signIn(admin);
    const headers = { 'content-type': 'application/json', 'x-modelgate-console': '1', origin: admin.origin };
    expect((await ask('/accounts', { method: 'POST', cookie, headers, body: { name: 'old browser' } })).status).toBe(200);
  });

  test('signs no reader in from another page', async () => {
    for (const headers of [others['from another site'], others['from an old browser, of another origin']])
      expect(await ask('/session', { method: 'POST', headers: headers ?? {}, body: { admin_key: admin.key } })).toMatchObject({
        status: 403,
      });
  });

  test('gets no CORS headers', async () => {
    const cookie = await signIn(admin);
    const { answer } = await ask('/accounts', { cookie, headers: { origin: 'https://evil.example' } });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    const asked = await fetch(`${admin.origin}/admin/v1/accounts`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(asked.status).toBeGreaterThanOrEqual(400);
  });
});

describe('the setup link', () => {
  test('signs in once, with its own admin key, which can be revoked', async () => {
    const token = await setupToken();
    const { answer, body } = await ask('/session', { method: 'POST', body: { setup_token: token } });
    expect(body).toMatchObject({ object: 'session', name: 'setup link', actor: expect.stringMatching(/^admin_/) });
    expect((await ask('/accounts', { cookie: cookieOf(answer) })).status).toBe(200);
    expect(await ask('/session', { method: 'POST', body: { setup_token: token } })).toMatchObject({ status: 401 });
    await admin.call('POST', `/admin-keys/${body.actor}/revoke`);
    expect(await ask('/accounts', { cookie: cookieOf(answer) })).toMatchObject({ status: 401 });
  });

  test('carries a token that is rejected as a cookie, and the other way round', async () => {
    const token = await setupToken();
    expect(await ask('/accounts', { cookie: `__Host-modelgate-console=${token}` })).toMatchObject({ status: 401 });
    const cookie = await signIn(admin);
    const setup_token = cookie.slice(cookie.indexOf('=') + 1);
    expect(await ask('/session', { method: 'POST', body: { setup_token } })).toMatchObject({ status: 401 });
    expect((await ask('/accounts', { cookie })).status).toBe(200);
  });

  test("fails at the console if it's that of the portal", async () => {
    const place = { store: admin.sessions, pepper: admin.access.pepper, now: Date.now };
    const setup_token = await issueSetupToken({ kind: 'portal', keyId: admin.keyId }, place);
    expect(await ask('/session', { method: 'POST', body: { setup_token } })).toMatchObject({ status: 401 });
  });
});

test('returns the same message for all failed sign-ins, and limits the address after ten', async () => {
  const guessed = await startAdmin(governed);
  try {
    const { key: revoked, id } = await issueAdminKey('gone', { ...guessed.access, now: Date.now });
    await guessed.call('POST', `/admin-keys/${id}/revoke`);
    const tries: object[] = [{ admin_key: 'mga-x' }, { admin_key: generateAdminKey() }, { admin_key: revoked }, { setup_token: 'x' }];
    const said = new Set<string>();
    for (let at = 0; at < 10; at++) {
      const { status, body } = await guessed.call('POST', '/session', tries[at % tries.length], null);
      expect(status).toBe(401);
      said.add(JSON.stringify(body));
    }
    expect(said.size).toBe(1);
    const late = await guessed.call('POST', '/session', { admin_key: guessed.key }, null);
    expect([late.status, Number(late.headers.get('retry-after'))]).toEqual([
      429,
      expect.toSatisfy((wait: number) => wait > 0 && wait <= 60),
    ]);
    const { data } = (await guessed.call('GET', '/audit?limit=1000')).body;
    expect(data.filter(({ action }) => action === 'session.refuse')).toHaveLength(10);
    expect(JSON.stringify(data)).not.toContain(revoked);
  } finally {
    await guessed.close();
  }
});

describe('signing in', () => {
  const signInWith = async (own: object, path = '') => {
    const other = await startAdmin({ ...governed, ...own });
    try {
      return await other.call('POST', `/session${path}`, { admin_key: other.key }, null);
    } finally {
      await other.close();
    }
  };
  test('fails if admin.publicUrl has no TLS', async () => {
    const { status, body } = await signInWith({ admin: { publicUrl: 'http://gateway.example:8081' } });
    expect([status, body.error]).toEqual([403, expect.objectContaining({ message: expect.stringContaining('admin.publicUrl') })]);
  });
  test('works if admin.publicUrl has TLS or is the own machine', async () => {
    expect((await signInWith({ admin: { publicUrl: 'https://gateway.example' } })).status).toBe(200);
    expect((await signInWith({ admin: { publicUrl: 'http://127.0.0.1:9000' } })).status).toBe(200);
  });
  test('fails while the console is turned off', async () => {
    const { status, body } = await signInWith({ pages: { console: false } });
    expect([status, body.error]).toEqual([403, expect.objectContaining({ message: expect.stringContaining('pages.console') })]);
  });
});
