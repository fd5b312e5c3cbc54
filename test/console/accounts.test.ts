/** The page of accounts over the real API: create, find, top up, adjust, subscribe, suspend. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accounts as accountsTexts } from '../../client/pages/src/texts/accounts.ts';
import { consoleTexts } from '../../client/pages/src/texts/console.ts';
import { keys as keysTexts } from '../../client/pages/src/texts/keys.ts';
import { kit as kitTexts } from '../../client/pages/src/texts/kit.ts';
import { limits as limitsTexts } from '../../client/pages/src/texts/limits.ts';
import { statement as statementTexts } from '../../client/pages/src/texts/statement.ts';
import { governed, startAdmin, type TestAdmin } from '../harness/admin.ts';
import { findViolations, hasChromium, launchBrowser, openPage } from './browser.ts';
import { takePictures } from './pictures.ts';
import { type SignedIn, signInOnce } from './sign-in-once.ts';

describe.skipIf(!hasChromium)('the page of accounts', () => {
  let admin: TestAdmin;
  let browser: Browser;
  let signedIn: SignedIn;
  beforeAll(async () => {
    [admin, browser] = await Promise.all([startAdmin(governed), launchBrowser()]);
    await admin.call('POST', '/accounts', {
      name: 'research',
      group: 'vip',
      opening_balance: '24.5',
      limits: { requests_per_minute: 600 },
    });
    await admin.call('POST', '/accounts', { name: 'trial-7' });
    signedIn = await signInOnce(browser, admin);
  });
  afterAll(async () => {
    await browser?.close();
    await admin?.close();
  });

  const open = (path: string) => openPage(browser, `${admin.origin}/console${path}`, signedIn);
  const accountNamed = async (name: string) => (await admin.call('GET', `/accounts/${name}`)).body;
  const dialogOf = (page: Page) => page.getByRole('dialog');

  it('finds accounts by name, group and state, and keeps the filters in the URL', async () => {
    const { page } = await open('/accounts');
    await page.getByRole('button', { name: 'trial-7' }).waitFor();
    await page.getByLabel(accountsTexts.search).fill('tri');
    await page.getByRole('button', { name: 'research' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?q=tri');
    await page.getByRole('combobox', { name: accountsTexts.state }).selectOption('suspended');
    await page.getByText(accountsTexts.emptyFiltered).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: accountsTexts.clearFilters }).click();
    await page.getByRole('combobox', { name: accountsTexts.group }).selectOption('vip');
    await page.getByRole('button', { name: 'research' }).waitFor();
    await page.getByRole('button', { name: 'trial-7' }).waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('finds an account by the start of its name or by a pasted ID, from any page with the keyboard', async () => {
    const { page, pageErrors } = await open('/requests');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const box = page.getByRole('combobox', { name: kitTexts.search });
    await page.keyboard.press('/');
    await page.keyboard.type('tri');
    const { id } = await accountNamed('trial-7');
    const option = page.getByRole('option', { name: id });
    await option.waitFor();
    expect(await option.textContent()).toBe(`trial-7${consoleTexts.hits.account} · ${id}`);
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'trial-7' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/accounts/${id}`);
    const { id: other } = await accountNamed('research');
    await box.fill(other);
    // Before the hits are there.
    await box.press('Enter');
    await page.getByRole('article', { name: 'research' }).waitFor();
    await box.fill('nobody-has-this');
    await page.getByText(kitTexts.noResults).first().waitFor();
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('finds a pasted key by its last four characters, and sends no more of it', async () => {
    await admin.call('POST', '/accounts', { name: 'keyed' });
    const { key } = (await admin.call('POST', '/keys', { account: 'keyed', name: 'ci' })).body;
    const { page, pageErrors } = await open('/accounts');
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    const box = page.getByRole('combobox', { name: kitTexts.search });
    await box.fill(key);
    await page.getByRole('option').first().waitFor();
    await takePictures(page, 'search-key');
    await box.press('Enter');
    await page
      .getByRole('complementary', { name: 'ci' })
      .getByText(`…${key.slice(-4)}`)
      .first()
      .waitFor();
    await box.fill(`${key.slice(0, -4)}zzzz`);
    await page.getByText(consoleTexts.noKeyEndsIn('zzzz')).first().waitFor();
    const searched = asked.map((url) => new URL(url).searchParams).filter((query) => query.has('q'));
    expect(searched.map((query) => query.get('q'))).toEqual([key.slice(-4), 'zzzz']);
    expect(asked.filter((url) => url.includes(key.slice(3, 20)))).toEqual([]);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('finds keys by a part of their name, and those of an account after it', async () => {
    await admin.call('POST', '/accounts', { name: 'farm' });
    const { last_four } = (await admin.call('POST', '/keys', { account: 'farm', name: 'nightly build' })).body;
    const { page } = await open('/accounts');
    const box = page.getByRole('combobox', { name: kitTexts.search });
    const options = page.locator('.search-box').getByRole('option');
    const named = `farm / nightly build${consoleTexts.hits.key} · …${last_four}`;
    await box.fill('farm');
    await expect.poll(() => options.allTextContents()).toEqual([expect.stringContaining(consoleTexts.hits.account), named]);
    await box.fill('build');
    await expect.poll(() => options.allTextContents()).toEqual([named]);
    await box.press('Enter');
    await page.getByRole('heading', { name: 'farm / nightly build' }).waitFor();
    await page.context().close();
  });

  it('shows hits as wide as the page where the search box is narrow', async () => {
    const { page } = await open('/accounts');
    await page.getByRole('combobox', { name: kitTexts.search }).fill('res');
    for (const width of [390, 820]) {
      await page.setViewportSize({ width, height: 900 });
      const list = page.getByRole('option', { name: 'research' }).first().locator('..');
      await expect.poll(async () => (await list.boundingBox())?.width).toBeGreaterThan(width - 20);
    }
    await takePictures(page, 'search');
    await page.context().close();
  });

  it('leads from an account and a key to their own requests and activity', async () => {
    const { id } = await accountNamed('research');
    const { id: key } = (await admin.call('POST', '/keys', { account: 'research', name: 'linked' })).body;
    const { page, pageErrors } = await open(`/accounts/${id}`);
    const places = [
      [`/accounts/${id}`, accountsTexts.details.requests, 'Account: research'],
      [`/accounts/${id}`, accountsTexts.details.activity, 'Account: research'],
      [`/keys?open=${key}`, accountsTexts.details.requests, 'Key: research / linked'],
    ] as const;
    for (const [path, link, filter] of places) {
      await page.goto(`${admin.origin}/console${path}`);
      await page.getByRole('main').getByRole('link', { name: link, exact: true }).click();
      await page.getByRole('button', { name: filter }).first().waitFor();
    }
    await page.goto(`${admin.origin}/console/keys?account=${id}`);
    await page.getByText(keysTexts.onlyAccount('research')).waitFor();
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('creates an account, posts a top-up once, and debits only after its name was typed', async () => {
    const { page, pageErrors } = await open('/accounts');
    await page.getByRole('button', { name: accountsTexts.create }).click();
    await page.getByLabel(accountsTexts.name, { exact: true }).fill('desk');
    await dialogOf(page).getByLabel(accountsTexts.group).selectOption('vip');
    await page.getByLabel('Opening balance').fill('5');
    await page.getByLabel(accountsTexts.alertBelow).fill('2.5');
    await page.getByLabel(limitsTexts.names.requests_per_minute).first().fill('30');
    expect(await findViolations(page)).toEqual([]);
    await dialogOf(page).getByRole('button', { name: accountsTexts.create }).click();
    const panel = page.getByRole('article', { name: 'desk' });
    await panel.getByText('30 requests/min').waitFor();
    await panel.getByText(statementTexts.opening).waitFor();
    await panel.getByText('$2.50', { exact: true }).waitFor();

    await panel.getByRole('button', { name: `${accountsTexts.edit}…` }).click();
    expect(await page.getByLabel(accountsTexts.alertBelow).inputValue()).toBe('2.5');
    await page.getByLabel(accountsTexts.alertBelow).fill('');
    expect(await accountNamed('desk')).toMatchObject({ group: 'vip' });
    await dialogOf(page).getByLabel(accountsTexts.group).selectOption('default');
    await page.getByRole('button', { name: accountsTexts.save }).click();
    await panel.getByText('$2.50', { exact: true }).waitFor({ state: 'detached' });
    await panel.getByText(accountsTexts.details.asConfigured).waitFor();
    expect(await accountNamed('desk')).toMatchObject({ alert_below: null, group: 'default' });

    await panel.getByRole('button', { name: `${accountsTexts.topUp}…` }).click();
    await page.getByLabel(statementTexts.columns.amount).fill('12.50');
    await page.getByText(accountsTexts.availableAfter('$5.00', '$17.50')).waitFor();
    await page.getByLabel(accountsTexts.note).fill('invoice 2044');
    await page.getByLabel(accountsTexts.transferId).fill('invoice-2044');
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: accountsTexts.post }).click();
    await page.getByText('Topped up desk by $12.50').waitFor();
    await panel.getByText('invoice 2044 · invoice-2044').waitFor();
    await panel.getByRole('button', { name: `${accountsTexts.topUp}…` }).click();
    await page.getByLabel(statementTexts.columns.amount).fill('12.50');
    await page.getByLabel(accountsTexts.note).fill('invoice 2044');
    await page.getByLabel(accountsTexts.transferId).fill('invoice-2044');
    await page.getByRole('button', { name: accountsTexts.post }).click();
    await page.getByText('invoice-2044 was already posted. Nothing changed.').waitFor();
    expect(await accountNamed('desk')).toMatchObject({ balance: { balance: '17.500000' } });

    await panel.getByRole('button', { name: `${accountsTexts.adjust}…` }).click();
    await page.getByLabel(statementTexts.columns.amount).fill('-7.5');
    await page.getByRole('button', { name: accountsTexts.post }).click();
    await page.getByRole('heading', { name: accountsTexts.debitTitle('$7.50', 'desk') }).waitFor();
    await page.getByText(accountsTexts.availableAfter('$17.50', '$10.00')).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByLabel('Type desk to confirm').first().fill('desk');
    await page.keyboard.press('Enter');
    await page.getByText('Debited $7.50 from desk').waitFor();
    expect(await accountNamed('desk')).toMatchObject({ balance: { balance: '10.000000' } });
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('shows an error of the gateway at its field', async () => {
    const { page } = await open('/accounts?dialog=create');
    await page.getByLabel(accountsTexts.name, { exact: true }).fill('acct_like');
    await dialogOf(page).getByRole('button', { name: accountsTexts.create }).click();
    await page.locator('.complaint').waitFor();
    expect(await page.getByLabel(accountsTexts.name, { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await page.context().close();
  });

  it('marks the name of an account that is in use, and shows the message only there', async () => {
    const { page } = await open('/accounts?dialog=create');
    const name = page.getByLabel(accountsTexts.name, { exact: true });
    await name.fill('research');
    await dialogOf(page).getByRole('button', { name: accountsTexts.create }).click();
    await page.locator('.complaint').getByText("An account named 'research' already exists.").waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.name')).toBe('name');
    expect(await dialogOf(page).locator('.failed:visible').count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    await page.context().close();
  });

  it('shows a retry notice after a failed read, then the reason', async () => {
    const { page } = await open('/settings');
    await page.getByRole('heading', { level: 1 }).waitFor();
    let [tries, isSeen] = [0, () => {}];
    const seen = new Promise<void>((resolve) => {
      isSeen = resolve;
    });
    const [address, failed] = [
      /\/admin\/v1\/accounts\b/,
      { status: 503, json: { error: { message: 'Not now.', code: 'overloaded', param: null } } },
    ];
    await page.route(address, async (route) => {
      tries += 1;
      // The second try takes until the page has said so.
      if (tries === 2) await seen;
      await route.fulfill(failed);
    });
    await page.getByRole('link', { name: accountsTexts.title }).click();
    await page.getByRole('status').getByText(kitTexts.tryingAgain).waitFor();
    expect(await page.locator('.loading-row').count()).toBe(0);
    isSeen();
    const alert = page.getByRole('alert');
    await alert.getByText('Not now.').waitFor();
    expect(await page.getByText(kitTexts.tryingAgain).count()).toBe(0);
    expect(tries).toBe(3);
    await page.unroute(address);
    await alert.getByRole('button', { name: kitTexts.tryAgain, exact: true }).click();
    await page.getByRole('button', { name: 'research' }).waitFor();
    await page.context().close();
  });

  it('subscribes an account to a plan and cancels it', async () => {
    const { page } = await open('/accounts/trial-7?tab=subscriptions');
    const panel = page.getByRole('article', { name: 'trial-7' });
    await panel.getByRole('button', { name: `${accountsTexts.subscriptions.create}…` }).click();
    await page.getByLabel(accountsTexts.subscriptions.plan).fill('pro');
    await dialogOf(page).getByRole('button', { name: accountsTexts.subscriptions.create }).click();
    const card = panel.getByRole('region', { name: 'pro' });
    await card.getByText(accountsTexts.states.active, { exact: true }).waitFor();
    expect(await card.textContent()).toContain('$20.00 per month, then calls are rejected');
    expect(await findViolations(page)).toEqual([]);
    await card.getByRole('button', { name: `${accountsTexts.subscriptions.cancel}…` }).click();
    await page.getByLabel('Type pro to confirm').first().fill('pro');
    await page.keyboard.press('Enter');
    await card.getByText(accountsTexts.subscriptions.states.cancelled, { exact: true }).waitFor();
    await page.context().close();
  });

  it('suspends an account, with the number of its keys, and resumes it', async () => {
    const { id } = await accountNamed('trial-7');
    await admin.call('POST', '/keys', { account: 'trial-7', name: 'one' });
    const { page } = await open(`/accounts/${id}`);
    const panel = page.getByRole('article', { name: 'trial-7' });
    await panel.getByRole('button', { name: `${accountsTexts.suspend}…` }).click();
    await page.getByText('Every call made with its 1 active key will be rejected').waitFor();
    await page.getByLabel('Type trial-7 to confirm').first().fill('trial-7');
    await page.keyboard.press('Enter');
    await panel.getByText(accountsTexts.states.suspended, { exact: true }).waitFor();
    expect(await accountNamed('trial-7')).toMatchObject({ suspended: true });
    await panel.getByRole('button', { name: accountsTexts.resume }).click();
    await panel.getByRole('button', { name: `${accountsTexts.suspend}…` }).waitFor();
    expect(await accountNamed('trial-7')).toMatchObject({ suspended: false });
    await page.context().close();
  });
});
