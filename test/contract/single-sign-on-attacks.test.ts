/** Attacks on single sign-on: the callback of somebody else, one that is repeated or changed, an open redirect, a planted session. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Browser, CALLBACK, openSignOn, type SignOnStage } from '../harness/single-sign-on.ts';

let stage: SignOnStage;
// A gateway for each test: an address has ten failures a minute, and these tests have one address.
beforeEach(async () => {
  stage = await openSignOn();
});
afterEach(() => stage.close());

const audit = async (limit = 1) => (await stage.admin.call('GET', `/audit?limit=${limit}`)).body.data;
const rejected = (reason: string) => ({ status: 302, location: `/console/#sign-in=${reason}` });
const consoleCookie = '__Host-modelgate-console';

describe('a callback', () => {
  test('opens nothing in another browser, so no one can be signed in as someone else', async () => {
    const [mallory, victim] = [new Browser(), new Browser()];
    const callback = await mallory.begin(stage);
    expect(await victim.visit(callback)).toMatchObject(rejected('failed'));
    await victim.begin(stage);
    expect(await victim.visit(callback)).toMatchObject(rejected('failed'));
    expect(victim.cookies.has(consoleCookie)).toBe(false);
    expect(stage.provider.asked.filter((path) => path === '/token')).toEqual([]);
    expect(await audit(2)).toMatchObject([{ details: { why: 'state' } }, { details: { why: 'state' } }]);
  });

  test('opens nothing for a thief who repeats it with the cookie, even if the provider forgets its codes', async () => {
    stage.provider.isForgetful = true;
    const browser = new Browser();
    const callback = await browser.begin(stage);
    const thief = new Browser();
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
    expect(await browser.visit(callback)).toMatchObject({ location: '/console/' });
    expect(await thief.visit(callback)).toMatchObject(rejected('failed'));
    expect(await audit()).toMatchObject([{ details: { why: 'replayed' } }]);
  });

  test('fails at the provider with the code of another sign-in, whose verifier it lacks', async () => {
    const [mallory, victim] = [new Browser(), new Browser()];
    const stolen = new URL(await victim.begin(stage)).searchParams.get('code') ?? '';
    const own = new URL(await mallory.begin(stage));
    own.searchParams.set('code', stolen);
    expect(await mallory.visit(own.href)).toMatchObject(rejected('failed'));
    expect(stage.provider.complaints).toEqual(['a wrong verifier']);
    expect(await audit()).toMatchObject([{ details: { why: 'invalid_grant' } }]);
  });

  test.each<readonly [string, (callback: URL) => void, string]>([
    ['of another issuer', (callback) => callback.searchParams.set('iss', 'https://evil.example'), 'failed'],
    ['without the promised issuer', (callback) => callback.searchParams.delete('iss'), 'failed'],
    ['with two codes', (callback) => callback.searchParams.append('code', 'x'), 'failed'],
    ['without a code', (callback) => callback.searchParams.delete('code'), 'failed'],
    [
      'after the person declined',
      (callback) => {
        callback.searchParams.delete('code');
        callback.searchParams.set('error', 'access_denied');
        callback.searchParams.set('error_description', '<script>alert(1)</script>');
      },
      'cancelled',
    ],
  ])('opens and shows nothing %s', async (_, spoil, reason) => {
    stage.provider.spoilCallback = spoil;
    const browser = new Browser();
    expect(await browser.signIn(stage)).toMatchObject(rejected(reason));
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  test('fails with a cookie that is made up, changed or of another gateway', async () => {
    const browser = new Browser();
    const callback = await browser.begin(stage);
    const [[name = '', value = ''] = []] = browser.cookies;
    const [time, random, earlier, signature] = value.split('.');
    const later = (Number.parseInt(time ?? '', 36) + 60_000).toString(36);
    for (const wrong of [
      'x',
      `${time}.${random}.${earlier}`,
      `${later}.${random}.${earlier}.${signature}`,
      `${time}.${random}.sess_${'0'.repeat(24)}.${signature}`,
    ]) {
      const thief = new Browser();
      thief.cookies.set(name, wrong);
      expect(await thief.visit(callback), wrong).toMatchObject(rejected('failed'));
    }
  });

  test('goes to the console whatever its query and the host of the request say', async () => {
    const browser = new Browser();
    const callback = new URL(await browser.begin(stage));
    for (const name of ['return_to', 'redirect_uri', 'next', 'url']) callback.searchParams.set(name, 'https://evil.example/');
    expect(await browser.visit(callback.href, { 'x-forwarded-host': 'evil.example' })).toMatchObject({
      status: 302,
      location: '/console/',
    });
    const start = await browser.visit(`${stage.admin.origin}/console/sign-in/oidc?return_to=//evil.example`, {
      'x-forwarded-host': 'evil.example',
    });
    const asked = new URL(start.location);
    expect([asked.origin, asked.searchParams.get('redirect_uri')]).toEqual([stage.provider.issuer, stage.admin.origin + CALLBACK]);
  });
});

describe('session fixation', () => {
  test('ends the earlier session of the browser at sign-in, and rejects its cookie', async () => {
    const browser = new Browser();
    await browser.signIn(stage);
    const planted = browser.cookies.get(consoleCookie) ?? '';
    const callback = await browser.begin(stage);
    // As a browser does it: the cookie of the session is `Strict`, and does not come with the callback.
    browser.cookies.delete(consoleCookie);
    await browser.visit(callback);
    expect(browser.cookies.get(consoleCookie)).not.toBe(planted);
    const old = new Browser();
    old.cookies.set(consoleCookie, planted);
    expect((await old.ask(stage, '/accounts')).status).toBe(401);
    expect((await browser.ask(stage, '/accounts')).status).toBe(200);
  });

  test("leads from another page's button to the console only, and changes nothing there", async () => {
    const browser = new Browser();
    await browser.signIn(stage);
    const step = await browser.visit(`${stage.admin.origin}/console/sign-in/oidc`, { 'sec-fetch-site': 'cross-site' });
    expect([step.location, step.setCookies]).toEqual(['/console/', []]);
    expect((await browser.ask(stage, '/accounts')).status).toBe(200);
  });
});
