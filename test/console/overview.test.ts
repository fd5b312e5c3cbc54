/** The overview and the page of activity over a whole gateway: figures agree with the API and link to their requests. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatCents, readDollars } from '../../client/pages/src/data/money.ts';
import { addValues, computeChange, toSparkValues } from '../../client/pages/src/operator/pages/overview/over-time.ts';
import { activity as activityTexts } from '../../client/pages/src/texts/activity.ts';
import { keys as keysTexts } from '../../client/pages/src/texts/keys.ts';
import { kit as kitTexts } from '../../client/pages/src/texts/kit.ts';
import { overview as overviewTexts } from '../../client/pages/src/texts/overview.ts';
import { monthly as monthlyTexts, statement as statementTexts } from '../../client/pages/src/texts/statement.ts';
import { paidCall } from '../harness/call-record.ts';
import { hasChromium, launchBrowser, openPage } from './browser.ts';
import { takePictures } from './pictures.ts';
import { openSeededConsole, type SeededConsole, signInTo } from './seeded-console.ts';

it('limits a sparkline to 24 values, newest last, without losing calls of a long range', () => {
  const values = (count: number) =>
    toSparkValues(
      Array.from({ length: count }, (_, index) => BigInt(index)),
      addValues,
    );
  expect(values(2)).toEqual([0n, 1n]);
  expect(values(25)).toEqual(Array.from({ length: 24 }, (_, index) => BigInt(index + 1)));
  expect(values(49)).toHaveLength(17);
  expect(values(49).at(-1)).toBe(46n + 47n + 48n);
  expect(values(49).reduce(addValues)).toBe(1_176n);
});

it('compares rates with the previous period, and shows no change where it had no calls', () => {
  // Two an hour now.
  const change = (before: bigint) => computeChange({ sum: 72n, ms: 36 * 3_600_000 }, { sum: before, ms: 24 * 3_600_000 });
  expect([change(48n), change(24n), change(96n), change(0n)]).toEqual([0n, 100n, -50n, null]);
});

describe.skipIf(!hasChromium)('the console', () => {
  let console: SeededConsole;
  let browser: Browser;
  beforeAll(async () => {
    [console, browser] = await Promise.all([openSeededConsole({ settings: { pages: { issuer: 'Example Ltd' } } }), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await console?.close();
  });
  const open = async (path: string, heading: string) => {
    const watched = await openPage(browser, `${console.origin}/console${path}`, { viewport: { width: 1440, height: 900 } });
    await signInTo(watched.page, console, heading);
    return watched;
  };
  const dollars = (text: string): bigint => readDollars(text) ?? expect.fail(`${text} is no amount`);

  it('shows spend, failures and what needs attention on the overview, each with a link', async () => {
    const { page, pageErrors } = await open('/', 'Overview');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/admin/v1/')) asked.push(new URL(request.url()).pathname);
    });
    await page.reload();
    const { total } = (await console.read('/activity')) as { total: { charged: string; requests: number } };
    const figures = page.locator('.figures');
    await figures.waitFor();
    const text = (await figures.textContent()) ?? '';
    expect(text).toContain(`Spend${formatCents(dollars(total.charged))}`);
    expect(text).toContain(`Requests${total.requests}`);
    expect(text).toMatch(/Provider cost\s+<\$0\.01/);
    const attention = page.getByRole('region', { name: 'Needs attention' });
    const low = attention.getByRole('listitem').filter({ hasText: 'trial has <$0.01 left' });
    expect(await low.getByRole('link', { name: overviewTexts.actions.topUp }).getAttribute('href')).toMatch(
      /\/accounts\/acct_\w+\?dialog=top-up$/,
    );
    const processes = page.getByRole('region', { name: overviewTexts.processes.title });
    expect(await processes.textContent()).toContain(`${console.gateway.gateway.node} serves this page`);
    expect(await figures.locator('.spark').count()).toBe(4);
    // All figures come in one answer; it may be read again while the page is open.
    expect([...new Set(asked)].toSorted()).toEqual(['/admin/v1/overview', '/admin/v1/session']);
    await figures.getByRole('link', { name: '1 failed' }).click();
    await page.getByRole('heading', { name: overviewTexts.requests, level: 1 }).waitFor();
    await page.getByText('502 Failed').waitFor();
    expect(new URL(page.url()).search).toContain('outcome=failed');
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it("shows times in the browser's zone or UTC, names the zone and keeps it in this browser", async () => {
    const { page } = await open('/', 'Overview');
    const range = page.getByText(overviewTexts.completeUntil);
    await range.waitFor();
    expect(await range.textContent()).toMatch(/to now, GMT\+[12] /);
    await page.getByRole('button', { name: /^Time zone: GMT\+[12]$/ }).click();
    await page.getByRole('menuitemradio', { name: 'UTC' }).click();
    await page.getByText(/to now, UTC /).waitFor();
    await page.reload();
    await page.getByText(/to now, UTC /).waitFor();
    await page.context().close();
  });

  it('shows three steps to the first call before any call', async () => {
    const fresh = await openSeededConsole({ hasCalls: false });
    const { page, pageErrors } = await openPage(browser, `${fresh.origin}/console/`, { viewport: { width: 1440, height: 900 } });
    await signInTo(page, fresh, 'Overview');
    const steps = page.getByRole('region', { name: overviewTexts.steps.title });
    await steps.waitFor();
    expect(await steps.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'Add an upstream',
      'Create a key',
      'Make the first call',
    ]);
    await takePictures(page, 'first-start');
    await steps.getByRole('link', { name: overviewTexts.steps.createKey }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).waitFor();
    expect(pageErrors).toEqual([]);
    await page.context().close();
    await fresh.close();
  });

  it('shows one total in chart, table, CSV and API, and links a legend entry to its requests', async () => {
    const { page, pageErrors } = await open('/activity', 'Activity');
    const chart = page.getByRole('figure', { name: 'Spend by model, per hour' });
    await chart.waitFor();
    const { total, series } = (await console.read('/activity?group_by=model')) as {
      total: { charged: string };
      series: readonly { key: string; total: { charged: string } }[];
    };
    const sum = dollars(total.charged);
    expect(series.reduce((all, one) => all + dollars(one.total.charged), 0n)).toBe(sum);
    const table = page.getByRole('table', { name: activityTexts.totals });
    expect(await table.getByRole('row').last().textContent()).toContain(`Total ${formatCents(sum)}`);
    await chart.getByRole('button', { name: kitTexts.showTable }).click();
    const shown = await chart.locator('tbody tr td:last-child').allTextContents();
    expect(shown).toContain(formatCents(sum));
    await chart.getByRole('button', { name: kitTexts.showChart }).click();
    const csv = (await page.getByRole('link', { name: statementTexts.csv }).getAttribute('href')) ?? '';
    const lines = String(await page.evaluate(`fetch(${JSON.stringify(csv)}).then((answer) => answer.text())`))
      .trim()
      .split('\r\n');
    const at = (lines[0] ?? '').split(',').indexOf('charged');
    expect(lines.slice(1).reduce((all, line) => all + dollars(line.split(',')[at] ?? ''), 0n)).toBe(sum);
    await chart.getByRole('link', { name: 'small' }).click();
    await page.getByRole('button', { name: 'Remove filter Model: small' }).waitFor();
    // Three calls and the header.
    await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(4);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('shows the prompt cache hit rate and the cost of misses by session, each linked to its requests', async () => {
    const { page, pageErrors } = await open('/activity?by=session', 'Activity');
    const { request } = (await console.read(`/requests/${console.ids.paid}`)) as { request: { session: string } };
    const table = page.getByRole('table', { name: activityTexts.totals });
    await table.getByRole('link', { name: request.session }).waitFor();
    const titles = await table.getByRole('columnheader').allTextContents();
    const row = table.getByRole('row').filter({ hasText: request.session }).getByRole('cell');
    const cell = (title: string) => row.nth(titles.indexOf(title)).textContent();
    // 3 of 11 tokens came from the cache; 8 at $1.125 a million more, times 0.8.
    expect(await cell(activityTexts.columns.cached)).toBe('27.2%');
    expect(await cell(activityTexts.columns.missCost)).toBe('<$0.01');
    await table.getByRole('link', { name: request.session }).click();
    await page.getByRole('button', { name: `Remove filter Session: ${request.session}` }).waitFor();
    await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(2);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('keeps metric, dimension and filters in the URL, and opens the requests of a bucket with Enter', async () => {
    const { page, pageErrors } = await open('/activity', 'Activity');
    await page.getByRole('button', { name: overviewTexts.requests, exact: true }).click();
    await page.getByRole('button', { name: 'Group by model' }).click();
    await page.getByRole('menuitemradio', { name: activityTexts.dimensions.upstream }).click();
    await page.getByRole('figure', { name: 'Requests by upstream, per hour' }).waitFor();
    expect(new URL(page.url()).search).toBe('?metric=requests&by=upstream');
    const latency = page.getByRole('button', { name: activityTexts.metrics.latency });
    await latency.waitFor();
    await page.getByRole('button', { name: 'Group by upstream' }).click();
    await page.getByRole('menuitemradio', { name: activityTexts.dimensions.key }).click();
    await page.getByRole('figure', { name: 'Requests by key, per hour' }).getByRole('link', { name: 'research / ci' }).waitFor();
    // Times are not kept for keys.
    await latency.waitFor({ state: 'detached' });
    await page.goto(`${console.origin}/console/activity?metric=requests&by=operation`);
    const slider = page.getByRole('slider', { name: 'Requests by operation, per hour' });
    await slider.focus();
    await page.keyboard.press('End');
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/GMT\+[12], so far, Total \d+, createChatCompletion \d+/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: overviewTexts.requests, level: 1 }).waitFor();
    await page.getByRole('button', { name: /^Remove filter Time:/ }).waitFor();
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('opens the other values in rows of the table, while the chart keeps them together', async () => {
    const { gateway } = console;
    const { activity } = gateway.gateway;
    for (let index = 0; index < 10; index++) {
      const { accountId } = await gateway.newKey({ account: `tenant-${index}` });
      const at = { account_id: accountId, ended_at: Date.now(), charged: 1_000 + index };
      activity.addCall(paidCall(`req_tenant_${index}`, at));
    }
    for (let turn = 0; turn < 2; turn++) await activity.flush();
    const { page } = await open('/activity?by=account', 'Activity');
    const table = page.getByRole('table', { name: activityTexts.totals });
    await table.getByRole('button', { name: activityTexts.openOthers }).click();
    await table.getByRole('link', { name: 'tenant-0', exact: true }).waitFor();
    await page.getByRole('figure').getByRole('listitem').filter({ hasText: activityTexts.other }).waitFor();
    expect(await table.getByText(activityTexts.other).count()).toBe(0);
    expect(new URL(page.url()).search).toBe('?by=account&more=1');
    const csv = (await page.getByRole('link', { name: statementTexts.csv }).getAttribute('href')) ?? '';
    expect(await page.evaluate(`fetch(${JSON.stringify(csv)}).then((answer) => answer.text())`)).toMatch(/,acct_\w+,,tenant-0,/);
    await page.context().close();
  });

  it('zooms by dragging over the chart, or with Shift and the arrow keys', async () => {
    const { page } = await open('/activity?metric=requests', 'Activity');
    const slider = page.getByRole('slider');
    await slider.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Enter');
    const hours = async () => {
      await page.waitForURL(/range=\d{4}-\d\d-\d\dT\d\d\.\.\d{4}-\d\d-\d\dT\d\d/);
      const [from = '', to = ''] = new URL(page.url()).searchParams.get('range')?.split('..') ?? [];
      return (Date.parse(`${to}:00:00Z`) - Date.parse(`${from}:00:00Z`)) / 3_600_000;
    };
    expect(await hours()).toBe(3);
    await page.goto(`${console.origin}/console/activity?metric=requests`);
    const { x, y, width, height } = (await slider.boundingBox()) ?? expect.fail('no chart');
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width - 20, y + height / 2, { steps: 5 });
    await page.mouse.up();
    expect(await hours()).toBeGreaterThan(9);
    await page.context().close();
  });

  it("adds up a numbered monthly statement on the page and as CSV, and shows an account's spend by key", async () => {
    const { page, pageErrors } = await open('/accounts/research', 'research');
    const {
      id,
      charged_30d: charged,
      balance,
    } = (await console.read('/accounts/research')) as {
      id: string;
      charged_30d: string;
      balance: { balance: string };
    };
    expect(dollars(charged)).toBeGreaterThan(0n);
    await page.getByRole('region', { name: keysTexts.title }).locator(`data[value="${charged}"]`).waitFor();
    // The calls were made just now, so they are of the newest month.
    await page.getByRole('region', { name: monthlyTexts.title }).getByRole('link').first().click();
    const statement = page.getByRole('article');
    const row = (name: string) => statement.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
    await row(monthlyTexts.usage).locator(`data[value="-${charged}"]`).waitFor();
    await row(monthlyTexts.closing).locator(`data[value="${balance.balance}"]`).waitFor();
    // All was paid by the balance, and in this month.
    expect(await row(monthlyTexts.elsewhere).count()).toBe(0);
    await statement.getByText(new RegExp(`^\\d{6}-${id.replace('acct_', '')}$`)).waitFor();
    await statement.getByText('Example Ltd').waitFor();
    await statement.getByRole('table', { name: monthlyTexts.byKey }).getByText(/^ci …/).waitFor();
    const href = await statement.getByRole('link', { name: monthlyTexts.csv }).getAttribute('href');
    const [, ...lines] = decodeURIComponent(href ?? '')
      .trim()
      .split('\r\n');
    expect(lines.map((line) => line.split(',')[2])).toEqual(expect.arrayContaining(['"play"', '"small"']));
    expect(lines.reduce((sum, line) => sum + dollars(line.split(',').at(-1) ?? ''), 0n)).toBe(dollars(charged));
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('shows the reason if nothing fits, or the error of the gateway', async () => {
    const { page } = await open('/activity?model=nothing', 'Activity');
    await page.getByText(activityTexts.emptyFiltered).waitFor();
    await takePictures(page, 'activity-empty');
    await page.goto(`${console.origin}/console/activity?by=key&upstream=main`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('filtered by model only');
    await page.context().close();
  });
});
