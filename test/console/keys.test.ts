/** Keys in the console over the real API: signing in, creating a key that is shown once, revoking it, and signing in again after the session ended. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getOutputPath, published } from '../../client/pages/build/bundles.ts';
import { BUDGET_BYTES, computeSize } from '../../client/pages/build/size.ts';
import { keys as keysTexts } from '../../client/pages/src/texts/keys.ts';
import { kit as kitTexts } from '../../client/pages/src/texts/kit.ts';
import { signIn as signInTexts } from '../../client/pages/src/texts/sign-in.ts';
import { spendingCaps as capTexts } from '../../client/pages/src/texts/spending-caps.ts';
import { governed, startAdmin, type TestAdmin } from '../harness/admin.ts';
import { findViolations, focused, hasChromium, launchBrowser, openPage } from './browser.ts';

it.each(published)('keeps the first load of the %s within its budget', (bundle) => {
  expect(computeSize(getOutputPath(bundle))).toBeLessThanOrEqual(BUDGET_BYTES[bundle]);
});

describe.skipIf(!hasChromium)('an operator at the console', () => {
  let admin: TestAdmin;
  let browser: Browser;
  beforeAll(async () => {
    [admin, browser] = await Promise.all([startAdmin(governed), launchBrowser()]);
    await admin.call('POST', '/accounts', { name: 'research', opening_balance: '25' });
  });
  afterAll(async () => {
    await browser?.close();
    await admin?.close();
  });

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel(signInTexts.operator.label).fill(admin.key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: keysTexts.title, level: 1 }).waitFor();
  }

  it('signs in, creates a key that is shown once, and revokes it by typing its account and name', async () => {
    const { page, pageErrors } = await openPage(browser, `${admin.origin}/console/keys`);
    await signIn(page);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: keysTexts.create }).first().click();
    await page.getByRole('combobox', { name: keysTexts.account }).click();
    await page.getByRole('option', { name: 'research' }).click();
    await page.getByLabel(keysTexts.name, { exact: true }).fill('<b>ci</b>');
    await page.getByLabel(keysTexts.models).fill('gpt-5*, gpt-image-2');
    await page.getByLabel(capTexts.typed.month).fill('20');
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: keysTexts.create }).click();
    const secret = (await page.locator('.secret code').textContent()) ?? '';
    expect(secret).toMatch(/^mg-/);
    expect(await findViolations(page)).toEqual([]);
    for (const _ of [1, 2]) await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.getByRole('button', { name: kitTexts.secretStored }).click();
    await page.getByRole('button', { name: '<b>ci</b>' }).click();
    expect(await page.content()).not.toContain(secret);
    expect(
      await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.title])'),
    ).not.toContain(secret);
    const listed = (await admin.call('GET', '/keys')).body.data.find(({ name }) => name === '<b>ci</b>');
    expect(listed).toMatchObject({
      state: 'active',
      permissions: { models: ['gpt-5*', 'gpt-image-2'] },
      spending_caps: [{ amount: '20.000000', period: 'month' }],
    });

    const panel = page.getByRole('complementary', { name: '<b>ci</b>' });
    expect(await panel.textContent()).toContain('gpt-5*, gpt-image-2');
    expect(await findViolations(page)).toEqual([]);
    await panel.getByRole('button', { name: `${keysTexts.revoke}…` }).click();
    expect(await focused(page)).toBe('Cancel');
    await page.getByLabel('Type research / <b>ci</b> to confirm').first().fill('research / <b>ci</b>');
    await page.keyboard.press('Enter');
    await panel.getByText(kitTexts.keyStates.revoked, { exact: true }).waitFor();
    await page.getByText(keysTexts.revoked('research / <b>ci</b>')).waitFor();
    expect((await admin.call('GET', `/keys/${listed?.id}`)).body).toMatchObject({ state: 'revoked' });
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('sees an error of the gateway at its field, which keeps its value', async () => {
    const { page } = await openPage(browser, `${admin.origin}/console/keys?dialog=create`);
    await signIn(page);
    await page.getByRole('combobox', { name: keysTexts.account }).fill('nobody');
    await page.getByLabel(keysTexts.name, { exact: true }).fill('ci');
    await page.getByRole('dialog').getByRole('button', { name: keysTexts.create }).click();
    const account = page.getByRole('combobox', { name: keysTexts.account });
    await page.locator('.complaint').waitFor();
    expect(await account.getAttribute('aria-invalid')).toBe('true');
    expect(await account.inputValue()).toBe('nobody');
    await page.context().close();
  });

  it('gets the sign-in when the session has ended, and the same page after it', async () => {
    const { page } = await openPage(browser, `${admin.origin}/console/keys`);
    await signIn(page);
    await page.context().clearCookies();
    await page.getByRole('button', { name: keysTexts.create }).first().click();
    await page.getByLabel(signInTexts.operator.label).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await signIn(page);
    expect(new URL(page.url()).pathname).toBe('/console/keys');
    await page.context().close();
  });

  it('sees an error for a wrong key, and the field is empty again', async () => {
    const { page } = await openPage(browser, `${admin.origin}/console/`);
    await page.getByLabel(signInTexts.operator.label).fill('mga-wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel(signInTexts.operator.label).inputValue()).toBe('');
    expect(await findViolations(page)).toEqual([]);
    await page.context().close();
  });

  it('signs out, and the cookie is gone', async () => {
    const { page } = await openPage(browser, `${admin.origin}/console/keys`);
    await signIn(page);
    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.getByRole('menuitem', { name: kitTexts.signOut }).click();
    await page.getByLabel(signInTexts.operator.label).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.context().close();
  });
});
