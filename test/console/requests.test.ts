/** The page of requests over a whole gateway: the attempts of a call, the rule that decided, and its receipt, recomputed in the browser. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checks as checkTexts } from '../../client/pages/src/texts/check-names.ts';
import { filterTexts as filterTextsTexts } from '../../client/pages/src/texts/filters.ts';
import { kit as kitTexts } from '../../client/pages/src/texts/kit.ts';
import { requests as requestsTexts } from '../../client/pages/src/texts/requests.ts';
import { statement as statementTexts } from '../../client/pages/src/texts/statement.ts';
import { failure } from '../fakes/faults.ts';
import { findViolations, hasChromium, launchBrowser, openPage } from './browser.ts';
import { runText, textOf } from './copied-text.ts';
import { takePictures } from './pictures.ts';
import { openSeededConsole, type SeededConsole, signInTo } from './seeded-console.ts';

describe.skipIf(!hasChromium)('requests in the console', () => {
  let console: SeededConsole;
  let browser: Browser;
  beforeAll(async () => {
    [console, browser] = await Promise.all([openSeededConsole(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await console?.close();
  });
  const open = async (path: string) => {
    const watched = await openPage(browser, `${console.origin}/console${path}`, { viewport: { width: 1440, height: 900 } });
    await signInTo(watched.page, console, 'Requests');
    return watched;
  };

  it('lists calls newest first, keeps filters in the URL, and exports the same calls as CSV', async () => {
    const { page, pageErrors } = await open('/requests');
    const rows = page.getByRole('table', { name: requestsTexts.caption }).getByRole('row');
    // Ten calls and the header.
    await expect.poll(() => rows.count()).toBe(11);
    expect(await rows.nth(1).textContent()).toContain('403 Rejected');
    const quick = page.getByRole('group', { name: requestsTexts.filters.outcome });
    await quick.getByRole('button', { name: requestsTexts.outcomes.failed }).click();
    await expect.poll(() => rows.count()).toBe(2);
    expect(await rows.nth(1).textContent()).toContain('502 Failed');
    expect(new URL(page.url()).search).toBe('?outcome=failed');
    const csv = (await page.getByRole('link', { name: statementTexts.csv }).getAttribute('href')) ?? '';
    expect(await page.evaluate(`fetch(${JSON.stringify(csv)}).then((answer) => answer.text())`)).toContain(console.ids.failed);
    await quick.getByRole('button', { name: requestsTexts.allOutcomes }).click();
    await expect.poll(() => rows.count()).toBe(11);
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(2);
    await page.goto(`${console.origin}/console/requests?model=nothing`);
    await page.getByText(requestsTexts.emptyFiltered).waitFor();
    await page.getByRole('button', { name: requestsTexts.clearFilters }).click();
    await expect.poll(() => rows.count()).toBe(11);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('shows the main values of a call on a phone, and its charge without scrolling on a tablet', async () => {
    const { page } = await open('/requests?outcome=completed&model=play');
    const row = page.getByRole('row', { name: '200 Completed' }).first();
    const charge = row.getByText('$0.000065');
    await charge.waitFor();
    await page.setViewportSize({ width: 820, height: 900 });
    const { x = 0, width = 820 } = (await charge.boundingBox()) ?? {};
    expect(x + width).toBeLessThan(820);
    await page.setViewportSize({ width: 390, height: 900 });
    const shown = row.locator('td:visible');
    await expect.poll(async () => (await shown.allInnerTexts()).slice(1)).toEqual(['200 Completed', 'play', 'research / ci', '$0.000065']);
    await page.context().close();
  });

  it('adds, changes and removes filters with only the keyboard, with suggestions', async () => {
    const { page, pageErrors } = await open('/requests');
    const rows = page.getByRole('table').getByRole('row');
    await expect.poll(() => rows.count()).toBe(11);
    const add = page.getByRole('button', { name: filterTextsTexts.add, exact: true });
    const editor = (label: string) => page.getByRole('dialog', { name: label });
    const filters = requestsTexts.filters;
    await add.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await editor(filters.model).getByRole('option', { name: 'small' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await takePictures(page, 'requests-filter');
    await page.keyboard.type('sma');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count()).toBe(4);
    expect(new URL(page.url()).search).toBe('?model=small');
    await editor(filters.model).waitFor({ state: 'detached' });
    // A name stands for its account.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await editor(filters.account_id).getByRole('option', { name: 'research' }).waitFor();
    await page.keyboard.type('research');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Account: research', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('account_id')).toMatch(/^acct_/);
    // The rule of a field is said, and Escape changes nothing.
    await add.click();
    await page.getByRole('menuitem', { name: filters.status }).click();
    await page.keyboard.type('fast');
    await page.keyboard.press('Enter');
    expect(await editor(filters.status).locator('.complaint').textContent()).toBe(requestsTexts.filterRules.status);
    await page.keyboard.press('Escape');
    await editor(filters.status).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('status')).toBe(false);
    await page.getByRole('button', { name: 'Model: small', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('play');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Model: play', exact: true }).focus();
    await page.keyboard.press('Backspace');
    await page.getByRole('button', { name: 'Remove filter Account: research' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).search).toBe('');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe(filterTextsTexts.add);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('sorts by charge and duration at the server, over all pages', async () => {
    const { page, pageErrors } = await open('/requests');
    const rows = page.getByRole('table').getByRole('row');
    await expect.poll(() => rows.count()).toBe(11);
    const { charged } = requestsTexts.columns;
    await page.getByRole('button', { name: charged, exact: true }).click();
    await page.getByRole('table', { name: requestsTexts.sortedCaption(charged) }).waitFor();
    expect(new URL(page.url()).search).toBe('?sort=charged');
    const charges = () =>
      page.locator('tbody td:last-child data').evaluateAll((all) => all.map((one) => Number(one.getAttribute('value'))));
    // The page keeps its former rows until those of the new order arrive.
    const isSorted = async (compare: (one: number, other: number) => number) => {
      const all = await charges();
      return all.length > 3 && all.every((charge, index) => index === 0 || compare(all[index - 1] ?? 0, charge) <= 0);
    };
    await expect.poll(() => isSorted((one, other) => other - one)).toBe(true);
    expect(await page.getByRole('button', { name: requestsTexts.live }).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: charged, exact: true }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?sort=charged&order=asc');
    await expect.poll(() => isSorted((one, other) => one - other)).toBe(true);
    expect(await findViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('groups rejections that follow each other, and expands the group of an opened call', async () => {
    const { key } = await console.gateway.newKey({ account: 'flooder', name: 'loop', balance: 1_000n });
    const ids: string[] = [];
    for (const model of ['ghost', 'ghost', 'phantom']) {
      const answer = await console.gateway.call('/chat/completions', { json: { model, messages: [{ role: 'user', content: 'x' }] }, key });
      await answer.text();
      ids.push(answer.headers.get('x-request-id') ?? expect.fail('no id'));
    }
    await console.gateway.gateway.activity.flush();
    await console.gateway.gateway.activity.flush();
    const { page, pageErrors } = await open('/requests?outcome=rejected');
    const group = page
      .getByRole('row')
      .filter({ hasText: requestsTexts.times(3) })
      .filter({ hasText: 'model_not_found' });
    await group.waitFor();
    await group.getByText('flooder / loop').waitFor();
    expect(await group.textContent()).toContain(requestsTexts.group.since);
    const disclosure = group.getByRole('button');
    expect(await disclosure.getAttribute('aria-expanded')).toBe('false');
    const calls = page.getByRole('row').filter({ hasText: 'model_not_found' }).filter({ hasText: 'flooder' });
    expect(await calls.count()).toBe(1);
    await disclosure.press('Enter');
    await expect.poll(() => calls.count()).toBe(4);
    await takePictures(page, 'requests-group');
    await disclosure.press('Enter');
    await expect.poll(() => calls.count()).toBe(1);
    await page.goto(`${console.origin}/console/requests/${ids[1]}`);
    await page.locator('tr[data-open]').getByText('model_not_found').waitFor();
    expect(await page.locator('tr[data-open]').count()).toBe(1);
    await page.goto(`${console.origin}/console/requests?sort=duration`);
    await page.getByRole('table', { name: requestsTexts.sortedCaption(requestsTexts.columns.duration) }).waitFor();
    expect(await page.locator('[aria-expanded].disclosure').count()).toBe(0);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('groups failures of one code and upstream over all callers, and filters the list by a cause', async () => {
    const { gateway } = console;
    for (const account of ['first', 'second']) {
      const { key } = await gateway.newKey({ account, name: 'ci' });
      for (const fake of Object.values(console.vendors)) fake.next(failure(500));
      const answer = await gateway.call('/chat/completions', { json: { model: 'play', messages: [{ role: 'user', content: 'x' }] }, key });
      expect([answer.status, await answer.text()]).toEqual([502, expect.any(String)]);
    }
    for (let turn = 0; turn < 2; turn++) await gateway.gateway.activity.flush();
    const { page } = await open('/requests?outcome=failed');
    // The seeded one is older.
    const group = page
      .getByRole('row')
      .filter({ hasText: requestsTexts.times(3) })
      .filter({ hasText: 'upstream_error' });
    await group.waitFor();
    expect(await group.textContent()).toMatch(/502 Failed × 3upstream_errorplay3 accountsbackup/);
    const causes = page.getByRole('region', { name: requestsTexts.causes.title });
    expect(await causes.getByRole('row').allTextContents()).toEqual(['Error codeUpstreamCallsShare', 'upstream_errorbackup3100.0%']);
    await takePictures(page, 'requests-causes');
    await causes.getByRole('button', { name: 'upstream_error' }).click();
    await page.getByRole('button', { name: 'Remove filter Error code: upstream_error' }).waitFor();
    await page.getByRole('button', { name: 'Remove filter Upstream: backup' }).waitFor();
    expect(await causes.count()).toBe(0);
    // The only group is expanded, and can be collapsed.
    const rows = page.getByRole('row').filter({ hasText: 'upstream_error' });
    await expect.poll(() => rows.count()).toBe(4);
    await group.getByRole('button').press('Enter');
    await expect.poll(() => rows.count()).toBe(1);
    await page.context().close();
  });

  it('shows the attempts of a paid call, its recomputed receipt and its ledger entries', async () => {
    const { page, pageErrors } = await open('/requests');
    await page.locator(`tr:has(td)`).filter({ hasText: 'play' }).filter({ hasText: '200' }).first().waitFor();
    await page.goto(`${console.origin}/console/requests/${console.ids.moved}`);
    const panel = page.getByRole('complementary', { name: requestsTexts.detail.panel });
    await panel.getByText('every number matches').waitFor();
    const attempts = panel.getByRole('region', { name: requestsTexts.detail.attempts }).getByRole('listitem');
    expect(await attempts.allTextContents()).toEqual([
      expect.stringMatching(/^main 500 upstream_error/),
      expect.stringMatching(/^backup 200 succeeded/),
    ]);
    const { receipt, entries, dropped } = await console.read(`/requests/${console.ids.moved}`);
    const { charged, multiplier } = receipt as Readonly<Record<string, string>>;
    expect(multiplier).toBe('0.800000');
    expect(await panel.getByRole('region', { name: requestsTexts.detail.billing }).first().textContent()).toContain(
      `$${charged}`.replace(/0+$/, ''),
    );
    const ledger = panel.getByRole('region', { name: requestsTexts.detail.ledger }).first();
    expect(await ledger.getByRole('row').count()).toBe((entries as readonly unknown[]).length + 1);
    expect(dropped).toEqual([]);
    expect(await panel.getByRole('region', { name: requestsTexts.detail.dropped }).count()).toBe(0);
    await panel.locator('summary').filter({ hasText: kitTexts.equivalentCallAndCommand }).click();
    await panel.getByRole('button', { name: kitTexts.commandLine, exact: true }).click();
    await panel.getByText(`modelgate explain --request ${console.ids.moved}`).waitFor();
    const operator = { origin: console.origin, key: console.adminKey };
    for (const kind of ['api', 'cli'] as const) expect(await runText(await textOf(panel, kind), operator)).toContain(console.ids.moved);
    await page.setViewportSize({ width: 390, height: 900 });
    // Nothing of the panel is cut off: wide parts scroll by themselves.
    const cutOff = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.panel'))";
    expect(await page.evaluate(cutOff)).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await panel.getByRole('link', { name: /Requests of this key/ }).click();
    await expect.poll(() => new URL(page.url()).search).toContain('since=');
    await page.getByRole('button', { name: /^Remove filter Time:/ }).click();
    await expect.poll(() => new URL(page.url()).search).not.toContain('since=');
    await page.getByRole('button', { name: /^Key: research \/ ci/ }).waitFor();
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('names the numbers that differ in a receipt that was changed on the way', async () => {
    const { page } = await open('/requests');
    await page.route('**/admin/v1/requests/*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replace(/"quantity":\s*\d+/, '"quantity":999') });
    });
    await page.goto(`${console.origin}/console/requests/${console.ids.paid}`);
    await page.getByText(/These differ: the amount of input, the subtotal, the cost/).waitFor();
    await page.context().close();
  });

  it('leads from a call to all calls of its session', async () => {
    const { page } = await open('/requests');
    await page.route('**/admin/v1/requests/*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replace(/"session":\s*(null|"[^"]*")/, '"session":"s1"') });
    });
    await page.goto(`${console.origin}/console/requests/${console.ids.paid}`);
    await page.getByRole('link', { name: requestsTexts.detail.ofSession }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?session=s1');
    await page.getByRole('button', { name: 'Remove filter Session: s1' }).waitFor();
    await page.context().close();
  });

  it('leads from each error code of the activity to its documentation', async () => {
    const { page, pageErrors } = await open('/requests');
    await page.goto(`${console.origin}/console/activity?by=code`);
    const help = page.getByRole('link', { name: kitTexts.aboutCode('insufficient_balance') });
    await help.waitFor();
    expect(await help.getAttribute('href')).toBe('/admin/docs/errors/insufficient_balance');
    expect(await findViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('shows the rule that rejected a call, and a message if a request has no row', async () => {
    const { page, pageErrors } = await open(`/requests/${console.ids.poor}`);
    const panel = page.getByRole('complementary', { name: requestsTexts.detail.panel });
    const checks = panel.getByRole('region', { name: checkTexts.title });
    await checks.waitFor();
    // Only the rejection is visible at first.
    expect(await checks.getByRole('listitem').allTextContents()).toEqual(['Balance rejected']);
    await checks.getByText(checkTexts.summary(7, 2)).click();
    expect(await checks.getByRole('listitem').allTextContents()).toContain('Key passed');
    expect(await panel.getByRole('region', { name: requestsTexts.detail.why }).textContent()).toMatch(/insufficient|balance|quota/);
    const { request } = await console.read(`/requests/${console.ids.poor}`);
    const account = panel.getByRole('link', { name: requestsTexts.detail.actions.account });
    expect(await account.getAttribute('href')).toBe(`/console/accounts/${(request as { readonly account_id: string }).account_id}`);
    const opened = page.waitForEvent('popup');
    await panel.getByRole('region', { name: requestsTexts.detail.why }).getByRole('link', { name: 'insufficient_balance' }).click();
    await (await opened).getByRole('heading', { name: 'insufficient_balance', level: 1 }).waitFor();
    expect((await opened).url()).toBe(`${console.origin}/admin/docs/errors/insufficient_balance`);
    await page.bringToFront();
    await page.keyboard.press('Escape');
    await expect.poll(() => panel.count()).toBe(0);
    await page.goto(`${console.origin}/console/requests/req_none`);
    await page.getByText('Request not found.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('shows new calls without a reload while Live is on', async () => {
    const { page } = await open('/requests?outcome=rejected');
    const rows = page.getByRole('table').getByRole('row');
    await rows.first().waitFor();
    const before = await rows.count();
    await page.getByRole('button', { name: requestsTexts.live }).click();
    const answer = await console.gateway.call('/chat/completions', { json: { model: 'play' } });
    await answer.text();
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBeGreaterThan(before);
    await page.context().close();
  });
});
