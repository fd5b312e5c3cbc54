/** The documentation in a real browser: each kind of page, wide and narrow, light and dark, without pageErrors and without another host. */
import Fastify, { type FastifyInstance } from 'fastify';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playground as playgroundTexts } from '../../client/pages/src/texts/playground.ts';
import { registerDocuments } from '../../server/api/http/documents.ts';
import { findViolations, hasChromium, launchBrowser } from './browser.ts';
import { loadedFonts } from './page-checks.ts';

/** One of each kind. */
const kinds = [
  '',
  'guides/codex',
  'guides/costs',
  'reference/createChatCompletion',
  'reference/createResponse',
  'errors/',
  'errors/invalid_api_key',
  'concepts/response-events',
  'decisions/',
  'changelog',
];
const views = [
  { width: 1440, height: 1000, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;
describe.skipIf(!hasChromium)('a reader of the documentation', () => {
  let app: FastifyInstance;
  /** Below a prefix, as behind a proxy that has other things beside it. */
  let docs: string;
  let browser: Browser;
  const asked: string[] = [];
  const pageErrors: string[] = [];

  async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext(options);
    context.on('request', (request) => asked.push(request.url()));
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) pageErrors.push(`${message.page()?.url()}: ${message.text()}`);
    });
    context.on('weberror', (error) => pageErrors.push(String(error.error())));
    return context.newPage();
  }

  beforeAll(async () => {
    app = Fastify();
    await app.register(async (scope) => registerDocuments(scope, { pages: '../portal/' }), { prefix: '/ai' });
    docs = `${await app.listen({ host: '127.0.0.1', port: 0 })}/ai/docs/`;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  it.each(views)('reads each kind of page at $width px, $colorScheme: nothing serious for axe, no sideways scroll', async (view) => {
    const { width, height, colorScheme } = view;
    const page = await openPage({ viewport: { width, height }, colorScheme });
    for (const path of kinds) {
      await page.goto(`${docs}${path}`);
      expect(await page.locator('h1').count(), path).toBe(1);
      expect(await findViolations(page), path).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(width);
    }
    await page.context().close();
  });

  it('shows the text, the menu and every field without JavaScript', async () => {
    const page = await openPage({ javaScriptEnabled: false });
    await page.goto(`${docs}reference/createChatCompletion`);
    expect(await page.locator('[id="createChatCompletion.response_format"]').isVisible()).toBe(true);
    expect(await page.locator('[id="createChatCompletion.tools"]').isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: playgroundTexts.forms.codex, exact: true }).isVisible()).toBe(true);
    expect(await page.getByText('curl http://127.0.0.1:8080/v1/chat/completions').first().isVisible()).toBe(true);
    await page.context().close();
  });

  it('keeps a reference within 15 screens on a phone, with all field details folded into the field', async () => {
    const page = await openPage({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false });
    for (const name of ['createResponse', 'createChatCompletion', 'countInputTokens']) {
      await page.goto(`${docs}reference/${name}`);
      expect(Number(await page.evaluate('document.documentElement.scrollHeight')) / 844, name).toBeLessThan(15);
    }
    await page.goto(`${docs}reference/createResponse`);
    const input = page.locator('[id="createResponse.input"] > details');
    const summary = input.locator('> summary');
    expect(await summary.textContent()).toMatch(/^input string or array of InputMessage.* required A string, which .*\.$/);
    await summary.focus();
    await page.keyboard.press('Enter');
    expect(await input.getByText('InputMessage', { exact: true }).isVisible()).toBe(true);
    await page.context().close();
  });

  it.each([true, false])(
    'comes to a folded field by its link, and by a search of the browser (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const id = 'createResponse.input.InputMessage.content.InputImage.detail';
      const page = await openPage({ javaScriptEnabled });
      await page.goto(`${docs}reference/createResponse`);
      const field = page.locator(`[id="${id}"]`);
      expect(await field.isVisible()).toBe(false);
      await page.goto(`${docs}reference/createResponse#${id}`);
      await field.waitFor();
      // As a search within the page does, a link to words shows text that is folded.
      await page.goto('about:blank');
      await page.goto(`${docs}reference/createResponse#:~:text=The%20resolution%20at%20which`);
      await field.waitFor();
      await page.context().close();
    },
  );

  it.each([true, false])('opens the page list and the table of contents inline on a phone (JavaScript: %s)', async (javaScriptEnabled) => {
    const page = await openPage({ viewport: { width: 390, height: 844 }, javaScriptEnabled });
    await page.goto(`${docs}reference/createResponse`);
    const codex = page.getByRole('link', { name: 'Codex', exact: true });
    expect(await codex.isVisible()).toBe(false);
    const pages = page.getByRole('button', { name: 'Pages' });
    await pages.focus();
    await page.keyboard.press('Enter');
    expect(await codex.isVisible()).toBe(true);
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.keyboard.press('Escape');
    expect(await codex.isVisible()).toBe(false);
    await page.locator('summary', { hasText: 'On this page' }).click();
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Errors' }).click();
    await expect.poll(() => page.evaluate("document.querySelector('#errors').getBoundingClientRect().top < 200")).toBe(true);
    await page.context().close();
  });

  it('finds an error by the words of the client and its remedy, with only the keyboard', async () => {
    const page = await openPage();
    await page.goto(docs);
    await page.keyboard.press('/');
    await page.keyboard.type('stream closed before response.completed');
    await page.locator('#hits a').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/errors\/upstream_error$/);
    expect(await page.getByRole('heading', { name: 'What to do' }).isVisible()).toBe(true);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('xyzzyplugh');
    await page.getByText('No results for “xyzzyplugh”.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('#hits').isHidden()).toBe(true);
    await page.context().close();
  });

  it.each(views)(
    'shows under the box at $width px, $colorScheme, each hit with one marked line, and closes by a click beside',
    async (view) => {
      const { width, height, colorScheme } = view;
      const page = await openPage({ viewport: { width, height }, colorScheme });
      await page.goto(`${docs}guides/costs`);
      const box = page.getByRole('searchbox');
      await box.fill('how do I set a budget for a key');
      const hit = page.locator('#hits a').first();
      expect(await hit.getAttribute('href')).toMatch(/guides\/governing#budgets-of-keys$/);
      expect(await hit.locator('mark').allTextContents()).toContain('key');
      const { x = 0, width: boxWidth = 0 } = (await box.boundingBox()) ?? {};
      const list = await page.locator('#hits').boundingBox();
      expect([list?.x, list?.width]).toEqual([x, boxWidth]);
      if (width < 600) expect(boxWidth).toBeGreaterThan(width - 50);
      expect(await page.evaluate("getComputedStyle(document.querySelector('#hits .passage')).whiteSpace")).toBe('nowrap');
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      expect(await box.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
      await page.mouse.click(width - 3, height - 3);
      expect(await page.locator('#hits').isHidden()).toBe(true);
      await page.context().close();
    },
  );

  it('sees the address of this gateway in the samples, and keeps the language that was chosen', async () => {
    const page = await openPage();
    await page.goto(`${docs}reference/createChatCompletion`);
    const base = new URL(docs).origin;
    await page.getByText(`curl ${base}`).first().waitFor();
    const portal = page.getByRole('banner').getByRole('link', { name: 'Portal' });
    expect(new URL((await portal.getAttribute('href')) ?? '', page.url()).pathname).toBe('/ai/portal/');
    await page.locator('details.sample summary', { hasText: playgroundTexts.forms.python }).click();
    await page.goto(`${docs}reference/createResponse`);
    const python = page.locator('details.sample[open] summary');
    expect(await python.allTextContents()).toEqual(['Python']);
    await page.context().close();
  });

  it('comes from an old address of the reference to its page', async () => {
    const page = await openPage();
    await page.goto(`${docs.slice(0, -1)}#tag/chat/createChatCompletion`);
    await page.waitForURL(/docs\/reference\/createChatCompletion$/);
    await page.context().close();
  });

  it('comes from the old address of a section or of a page to its new one', async () => {
    // Not watched: the browser reports the 404 of the old page.
    const page = await browser.newPage();
    await page.goto(`${docs}guides/codex#when-it-fails`);
    await page.waitForURL(/guides\/codex#troubleshooting$/);
    await page.goto(`${docs}guides/deploying#upgrade-and-go-back`);
    await page.waitForURL(/guides\/upgrading#go-back$/);
    await page.goto('about:blank');
    await page.goto(`${docs}decisions/0008-compaction-is-a-response`);
    await page.waitForURL(/decisions\/0043-compaction$/);
    await page.close();
  });

  it('loads little at first, nothing from another host, and causes no complaint of the browser', async () => {
    const page = await openPage();
    const sizes: number[] = [];
    page.on('requestfinished', async (request) => sizes.push((await request.sizes()).responseBodySize));
    await page.goto(`${docs}reference/createResponse`, { waitUntil: 'networkidle' });
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
    expect(await page.evaluate(loadedFonts)).toEqual(['Inter']);
    expect(asked.filter((url) => new URL(url).host !== new URL(docs).host)).toEqual([]);
    expect(asked.length).toBeGreaterThan(20);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });
});
