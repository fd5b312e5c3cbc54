/** The panel of an open row where a page isn't wide enough for it: a sheet over the page, that is left by its button, Escape, and the browser's Back. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kit as kitTexts } from '../../client/pages/src/texts/kit.ts';
import { portalTexts } from '../../client/pages/src/texts/portal.ts';
import { signIn as signInTexts } from '../../client/pages/src/texts/sign-in.ts';
import { hasChromium, launchBrowser, openPage, type WatchedPage } from './browser.ts';
import { takePictures } from './pictures.ts';
import { openSeededConsole, type SeededConsole, signInTo } from './seeded-console.ts';

const HEIGHT = 900;
const hasFocus = "document.querySelector('dialog.panel').contains(document.activeElement)";

describe.skipIf(!hasChromium)('the panel of an open row', () => {
  let console: SeededConsole;
  let browser: Browser;
  let walks: Readonly<Record<'console' | 'portal', WatchedPage>>;
  beforeAll(async () => {
    [console, browser] = await Promise.all([openSeededConsole(), launchBrowser()]);
    const permissions = { operations: null, models: null, mayStore: true, manageKeys: true };
    const { key } = await console.gateway.newKey({ account: 'research', name: 'walker', permissions });
    const operator = await openPage(browser, `${console.origin}/console/`);
    await signInTo(operator.page, console, 'Overview');
    const owner = await openPage(browser, `${console.gateway.origin}/portal/`);
    await owner.page.getByLabel(signInTexts.portal.label).fill(key);
    await owner.page.keyboard.press('Enter');
    await owner.page.getByRole('heading', { name: portalTexts.overview, level: 1 }).waitFor();
    walks = { console: operator, portal: owner };
    for (const { page } of Object.values(walks)) page.setDefaultTimeout(8_000);
  });
  afterAll(async () => {
    await browser?.close();
    await console?.close();
  });

  const open = async (bundle: keyof typeof walks, path: string, width: number): Promise<Page> => {
    const { page } = walks[bundle];
    await page.setViewportSize({ width, height: HEIGHT });
    await page.goto(`${bundle === 'console' ? console.origin : console.gateway.origin}/${bundle}${path}`);
    return page;
  };
  const firstRow = (page: Page) => page.locator('.split tbody button.link:not(.disclosure)').first();

  const lists = (['/requests', '/keys', '/prices', '/audit'] as const).map((path) => ({ bundle: 'console', path }) as const);
  const all = [
    ...lists,
    ...(['/usage?tab=calls', '/usage?tab=entries', '/keys'] as const).map((path) => ({ bundle: 'portal', path }) as const),
  ];
  const cases = all.flatMap((place) => [390, 820].map((width) => ({ ...place, width })));
  it.each(cases)('covers $path of the $bundle at $width px, and three ways lead back to its row', async ({ bundle, path, width }) => {
    const page = await open(bundle, path, width);
    const row = firstRow(page);
    await row.click();
    const sheet = page.getByRole('dialog');
    await sheet.waitFor();
    const scrolled = await page.evaluate('scrollY');
    expect(await sheet.boundingBox()).toEqual({ x: 0, y: 0, width, height: HEIGHT });
    expect(await page.evaluate(hasFocus)).toBe(true);
    await page.mouse.move(width / 2, HEIGHT / 2);
    await page.mouse.wheel(0, 5_000);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(await page.evaluate('scrollY')).toBe(scrolled);
    await expect.poll(() => row.evaluate((element) => element.matches(':focus'))).toBe(true);
    await row.click();
    await sheet.getByRole('button', { name: kitTexts.back }).click();
    await sheet.waitFor({ state: 'detached' });
    await row.click();
    await sheet.waitFor();
    await page.goBack();
    await sheet.waitFor({ state: 'detached' });
    expect(walks[bundle].pageErrors).toEqual([]);
  });

  it.each(all)('stays beside the list on $path of the $bundle at 1440 px', async ({ bundle, path }) => {
    const page = await open(bundle, path, 1_440);
    await firstRow(page).click();
    await page.getByRole('complementary').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    await takePictures(page, `sheet-${bundle}${path.replace('/', '-')}`);
    await page.keyboard.press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
  });
});
