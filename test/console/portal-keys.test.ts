/** The portal's page of keys over a whole gateway: a holder makes, rotates and revokes keys by keyboard; one without the permission sees his own and whom to ask. */
import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kit as kitTexts } from '../../client/pages/src/texts/kit.ts';
import { portalTexts as portalTextsTexts } from '../../client/pages/src/texts/portal.ts';
import { portalKeys as portalKeysTexts } from '../../client/pages/src/texts/portal-keys.ts';
import { signIn as signInTexts } from '../../client/pages/src/texts/sign-in.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { findViolations, hasChromium, launchBrowser, openPage } from './browser.ts';

const settings = {
  models: [
    { id: 'gpt-5.4', kind: 'text', prices: { input: '1.25', output: '10' } },
    { id: 'o9', kind: 'text', prices: { input: '0.25', output: '2' } },
  ],
};

/** Where pictures are kept for a person to look at; none where it is unset. */
const pictures = process.env.MODELGATE_PICTURES;

async function look(page: Page, name: string): Promise<void> {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findViolations(page)).toEqual([]);
      if (pictures === undefined) continue;
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
}

describe.skipIf(!hasChromium)('the page of keys at the portal', () => {
  let gateway: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startGateway(settings), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  async function open(key: string) {
    const { page, pageErrors } = await openPage(browser, `${gateway.origin}/portal/`, { viewport: { width: 1440, height: 900 } });
    await page.getByLabel(signInTexts.portal.label).fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: portalTextsTexts.overview, level: 1 }).waitFor();
    await page.goto(`${gateway.origin}/portal/keys`);
    await page.getByRole('heading', { name: portalKeysTexts.title, level: 1 }).waitFor();
    return { page, pageErrors };
  }
  const statusOf = async (key: string, model: string): Promise<number> =>
    (await gateway.call('/responses', { json: { model, input: 'hi' }, key })).status;
  /** Everything that the page keeps or shows. */
  const keptBy = (page: Page) =>
    page.evaluate('[document.documentElement.outerHTML, JSON.stringify({ ...localStorage, ...sessionStorage }), location.href].join()');

  it('creates a key that is shown once and limited by its creator, with only the keyboard', async () => {
    const permissions = { operations: null, models: ['gpt-5*'], mayStore: true, manageKeys: true };
    const caps = [{ micros: 20_000_000n, period: 'month' } as const];
    const { key } = await gateway.newKey({ account: 'acme', name: 'laptop', permissions, caps });
    const { page, pageErrors } = await open(key);
    await page.getByText('0 of 10 keys created by key owners.').waitFor();
    await page.getByRole('button', { name: portalKeysTexts.create }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(portalKeysTexts.name).waitFor();
    await page.keyboard.type('build server');
    await page.keyboard.press('Tab');
    await page.keyboard.type('o9');
    await page.keyboard.press('Enter');
    await dialog.getByText("Your key can't call o9").first().waitFor();
    expect(await dialog.getByLabel(portalKeysTexts.models).getAttribute('aria-invalid')).toBe('true');
    await look(page, 'portal-keys-rejected');
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByLabel(portalKeysTexts.models).fill('gpt-5.4');
    await page.keyboard.press('Enter');
    await dialog.getByText(portalKeysTexts.createdTitle).waitFor();
    const made = (await dialog.locator('.secret code').textContent()) ?? '';
    expect([await statusOf(made, 'gpt-5.4'), await statusOf(made, 'o9')]).toEqual([200, 403]);
    await dialog.getByRole('button', { name: kitTexts.secretStored }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 of 10 keys created by key owners.').waitFor();
    await page.getByRole('row').filter({ hasText: 'build server' }).waitFor();
    expect(await keptBy(page)).not.toContain(made);
    expect(await keptBy(page)).not.toContain(key);
    for (let turn = 0; turn < 2; turn++) await gateway.gateway.activity.flush();
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'build server' }).waitFor();
    // The list is sorted by name.
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'build server' });
    await panel.getByText(portalKeysTexts.sharedCaps).waitFor();
    const charged = panel.locator('dd data').first();
    expect(await charged.getAttribute('value')).toMatch(/^0\.0*[1-9]/);
    await panel.getByText('laptop').waitFor();
    await look(page, 'portal-keys');
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('rotates and revokes own keys, with the consequence first', async () => {
    const permissions = { operations: null, models: null, mayStore: true, manageKeys: true };
    const { key } = await gateway.newKey({ account: 'rotating', name: 'desk', permissions });
    await gateway.newKey({ account: 'rotating', name: 'of the operator' });
    const { page, pageErrors } = await open(key);
    await page.getByRole('row').getByRole('button', { name: 'of the operator' }).click();
    await page.getByText('Created by someone else').waitFor();
    expect(await page.getByRole('button', { name: `${portalKeysTexts.revoke}…` }).count()).toBe(0);
    await page.getByRole('row').getByRole('button', { name: 'desk' }).click();
    await page.getByRole('button', { name: `${portalKeysTexts.rotate}…` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('sign in with the new one').waitFor();
    expect(await dialog.getByRole('option').allTextContents()).toEqual(['In 1 hour', 'In 1 day', 'In 7 days', 'In 30 days']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: portalKeysTexts.create }).click();
    await dialog.getByLabel(portalKeysTexts.name).fill('short-lived');
    await page.keyboard.press('Enter');
    const made = (await dialog.locator('.secret code').textContent()) ?? '';
    await dialog.getByRole('button', { name: kitTexts.secretStored }).click();
    await page.getByRole('row').getByRole('button', { name: 'short-lived' }).click();
    await page.getByRole('button', { name: `${portalKeysTexts.rotate}…` }).click();
    await dialog.getByLabel(portalKeysTexts.overlap).selectOption('0');
    await dialog.getByRole('button', { name: portalKeysTexts.rotate }).click();
    await dialog.getByText(portalKeysTexts.oldKeyExpires).waitFor();
    const next = (await dialog.locator('.secret code').textContent()) ?? '';
    await dialog.getByRole('button', { name: kitTexts.secretStored }).click();
    expect(await statusOf(next, 'o9')).toBe(200);
    await expect.poll(() => statusOf(made, 'o9')).toBe(401);
    await page.getByRole('button', { name: `${portalKeysTexts.revoke}…` }).click();
    await dialog.getByText('This key made').waitFor();
    await look(page, 'portal-keys-revoke');
    await dialog.getByLabel('short-lived').fill('short-lived');
    await dialog.getByRole('button', { name: portalKeysTexts.revoke }).click();
    await page.getByText(portalKeysTexts.revoked('short-lived')).waitFor();
    await expect.poll(() => statusOf(next, 'o9')).toBe(401);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('shows a key owner without the permission the own key, and whom to contact', async () => {
    const { key } = await gateway.newKey({ account: 'plain', name: 'phone' });
    await gateway.newKey({ account: 'plain', name: 'of somebody else' });
    const { page, pageErrors } = await open(key);
    await page.getByText('Ask your gateway administrator').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    expect(await page.getByRole('button', { name: portalKeysTexts.create }).count()).toBe(0);
    await page.getByRole('row').getByRole('button', { name: 'phone' }).click();
    await page.getByRole('complementary', { name: 'phone' }).waitFor();
    expect(await page.getByRole('button', { name: /Rotate|Revoke/ }).count()).toBe(0);
    await look(page, 'portal-keys-plain');
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });
});
