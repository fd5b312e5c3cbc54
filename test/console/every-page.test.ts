/** Every page of console and portal in the settings of people who see or move differently: zoom of 200 %, forced colours, reduced motion, focus; and in each width and theme without barriers and sideways scrolling. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { portalTexts as portalTextsTexts } from '../../client/pages/src/texts/portal.ts';
import { signIn as signInTexts } from '../../client/pages/src/texts/sign-in.ts';
import { hasChromium, launchBrowser, openPage, type WatchedPage } from './browser.ts';
import { cutOff, loadedFonts, recordMotion, tooSmall, unmarked, unseen, withoutFocusMark } from './page-checks.ts';
import { takePictures } from './pictures.ts';
import { openSeededConsole, type SeededConsole, signInTo } from './seeded-console.ts';

/** The place of a page, and its heading; `dialog` is open on it. */
type Place = readonly [path: string, heading: string, dialog?: string];

const operatorPages: readonly Place[] = [
  ['/', 'Overview'],
  ['/activity', 'Activity'],
  ['/activity?by=key&metric=latency', 'Activity'],
  ['/requests', 'Requests'],
  ['/requests?outcome=completed&model=play&sort=charged', 'Requests'],
  ['/requests/paid', 'Requests'],
  ['/requests/poor', 'Requests'],
  ['/alerts', 'Alerts'],
  ['/accounts', 'Accounts'],
  ['/accounts/research', 'research'],
  ['/accounts/research/2026-11', 'Statement for November 2026'],
  ['/accounts?dialog=create', 'Accounts', 'Create account'],
  ['/accounts/research?dialog=top-up', 'research', 'Adjust balance of research'],
  ['/keys', 'Keys'],
  ['/keys?dialog=create', 'Keys', 'Create key'],
  ['/prices?open=standard/play', 'Models'],
  ['/upstreams', 'Upstreams'],
  ['/upstreams/main', 'main'],
  ['/limits', 'Limits'],
  ['/audit?open=1', 'Audit'],
  ['/settings', 'Settings'],
  ['/settings?tab=operators', 'Settings'],
  ['/no-such-page', 'Page not found'],
];
const portalPages: readonly Place[] = [
  ['/', 'Overview'],
  ['/start', 'Start'],
  ['/usage', 'Usage'],
  ['/usage?tab=calls', 'Usage'],
  ['/usage?tab=statements', 'Usage'],
  ['/usage?tab=entries', 'Usage'],
  ['/usage?open=paid', 'Usage'],
  ['/usage/2026-11', 'Statement for November 2026'],
  ['/keys', 'Keys'],
  ['/models', 'Catalog'],
  ['/playground', 'Playground'],
  ['/playground?with=small', 'Playground'],
];
/** What somebody sees who is not signed in: the sign-in at every address, and the catalog, which is public. */
const signedOutOperatorPages: readonly Place[] = [
  ['/', 'Sign in to the console'],
  ['/keys?dialog=create', 'Sign in to the console'],
];
const signedOutPortalPages: readonly Place[] = [
  ['/', 'Sign in to the portal'],
  ['/models', 'Catalog'],
];

describe.skipIf(!hasChromium)('every page', () => {
  let console: SeededConsole;
  let browser: Browser;
  /** One for each set of pages, signed in or not; their tests go through the pages in turn. */
  let walks: Readonly<Record<(typeof places)[number]['bundle'], WatchedPage>>;
  beforeAll(async () => {
    [console, browser] = await Promise.all([openSeededConsole(), launchBrowser()]);
    const { key } = await console.gateway.newKey({ account: 'research', name: 'walker' });
    const operator = await openPage(browser, `${console.origin}/console/`);
    await signInTo(operator.page, console, 'Overview');
    const holder = await openPage(browser, `${console.gateway.origin}/portal/`);
    await holder.page.getByLabel(signInTexts.portal.label).fill(key);
    await holder.page.keyboard.press('Enter');
    await holder.page.getByRole('heading', { name: portalTextsTexts.overview, level: 1 }).waitFor();
    const [strangerOfConsole, strangerOfPortal] = await Promise.all([
      openPage(browser, `${console.origin}/console/`),
      openPage(browser, `${console.gateway.origin}/portal/`),
    ]);
    walks = { console: operator, portal: holder, 'console, signed out': strangerOfConsole, 'portal, signed out': strangerOfPortal };
    for (const { page } of Object.values(walks)) await recordMotion(page);
  });
  afterAll(async () => {
    await browser?.close();
    await console?.close();
  });

  async function open({ page }: WatchedPage, base: string, [path, heading, dialog]: Place): Promise<void> {
    const { paid, poor } = console.ids;
    await page.goto(`${base}${path.replace(/(?<=requests\/|open=)paid/, paid).replace(/(?<=requests\/)poor/, poor)}`);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    if (dialog !== undefined) await page.getByRole('dialog', { name: dialog }).waitFor();
    if (/open=|requests\//.test(path)) await page.locator('.panel').waitFor();
    await expect.poll(() => page.locator('.loading, [aria-busy=true]').count()).toBe(0);
  }

  const places = [
    ...operatorPages.map((place) => ({ bundle: 'console', path: place[0], place }) as const),
    ...portalPages.map((place) => ({ bundle: 'portal', path: place[0], place }) as const),
    ...signedOutOperatorPages.map((place) => ({ bundle: 'console, signed out', path: place[0], place }) as const),
    ...signedOutPortalPages.map((place) => ({ bundle: 'portal, signed out', path: place[0], place }) as const),
  ];
  it.each(places)('passes zoom, forced colors, reduced motion, focus and axe in the $bundle: $path', async ({ bundle, path, place }) => {
    const walk = walks[bundle];
    const { page } = walk;
    const base = bundle.startsWith('console') ? `${console.origin}/console` : `${console.gateway.origin}/portal`;
    // A window of 1440 by 900 at 200 %.
    await page.setViewportSize({ width: 720, height: 450 });
    await open(walk, base, place);
    expect.soft(await page.evaluate(loadedFonts)).toEqual(['Inter']);
    expect.soft(await page.evaluate('document.documentElement.scrollWidth'), 'zoom of 200 %').toBeLessThanOrEqual(720);
    expect.soft(await page.evaluate(cutOff), 'cut off at 200 %').toEqual([]);
    expect.soft(await page.evaluate(tooSmall), 'smaller than 12 px').toEqual([]);
    expect.soft(await focusMarks(page), 'without a mark of focus').toEqual([]);
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    expect.soft(await page.evaluate(unseen), 'not seen in forced colours').toEqual([]);
    expect.soft(await page.evaluate(unmarked), 'chosen, and looks like the others in forced colours').toEqual([]);
    expect.soft(await focusMarks(page), 'without a mark of focus in forced colours').toEqual([]);
    await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'reduce' });
    expect.soft(await page.evaluate('moved'), 'moves in spite of reduced motion').toEqual([]);
    await takePictures(page, `${bundle}${path}`.replaceAll(/\W+/g, '-'));
    await page.emulateMedia({ colorScheme: 'light' });
    expect.soft(walk.pageErrors).toEqual([]);
  });

  /** As after Tab: a browser marks the focus of whoever uses keys. */
  async function focusMarks(page: Page): Promise<unknown> {
    await page.keyboard.press('Tab');
    return await page.evaluate(withoutFocusMark);
  }
});
