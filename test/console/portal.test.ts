/** The portal over a whole gateway: balance and calls, a recomputed receipt, prices of a group, and the first call. */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkNames, checks as checkTexts } from '../../client/pages/src/texts/check-names.ts';
import { playground as playgroundTexts } from '../../client/pages/src/texts/playground.ts';
import { portalTexts as portalTextsTexts, scope as scopeTexts } from '../../client/pages/src/texts/portal.ts';
import { catalog as catalogTexts } from '../../client/pages/src/texts/portal-catalog.ts';
import { overview as overviewTexts } from '../../client/pages/src/texts/portal-overview.ts';
import { start as startTexts } from '../../client/pages/src/texts/portal-start.ts';
import { usage as usageTexts } from '../../client/pages/src/texts/portal-usage.ts';
import { signIn as signInTexts } from '../../client/pages/src/texts/sign-in.ts';
import { monthly as monthlyTexts, statement as statementTexts } from '../../client/pages/src/texts/statement.ts';
import { Receipt } from '../../contract/usage.ts';
import { issueSetupToken } from '../../server/access/sessions/sessions.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { findViolations, hasChromium, launchBrowser, openPage } from './browser.ts';

const settings = {
  pages: { issuer: 'Example Ltd, Springfield' },
  groups: { default: { multiplier: '1' }, vip: { multiplier: '0.8' } },
  models: [
    {
      id: 'gpt-5.4',
      kind: 'text',
      contextWindow: 400_000,
      groups: ['default', 'vip'],
      prices: { input: '1.25', cachedInput: '0.125', output: '10' },
    },
    { id: 'gpt-5.4-mini', kind: 'text', contextWindow: 200_000, groups: ['default', 'vip'], prices: { input: '0.25', output: '2' } },
    { id: 'club', kind: 'text', groups: ['vip'], prices: { input: '3', output: '9' } },
    { id: 'gpt-image-2', kind: 'image', groups: ['default', 'vip'], prices: { images: { default: '0.2', '1024x1024/low': '0.02' } } },
  ],
};

/** The folder for screenshots; without it none are kept. */
const pictures = process.env.MODELGATE_PICTURES;

async function takeScreenshots(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  const before = page.viewportSize();
  for (const width of [390, 820, 1440])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  if (before) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Checks that nothing is wider than the screen, and that axe finds no violation, in both themes. */
async function checkLook(page: Page, name: string): Promise<void> {
  await takeScreenshots(page, name);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findViolations(page)).toEqual([]);
  }
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
}

