/** The pages of prices, limits, audit log and settings over the real API: one flow each, in all widths and themes. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { computeExampleCost } from '../../client/pages/src/operator/pages/prices/example-cost.ts';
import { audit as auditTexts } from '../../client/pages/src/texts/audit.ts';
import { kit as kitTexts } from '../../client/pages/src/texts/kit.ts';
import { limits as limitsTexts } from '../../client/pages/src/texts/limits.ts';
import { prices as pricesTexts } from '../../client/pages/src/texts/prices.ts';
import { settings as settingsTexts } from '../../client/pages/src/texts/settings.ts';
import { governed, startAdmin, type TestAdmin } from '../harness/admin.ts';
import { findViolations, hasChromium, launchBrowser, openPage } from './browser.ts';
import { takePictures } from './pictures.ts';
import { type SignedIn, signInOnce } from './sign-in-once.ts';

it('computes the example call of a price in whole micro-dollars, rounded up once', () => {
  expect(computeExampleCost({ input: '2', cached_input: '0.2', output: '8' }, '1.000000')).toBe(28_800n);
  expect(computeExampleCost({ input: '0.000001', output: '0.000001' }, '0.500000')).toBe(1n);
  expect(computeExampleCost({ images: { default: '0.25' } }, '0.500000')).toBe(125_000n);
  expect(computeExampleCost('free', '1.000000')).toBe(0n);
  expect(computeExampleCost({ input: 'x', output: '1' }, '1.000000')).toBeNull();
});

describe.skipIf(!hasChromium)('an operator at the pages of prices, limits, audit log and settings', () => {
  let admin: TestAdmin;
  let browser: Browser;
  let signedIn: SignedIn;
  beforeAll(async () => {
    [admin, browser] = await Promise.all([startAdmin(governed), launchBrowser()]);
    await admin.call('POST', '/accounts', { name: 'research', group: 'vip', opening_balance: '25', limits: { concurrency: 7 } });
    await admin.call('POST', '/keys', { account: 'research', name: 'ci', limits: { requests_per_minute: { limit: 5, mode: 'observe' } } });
    signedIn = await signInOnce(browser, admin);
  });
  afterAll(async () => {
    await browser?.close();
    await admin?.close();
  });

  const open = (path: string) => openPage(browser, `${admin.origin}/console${path}`, signedIn);

  it('sets a new version of a price, with an example call before and after for each group', async () => {
    const { page, pageErrors } = await open('/prices?q=play&list=standard');
    await page.getByRole('button', { name: 'play' }).click();
    await page.getByRole('button', { name: `${pricesTexts.create}…` }).click();
    await page.getByLabel(pricesTexts.fields.output, { exact: true }).fill('16');
    await page.getByLabel(pricesTexts.fields.cache_write_1h).fill('4');
    const example = page.getByRole('region', { name: pricesTexts.example });
    const vip = example.getByRole('row').filter({ hasText: 'vip' });
    expect(await vip.textContent()).toBe('vip× 0.5$0.014400$0.022400');
    expect(await findViolations(page)).toEqual([]);
    await page.getByLabel('Tool calls').fill('web_search_call');
    expect(await page.getByRole('dialog').getByRole('button', { name: pricesTexts.save }).getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Tool calls').fill('web_search_call 0.01');
    await page.getByLabel(pricesTexts.longContext).fill('272000 input=4 cached_input=0.4 output=24');
    await page.getByLabel(pricesTexts.serviceTiers).fill('flex 0.5');
    await page.getByRole('dialog').getByRole('button', { name: pricesTexts.save }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const set = (await admin.call('GET', '/prices')).body.data.find((one) => one.model === 'play' && one.price_list === 'standard');
    expect(set).toMatchObject({
      source: 'admin',
      prices: {
        input: '2',
        cached_input: '0.2',
        cache_write_1h: '4',
        output: '16',
        long_context: { 272000: { input: '4', cached_input: '0.4', output: '24' } },
        service_tiers: { flex: '0.5' },
        tools: { web_search_call: '0.01' },
      },
    });
    await page.getByRole('complementary', { name: 'play' }).getByText(pricesTexts.sources.admin).waitFor();
    await page.getByRole('button', { name: `${pricesTexts.create}…` }).click();
    expect(await page.getByLabel(pricesTexts.fields.cache_write_1h).inputValue()).toBe('4');
    expect(await page.getByLabel(pricesTexts.longContext).inputValue()).toBe('272000 input=4 cached_input=0.4 output=24');
    expect(await page.getByLabel(pricesTexts.serviceTiers).inputValue()).toBe('flex 0.5');
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('shows the limits of the configuration and those that operators set, with links', async () => {
    const { page } = await open('/limits');
    const defaults = page.getByRole('region', { name: limitsTexts.configured });
    await defaults.getByRole('row').filter({ hasText: limitsTexts.scopes.per_key }).getByText('60', { exact: true }).waitFor();
    expect(await defaults.getByRole('row').filter({ hasText: 'team' }).textContent()).toContain('600');
    const own = page.getByRole('region', { name: limitsTexts.overrides });
    const observed = own.getByRole('row').filter({ hasText: 'research / ci' });
    await observed.waitFor();
    expect(await observed.textContent()).toBe('Key research / ciRequests per minute5Observe0%');
    // A row for each limit that is set, and none for what isn't.
    expect(await own.getByRole('row').count()).toBe(3);
    await own.getByRole('link', { name: 'research', exact: true }).click();
    await page.getByRole('heading', { name: 'research', level: 1 }).waitFor();
    await page.context().close();
  });

  it('shows which limits are near, and whose calls an observed one would have rejected', async () => {
    const { body: account } = await admin.call('GET', '/accounts/research');
    const slots = { scope: 'account', subject: account.id, quantity: 'concurrency', most: 7, mode: 'enforce' } as const;
    const rate = { scope: 'group', subject: 'vip', quantity: 'requests', most: 10, mode: 'observe' } as const;
    const key = (await admin.call('GET', '/keys')).body.data.find(({ name }) => name === 'ci');
    const ofKey = { scope: 'key', subject: key?.id ?? '', quantity: 'requests', most: 5, mode: 'observe' } as const;
    const use = admin.limitUse;
    use.record([slots, rate, ofKey]);
    use.recordRejection(ofKey, account.id);
    for (let call = 0; call < 6; call++) {
      await admin.limits.acquire({ requestId: `req_${call}`, limits: [slots], tokens: 0, quantities: ['concurrency'] });
      use.recordRejection(rate, account.id);
    }
    const { page, pageErrors } = await open('/limits');
    const near = page.getByRole('region', { name: limitsTexts.inUse.title });
    const first = near.getByRole('row').nth(1);
    await first.waitFor();
    expect(await first.textContent()).toBe('Account researchConcurrent requests86%1 of 7–Enforce–');
    expect(await near.getByRole('row').filter({ hasText: 'vip' }).textContent()).toContain('Observe6 (not enforced) · research: 6');
    expect(await near.getByRole('meter').first().getAttribute('value')).toBe('857');
    const own = page.getByRole('region', { name: limitsTexts.overrides });
    expect(await own.getByRole('meter', { name: limitsTexts.inUse.usageFor('research'), exact: true }).getAttribute('value')).toBe('857');
    expect(await findViolations(page)).toEqual([]);
    await near.getByRole('button', { name: limitsTexts.inUse.scopes.key }).click();
    await near.getByRole('link', { name: 'research / ci' }).waitFor();
    expect(page.url()).toContain('scope=key');
    await near.getByRole('button', { name: limitsTexts.inUse.scopes.model }).click();
    await near.getByText(limitsTexts.inUse.empty).waitFor();
    await near.getByRole('button', { name: limitsTexts.inUse.scopes[''] }).click();
    await near.getByRole('link', { name: 'research', exact: true }).click();
    await page.getByRole('heading', { name: 'research', level: 1 }).waitFor();
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('lists who changed what in sentences, filters it, and leads to what was changed', async () => {
    const { page } = await open('/audit');
    await page.getByRole('combobox', { name: auditTexts.action }).selectOption('account.create');
    const table = page.getByRole('table', { name: auditTexts.caption });
    // The list is asked for anew: until it is here, the one before is shown.
    await expect.poll(() => table.getByText('Created the key').count()).toBe(0);
    const row = table.getByRole('row').filter({ hasText: 'Created the account research' });
    await row.getByRole('button').click();
    const panel = page.getByRole('complementary');
    await panel.getByRole('row').filter({ hasText: 'Opening balance' }).getByText('$25.00').waitFor();
    expect(await panel.getByRole('columnheader').allTextContents()).toEqual([auditTexts.diff.field, auditTexts.diff.value]);
    expect(await findViolations(page)).toEqual([]);
    await page.getByLabel(auditTexts.search).fill('nobody did this');
    await page.getByText(auditTexts.emptyFiltered).waitFor();
    await page.getByRole('button', { name: auditTexts.clearFilters }).click();
    await table.getByRole('row').filter({ hasText: 'Created the key ci of research' }).waitFor();
    await row.getByRole('link', { name: 'research' }).click();
    await page.getByRole('heading', { name: 'research', level: 1 }).waitFor();
    await page.context().close();
  });

  it('shows each field of an edit with its earlier value', async () => {
    const { body: account } = await admin.call('POST', '/accounts', { name: 'mover' });
    const { body: key } = await admin.call('POST', '/keys', { account: 'mover', name: 'night', expires_at: '2035-02-01T12:00:00Z' });
    await admin.call('PATCH', `/accounts/${account.id}`, { group: 'vip' });
    await admin.call('PATCH', `/accounts/${account.id}`, { suspended: true });
    const settings = { limits: { requests_per_minute: 9 }, spending_caps: [{ amount: '20', period: 'month' }], expires_at: null };
    await admin.call('PATCH', `/keys/${key.id}`, { name: 'night', ...settings });
    await admin.call('POST', '/prices', { model: 'play', price_list: 'standard', prices: { input: '3', output: '8' } });
    const { page, pageErrors } = await open('/audit');
    const table = page.getByRole('table', { name: auditTexts.caption });
    await table.getByText('Changed the group of mover from default to vip').waitFor();
    await table.getByText('Suspended the account mover').waitFor();
    const row = table.getByRole('row').filter({ hasText: /Changed the limits, spending caps, and expiration of mover \/ night/ });
    await row.getByRole('button').click();
    const diff = page.getByRole('region', { name: auditTexts.changes });
    await diff.waitFor();
    // The name stayed as it was.
    expect(await diff.getByRole('row').allTextContents()).toEqual([
      'FieldBeforeAfter',
      'Requests per minuteUses defaults9',
      'Spending capsNone$20.00 per month',
      expect.stringMatching(/^ExpirationFeb 1, 2035, \d\d:00Never$/),
    ]);
    const panel = page.getByRole('complementary');
    expect(await panel.textContent()).toContain(key.id);
    await panel.locator('summary').filter({ hasText: auditTexts.raw }).click();
    await panel.getByText('"spending_caps"').waitFor();
    await takePictures(page, 'audit-edit');
    await table.getByRole('row').filter({ hasText: 'Set the price of play' }).first().getByRole('button').click();
    await diff.getByRole('row').filter({ hasText: '$3.00 per million tokens' }).waitFor();
    expect(
      await diff
        .getByRole('row')
        .filter({ hasText: /^Output(?! above)/ })
        .count(),
    ).toBeLessThanOrEqual(1);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('creates an admin key that is shown once, ends its session, and revokes it', async () => {
    const { page } = await open('/settings?tab=operators');
    await page.getByRole('button', { name: settingsTexts.keys.create }).click();
    await page.getByLabel(settingsTexts.keys.name).fill('alice');
    await page.getByRole('dialog').getByRole('button', { name: settingsTexts.keys.create }).click();
    const secret = (await page.locator('.secret code').textContent()) ?? '';
    expect(secret).toMatch(/^mga-/);
    await page.getByRole('button', { name: kitTexts.secretStored }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);

    await signInOnce(browser, { origin: admin.origin, key: secret });
    await page.reload();
    const row = page.getByRole('region', { name: settingsTexts.sessions.title }).getByRole('row').filter({ hasText: 'alice' });
    await row.getByRole('cell', { name: /^Chrome on \w+\s*127\.0\.0\.1$/ }).waitFor();
    await row.getByRole('button').click();
    await row.waitFor({ state: 'detached' });
    const own = page
      .getByRole('region', { name: settingsTexts.sessions.title })
      .getByRole('row')
      .filter({ hasText: settingsTexts.sessions.thisSession });
    expect(await own.getByRole('button').getAttribute('aria-disabled')).toBe('true');

    await page.getByRole('button', { name: settingsTexts.keys.revokeNamed('alice') }).click();
    await page.getByLabel('Type alice to confirm').first().fill('alice');
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: settingsTexts.keys.title }).getByText(settingsTexts.keys.revoked, { exact: true }).waitFor();
    expect((await admin.call('GET', '/keys', undefined, secret)).status).toBe(401);
    await page.context().close();
  });
});
