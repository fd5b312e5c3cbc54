/** Checks a page of a signed-in operator in the widths and themes of this lane: no accessibility violation, no sideways scrolling, and screenshots to look at. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { portalTitles as portalTitlesTexts } from '../../client/pages/src/texts/portal-titles.ts';
import { signIn as signInTexts } from '../../client/pages/src/texts/sign-in.ts';
import type { TestAdmin } from '../harness/admin.ts';
import { findViolations, openPage } from './browser.ts';
import { looks } from './widths.ts';

export type SignedIn = Required<Pick<BrowserContextOptions, 'storageState'>>;

/** Signs in once; pages that are opened with the result are signed in too. */
export async function signInOnce(browser: Browser, { origin, key }: Pick<TestAdmin, 'origin' | 'key'>): Promise<SignedIn> {
  const { page } = await openPage(browser, `${origin}/console/keys`);
  await page.getByLabel(signInTexts.operator.label).fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: portalTitlesTexts.keys }).waitFor();
  const storageState = await page.context().storageState();
  await page.context().close();
  return { storageState };
}

/** The elements that reach beyond the right edge. */
const wideElements = `[...document.querySelectorAll('body *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth)
  .map((element) => element.outerHTML.slice(0, 120))`;

export interface LookedAt {
  /** The name of the screenshots. */
  readonly name: string;
  readonly url: string;
  readonly signedIn: SignedIn;
  /** Resolves when the page shows its content. */
  readonly isReady: (page: Page) => Promise<unknown>;
}

export async function lookAt(browser: Browser, { name, url, signedIn, isReady }: LookedAt): Promise<void> {
  const folder = process.env.MODELGATE_PICTURES ?? (await mkdtemp(join(tmpdir(), 'console-pages-')));
  for (const { colorScheme, width } of looks) {
    const viewport = { width, height: 900 };
    const { page, complaints } = await openPage(browser, url, { ...signedIn, colorScheme, viewport });
    await isReady(page);
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    const isTooWide = (await page.evaluate('document.documentElement.scrollWidth')) !== width;
    expect(isTooWide ? await page.evaluate(wideElements) : [], `${name} ${width}`).toEqual([]);
    expect(await findViolations(page), `${name} ${colorScheme} ${width}`).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  }
}
