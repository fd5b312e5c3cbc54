/** The page of keys: filters, all settings of a key, rotation, and which models it may call. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { governed, startAdmin, type TestAdmin } from '../harness/admin.ts';
import { findViolations, hasChromium, launchBrowser, openPage } from './browser.ts';
import { lookAt, type SignedIn, signInOnce } from './looks.ts';

describe.skipIf(!hasChromium)('the page of keys', () => {
  let admin: TestAdmin;
  let browser: Browser;
  let signedIn: SignedIn;
  let id: string;
  beforeAll(async () => {
    [admin, browser] = await Promise.all([startAdmin(governed), launchBrowser()]);
    await admin.call('POST', '/accounts', { name: 'research', group: 'vip', opening_balance: '25' });
    const cap = { amount: '20', period: 'month' };
    id = (await admin.call('POST', '/keys', { account: 'research', name: 'ci', permissions: { models: ['pl*'] }, spending_cap: cap })).body
      .id;
    await admin.call('POST', '/keys', { account: 'research', name: 'notebook' });
    signedIn = await signInOnce(browser, admin);
  });
  afterAll(async () => {
    await browser?.close();
    await admin?.close();
  });

  const open = (path: string) => openPage(browser, `${admin.origin}/console${path}`, signedIn);
  const keyOf = async (keyId: string) => (await admin.call('GET', `/keys/${keyId}`)).body;

  it('finds keys by name and state, and keeps the filters in the URL', async () => {
    const { page } = await open('/keys?q=note');
    await page.getByRole('button', { name: 'notebook' }).waitFor();
    expect(await page.getByRole('button', { name: 'ci', exact: true }).count()).toBe(0);
    await page.getByRole('combobox', { name: 'State' }).selectOption('revoked');
    await page.getByText('No key fits these filters.').waitFor();
    expect(new URL(page.url()).search).toBe('?q=note&state=revoked');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('button', { name: 'ci', exact: true }).waitFor();
    await page.context().close();
  });

  it('creates a key with limits, address ranges and operations, which may not store', async () => {
    const { page } = await open('/keys?dialog=create&account=research');
    await page.getByLabel('Name', { exact: true }).fill('strict');
    await page.getByText('Limits, addresses, operations').click();
    await page.getByLabel('Requests at once').first().fill('4');
    await page.getByLabel('Mode of requests at once').selectOption('observe');
    await page.getByLabel('Addresses').fill('192.0.2.0/24, 198.51.100.7');
    await page.getByLabel('Chat completions').check();
    await page.getByLabel('May store responses').uncheck();
    await page.getByLabel('Its holder may make keys').check();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const made = (await admin.call('GET', '/keys')).body.data.find(({ name }) => name === 'strict');
    expect(made).toMatchObject({
      limits: { concurrency: { limit: 4, mode: 'observe' }, requests_per_minute: null },
      ip_ranges: ['192.0.2.0/24', '198.51.100.7'],
      permissions: { operations: ['createChatCompletion'], models: null, may_store: false, manage_keys: true },
    });
    await page.context().close();
  });

  it('edits a key and keeps what was not changed', async () => {
    const { page } = await open(`/keys?open=${id}&dialog=edit`);
    const save = page.getByRole('button', { name: 'Save' });
    expect(await save.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Spending cap').fill('5');
    await page.getByLabel('Resets').selectOption('day');
    expect(await findViolations(page)).toEqual([]);
    await save.click();
    await page.getByRole('complementary', { name: 'ci' }).getByText('$5.00').waitFor();
    expect(await keyOf(id)).toMatchObject({ spending_cap: { amount: '5.000000', period: 'day' }, permissions: { models: ['pl*'] } });
    await page.context().close();
  });

  it('shows the rule that decides for a model, and its price', async () => {
    const { page } = await open(`/keys?open=${id}`);
    const access = page.getByRole('region', { name: 'What may it do?' });
    await access.getByLabel('Model').selectOption('play');
    await access.getByText('allowed', { exact: true }).waitFor();
    expect(await access.textContent()).toContain('$4.00/M out');
    await access.getByLabel('Model').selectOption('pearl');
    await access.getByText('refused', { exact: true }).waitFor();
    expect(await access.textContent()).toContain('permission_denied');
    expect(await findViolations(page)).toEqual([]);
    await page.context().close();
  });

  it('rotates a key with an overlap: the new key is shown once, and the old one expires', async () => {
    const { page, complaints } = await open(`/keys?open=${id}`);
    await page.getByRole('button', { name: 'Rotate…' }).click();
    await page.getByLabel('The old key works for').selectOption('3600');
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const secret = (await page.locator('.secret code').textContent()) ?? '';
    expect(secret).toMatch(/^mg-/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    const { replaced_by: next, expires_at: end } = await keyOf(id);
    expect(end).not.toBeNull();
    expect(new URL(page.url()).searchParams.get('open')).toBe(next);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('has no accessibility violations and no sideways scrolling, in each width and theme', { timeout: 120_000 }, async () => {
    const isReady = (page: Page) =>
      page.getByRole('region', { name: 'What may it do?' }).getByRole('status').getByText('ed').first().waitFor();
    await lookAt(browser, { name: 'keys', url: `${admin.origin}/console/keys?open=${id}&model=play`, signedIn, isReady });
  });
});
