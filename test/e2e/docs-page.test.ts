/** The reference page in a real browser: complete, without console errors, and without requests to other addresses. */
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../contract/index.ts';
import { registerPages } from '../../server/http/routes/pages.ts';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = process.env.CHROMIUM ?? places.find((place) => existsSync(place));
const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
if (executablePath === undefined) {
  console.warn(
    `SKIPPED: the reference page is not tested, for there is no Chromium: set CHROMIUM, or install one of ${places.join(', ')}.`,
  );
}

const operations = Object.entries(contract).map(([name, { summary, path, metadata }]) => ({
  name,
  summary,
  path: path.replace(/:(\w+)/g, '{$1}'),
  metadata,
}));
const languages = ['curl', 'Python', 'JavaScript', '@modelgate/client'];

describe.skipIf(executablePath === undefined)('a reader of the reference page', () => {
  let app: FastifyInstance;
  let base: string;
  let browser: Browser;
  let page: Page;
  const asked: string[] = [];
  const complaints: string[] = [];

  async function openPage(width: number, height: number): Promise<Page> {
    const opened = await browser.newPage({ viewport: { width, height } });
    opened.on('request', (request) => asked.push(request.url()));
    opened.on('pageerror', (error) => complaints.push(error.message));
    opened.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    await opened.goto(`${base}/docs`);
    await opened.getByRole('heading', { name: 'Modelgate', level: 1 }).waitFor();
    return opened;
  }

  /** Follows the link to an operation: sections are drawn when they come into view. */
  async function follow(name: string): Promise<Locator> {
    await page.evaluate(
      `location.hash = ${JSON.stringify(`tag/${operations.find((one) => one.name === name)?.metadata.tag.toLowerCase()}/${name}`)}`,
    );
    const section = page.locator(`section[id$="/${name}"]`);
    await section.locator('.request-card').waitFor();
    return section;
  }

  async function pick(section: Locator, label: string): Promise<string | null> {
    await section.locator('.request-card').getByRole('button', { expanded: false }).first().click();
    await page.getByRole('option', { name: label, exact: true }).click();
    return section.locator('.request-card').textContent();
  }

  beforeAll(async () => {
    app = Fastify();
    registerPages(app);
    base = await app.listen({ host: '127.0.0.1', port: 0 });
    browser = await chromium.launch({ executablePath, args: flags });
    page = await openPage(1440, 1000);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  it('finds the base URL, authentication, errors and streaming in the introduction', async () => {
    const text = await page.locator('main').textContent();
    expect(text).toContain(`${base}/v1`);
    for (const heading of ['Base URL', 'Authentication', 'Errors', 'Streaming']) {
      expect(await page.getByRole('heading', { name: heading, exact: true }).count(), heading).toBeGreaterThan(0);
    }
  });

  it.each(operations)(
    'finds $summary with its path, its answers and its samples in four languages',
    async ({ name, summary, path, metadata }) => {
      const section = await follow(name);
      expect(await section.getByRole('heading', { name: summary }).count()).toBe(1);
      expect(await section.locator('.request-card').textContent()).toContain(path);
      await section.getByRole('button', { name: /^400/ }).waitFor();
      for (const label of languages) expect(await pick(section, label), label).toContain(`${base}${'isPublic' in metadata ? '/' : '/v1'}`);
    },
  );

  it('finds the body examples of an operation beside the samples of its languages', async () => {
    const section = await follow('createChatCompletion');
    expect(await pick(section, 'Body: An answer that follows a JSON schema')).toContain('"json_schema"');
    expect(await pick(section, 'curl')).toContain('$MODELGATE_API_KEY');
  });

  it('can read a stream, frame by frame', async () => {
    const section = await follow('createResponse');
    await section.getByRole('button', { name: 'Selected Content Type: application/json' }).first().click();
    await page.getByRole('option', { name: 'text/event-stream' }).click();
    await section.getByText('event: response.created').waitFor();
  });

  it('follows a link from a request to its schema', async () => {
    const section = await follow('generateImages');
    await section.getByRole('button', { name: 'ImageGenerationRequest', exact: true }).first().click();
    const title = page.locator('[id$="schemas/ImageGenerationRequest"]');
    await title.waitFor();
    expect(await title.getAttribute('aria-expanded')).toBe('true');
    expect(await page.locator('[id$="schemas/ImageGenerationRequest.prompt"]').count()).toBe(1);
  });

  it('reads it on a phone without scrolling sideways; screenshots of both sizes are kept', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docs-page-'));
    await follow('createResponse');
    await page.screenshot({ path: join(folder, 'desktop.png') });
    const phone = await openPage(390, 844);
    await phone.screenshot({ path: join(folder, 'phone.png') });
    const width = await phone.evaluate('document.documentElement.scrollWidth');
    await phone.close();
    console.info(`Pictures of the reference page: ${folder}`);
    expect(width).toBe(390);
  });

  it('has caused no request to another address, and no error or warning in the console', () => {
    const foreign = asked.filter((url) => new URL(url).origin !== base && !url.startsWith('data:') && !url.startsWith(`blob:${base}`));
    expect(asked.length).toBeGreaterThan(4);
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
