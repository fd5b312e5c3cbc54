/** Single sign-on of operators: who gets in with which role, and what a wrong token, another browser, a thief and a provider that is down get. */
import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPersonSession } from '../../server/access/sessions/sessions.ts';
import type { Token } from '../fakes/identity-provider.ts';
import { Browser, CALLBACK, openSignOn, type SignOnStage } from '../harness/single-sign-on.ts';

let stage: SignOnStage;
const ada = { sub: 'u-1', name: 'Ada', groups: ['operators'] };
// A gateway for each test: an address has ten failures a minute, and these tests have one address.
beforeEach(async () => {
  stage = await openSignOn();
});
afterEach(() => stage.close());

const audit = async (limit = 1) => (await stage.admin.call('GET', `/audit?limit=${limit}`)).body.data;
const rejected = (reason: string) => ({ status: 302, location: `/console/#sign-in=${reason}` });
const consoleCookie = '__Host-modelgate-console';

describe('an operator of the provider', () => {
  test('gets a console session with name and role, and the audit log shows the subject', async () => {
    const browser = new Browser();
    const step = await browser.signIn(stage);
    expect(step).toMatchObject({ status: 302, location: '/console/' });
    expect(step.setCookies).toEqual([
      expect.stringMatching(/^__Host-modelgate-sign-in=; Max-Age=0; Path=\/; Secure; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^__Host-modelgate-console=[\w-]{43}; Max-Age=28800; Path=\/; Secure; HttpOnly; SameSite=Strict$/),
    ]);
    const { body } = await browser.ask(stage, '/session');
    expect(body).toMatchObject({ actor: 'oidc:u-1', name: 'Ada', role: 'admin', session: { actor: 'oidc:u-1', name: 'Ada' } });
    expect(Date.parse(body.session.expires_at) - Date.parse(body.session.created_at)).toBe(8 * 3_600_000);
    expect(await audit()).toMatchObject([
      {
        actor: 'oidc:u-1',
        action: 'session.create',
        target: body.session.id,
        details: { kind: 'console', by: 'oidc', issuer: stage.provider.issuer, name: 'Ada', role: 'admin' },
        names: { 'oidc:u-1': 'Ada' },
      },
    ]);
    expect(stage.provider.complaints).toEqual([]);
  });

  test('appears in the list of sessions, and is signed out once the session is revoked', async () => {
    const browser = new Browser();
    await browser.signIn(stage);
    const { id } = (await browser.ask(stage, '/session')).body.session;
    expect((await stage.admin.call('GET', '/sessions')).body.data).toContainEqual(
      expect.objectContaining({ id, actor: 'oidc:u-1', name: 'Ada' }),
    );
    expect((await stage.admin.call('POST', `/sessions/${id}/revoke`)).status).toBe(200);
    expect((await browser.ask(stage, '/accounts')).status).toBe(401);
  });

  test.each([
    [['everybody'], 'viewer', 403],
    [['everybody', 'finance'], 'billing', 403],
    [['finance', 'operators', 'unknown'], 'admin', 200],
    ['everybody', 'viewer', 403],
  ])('gets for the groups %j the role %s, the highest of them', async (groups, role, status) => {
    stage.provider.person = { ...ada, groups };
    const browser = new Browser();
    await browser.signIn(stage);
    expect((await browser.ask(stage, '/session')).body.role).toBe(role);
    const cookie = `${consoleCookie}=${browser.cookies.get(consoleCookie)}`;
    const made = await fetch(`${stage.admin.origin}/admin/v1/accounts`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'x-modelgate-console': '1', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ name: `by ${role} ${JSON.stringify(groups)}`.slice(0, 60).replaceAll('"', '') }),
    });
    expect(made.status).toBe(status);
  });

  test.each([[[]], [['strangers']], [undefined], [['constructor', '__proto__', 'toString']], [{ operators: true }], [7]])(
    'gets no session in no mapped group (%j), and the audit log names the person',
    async (groups) => {
      stage.provider.person = { ...ada, groups };
      const browser = new Browser();
      expect(await browser.signIn(stage)).toMatchObject(rejected('no_role'));
      expect(browser.cookies.has(consoleCookie)).toBe(false);
      expect(await audit()).toMatchObject([
        { actor: 'oidc:u-1', action: 'session.refuse', details: { by: 'oidc', name: 'Ada', why: 'no_role' } },
      ]);
    },
  );

  test('loses access as soon as the gateway trusts another provider, or none', async () => {
    const { sessions, access } = stage.admin;
    const person = { issuer: 'https://former.example', subject: 'u-1', name: 'Ada', role: 'admin' } as const;
    const { token } = await openPersonSession(person, { store: sessions, pepper: access.pepper, now: Date.now });
    const browser = new Browser();
    browser.cookies.set(consoleCookie, token);
    expect((await browser.ask(stage, '/accounts')).status).toBe(401);
    expect((await stage.admin.call('GET', '/sessions')).body.data).toEqual([]);
  });

  test("keeps a lost role until the session ends, and can't sign in again", async () => {
    const browser = new Browser();
    await browser.signIn(stage);
    stage.provider.person = { ...ada, groups: [] };
    expect((await browser.ask(stage, '/session')).body.role).toBe('admin');
    expect(await browser.signIn(stage)).toMatchObject(rejected('no_role'));
  });

  test('passes for no key, and writes no more than one line of a name', async () => {
    stage.provider.person = { ...ada, sub: stage.admin.keyId, name: `Eve\r\n\u0000${'x'.repeat(300)}` };
    const browser = new Browser();
    await browser.signIn(stage);
    const { actor, name } = (await browser.ask(stage, '/session')).body;
    expect([actor, name]).toEqual([`oidc:${stage.admin.keyId}`, `Eve ${'x'.repeat(96)}`]);
    stage.provider.person = { ...ada, sub: 'line\nbreak' };
    expect(await new Browser().signIn(stage)).toMatchObject(rejected('no_role'));
  });
});

