/** Every part of the kit in a browser: accessibility, widths, themes, keyboard, and the strict content security policy. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accounts as accountsTexts } from '../../client/pages/src/texts/accounts.ts';
import { kit as kitTexts } from '../../client/pages/src/texts/kit.ts';
import { findViolations, focused, hasChromium, launchBrowser, openPage } from './browser.ts';
import { type PageServer, servePages } from './page-server.ts';
import { looks } from './widths.ts';

describe.skipIf(!hasChromium)('the kit of the pages', () => {
  let server: PageServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([servePages('kit', () => [404, {}]), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const open = (path = '', options = {}) => openPage(browser, `${server.url}${path}`, options);

  it('shows no accessibility violations, sideways scrolling or policy violations, in each width and theme', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kit-page-'));
    for (const { colorScheme, width } of looks) {
      const { page, pageErrors } = await open('', { colorScheme, viewport: { width, height: 900 } });
      await page.getByRole('heading', { name: 'Kit', level: 1 }).waitFor();
      await page.screenshot({ path: join(folder, `${colorScheme}-${width}.png`), fullPage: true });
      expect(await page.evaluate('document.documentElement.scrollWidth'), `${width}`).toBe(width);
      expect(await findViolations(page), `${colorScheme} ${width}`).toEqual([]);
      expect(pageErrors).toEqual([]);
      await page.context().close();
    }
    console.info(`Pictures of the kit page: ${folder}`);
  });

  it.each(['light', 'dark'] as const)('shows no accessibility violations while a dialog or menu is open, in %s', async (colorScheme) => {
    const { page, pageErrors } = await open('', { colorScheme, viewport: { width: 1440, height: 900 } });
    for (const name of ['Open a dialog', 'Show a secret', 'Revoke key…']) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
      expect(await findViolations(page), name).toEqual([]);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Cancel|stored/ })
        .click();
      expect(await page.getByRole('dialog').count()).toBe(0);
    }
    await page.getByRole('button', { name: 'More actions' }).click();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: kitTexts.showTable }).first().click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(accountsTexts.badAmount, { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  });

  it('returns the focus from a dialog to its button, and begins at Cancel in a dialog that deletes', async () => {
    const { page } = await open('actions');
    await page.getByRole('button', { name: 'Revoke key…' }).press('Enter');
    expect(await focused(page)).toBe('Cancel');
    const revoke = page.getByRole('dialog').getByRole('button', { name: 'Revoke key', exact: true });
    expect(await revoke.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Type ci to confirm').first().fill('ci');
    expect(await revoke.getAttribute('aria-disabled')).toBe(null);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await focused(page)).toBe('Revoke key…');
  });

  it('draws charts as sliders: arrows move, values are in words, Enter opens a bucket, T shows the table', async () => {
    const { page } = await open('charts');
    const chart = page.getByRole('slider', { name: 'Spend by model, per hour' });
    await chart.focus();
    await page.keyboard.press('Home');
    expect(await chart.getAttribute('aria-valuenow')).toBe('0');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/^2026-11-21 00:00 UTC, Total \$[\d.]+, gpt-5.4 \$/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByText('Bucket 1 is open').waitFor();
    await page.keyboard.press('t');
    const table = page.getByRole('table', { name: 'Spend by model, per hour' });
    expect(await table.getByRole('row').count()).toBe(25);
    expect(await page.getByRole('slider', { name: 'Spend by model, per hour' }).count()).toBe(0);
  });

  it('goes to pages by g and a letter, lists the keys by ?, and single letters can be switched off', async () => {
    const { page } = await open();
    await page.getByRole('heading', { name: 'Kit' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.waitForURL('**/kit/tables');
    expect(await page.title()).toBe('Tables · Modelgate');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: kitTexts.shortcuts }).getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.keyboard.press('Control+k');
    expect(new URL(page.url()).pathname).toBe('/kit/tables');
    expect(await focused(page)).toBe('Search');
  });

  it('moves in a menu with arrows and first letters, and returns the focus', async () => {
    const { page } = await open('actions');
    const button = page.getByRole('button', { name: 'More actions' });
    await button.focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe('Rotate');
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe('Edit');
    await page.keyboard.press('c');
    expect(await focused(page)).toBe('Copy link');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('More actions');
    await expect.poll(() => button.getAttribute('aria-expanded')).toBe('false');
  });

  it('keeps its range in the URL from page to page, and shows an error where a page fails', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Time range: Last 24 hours' }).click();
    await page.getByRole('menuitemradio', { name: kitTexts.presets['7d'] }).click();
    await page.getByRole('link', { name: 'Charts' }).click();
    expect(new URL(page.url()).search).toBe('?range=7d');
    await page.getByRole('link', { name: 'A page that fails' }).click();
    await page.getByText('The code of this page failed.').waitFor();
    await page.getByRole('link', { name: 'Tables' }).click();
    await page.getByRole('table').waitFor();
  });

  it('closes its menu on a phone when a page is chosen', async () => {
    const { page } = await open('', { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: kitTexts.openMenu }).click();
    await page.getByRole('dialog', { name: kitTexts.pages }).getByRole('link', { name: 'Tables' }).click();
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
