/** The session of the console in a real browser: which cookie it keeps and sends, and what pages of other origins can do with it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { governed, startAdmin, type TestAdmin } from '../harness/admin.ts';
import { pageHeaders } from '../harness/console.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { hasChromium, launchBrowser } from './browser.ts';

describe.skipIf(!hasChromium)('a browser that has signed in at the console', () => {
  let admin: TestAdmin;
  let gateway: TestGateway;
  let evil: Server;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    [admin, gateway] = await Promise.all([startAdmin(governed), startGateway()]);
    evil = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<title>other</title>'));
    await new Promise<void>((resolve) => evil.listen(0, resolve));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    evil.close();
    await Promise.all([admin.close(), gateway.close()]);
  });
  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
    await page.goto(`${admin.origin}/console/`);
    expect((await call(page, '/admin/v1/session', { method: 'POST', body: JSON.stringify({ admin_key: admin.key }) })).status).toBe(200);
    return () => context.close();
  });

  const evilAt = (host: string) => `http://${host}:${(evil.address() as AddressInfo).port}/`;
  const names = async () => (await admin.call('GET', '/accounts')).body.data.map(({ name }) => name);

  test('keeps the cookie on this machine without TLS, hidden from scripts, and works with it', async () => {
    expect(await context.cookies()).toMatchObject([
      { name: '__Host-modelgate-console', httpOnly: true, secure: true, sameSite: 'Strict', path: '/' },
    ]);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await call(page, '/admin/v1/session', {})).toMatchObject({ status: 200, body: { actor: admin.keyId } });
    const made = await call(page, '/admin/v1/accounts', { method: 'POST', body: JSON.stringify({ name: 'from the page' }) });
    expect(made.status).toBe(200);
    expect(await names()).toContain('from the page');
  });

  test('gets no session at the gateway or the portal', async () => {
    await page.goto(`${gateway.origin}/portal/`);
    for (const path of ['/v1/models', '/portal/v1/session']) expect((await call(page, path, {})).status).toBe(401);
  });

  // `localhost` is another site than 127.0.0.1; another port is the same site, so the browser does send the cookie from there.
  test.each(['localhost', '127.0.0.1'])('changes nothing for a script of %s on another port', async (host) => {
    const sent: (string | undefined)[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.goto(evilAt(host));
    const before = await names();
    const forged = `${admin.origin}/admin/v1/accounts`;
    const body = JSON.stringify({ name: `forged by ${host}` });
    for (const headers of [{ 'content-type': 'text/plain' }, pageHeaders]) {
      const { 'sec-fetch-site': _, ...own } = { 'sec-fetch-site': '', ...headers };
      await page.evaluate(
        `fetch('${forged}', ${JSON.stringify({ method: 'POST', credentials: 'include', headers: own, body })}).catch(() => 0)`,
      );
      await page.evaluate(
        `fetch('${forged}', ${JSON.stringify({ method: 'POST', credentials: 'include', mode: 'no-cors', body })}).catch(() => 0)`,
      );
    }
    expect(sent.filter((url) => url === forged).length).toBeGreaterThan(0);
    expect(await names()).toEqual(before);
  });

  test.each(['localhost', '127.0.0.1'])('changes nothing for a form of %s on another port, which gets 401 or 403', async (host) => {
    const before = await names();
    await page.goto(evilAt(host));
    const answered = page.waitForResponse(`${admin.origin}/admin/v1/accounts`);
    await page.evaluate(`{
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', enctype: 'text/plain', action: '${admin.origin}/admin/v1/accounts' });
      const field = document.createElement('input');
      Object.assign(field, { name: '{"name":"form","x":"', value: '"}' });
      form.append(field);
      document.body.append(form);
      form.submit();
    }`);
    // From another site the cookie is not sent; from another port it is sent and rejected.
    expect((await answered).status()).toBe(host === 'localhost' ? 401 : 403);
    expect(await names()).toEqual(before);
  });

  test.each(['localhost', '127.0.0.1'])('lets no page of %s on another port read a response', async (host) => {
    await page.goto(evilAt(host));
    const read = `fetch('${admin.origin}/admin/v1/admin-keys', { credentials: 'include' }).then((one) => one.text(), () => 'unreadable')`;
    expect(await page.evaluate(read)).toBe('unreadable');
  });

  test('blocks the console in a frame of another page', async () => {
    await page.goto(evilAt('127.0.0.1'));
    await page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), { src: '${admin.origin}/console/' }))`);
    await expect.poll(() => page.frames().at(1)?.url()).toBe('chrome-error://chromewebdata/');
  });
});

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/** Calls as a script of the page does. */
function call(page: Page, path: string, init: { readonly method?: string; readonly body?: string }): Promise<Answered> {
  const { 'sec-fetch-site': _, ...headers } = pageHeaders;
  const order = JSON.stringify({ ...init, headers });
  return page.evaluate(`fetch('${path}', ${order}).then(async (one) => ({ status: one.status, body: await one.json() }))`);
}
