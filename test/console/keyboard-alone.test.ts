/** Flows of an operator without a mouse: from the start page by `g` and a letter, Tab and Enter, with the focus asserted at each step. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requests as requestsTexts } from '../../client/pages/src/texts/requests.ts';
import { statement as statementTexts } from '../../client/pages/src/texts/statement.ts';
import { upstreams as upstreamsTexts } from '../../client/pages/src/texts/upstreams.ts';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { hasChromium, launchBrowser, openPage } from './browser.ts';
import { openSeededConsole, type SeededConsole, signInTo } from './seeded-console.ts';

/** More than any page has. */
const MAX_STOPS = 120;

/** Role or element, and name, of what has the focus. */
const holder = `(() => {
  const element = document.activeElement;
  const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.firstChild?.textContent ?? element.textContent;
  return label.trim();
})()`;
const nameOfFocus = (page: Page): Promise<unknown> => page.evaluate(holder);

/** Presses Tab until this has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: unknown[] = [];
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    await page.keyboard.press('Tab');
    const at = String(await nameOfFocus(page));
    if (typeof name === 'string' ? at === name : name.test(at)) return;
    passed.push(at);
  }
  expect.fail(`Tab does not reach ${name}: ${passed.slice(0, 40).join(' | ')}`);
}

/** `g` and a letter: the page is there, and the focus is at its beginning. */
async function goTo(page: Page, letter: string, heading: string): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press(letter);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
}

describe.skipIf(!hasChromium)('an operator with only a keyboard', () => {
  let console: SeededConsole;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [console, browser] = await Promise.all([openSeededConsole(), launchBrowser()]);
  });
  beforeEach(async () => {
    ({ page } = await openPage(browser, `${console.origin}/console/`, { viewport: { width: 1440, height: 900 } }));
    await signInTo(page, console, 'Overview');
  });
  afterAll(async () => {
    await browser?.close();
    await console?.close();
  });

  it('creates an account with $25, and a key with a cap for it', async () => {
    await goTo(page, 'c', 'Accounts');
    await tabTo(page, 'Create account');
    await page.keyboard.press('Enter');
    await expect.poll(() => nameOfFocus(page)).toBe('Name');
    await page.keyboard.type('desk');
    await tabTo(page, /^Opening balance/);
    await page.keyboard.type('25');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'desk' }).getByText(statementTexts.opening).waitFor();
    expect(await console.read('/accounts/desk')).toMatchObject({ balance: { balance: '25.000000' } });

    await goTo(page, 'k', 'Keys');
    await tabTo(page, 'Create key');
    await page.keyboard.press('Enter');
    await expect.poll(() => nameOfFocus(page)).toBe('Account');
    await page.keyboard.type('des');
    await page.getByRole('option', { name: 'desk' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Name');
    await page.keyboard.type('laptop');
    await tabTo(page, /^Per month/);
    await page.keyboard.type('20');
    await tabTo(page, 'Create key');
    await page.keyboard.press('Enter');
    await page.locator('.secret code').waitFor();
    await tabTo(page, "I've stored the key");
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await nameOfFocus(page)).toBe('Create key');
    const { data } = (await console.read('/keys?q=laptop')) as { data: readonly unknown[] };
    expect(data).toMatchObject([{ account: { name: 'desk' }, spending_caps: [{ amount: '20.000000' }] }]);
  });

  it('finds why a call was rejected', async () => {
    await goTo(page, 'r', 'Requests');
    await page.getByRole('table').waitFor();
    await page.keyboard.press('j');
    expect(await nameOfFocus(page)).toContain('403 Rejected');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: requestsTexts.detail.panel });
    await panel.getByText('Balance rejected').waitFor();
    expect(await panel.getByRole('region', { name: requestsTexts.detail.why }).textContent()).toMatch(/insufficient|balance|quota/);
    await tabTo(page, 'Close');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await nameOfFocus(page)).toContain('403 Rejected');
  });

  it('moves an account to another group', async () => {
    await goTo(page, 'c', 'Accounts');
    await tabTo(page, 'trial');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'trial' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
    await tabTo(page, 'Edit account…');
    await page.keyboard.press('Enter');
    await expect.poll(() => nameOfFocus(page)).toBe('Name');
    await tabTo(page, 'Group');
    await page.keyboard.type('vip');
    await tabTo(page, 'Save changes');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await nameOfFocus(page)).toBe('Edit account…');
    expect(await console.read('/accounts/trial')).toMatchObject({ group: 'vip' });
  });

  it('finds, tests and resets an upstream that is cooling down', async () => {
    const { main } = console.vendors;
    const { key } = await console.gateway.newKey({ account: 'resetter', name: 'resetter', balance: 1_000_000n });
    main.next(failure(429, { headers: { 'retry-after': '3600' } }));
    const answer = await console.gateway.call('/chat/completions', {
      json: { model: 'play', messages: [{ role: 'user', content: 'x' }] },
      key,
    });
    expect(answer.status).toBe(200);
    await page.reload();
    await page.getByText('play at main was rate limited').waitFor();
    await tabTo(page, 'View upstream');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('article', { name: 'main' });
    await panel.waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
    await panel.getByText('Paused by provider, retry in').waitFor();
    main.next(json(chatCompletion()));
    await tabTo(page, 'Model');
    await page.keyboard.type('play');
    await tabTo(page, 'Make test call');
    await page.keyboard.press('Enter');
    await panel.getByText('Test passed: play responded').waitFor();
    expect(await nameOfFocus(page)).toBe('Make test call');
    await tabTo(page, 'Reset upstream');
    await page.keyboard.press('Enter');
    await page.getByText(/main reset/).waitFor();
    expect(await nameOfFocus(page)).toBe('Reset upstream');
    await panel.getByText(upstreamsTexts.pausedByProvider).waitFor({ state: 'detached' });
  });
});
