/** The pictures of the guide: each is there, small and described. `npm run pictures` makes them again from the pages of this moment. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playground as playgroundTexts } from '../../client/pages/src/texts/playground.ts';
import { portalTexts as portalTextsTexts } from '../../client/pages/src/texts/portal.ts';
import { signIn as signInTexts } from '../../client/pages/src/texts/sign-in.ts';
import { stream } from '../fakes/delivery.ts';
import { responseFrames } from '../fakes/responses.ts';
import { hasChromium, launchBrowser, openPage } from './browser.ts';
import { openSeededConsole, type SeededConsole, signInTo } from './seeded-console.ts';

const guides = join(import.meta.dirname, '../../docs/guides');
const MAX_BYTES = 60_000;
const isWriting = process.env.MODELGATE_GUIDE_PICTURES === 'write';

const names = ['overview', 'requests', 'request', 'accounts', 'keys', 'upstreams', 'portal', 'playground'] as const;
type Name = (typeof names)[number];

it.each(names)('the guide shows %s in a small picture, and says what is on it', async (name) => {
  const guide = await readFile(join(guides, 'console.md'), 'utf8');
  const alt = new RegExp(String.raw`!\[([^\]]+)\]\(screenshots/${name}\.webp\)`).exec(guide)?.[1];
  expect(alt?.length).toBeGreaterThan(30);
  const { size } = await stat(join(guides, 'screenshots', `${name}.webp`));
  expect(size).toBeLessThanOrEqual(MAX_BYTES);
});

/** Only `npm run pictures` writes them. */
const define = hasChromium && isWriting ? describe : () => {};
define('the pictures of the guide', () => {
  let console: SeededConsole;
  let browser: Browser;
  let pages: Readonly<Record<'console' | 'portal', Page>>;
  beforeAll(async () => {
    [console, browser] = await Promise.all([openSeededConsole(), launchBrowser()]);
    await mkdir(join(guides, 'screenshots'), { recursive: true });
    const look = { viewport: { width: 1440, height: 820 }, colorScheme: 'light' } as const;
    const { page: operator } = await openPage(browser, `${console.origin}/console/`, look);
    await signInTo(operator, console, 'Overview');
    const { page: holder } = await openPage(browser, `${console.gateway.origin}/portal/`, look);
    const { key } = await console.gateway.newKey({ account: 'research', name: 'laptop' });
    for (let call = 0; call < 3; call++) {
      const answer = await console.gateway.call('/chat/completions', {
        key,
        json: { model: 'play', messages: [{ role: 'user', content: 'x' }] },
      });
      await answer.text();
    }
    for (let turn = 0; turn < 2; turn++) await console.gateway.gateway.activity.flush();
    await holder.getByLabel(signInTexts.portal.label).fill(key);
    await holder.keyboard.press('Enter');
    await holder.getByRole('heading', { name: portalTextsTexts.overview, level: 1 }).waitFor();
    pages = { console: operator, portal: holder };
  });
  afterAll(async () => {
    await browser?.close();
    await console?.close();
  });

  const places: Readonly<Record<Name, readonly ['console' | 'portal', string]>> = {
    overview: ['console', '/'],
    requests: ['console', '/requests'],
    request: ['console', '/requests/moved'],
    accounts: ['console', '/accounts?open=research'],
    keys: ['console', '/keys'],
    upstreams: ['console', '/upstreams?open=main'],
    portal: ['portal', '/'],
    playground: ['portal', '/playground'],
  };

  async function call(page: Page): Promise<void> {
    const text = 'Air scatters blue light more than red light, because its waves are shorter.';
    console.vendors.main.next(stream(responseFrames({ text: [text] })));
    await page.getByLabel('Model', { exact: true }).fill('play');
    await page.getByLabel('Input', { exact: true }).fill('Why is the sky blue?');
    await page
      .locator('.play-ceiling:not([aria-busy])')
      .getByText(/^at most/)
      .waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('region', { name: 'Answer' }).getByText(playgroundTexts.states.done, { exact: true }).waitFor();
    await page.locator('.play-cost data').waitFor();
  }

  it.each(names)('%s is written', async (name) => {
    const [bundle, path] = places[name];
    const page = pages[bundle];
    const origin = bundle === 'console' ? `${console.origin}/console` : `${console.gateway.origin}/portal`;
    await page.goto(`${origin}${path.replace('moved', console.ids.moved)}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    if (/open=|moved/.test(path)) await page.getByRole('complementary').waitFor();
    if (name === 'playground') await call(page);
    await expect.poll(() => page.locator('.loading, [aria-busy=true]').count()).toBe(0);
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 60 });
    await writeFile(join(guides, 'screenshots', `${name}.webp`), Buffer.from(data, 'base64'));
    await session.detach();
  });
});
