/** A reload of the configuration from the console, on a running gateway: what changed, and the mistakes of a file. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage } from '../e2e/reload/stage.ts';
import { findViolations, hasChromium, launchBrowser, openPage } from './browser.ts';
import { signInOnce } from './looks.ts';

describe.skipIf(!hasChromium)('a reload from the console', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it('shows what changed, that nothing did, and which keys of the file are wrong', { timeout: 60_000 }, async () => {
    const stage = await openStage();
    const signedIn = await signInOnce(browser, { origin: stage.adminOrigin, key: stage.adminKey });
    const { page, complaints } = await openPage(browser, `${stage.adminOrigin}/console/settings`, signedIn);
    const part = page.getByRole('region', { name: 'Configuration' });
    const reload = part.getByRole('button', { name: 'Reload the configuration' });
    await reload.click();
    await part.getByText('nothing changed').waitFor();

    stage.write(stage.settings({ groups: { team: { multiplier: '1' }, vip: { multiplier: '0.5' } } }));
    await reload.click();
    await part.getByText('The new configuration runs').waitFor();
    expect(await part.getByRole('status').textContent()).toContain('groups.vip');

    stage.write(stage.settings({ serverr: { port: 1 } }));
    await reload.click();
    await part.getByText('The file was refused').waitFor();
    expect(await part.getByRole('table').textContent()).toContain('serverr');
    expect(await findViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