describe('an ID token', () => {
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const HOUR_S = 3_600;
  const spoiled: Record<string, readonly [spoil: (token: Token) => void, why: string]> = {
    'of another issuer': [({ claims }) => Object.assign(claims, { iss: 'https://evil.example' }), 'OAUTH_JWT_CLAIM_COMPARISON_FAILED iss'],
    'for another client': [({ claims }) => Object.assign(claims, { aud: 'another' }), 'OAUTH_JWT_CLAIM_COMPARISON_FAILED aud'],
    'that has expired': [
      ({ claims }) => Object.assign(claims, { exp: Number(claims.iat) - HOUR_S }),
      'OAUTH_JWT_TIMESTAMP_CHECK_FAILED exp',
    ],
    'of another sign-in': [({ claims }) => Object.assign(claims, { nonce: 'another' }), 'OAUTH_JWT_CLAIM_COMPARISON_FAILED nonce'],
    'without a nonce': [({ claims }) => Object.assign(claims, { nonce: undefined }), 'OAUTH_INVALID_RESPONSE'],
    'without a subject': [({ claims }) => Object.assign(claims, { sub: undefined }), 'OAUTH_INVALID_RESPONSE'],
    'without a signature': [
      (token) => {
        token.header.alg = 'none';
        token.key = null;
      },
      'OAUTH_INVALID_RESPONSE',
    ],
    'with an empty signature': [(token) => Object.assign(token, { key: null }), 'OAUTH_INVALID_RESPONSE'],
    'with the signature of another key': [(token) => Object.assign(token, { key: stranger }), 'OAUTH_INVALID_RESPONSE'],
    'with a key that is not published': [({ header }) => Object.assign(header, { kid: 'unknown' }), 'OAUTH_KEY_SELECTION_FAILED'],
  };
  test.each(Object.entries(spoiled))('opens nothing as one %s, and the audit log names the reason', async (_, [spoil, why]) => {
    stage.provider.spoil = spoil;
    const browser = new Browser();
    expect(await browser.signIn(stage)).toMatchObject(rejected('failed'));
    expect([...browser.cookies.keys()]).toEqual([]);
    expect(await audit()).toMatchObject([{ actor: 'unknown', action: 'session.refuse', details: { by: 'oidc', why } }]);
  });

  test('works with a new key that the provider publishes now', async () => {
    expect(await new Browser().signIn(stage)).toMatchObject({ location: '/console/' });
    stage.provider.rotateKey();
    expect(await new Browser().signIn(stage)).toMatchObject({ location: '/console/' });
  });
});

