/** A changed file from the console, on a running gateway: checked, its differences read, and reloaded; and where a file with a mistake is wrong. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settings as settingsTexts } from '../../client/pages/src/texts/settings.ts';
import { openStage } from '../processes/reload/stage.ts';
import { findViolations, hasChromium, launchBrowser, openPage } from './browser.ts';
import { runText, textOf } from './copied-text.ts';
import { signInOnce } from './sign-in-once.ts';

describe.skipIf(!hasChromium)('the configuration in the console', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it('checks a changed file, shows the differences by key, reloads it, and shows the line of a broken one', {
    timeout: 60_000,
  }, async () => {
    const stage = await openStage();
    const signedIn = await signInOnce(browser, { origin: stage.adminOrigin, key: stage.adminKey });
    const { page, pageErrors } = await openPage(browser, `${stage.adminOrigin}/console/settings`, signedIn);
    const part = page.getByRole('region', { name: settingsTexts.reload.title, exact: true });
    const check = part.getByRole('button', { name: settingsTexts.reload.check });
    const reload = part.getByRole('button', { name: settingsTexts.reload.reload, exact: true });
    const isOff = () => reload.getAttribute('aria-disabled');
    expect(await isOff()).toBe('true');
    await check.click();
    await part.getByText(settingsTexts.check.noChanges).waitFor();
    expect(await isOff()).toBe('true');

    const groups = { team: { multiplier: '1' }, vip: { multiplier: '0.5' } };
    const vendor = { kind: 'openai', baseUrl: stage.second.url, apiKey: 'sk-another-secret' };
    stage.write(stage.settings({ groups, upstreams: { vendor }, log: { level: 'warn' } }));
    await check.click();
    await part.getByText('0 added, 4 changed, 0 removed').waitFor();
    const rows = part.getByRole('table').getByRole('row');
    expect(await rows.filter({ hasText: 'groups.vip.multiplier' }).textContent()).toBe('groups.vip.multiplier Changed1 → 0.5');
    expect(await rows.filter({ hasText: 'upstreams.vendor.apiKey' }).textContent()).toBe('upstreams.vendor.apiKey Changed●●●● secret');
    expect(await page.content()).not.toMatch(/sk-(vendor|another)-secret/);
    expect(await findViolations(page)).toEqual([]);

    // The file changes behind the page: what was not seen is not taken over.
    stage.write(stage.settings({ log: { level: 'debug' } }));
    await reload.click();
    await part.getByText('config_changed').waitFor();
    expect(await isOff()).toBe('true');
    await check.click();
    await part.getByText('0 added, 1 changed, 0 removed').waitFor();
    // By the keyboard.
    await reload.focus();
    await page.keyboard.press('Enter');
    await part.getByText(settingsTexts.reload.reloaded).waitFor();
    expect(await isOff()).toBe('true');

    const running = page.getByRole('region', { name: settingsTexts.running.title });
    await running.getByLabel(settingsTexts.running.search).fill('log.level');
    await expect.poll(() => running.getByRole('row').nth(1).textContent()).toMatch(/^log\.leveldebugline \d+$/);

    stage.write(stage.settings({ server: { port: 1, heartbeatMs: 20_000 }, billing: 'off' }));
    await check.click();
    await part.getByText('One of them needs a restart.').waitFor();
    expect(await isOff()).toBe('true');

    stage.write('log:\n  level: info\nserverr:\n  port: 1\n');
    await check.click();
    await part.getByText(settingsTexts.check.invalid(1)).waitFor();
    expect(await part.getByRole('table').textContent()).toMatch(/modelgate\.yaml line 3.*serverr.*Did you mean server\?/);
    expect(await isOff()).toBe('true');
    expect(await findViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it.each(['api', 'cli'] as const)('reloads by the command that the page shows: %s', { timeout: 60_000 }, async (kind) => {
    const stage = await openStage();
    const operator = { origin: stage.adminOrigin, key: stage.adminKey };
    const { page } = await openPage(browser, `${stage.adminOrigin}/console/settings`, await signInOnce(browser, operator));
    const part = page.getByRole('region', { name: settingsTexts.reload.title, exact: true });
    stage.write(stage.settings({ log: { level: 'debug' } }));
    await part.getByRole('button', { name: settingsTexts.reload.check }).click();
    await part.getByText('0 added, 1 changed, 0 removed').waitFor();
    const text = await textOf(part, kind);
    expect(text).toContain('digest');
    await runText(text, operator);
    await part.getByRole('button', { name: settingsTexts.reload.check }).click();
    await part.getByText(settingsTexts.check.noChanges).waitFor();
    await page.context().close();
  });

  it('lists the active configuration with its sources, filtered by source and key, without secrets', { timeout: 60_000 }, async () => {
    const stage = await openStage();
    const signedIn = await signInOnce(browser, { origin: stage.adminOrigin, key: stage.adminKey });
    const { page, pageErrors } = await openPage(browser, `${stage.adminOrigin}/console/settings?from=environment`, signedIn);
    const running = page.getByRole('region', { name: settingsTexts.running.title });
    const row = running.getByRole('row').filter({ hasText: 'upstreams.vendor.apiKey' });
    expect(await row.textContent()).toMatch(/●●●● setline \d+, from VENDOR_KEY$/);
    expect(await running.getByRole('row').count()).toBe(2);
    await running.getByRole('button', { name: settingsTexts.running.sources.file, exact: true }).click();
    await running.getByText('models.m.prices.output').waitFor();
    expect(await running.getByText('upstreams.vendor.apiKey').count()).toBe(0);
    await running.getByLabel(settingsTexts.running.search).fill('nothing like it');
    await running.getByRole('button', { name: settingsTexts.running.clearFilters }).click();
    await running.getByText('upstreams.vendor.apiKey').waitFor();
    expect(page.url()).not.toContain('from=');
    expect(await running.getByText('server.host').count()).toBe(0);
    await running.getByRole('button', { name: settingsTexts.running.sources.all, exact: true }).click();
    await running.getByText('server.host').waitFor();
    expect(await page.content()).not.toContain('sk-vendor-secret');
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });
});
