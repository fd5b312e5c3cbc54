/** Single sign-on in a browser, over two sites: the button, the provider, the way back with the strict cookie, and what the page says when it fails. */
import { mkdirSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { kit as kitTexts } from '../../client/pages/src/texts/kit.ts';
import { openSignOn, type SignOnStage } from '../harness/single-sign-on.ts';
import { findViolations, hasChromium, launchBrowser } from './browser.ts';

const pictures = process.env.MODELGATE_PICTURES;

/** Nothing is wider than the screen, and axe finds nothing, in either theme. */
async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findViolations(page)).toEqual([]);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      if (pictures === undefined) continue;
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png` });
    }
  }
}

describe.skipIf(!hasChromium)('an operator with single sign-on', () => {
  let stage: SignOnStage;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    [stage, browser] = await Promise.all([openSignOn(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
    page = await context.newPage();
    complaints = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', ({ message }) => complaints.push(message));
    await page.goto(`${stage.admin.origin}/console/`);
    return () => context.close();
  });

  const button = () => page.getByRole('link', { name: 'Sign in with Example Login' });

  it('signs in at the provider with only the keyboard, without a rejected call on the way', async () => {
    stage.provider.isAsking = true;
    await button().waitFor();
    await look(page, 'sign-in');
    // The field for a key has the focus; the button is before it.
    await page.keyboard.press('Shift+Tab');
    expect(await button().evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Continue' }).waitFor();
    expect(new URL(page.url()).origin).toBe(stage.provider.issuer);
    expect((await context.cookies(stage.provider.issuer)).map(({ name }) => name)).toEqual([]);
    expect((await context.cookies()).map(({ name, sameSite }) => [name, sameSite])).toEqual([['__Host-modelgate-sign-in', 'Lax']]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const who = page.getByRole('button', { name: 'Signed in as Ada' });
    await who.waitFor();
    expect(page.url()).toBe(`${stage.admin.origin}/console/`);
    expect((await context.cookies()).map(({ name, sameSite }) => [name, sameSite])).toEqual([['__Host-modelgate-console', 'Strict']]);
    expect(complaints).toEqual([]);
    await who.click();
    await page.getByRole('menuitem', { name: kitTexts.signOut }).click();
    await button().waitFor();
    expect(stage.provider.complaints).toEqual([]);
  });

  it('reads that no group has a role, and the address keeps nothing of it', async () => {
    Object.assign(stage.provider, { isAsking: false, person: { sub: 'u-9', name: 'Eve', groups: ['strangers'] } });
    await button().click();
    await page.getByRole('alert').getByText('none of your groups has a role here').waitFor();
    expect(page.url()).toBe(`${stage.admin.origin}/console/`);
    await look(page, 'sign-in-no-role');
    expect(complaints).toEqual([]);
  });

  it('sees no text from a link', async () => {
    await page.goto('about:blank');
    await page.goto(`${stage.admin.origin}/console/#sign-in=call_this_number`);
    await button().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.goto('about:blank');
    await page.goto(`${stage.admin.origin}/console/#sign-in=cancelled`);
    await page.getByRole('alert').getByText('canceled at the identity provider').waitFor();
  });

  it("gets no session of another person from a link with that person's code", async () => {
    const mallory = await fetch(`${stage.admin.origin}/console/sign-in/oidc`, { redirect: 'manual' });
    const callback = await fetch(mallory.headers.get('location') ?? '', { redirect: 'manual' });
    await page.goto(callback.headers.get('location') ?? '');
    await page.getByRole('alert').getByText('Single sign-on failed').waitFor();
    expect((await context.cookies()).map(({ name }) => name)).toEqual([]);
  });
});
