/** Models and upstreams that an operator adds and changes in the console of a running gateway: checked while typing, written, reloaded, and called. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configText as words } from '../../client/pages/src/texts/config-text.ts';
import { openStage } from '../processes/reload/stage.ts';
import { findViolations, hasChromium, launchBrowser, openPage } from './browser.ts';
import { takePictures } from './pictures.ts';
import { signInOnce } from './sign-in-once.ts';

describe.skipIf(!hasChromium)('models and upstreams in the console', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });

  const add = async (page: Page, section: 'models' | 'upstreams', name: string) => {
    await page.getByRole('button', { name: words.add[section] }).click();
    await page.getByLabel(section === 'models' ? words.modelId : words.upstreamName, { exact: true }).fill(name);
    await page.getByRole('button', { name: words.next }).click();
    return page.getByRole('dialog');
  };

  it('adds an upstream and a model that callers can use at once, and removes the model', { timeout: 60_000 }, async () => {
    const stage = await openStage();
    const signedIn = await signInOnce(browser, { origin: stage.adminOrigin, key: stage.adminKey });
    const { page, pageErrors } = await openPage(browser, `${stage.adminOrigin}/console/upstreams`, signedIn);

    const upstream = await add(page, 'upstreams', 'second');
    const text = upstream.getByLabel(words.text);
    await upstream.getByText('needs the environment variable SECOND_API_KEY').first().waitFor();
    await takePictures(page, 'edit-config-problem');
    const save = upstream.getByRole('button', { name: words.save });
    expect(await save.getAttribute('aria-disabled')).toBe('true');
    await text.fill(`kind: openai\nbaseUrl: ${stage.second.url}\napiKey: \${VENDOR_KEY}  # shared`);
    await upstream.getByText('1 added, 0 changed, 0 removed').waitFor();
    await save.click();
    await page.getByText(words.saved('second')).waitFor();
    await page.getByRole('row').filter({ hasText: 'second' }).first().waitFor();

    await page.goto(`${stage.adminOrigin}/console/prices`);
    const model = await add(page, 'models', 'fresh');
    await model.getByLabel(words.text).fill("id: fresh\nkind: text\nupstream: second\nprices: { input: '1', output: '2' }");
    await model.getByText('1 added, 0 changed, 0 removed').waitFor();
    await takePictures(page, 'edit-config');
    await model.getByRole('button', { name: words.save }).click();
    await page.getByText(words.saved('fresh')).waitFor();
    expect(await (await stage.call({ model: 'fresh' })).text()).toContain('second');
    expect(readFileSync(stage.file, 'utf8')).toContain(`apiKey: \${VENDOR_KEY}  # shared`);

    await page.getByRole('row').filter({ hasText: 'fresh' }).first().click();
    await page.getByRole('button', { name: `${words.edit}…` }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: words.remove('models') })
      .click();
    await page.getByText('0 added, 0 changed, 1 removed').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: words.remove('models') })
      .click();
    await page.getByText(words.removed('fresh')).waitFor();
    expect((await stage.call({ model: 'fresh' })).status).toBe(404);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });
});
