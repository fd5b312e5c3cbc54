/** The page of keys: filters, all settings of a key, rotation, and which models it may call. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matchesModelPattern } from '../../client/pages/src/data/model-patterns.ts';
import { keys as keysTexts } from '../../client/pages/src/texts/keys.ts';
import { kit as kitTexts } from '../../client/pages/src/texts/kit.ts';
import { limits as limitsTexts } from '../../client/pages/src/texts/limits.ts';
import { spendingCaps as capTexts } from '../../client/pages/src/texts/spending-caps.ts';
import { matchesPattern } from '../../server/access/pattern.ts';
import { governed, startAdmin, type TestAdmin } from '../harness/admin.ts';
import { findViolations, hasChromium, launchBrowser, openPage } from './browser.ts';
import { type SignedIn, signInOnce } from './sign-in-once.ts';

it('reads patterns of models as the gateway does', () => {
  const words = ['', 'a', 'b', 'ab', '*', 'a*', '*b', 'a*b', '*a*', '**', 'a*b*a', 'aab', 'aba', 'abab', '*ab*ab', 'bab*', '*ba'];
  for (const pattern of words)
    for (const id of words.filter((word) => !word.includes('*')))
      expect([pattern, id, matchesModelPattern(pattern, id)]).toEqual([pattern, id, matchesPattern(pattern, id)]);
});

describe.skipIf(!hasChromium)('the page of keys', () => {
  let admin: TestAdmin;
  let browser: Browser;
  let signedIn: SignedIn;
  let id: string;
  beforeAll(async () => {
    [admin, browser] = await Promise.all([startAdmin(governed), launchBrowser()]);
    await admin.call('POST', '/accounts', { name: 'research', group: 'vip', opening_balance: '25' });
    const cap = { amount: '20', period: 'month' };
    id = (await admin.call('POST', '/keys', { account: 'research', name: 'ci', permissions: { models: ['pl*'] }, spending_caps: [cap] }))
      .body.id;
    await admin.call('POST', '/keys', { account: 'research', name: 'notebook' });
    signedIn = await signInOnce(browser, admin);
  });
  afterAll(async () => {
    await browser?.close();
    await admin?.close();
  });

  const open = (path: string) => openPage(browser, `${admin.origin}/console${path}`, signedIn);
  const keyOf = async (keyId: string) => (await admin.call('GET', `/keys/${keyId}`)).body;

  it('finds keys by name and state, and keeps the filters in the URL', async () => {
    const { page } = await open('/keys?q=note');
    await page.getByRole('button', { name: 'notebook' }).waitFor();
    expect(await page.getByRole('button', { name: 'research / ci', exact: true }).count()).toBe(0);
    await page.getByRole('combobox', { name: keysTexts.state }).selectOption('revoked');
    await page.getByText(keysTexts.emptyFiltered).waitFor();
    expect(new URL(page.url()).search).toBe('?q=note&state=revoked');
    await page.getByRole('button', { name: keysTexts.clearFilters }).click();
    await page.getByRole('button', { name: 'research / ci', exact: true }).waitFor();
    await page.context().close();
  });

  it('shows the matching models while the models of a key are typed', async () => {
    await admin.call('POST', '/accounts', { name: 'plain' });
    const { page } = await open('/keys?dialog=create');
    const told = page.getByRole('dialog').getByRole('status');
    await told.getByText('Matches 4 of 4 models: play, pearl, draw, gift').waitFor();
    await page.getByLabel(keysTexts.models).fill('p*, dr');
    await told.getByText('Matches 2 of 4 models: play, pearl').waitFor();
    await page.getByLabel(keysTexts.account, { exact: true }).fill('plain');
    await told.getByText('Matches 1 of 3 models: play (group default)').waitFor();
    await page.getByLabel(keysTexts.models).fill('none');
    await told.getByText('Matches 0 of 3 models (group default)').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.context().close();
  });

  it('makes a key with limits, addresses, operations and no storing', async () => {
    const { page } = await open('/keys?dialog=create&account=research');
    await page.getByLabel(keysTexts.name, { exact: true }).fill('strict');
    await page.getByText(keysTexts.more).click();
    await page.getByLabel(limitsTexts.names.concurrency).first().fill('4');
    await page.getByLabel(limitsTexts.modeFor(limitsTexts.names.concurrency)).selectOption('observe');
    await page.getByLabel(keysTexts.addresses).fill('192.0.2.0/24, 198.51.100.7');
    await page.getByLabel(keysTexts.operationNames.createChatCompletion).check();
    await page.getByLabel(keysTexts.canStore).uncheck();
    await page.getByLabel(keysTexts.canManageKeys).check();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: keysTexts.create }).click();
    await page.getByRole('button', { name: kitTexts.secretStored }).click();
    const made = (await admin.call('GET', '/keys')).body.data.find(({ name }) => name === 'strict');
    expect(made).toMatchObject({
      limits: { concurrency: { limit: 4, mode: 'observe' }, requests_per_minute: null },
      ip_ranges: ['192.0.2.0/24', '198.51.100.7'],
      permissions: { operations: ['createChatCompletion'], models: null, may_store: false, manage_keys: true },
    });
    await page.context().close();
  });

  it('edits a key, replaces a selected amount, and keeps the other settings', async () => {
    const { page } = await open(`/keys?open=${id}&dialog=edit`);
    const save = page.getByRole('button', { name: keysTexts.save });
    expect(await save.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel(capTexts.typed.day).fill('5');
    await page.getByLabel(capTexts.typed.month).click();
    await page.keyboard.type('20.5');
    expect(await findViolations(page)).toEqual([]);
    await save.click();
    await page.getByText(keysTexts.edited('research / ci')).waitFor();
    await page.getByRole('complementary', { name: 'ci' }).getByText('$5.00').waitFor();
    expect(await keyOf(id)).toMatchObject({
      spending_caps: [
        { amount: '5.000000', period: 'day' },
        { amount: '20.500000', period: 'month' },
      ],
      permissions: { models: ['pl*'] },
    });
    await page.context().close();
  });

  it('shows a cap of nothing as used up, removes it, and keeps the buttons of the form in sight', async () => {
    const { page } = await open(`/keys?open=${id}`);
    const panel = page.getByRole('complementary', { name: 'ci' });
    const uses = () => panel.getByRole('meter').evaluateAll((all) => all.map((meter) => meter.getAttribute('value')));
    for (const [typed, expected] of [
      ['0', ['0', '1000', '0']],
      ['', ['0', '0']],
    ] as const) {
      await panel.getByRole('button', { name: `${keysTexts.edit}…` }).click();
      const { y = 0, height = 0 } = (await page.getByRole('button', { name: keysTexts.save }).boundingBox()) ?? {};
      expect(y + height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
      await page.getByLabel(capTexts.typed.week).fill(typed);
      await page.keyboard.press('Enter');
      await expect.poll(uses).toEqual(expected);
    }
    await page.context().close();
  });

  it('names the models that a key can call, and the rule that rejects each other one, from one call', async () => {
    const { page } = await open('/keys');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('button', { name: 'research / ci', exact: true }).click();
    const access = page.getByRole('region', { name: keysTexts.access.title });
    await access.getByText('play', { exact: true }).waitFor();
    expect(await access.getByRole('status').textContent()).toBe(keysTexts.access.allowedOf(1, 4));
    const rejected = access.getByRole('table', { name: keysTexts.access.caption }).getByRole('row');
    expect(await rejected.count()).toBe(4);
    expect(await rejected.filter({ hasText: 'draw' }).textContent()).toMatch(/^drawmodels/);
    expect(asked.filter((path) => /explanations|access$/.test(path))).toEqual([`/admin/v1/keys/${id}/access`]);
    expect(await findViolations(page)).toEqual([]);
    await page.context().close();
  });

  it('shows at once that a revoked key can call no model', async () => {
    const { id: leaked } = (await admin.call('POST', '/keys', { account: 'research', name: 'leaked' })).body;
    const { page } = await open(`/keys?open=${leaked}&dialog=revoke`);
    const access = page.getByRole('region', { name: keysTexts.access.title }).getByRole('status');
    await access.getByText(keysTexts.access.allowedOf(4, 4)).waitFor();
    await page.getByLabel(kitTexts.typeName('research / leaked')).first().fill('research / leaked');
    await page.keyboard.press('Enter');
    await access.getByText(keysTexts.access.allowedOf(0, 4)).waitFor();
    await page.context().close();
  });

  it('rotates a key with an overlap: the new key is shown once, and the old one expires', async () => {
    const { page, pageErrors } = await open(`/keys?open=${id}`);
    await page.getByRole('button', { name: `${keysTexts.rotate}…` }).click();
    await page.getByLabel(keysTexts.overlap).selectOption('3600');
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: keysTexts.rotate }).click();
    const secret = (await page.locator('.secret code').textContent()) ?? '';
    expect(secret).toMatch(/^mg-/);
    await page.getByRole('button', { name: kitTexts.secretStored }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    const { replaced_by: next, expires_at: end } = await keyOf(id);
    expect(end).not.toBeNull();
    expect(new URL(page.url()).searchParams.get('open')).toBe(next);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });
});