describe('a provider', () => {
  test('gets the secret of the client in the way that it names', async () => {
    stage.provider.takesSecretInBody = true;
    expect(await new Browser().signIn(stage)).toMatchObject({ location: '/console/' });
    expect(stage.provider.complaints).toEqual([]);
  });

  test('counts as no failed attempt when down, failing or silent, and the page names the reason', async () => {
    for (const state of ['failing', 'silent'] as const) {
      const fresh = await openSignOn();
      try {
        fresh.provider.state = state;
        expect(await new Browser().visit(`${fresh.admin.origin}/console/sign-in/oidc`), state).toMatchObject(rejected('unavailable'));
        fresh.provider.state = 'well';
        const browser = new Browser();
        const callback = await browser.begin(fresh);
        fresh.provider.state = 'failing';
        expect(await browser.visit(callback), state).toMatchObject(rejected('unavailable'));
        expect((await fresh.admin.call('GET', '/audit')).body.data).toEqual([expect.objectContaining({ action: 'admin_key.create' })]);
        await fresh.provider.close();
        expect(await new Browser().visit(`${fresh.admin.origin}${CALLBACK}?code=x&state=y`), state).toMatchObject(rejected('failed'));
      } finally {
        await fresh.close().catch(() => undefined);
      }
    }
  });

  test.each<readonly [string, (metadata: Record<string, unknown>) => void]>([
    ['another issuer', (metadata) => Object.assign(metadata, { issuer: 'https://evil.example' })],
    ['an issuer with another slash than the setting', (metadata) => Object.assign(metadata, { issuer: `${metadata.issuer}/` })],
    ['no address for browsers', (metadata) => Object.assign(metadata, { authorization_endpoint: undefined })],
  ])('gets no browsers if its metadata has %s', async (_, spoil) => {
    const fresh = await openSignOn();
    try {
      fresh.provider.spoilMetadata = spoil;
      expect(await new Browser().visit(`${fresh.admin.origin}/console/sign-in/oidc`)).toMatchObject(rejected('unavailable'));
    } finally {
      await fresh.close();
    }
  });
});

test('limits an address after ten failures within a minute, for everyone', async () => {
  stage.provider.person = { ...ada, groups: [] };
  for (let at = 0; at < 10; at++) expect(await new Browser().signIn(stage)).toMatchObject(rejected('no_role'));
  stage.provider.person = ada;
  expect(await new Browser().signIn(stage)).toMatchObject(rejected('too_many'));
});

test('shows the sign-in button to a caller without a session, and rejects a wrong key as usual', async () => {
  expect(await new Browser().ask(stage, '/session')).toEqual({
    status: 200,
    body: { object: 'caller', actor: null, name: null, role: null, session: null, sign_in: { oidc: 'Example Login' } },
  });
  expect((await stage.admin.call('GET', '/session', undefined, 'mga-wrong')).status).toBe(401);
  expect((await stage.admin.call('GET', '/session')).body.sign_in).toEqual({ oidc: 'Example Login' });
});

test('reads a nested claim, and a name with dots as a whole first', async () => {
  const nested = await openSignOn({ roles: { claim: 'realm_access.roles', map: { operators: 'viewer' } } });
  try {
    nested.provider.person = { sub: 'u-2', email: 'bob@example.test', realm_access: { roles: ['operators'] } };
    const browser = new Browser();
    await browser.signIn(nested);
    expect((await browser.ask(nested, '/session')).body).toMatchObject({ role: 'viewer', name: 'bob@example.test' });
    nested.provider.person = { sub: 'u-2', 'realm_access.roles': 'strangers', realm_access: { roles: ['operators'] } };
    expect(await new Browser().signIn(nested)).toMatchObject(rejected('no_role'));
  } finally {
    await nested.close();
  }
});
