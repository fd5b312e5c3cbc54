/** Chromium for tests of pages: one browser per file, and pages that record every error, policy violation and request to another origin. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = process.env.CHROMIUM ?? places.find((place) => existsSync(place));
const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

export const hasChromium = executablePath !== undefined;
if (!hasChromium) console.warn(`SKIPPED: pages aren't tested without Chromium. Set CHROMIUM, or install one of ${places.join(', ')}.`);

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ ...(executablePath !== undefined && { executablePath }), args: flags });

export interface WatchedPage {
  readonly page: Page;
  /** Errors and warnings of the console, violations of the content security policy among them, and requests to other origins. */
  readonly pageErrors: readonly string[];
}

/** `url` is the first page; requests to other origins are blocked and recorded. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'Europe/Oslo', reducedMotion: 'reduce', ...options });
  const pageErrors: string[] = [];
  const page = await context.newPage();
  const { origin } = new URL(url);
  await page.route(
    (address) => address.origin !== origin && address.protocol.startsWith('http'),
    (route) => {
      pageErrors.push(`asked ${route.request().url()}`);
      return route.abort();
    },
  );
  page.on('pageerror', ({ message }) => pageErrors.push(message));
  page.on('console', (message) => {
    // Tests expect answers such as 401.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (!isAnswer && (message.type() === 'error' || message.type() === 'warning')) pageErrors.push(message.text());
  });
  await page.goto(url);
  return { page, pageErrors };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The serious and critical violations that axe finds, one line each. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(`${axe}; undefined`);
  // `as`: the shape of axe's results.
  const { violations } = (await page.evaluate('axe.run(document)')) as { readonly violations: readonly Violation[] };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`));
}

export const focused = (page: Page): Promise<unknown> =>
  page.evaluate("document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''");