describe.skipIf(!hasChromium)('the holder of a key at the portal', () => {
  let gateway: TestGateway;
  let browser: Browser;
  let key: string;
  let paid: string;
  let rejected: string;
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startGateway(settings), launchBrowser()]);
    const permissions = { operations: null, models: ['gpt-5*', 'club'], mayStore: true };
    const caps = [{ micros: 20_000_000n, period: 'month' } as const];
    ({ key } = await gateway.newKey({ account: 'acme', group: 'vip', name: 'laptop', balance: 25_000_000n, caps, permissions }));
    const call = async (model: string, input: string) => {
      const answer = await gateway.call('/responses', { json: { model, input }, key });
      await answer.text();
      return answer.headers.get('x-request-id') ?? expect.fail('no id');
    };
    for (const model of ['gpt-5.4-mini', 'club', 'gpt-5.4-mini']) await call(model, 'Tell me of the sea.');
    rejected = await call('gpt-image-2', 'A lighthouse');
    paid = await call('gpt-5.4', 'Why is the sky blue?');
    const { activity } = gateway.gateway;
    for (const id of [rejected, paid]) await vi.waitFor(async () => expect(await activity.find(id)).toBeDefined());
    for (let turn = 0; turn < 2; turn++) await activity.flush();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  async function open(path: string) {
    const { page, pageErrors } = await openPage(browser, `${gateway.origin}/portal/`, { viewport: { width: 1440, height: 900 } });
    await page.getByLabel(signInTexts.portal.label).fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: portalTextsTexts.overview, level: 1 }).waitFor();
    if (path !== '/') await page.goto(`${gateway.origin}/portal${path}`);
    return { page, pageErrors };
  }
  const receiptOf = async (id: string) => Receipt.parse(await (await gateway.call(`/usage/${id}`, { key })).json());

  it('sees the balance, the usage of today and the last calls', async () => {
    const { page, pageErrors } = await open('/');
    await page.getByRole('region', { name: overviewTexts.recentCalls }).waitFor();
    // Its model is read from the list of models, after the rest of the page.
    await page.getByText(`curl ${gateway.baseURL}/responses`).waitFor();
    const available = await page.evaluate(
      "fetch('/portal/v1/session').then((answer) => answer.json()).then(({ balance }) => balance.available)",
    );
    const text = await page.locator('main').innerText();
    expect(await page.locator('.figure data').first().getAttribute('value')).toBe(available);
    expect(text).toContain('5 calls since midnight UTC');
    expect(text).toMatch(/laptop\s+…\w{4}/);
    expect(text).toContain(gateway.baseURL);
    expect(text).toContain(`curl ${gateway.baseURL}/responses`);
    expect(await page.content()).not.toContain(key);
    await checkLook(page, 'overview');
    await page.getByRole('link', { name: overviewTexts.viewAllCalls }).click();
    await page.getByRole('heading', { name: usageTexts.title, level: 1 }).waitFor();
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('finds a call by its model, with its recomputed receipt', async () => {
    const { page, pageErrors } = await open('/usage?model=gpt-5.4');
    const sums = page.getByRole('table', { name: usageTexts.totals.caption });
    await sums.waitFor();
    expect(await sums.getByRole('columnheader').allTextContents()).toEqual([
      'Model',
      'Spend',
      'Calls',
      'Failed',
      'Cache hit rate',
      'Cost of cache misses',
    ]);
    expect(await sums.getByRole('row').last().innerText()).toMatch(/^Total\s+\S+\s+1\s/);
    await page.getByRole('figure', { name: usageTexts.spend('Model', 'hour') }).waitFor();
    await checkLook(page, 'figures');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('link', { name: usageTexts.tabs.calls, exact: true }).click();
    const table = page.getByRole('table', { name: usageTexts.calls });
    await table.waitFor();
    expect(await table.locator('tbody tr').count()).toBe(1);
    await table.getByRole('button').first().click();
    const panel = page.getByRole('complementary', { name: `Call ${paid}` });
    await panel.getByText('Recalculated in your browser').waitFor();
    const receipt = await receiptOf(paid);
    const text = await panel.innerText();
    expect(text).toContain('This matches.');
    expect(text).toContain('× 0.8');
    expect(text).toContain(`$${receipt.charged}`.replace(/(\.\d{2}\d*?)0+$/, '$1'));
    expect(new URL(page.url()).searchParams.get('open')).toBe(paid);
    await checkLook(page, 'usage');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('shows the figures of the whole account or of the key alone, and goes back from tab to tab', async () => {
    const other = await gateway.newKey({ account: 'acme', group: 'vip', name: 'server' });
    await (await gateway.call('/responses', { json: { model: 'gpt-5.4-mini', input: 'Hi' }, key: other.key })).text();
    // Rejected before a model is known.
    expect((await gateway.call('/responses', { json: { input: 'Hi' }, key: other.key })).status).toBe(400);
    for (let turn = 0; turn < 2; turn++) await gateway.gateway.activity.flush();
    const { page, pageErrors } = await open('/');
    const figures = page.locator('.figures');
    await figures.getByText('7 calls since').waitFor();
    await page.getByText(scopeTexts.ofAccount('acme')).waitFor();
    await page.getByRole('group', { name: scopeTexts.label }).getByRole('button', { name: scopeTexts.key }).click();
    await figures.getByText('5 calls since').waitFor();
    await page.getByText(scopeTexts.ofKey('laptop')).waitFor();
    await page.getByRole('link', { name: overviewTexts.viewAllCalls }).click();
    const table = page.getByRole('table', { name: usageTexts.calls });
    await expect.poll(() => table.locator('tbody tr').count()).toBe(5);
    await page.getByRole('button', { name: scopeTexts.account }).click();
    await expect.poll(() => table.locator('tbody tr').count()).toBe(7);
    await expect.poll(() => table.getByRole('cell', { name: /^(?:laptop|server)$/ }).count()).toBe(7);
    const choose = (name: string) =>
      page.getByRole('navigation', { name: usageTexts.title }).getByRole('link', { name, exact: true }).click();
    await choose(usageTexts.tabs.statements);
    await page.getByRole('region', { name: monthlyTexts.title }).waitFor();
    expect(await page.getByRole('button', { name: scopeTexts.key }).count()).toBe(0);
    await checkLook(page, 'statements');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('region', { name: monthlyTexts.title }).getByRole('link').first().click();
    const statement = page.getByRole('article');
    await statement.getByText('Example Ltd, Springfield').waitFor();
    const { accountId } = other;
    await statement.getByText(new RegExp(`^\\d{6}-${accountId.replace('acct_', '')}$`)).waitFor();
    const byModel = statement.getByRole('table', { name: monthlyTexts.byModel });
    expect(await byModel.getByText(monthlyTexts.noModel).count()).toBe(0);
    const byKey = statement.getByRole('table', { name: monthlyTexts.byKey });
    // One form for all, because this key doesn't see the last characters of the other.
    await byKey.getByText('acme / server').waitFor();
    await byKey.getByText('acme / laptop').waitFor();
    await checkLook(page, 'statement');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('header, nav, button, a').filter({ visible: true }).count()).toBe(0);
    await takeScreenshots(page, 'statement-print');
    await page.emulateMedia({ media: 'screen' });
    await page.goBack();
    await choose(usageTexts.tabs.entries);
    await page.getByRole('table', { name: statementTexts.title }).waitFor();
    await checkLook(page, 'entries');
    await page.goBack();
    await page.getByRole('region', { name: monthlyTexts.title }).waitFor();
    await page.goBack();
    await table.waitFor();
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('sees rejected calls and their reason', async () => {
    const { page } = await open('/usage?tab=calls&outcome=rejected&model=gpt-image-2');
    const table = page.getByRole('table', { name: usageTexts.calls });
    await table.waitFor();
    expect(await table.locator('tbody tr').count()).toBe(1);
    const opened = page.waitForEvent('popup');
    await table.getByRole('link', { name: 'permission_denied' }).click();
    await (await opened).getByRole('heading', { name: 'permission_denied', level: 1 }).waitFor();
    await page.goto(`${gateway.origin}/portal/usage?open=${rejected}`);
    const panel = page.getByRole('complementary', { name: `Call ${rejected}` });
    await panel.getByText(usageTexts.receipt.whyRejected).waitFor();
    await panel.getByText(`${checkNames.permission} ${checkTexts.results.rejected}`).waitFor();
    expect(await panel.innerText()).toMatch(/gpt-image-2/);
    await checkLook(page, 'rejected');
    await page.context().close();
  });

  it('sees which models fail now, and that failed calls cost nothing', async () => {
    const { key: failing } = await gateway.newKey({ account: 'broken', group: 'vip', name: 'batch', balance: 25_000_000n });
    const call = async (model: string, input: string) =>
      await (await gateway.call('/responses', { json: { model, input }, key: failing })).text();
    await call('gpt-5.4', 'simulate: error 500');
    for (let turn = 0; turn < 2; turn++) await call('gpt-5.4-mini', 'simulate: error 500');
    for (let turn = 0; turn < 2; turn++) await gateway.gateway.activity.flush();
    const { page } = await openPage(browser, `${gateway.origin}/portal/`, { viewport: { width: 1440, height: 900 } });
    await page.getByLabel(signInTexts.portal.label).fill(failing);
    await page.keyboard.press('Enter');
    await page.getByText(overviewTexts.failing('gpt-5.4-mini')).waitFor();
    await page.getByText(overviewTexts.failedCalls(2)).waitFor();
    // One failed call can be a coincidence.
    expect(await page.getByText(overviewTexts.failing('gpt-5.4'), { exact: true }).count()).toBe(0);
    await checkLook(page, 'failing');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('link', { name: overviewTexts.viewFailed }).click();
    await page.getByRole('table', { name: usageTexts.calls }).getByRole('button').first().click();
    const panel = page.getByRole('complementary');
    await panel.getByText(usageTexts.receipt.notCharged).waitFor();
    expect(await panel.getByText(usageTexts.receipt.subtotal).count()).toBe(0);
    await page.context().close();
  });

  it('sees that a call is unknown, and that nothing fits a filter', async () => {
    const { page } = await open('/usage?model=nothing&open=req_nobody');
    await page.getByRole('alert').getByText('not_found').waitFor();
    await page.getByText(usageTexts.emptyFiltered).waitFor();
    await checkLook(page, 'nothing');
    await page.getByRole('button', { name: usageTexts.clearFilters, exact: true }).click();
    await page.getByRole('table', { name: usageTexts.calls }).waitFor();
    await page.context().close();
  });

  const cards = (page: Page) => page.getByRole('list', { name: catalogTexts.caption });
  const cardOf = (page: Page, name: string) =>
    page.locator('.model', { has: page.getByRole('heading', { level: 2 }).getByText(name, { exact: true }) });
  const namesOf = (page: Page) => cards(page).getByRole('heading', { level: 2 }).allInnerTexts();

  it('sees the prices of the group and why a model cannot be called, and sorts by price', async () => {
    const { page, pageErrors } = await open('/models');
    await cards(page).waitFor();
    expect(await cardOf(page, 'gpt-5.4').innerText()).toMatch(/400,000 context[\s\S]*\$1\.00[\s\S]*\$0\.10[\s\S]*\$8\.00/);
    expect(await cardOf(page, 'gpt-5.4').getByText(catalogTexts.abilities.tools).count()).toBeGreaterThan(0);
    expect(await cardOf(page, 'gpt-image-2').innerText()).toContain("The key's permissions don't include this model.");
    expect(await cardOf(page, 'gpt-image-2').innerText()).toMatch(/Per image\s+from \$0\.016/);
    await page.getByLabel(catalogTexts.compareNamed('gpt-5.4'), { exact: true }).check();
    await page.getByLabel(catalogTexts.compareNamed('gpt-5.4-mini')).check();
    const comparison = page.getByRole('table', { name: catalogTexts.comparison });
    const output = comparison.getByRole('row').filter({ hasText: catalogTexts.pricesPerMillion.output });
    expect(await output.getByRole('cell').allInnerTexts()).toEqual(['$8.00', expect.stringMatching(/^\$/)]);
    expect(new URL(page.url()).searchParams.get('compare')).toBe('gpt-5.4,gpt-5.4-mini');
    await checkLook(page, 'catalog');
    await page.getByRole('button', { name: catalogTexts.clearComparison }).click();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByLabel(catalogTexts.sort).selectOption('input');
    expect((await namesOf(page)).slice(0, 3)).toEqual(['gpt-5.4-mini', 'gpt-5.4', 'club']);
    await page.getByRole('button', { name: catalogTexts.orders.asc }).click();
    expect((await namesOf(page)).slice(0, 3)).toEqual(['club', 'gpt-5.4', 'gpt-5.4-mini']);
    await page.getByLabel(catalogTexts.onlyCallable).check();
    expect(await namesOf(page)).toEqual(['club', 'gpt-5.4', 'gpt-5.4-mini']);
    expect(new URL(page.url()).search).toBe('?sort=input&order=desc&mine=1');
    await cardOf(page, 'club').getByRole('link', { name: catalogTexts.tryIt }).click();
    expect(await page.getByLabel(playgroundTexts.model, { exact: true }).inputValue()).toBe('club');
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('needs no sign-in for the prices of a group, which is in the URL', async () => {
    const { page, pageErrors } = await openPage(browser, `${gateway.origin}/portal/models`, { viewport: { width: 1440, height: 900 } });
    await cards(page).waitFor();
    expect(await namesOf(page)).toEqual(['gpt-5.4', 'gpt-5.4-mini', 'gpt-image-2']);
    expect(await cards(page).innerText()).toContain('$1.25');
    await checkLook(page, 'public');
    await page.getByRole('group', { name: catalogTexts.group }).getByRole('button', { name: 'vip' }).click();
    await cardOf(page, 'club').waitFor();
    expect(await cards(page).innerText()).toContain('$1.00');
    expect(new URL(page.url()).searchParams.get('group')).toBe('vip');
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('shares the address of a model, which shows its card, and comes to the playground with it by the sign-in', async () => {
    const { page } = await openPage(browser, `${gateway.origin}/portal/models?group=vip`, { viewport: { width: 390, height: 500 } });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async (what: string) => {
      await page.getByRole('button', { name: `Copy ${what}`, exact: true }).click();
      return await page.evaluate('navigator.clipboard.readText()');
    };
    expect(await copied(catalogTexts.copyNames.id('gpt-image-2'))).toBe('gpt-image-2');
    const link = String(await copied(catalogTexts.copyNames.link('gpt-image-2')));
    expect(link).toBe(`${gateway.origin}/portal/models?group=vip&model=gpt-image-2`);
    await page.goto(link);
    const card = cardOf(page, 'gpt-image-2');
    await card.waitFor();
    expect(await card.getAttribute('aria-current')).toBe('true');
    expect(await page.locator('.model[aria-current]').count()).toBe(1);
    await expect.poll(async () => (await card.boundingBox())?.y).toBeLessThan(500);
    await card.getByRole('link', { name: catalogTexts.tryIt }).click();
    await page.getByLabel(signInTexts.portal.label).fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: playgroundTexts.title, level: 1 }).waitFor();
    const model = page.getByLabel(playgroundTexts.model, { exact: true });
    expect(await model.inputValue()).toBe('gpt-image-2');
    expect(await page.getByRole('button', { name: playgroundTexts.tabs.images, exact: true }).getAttribute('aria-pressed')).toBe('true');
    // What is typed counts from then on.
    await model.fill('another');
    await page.reload();
    expect(await model.inputValue()).toBe('another');
    await page.context().close();
  });

  it('opens it by the link of the first start, and no call of the page is rejected on the way', async () => {
    const { access, sessions } = gateway.gateway;
    const { id: keyId } = await gateway.newKey({ account: 'acme', name: 'first' });
    const place = { store: sessions, pepper: access.pepper, now: Date.now };
    const token = await issueSetupToken({ kind: 'portal', keyId }, place);
    const context = await browser.newContext();
    const page = await context.newPage();
    const refusals: string[] = [];
    page.on('console', (message) => void (['error', 'warning'].includes(message.type()) && refusals.push(message.text())));
    page.on('response', (answer) => void (answer.status() >= 400 && refusals.push(answer.url())));
    await page.goto(`${gateway.origin}/portal/#setup=${token}`);
    await page.getByRole('heading', { name: portalTextsTexts.overview, level: 1 }).waitFor();
    expect([page.url(), refusals]).toEqual([`${gateway.origin}/portal/`, []]);
    // A link that was used, in a browser that is signed in, is no reason to be signed out.
    await page.goto('about:blank');
    await page.goto(`${gateway.origin}/portal/#setup=${token}`);
    await page.getByRole('heading', { name: portalTextsTexts.overview, level: 1 }).waitFor();
    await context.clearCookies();
    await page.goto('about:blank');
    await page.goto(`${gateway.origin}/portal/#setup=${token}`);
    await page.getByRole('alert').getByText('Sign-in failed').waitFor();
    await page.getByLabel(signInTexts.portal.label).waitFor();
    await context.close();
  });

  it('shows the latest call of the key, and the next one that is made with the sample', async () => {
    const { page, pageErrors } = await open('/start');
    const receipt = page.getByRole('link', { name: startTexts.receipt });
    await page.getByText(startTexts.waitingForNext).waitFor();
    const earlier = await receipt.getAttribute('href');
    await page.getByText(startTexts.progress(3, 3)).waitFor();
    await checkLook(page, 'start');
    // The placeholder of a key would be taken for one.
    await page.getByText('export MODELGATE_API_KEY=', { exact: true }).waitFor();
    const sample = (await page.locator('pre.code').textContent()) ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-c', sample], { env: { ...process.env, MODELGATE_API_KEY: key } });
    expect(JSON.parse(stdout)).toMatchObject({ object: 'response', status: 'completed' });
    await expect.poll(() => receipt.getAttribute('href'), { timeout: 10_000 }).not.toBe(earlier);
    await page.getByText(startTexts.arrived).waitFor();
    await page.getByLabel(startTexts.toolName).selectOption('codex');
    const [file] = await page.locator('pre.code').allTextContents();
    expect(file).toContain(`base_url = "${gateway.baseURL}"`);
    expect(file).not.toContain(key);
    await checkLook(page, 'seen');
    await page.getByLabel(startTexts.toolName).selectOption('llm');
    await checkLook(page, 'llm');
    await receipt.click();
    await page.getByText('Recalculated in your browser').waitFor();
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('ticks the steps to the first call as they are done', async () => {
    const { key: fresh } = await gateway.newKey({ account: 'acme', group: 'vip', name: 'fresh' });
    const { page } = await openPage(browser, `${gateway.origin}/portal/start`, { viewport: { width: 1440, height: 900 } });
    await page.getByLabel(signInTexts.portal.label).fill(fresh);
    await page.keyboard.press('Enter');
    const call = async (model: string) => await (await gateway.call('/responses', { json: { model, input: 'Hi' }, key: fresh })).text();
    await page.getByText(startTexts.progress(1, 3)).waitFor();
    await page.getByText(startTexts.waiting).waitFor();
    await checkLook(page, 'fresh');
    await call('none');
    await page.getByText(startTexts.progress(2, 3)).waitFor();
    await page.getByText(startTexts.arrivedRejected).waitFor();
    await call('gpt-5.4');
    await page.getByText(startTexts.progress(3, 3)).waitFor();
    await call('none');
    await page.getByText(startTexts.arrivedRejected).waitFor();
    expect(await page.getByText(startTexts.progress(3, 3)).count()).toBe(1);
    await page.context().close();
  });
});
