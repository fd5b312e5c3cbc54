/** The page of upstreams over a whole gateway: one that cools down is found from the start page and reset, and a test call shows what came of it. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alerts as alertsTexts } from '../../client/pages/src/texts/alerts.ts';
import { kit as kitTexts } from '../../client/pages/src/texts/kit.ts';
import { overview as overviewTexts } from '../../client/pages/src/texts/overview.ts';
import { portalTexts as portalTextsTexts } from '../../client/pages/src/texts/portal.ts';
import { prices as pricesTexts } from '../../client/pages/src/texts/prices.ts';
import { settings as settingsTexts } from '../../client/pages/src/texts/settings.ts';
import { upstreams as upstreamsTexts } from '../../client/pages/src/texts/upstreams.ts';
import { issueAdminKey } from '../../server/access/issue-key.ts';
import { writeNodeReport } from '../../server/api/admin/node-report.ts';
import { createRunningGateway } from '../../server/operate/commands/running-gateway.ts';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { startAdmin } from '../harness/admin.ts';
import { findViolations, hasChromium, launchBrowser, openPage } from './browser.ts';
import { takePictures } from './pictures.ts';
import { openSeededConsole, type SeededConsole, signInTo } from './seeded-console.ts';

const PAUSE_SECONDS = 3_600;

describe.skipIf(!hasChromium)('upstreams in the console', () => {
  let console: SeededConsole;
  let browser: Browser;
  beforeAll(async () => {
    [console, browser] = await Promise.all([openSeededConsole(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await console?.close();
  });
  const open = async (path: string, heading: string, adminKey = console.adminKey) => {
    const watched = await openPage(browser, `${console.origin}/console${path}`, { viewport: { width: 1440, height: 900 } });
    await signInTo(watched.page, { adminKey }, heading);
    return watched;
  };
  const rowOf = (page: Page, name: string) =>
    page.getByRole('table', { name: upstreamsTexts.caption }).getByRole('row').filter({ hasText: name });

  it('finds an upstream that cools down from the start page, resets it, and shows the result of a test call', async () => {
    const { main } = console.vendors;
    const { key } = await console.gateway.newKey({ account: 'resetter', name: 'resetter', balance: 1_000_000n });
    main.next(failure(429, { headers: { 'retry-after': String(PAUSE_SECONDS) } }));
    const answer = await console.gateway.call('/chat/completions', {
      json: { model: 'play', messages: [{ role: 'user', content: 'x' }] },
      key,
    });
    expect(answer.status).toBe(200);
    const { page, pageErrors } = await open('/', 'Overview');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    const entry = attention.getByRole('listitem').filter({ hasText: 'play at main was rate limited' });
    await entry.getByRole('link', { name: overviewTexts.actions.upstream }).click();
    const panel = page.getByRole('article', { name: 'main' });
    await panel.getByText('Cooling down').first().waitFor();
    await panel.getByRole('region', { name: upstreamsTexts.lastFailure }).getByText('The fake vendor answers 429.').waitFor();
    await panel.getByText('Paused by provider, retry in').waitFor();
    expect(await panel.textContent()).toContain('…0123');
    await panel.getByRole('button', { name: upstreamsTexts.reset }).click();
    await page.getByText(/main reset: 1 model/).waitFor();
    await panel.getByText(upstreamsTexts.states.healthy).first().waitFor();
    expect(await panel.getByText(upstreamsTexts.pausedByProvider).count()).toBe(0);

    main.next(json(chatCompletion()));
    await panel.getByRole('combobox', { name: upstreamsTexts.test.model }).selectOption('play');
    await panel.getByRole('button', { name: upstreamsTexts.test.button }).click();
    await panel.getByText('Test passed: play responded').waitFor();
    expect(main.last.json).toMatchObject({ model: 'play' });
    await panel.getByRole('button', { name: upstreamsTexts.keyCheck.button(1) }).click();
    await panel.getByText(upstreamsTexts.keyCheck.states.ok, { exact: true }).waitFor();
    expect(main.last).toMatchObject({ method: 'GET', path: '/v1/models' });
    // A second one within five seconds is rejected, in the words of the gateway.
    await panel.getByRole('button', { name: upstreamsTexts.test.button }).click();
    await panel.getByRole('alert').getByText('tested less than 5 seconds ago').waitFor();
    expect(await panel.getByRole('alert').textContent()).toMatch(/Try again in [1-5] seconds?/);
    expect(await findViolations(page)).toEqual([]);
    await panel.getByRole('link', { name: upstreamsTexts.requests }).click();
    await page.getByRole('button', { name: 'Remove filter Upstream: main' }).waitFor();
    await page.getByRole('link', { name: upstreamsTexts.title, exact: true }).click();
    expect(await rowOf(page, 'backup').textContent()).toContain('Healthy');
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('shows requests and errors of the range as the API sums them, and no controls for a viewer', async () => {
    const { access, money } = console.gateway.gateway;
    const other = { ...createRunningGateway(console.gateway.gateway), places: () => [] };
    await money?.ledger.heartbeat('node_other', undefined, writeNodeReport(other, ['main', 'backup']));
    const { key } = await issueAdminKey('reader', { ...access, now: Date.now, role: 'viewer' });
    const { page, pageErrors } = await open('/upstreams', 'Upstreams', key);
    const { series } = (await console.read('/activity?group_by=upstream')) as {
      series: readonly { key: string; total: { requests: number; errors: number } }[];
    };
    const { total } = series.find((one) => one.key === 'backup') ?? expect.fail('backup was called');
    expect(total.errors).toBeGreaterThan(0);
    await rowOf(page, 'backup')
      .getByRole('link', { name: String(total.requests), exact: true })
      .waitFor();
    await rowOf(page, 'backup').getByRole('button', { name: 'backup' }).click();
    const panel = page.getByRole('article', { name: 'backup' });
    await panel.getByRole('heading', { name: `Process ${console.gateway.gateway.node}` }).waitFor();
    await panel.getByRole('heading', { name: 'Process node_other' }).waitFor();
    expect(await panel.textContent()).toContain('0 of 2,048');
    for (const name of [upstreamsTexts.reset, upstreamsTexts.keyCheck.button(1), upstreamsTexts.test.button]) {
      const button = panel.getByRole('button', { name });
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      await button.hover();
      await page.getByRole('tooltip').filter({ hasText: settingsTexts.reload.needsAdmin }).first().waitFor();
    }
    const failed = panel.getByRole('figure', { name: overviewTexts.chart('hour') }).getByRole('listitem');
    await failed.filter({ hasText: `${overviewTexts.outcomes.failed}${total.errors}` }).waitFor();
    await failed.getByRole('link', { name: overviewTexts.outcomes.failed }).click();
    await page.getByRole('button', { name: 'Remove filter Upstream: backup' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: portalTextsTexts.overview, level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByRole('heading', { name: upstreamsTexts.title, level: 1 }).waitFor();
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('shows the provider cost and the margin of models, and a dash where they are unknown', async () => {
    const { page, pageErrors } = await open('/prices?open=standard/play', 'Models');
    const panel = page.getByRole('complementary', { name: 'play' });
    const { data } = (await console.read('/models')) as {
      data: readonly { id: string; provider_30d: { requests: number; cost: string | null; margin: string | null } }[];
    };
    const { cost, margin, requests } = data.find(({ id }) => id === 'play')?.provider_30d ?? expect.fail('no model');
    expect(requests).toBeGreaterThan(0);
    await panel.locator(`data[value="${cost}"]`).waitFor();
    await panel.locator(`data[value="${margin}"]`).waitFor();
    await panel.getByText(upstreamsTexts.states.unknown).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: 'small' });
    expect(await row.textContent()).toContain('––');
    await page.locator(`tr:has-text("play") data[value="${margin}"]`).waitFor();
    await takePictures(page, 'vendor-cost');
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('shows since when an upstream is unavailable, on the overview in one card, which goes when its alert is acknowledged', async () => {
    const own = await openSeededConsole({ settings: { alerts: { upstreamUnavailableForMs: 0 } } });
    const { health, alerts } = own.gateway.gateway;
    for (const upstreamModel of ['play', 'small']) health.coolDown({ upstream: 'backup', upstreamModel }, 3_600_000);
    health.coolDown({ upstream: 'main', upstreamModel: 'play' }, 3_600_000);
    await alerts.checkNow();
    const { page, pageErrors } = await openPage(browser, `${own.origin}/console/`, { viewport: { width: 1440, height: 900 } });
    await signInTo(page, own, 'Overview');
    const cards = page.locator('.attention > li');
    const card = cards.filter({ hasText: 'backup' });
    await card.waitFor();
    expect(await cards.filter({ hasText: 'main' }).count()).toBe(1);
    expect(await card.textContent()).toContain(overviewTexts.titles.unavailable('backup'));
    expect(await card.locator('time').count()).toBe(1);
    await takePictures(page, 'attention');
    expect(await card.getByRole('listitem').allTextContents()).toEqual([`play, small ${overviewTexts.impact.noFallback(2)}`]);
    await card.getByRole('link', { name: overviewTexts.actions.failedRequests }).waitFor();
    await page.getByRole('link', { name: alertsTexts.title, exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: overviewTexts.titles.unavailable('backup') });
    await row.waitFor();
    expect(await page.getByRole('table').first().textContent()).not.toMatch(/T\d\d:\d\d/);
    await takePictures(page, 'alerts-upstream');
    await row.getByRole('button', { name: alertsTexts.acknowledgeNamed('backup') }).click();
    await row.getByText(alertsTexts.states.acknowledged, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await cards.filter({ hasText: 'main' }).waitFor();
    await card.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: upstreamsTexts.title, exact: true }).click();
    const since = new RegExp(`${upstreamsTexts.states.unavailable} ${upstreamsTexts.since} [A-Z][a-z]+ \\d+`);
    await rowOf(page, 'backup').getByText(since).waitFor();
    await takePictures(page, 'upstreams-since');
    await rowOf(page, 'backup').getByRole('button', { name: 'backup' }).click();
    await page.getByRole('article', { name: 'backup' }).getByText(since).waitFor();
    await takePictures(page, 'upstream-since');
    await page.getByRole('link', { name: pricesTexts.title, exact: true }).click();
    const failing = page.getByRole('row').filter({ hasText: kitTexts.failingNow });
    await failing.filter({ hasText: 'small' }).waitFor();
    expect(await failing.count()).toBe(2);
    const { data } = (await own.read('/keys')) as { data: readonly { id: string }[] };
    await page.goto(`${own.origin}/console/keys?open=${data[0]?.id}`);
    await page.getByRole('complementary').getByText(`${kitTexts.failingNow}: play, small`).waitFor();
    expect(pageErrors).toEqual([]);
    await page.context().close();
    await own.close();
  });

  it('shows an unknown state where no gateway runs beside the API', async () => {
    const admin = await startAdmin();
    const { page } = await openPage(browser, `${admin.origin}/console/upstreams`, { viewport: { width: 390, height: 900 } });
    await signInTo(page, { adminKey: admin.key }, 'Upstreams');
    await page.getByText(upstreamsTexts.states.unknown).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.context().close();
    await admin.close();
  });
});
