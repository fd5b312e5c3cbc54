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
import { paidCall, rejectedCall } from '../harness/call-record.ts';
import { hasChromium, launchBrowser, openPage } from './browser.ts';
import { openSeededConsole, type SeededConsole, signInTo } from './seeded-console.ts';

const guides = join(import.meta.dirname, '../../docs/guides');
const MAX_BYTES = 60_000;
const isWriting = process.env.MODELGATE_GUIDE_PICTURES === 'write';

const names = ['overview', 'requests', 'request', 'accounts', 'keys', 'upstreams', 'portal', 'playground'] as const;
type Name = (typeof names)[number];

it.each(names)('shows %s in the guide as a small screenshot with a description', async (name) => {
  const text = (await Promise.all(['console.md', 'portal.md'].map((file) => readFile(join(guides, file), 'utf8')))).join('');
  const alt = new RegExp(String.raw`!\[([^\]]+)\]\(screenshots/${name}\.webp\)`).exec(text)?.[1];
  expect(alt?.length).toBeGreaterThan(30);
  const { size } = await stat(join(guides, 'screenshots', `${name}.webp`));
  expect(size).toBeLessThanOrEqual(MAX_BYTES);
});

const DAY_MS = 86_400_000;
const CALLS = 2_400;
/** Adds a day of calls to the request log, more by day than by night, of which some are rejected or fail. */
async function fillDay(
  { gateway: { activity } }: SeededConsole['gateway'],
  owner: { readonly account_id: string; readonly key_id: string },
) {
  const models = ['gpt-5.4', 'claude-sonnet-5', 'gpt-5.4', 'gemini-3-pro', 'gpt-5.4-mini'];
  for (let call = 0; call < CALLS; call++) {
    const share = call / CALLS;
    const ended_at = Date.now() - Math.round(DAY_MS * (1 - share + Math.sin(share * 2 * Math.PI) / 12)) - 60_000;
    const model = models[(call * 7) % models.length] ?? 'gpt-5.4';
    const latency = 700 + ((call * 37) % 23) * 160;
    const common = { ...owner, ended_at, model, upstream: 'main' };
    const made = {
      first_ms: Math.round(latency / 4),
      total_ms: latency,
      input: 400 + ((call * 13) % 900),
      output: 60 + ((call * 29) % 400),
    };
    const id = `req_${String(call).padStart(32, '0')}`;
    if (call % 61 === 0) activity.addCall(rejectedCall(id, { ...common, upstream: null }));
    else if (call % 151 === 0)
      activity.addCall(rejectedCall(id, { ...common, status: 502, code: 'upstream_error', outcome: 'failed', attempts: 2 }));
    else
      activity.addCall(
        paidCall(id, { ...common, ...made, charged: made.input * 2 + made.output * 10, vendor_cost: made.input + made.output * 7 }),
      );
    if (call % 400 === 0) await activity.flush();
  }
}

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
    const { page: portal } = await openPage(browser, `${console.gateway.origin}/portal/`, look);
    const { key, id: keyId, accountId } = await console.gateway.newKey({ account: 'research', name: 'laptop' });
    await fillDay(console.gateway, { account_id: accountId, key_id: keyId });
    for (let call = 0; call < 3; call++) {
      const answer = await console.gateway.call('/chat/completions', {
        key,
        json: { model: 'play', messages: [{ role: 'user', content: 'x' }] },
      });
      await answer.text();
    }
    for (let turn = 0; turn < 2; turn++) await console.gateway.gateway.activity.flush();
    await portal.getByLabel(signInTexts.portal.label).fill(key);
    await portal.keyboard.press('Enter');
    await portal.getByRole('heading', { name: portalTextsTexts.overview, level: 1 }).waitFor();
    pages = { console: operator, portal };
  });
  afterAll(async () => {
    await browser?.close();
    await console?.close();
  });

  const places: Readonly<Record<Name, readonly ['console' | 'portal', string]>> = {
    overview: ['console', '/'],
    requests: ['console', '/requests'],
    request: ['console', '/requests/moved'],
    accounts: ['console', '/accounts/research'],
    keys: ['console', '/keys'],
    upstreams: ['console', '/upstreams/main'],
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
      .getByText(/^Costs up to/)
      .waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('region', { name: playgroundTexts.response }).getByText(playgroundTexts.states.done, { exact: true }).waitFor();
    await page.locator('.play-cost data').waitFor();
  }

  it.each(names)('writes %s', async (name) => {
    const [bundle, path] = places[name];
    const page = pages[bundle];
    const origin = bundle === 'console' ? `${console.origin}/console` : `${console.gateway.origin}/portal`;
    await page.goto(`${origin}${path.replace('moved', console.ids.moved)}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    if (/open=|moved/.test(path)) await page.getByRole('complementary').waitFor();
    if (name === 'playground') await call(page);
    await expect.poll(() => page.locator('.loading, [aria-busy=true]').count()).toBe(0);
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 28 });
    await writeFile(join(guides, 'screenshots', `${name}.webp`), Buffer.from(data, 'base64'));
    await session.detach();
  });
});
