/** Signs in at the console once; pages that are opened with the result are signed in too. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { portalTitles as portalTitlesTexts } from '../../client/pages/src/texts/portal-titles.ts';
import { signIn as signInTexts } from '../../client/pages/src/texts/sign-in.ts';
import type { TestAdmin } from '../harness/admin.ts';
import { openPage } from './browser.ts';

export type SignedIn = Required<Pick<BrowserContextOptions, 'storageState'>>;

export async function signInOnce(browser: Browser, { origin, key }: Pick<TestAdmin, 'origin' | 'key'>): Promise<SignedIn> {
  const { page } = await openPage(browser, `${origin}/console/keys`);
  await page.getByLabel(signInTexts.operator.label).fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: portalTitlesTexts.keys }).waitFor();
  const storageState = await page.context().storageState();
  await page.context().close();
  return { storageState };
}
