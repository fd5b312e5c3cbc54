/** The playground in a browser: a call with its events, cost and code, a refusal, and streams that break or are stopped. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { playground as playgroundTexts } from '../../client/pages/src/texts/playground.ts';
import { start as startTexts } from '../../client/pages/src/texts/portal-start.ts';
import { chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { drawPng, images } from '../fakes/images.ts';
import { responseFrames } from '../fakes/responses.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';
import { findViolations, hasChromium, launchBrowser, openPage } from './browser.ts';

const said = ['# Why\n\nBecause **blue** ', 'is `scattered`.\n\n- <img src=x onerror=alert(1)>\n- [no](javascript:alert(1))', '\n'];
const shots = process.env.MODELGATE_SHOTS;

describe.skipIf(!hasChromium)('the holder of a key at the playground', () => {
  let vendor: BehindVendor;
  let browser: Browser;
  let page: Page;
  let pageErrors: readonly string[];
  beforeAll(async () => {
    [vendor, browser] = await Promise.all([openBehindVendor(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await vendor?.close();
  });
  afterEach(async () => {
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  async function open(search = '', key = vendor.gateway.key, options = {}): Promise<void> {
    ({ page, pageErrors } = await openPage(browser, `${vendor.gateway.origin}/portal/playground${search}`, options));
    await page.getByRole('textbox').first().fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: playgroundTexts.title, level: 1 }).waitFor();
  }

  const answer = () => page.getByRole('region', { name: playgroundTexts.response });
  async function shoot(name: string): Promise<void> {
    if (shots === undefined) return;
    for (const [width, height] of [
      [390, 844],
      [820, 1000],
      [1440, 900],
    ] as const)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${shots}/${name}-${width}-${colorScheme}.png`, fullPage: true });
      }
  }

  it('shows a streamed response without its HTML, its events in order, and its cost', async () => {
    await open();
    expect(await findViolations(page)).toEqual([]);
    for (let call = 0; call < 2; call++) vendor.fake.next(stream(responseFrames({ text: said })));
    await page.getByLabel(playgroundTexts.input, { exact: true }).fill('Why?');
    const ceiling = page.locator('.play-ceiling:not([aria-busy])');
    await ceiling.getByText(/^Costs up to \$\d/).waitFor();
    const before = (await ceiling.locator('data').first().getAttribute('value')) ?? '';
    expect(await ceiling.innerText()).toMatch(/^Costs up to \$[\d.]+ · available balance \$[\d,]+\.\d\d/);
    await page.keyboard.press('Control+Enter');
    await answer().getByText(playgroundTexts.states.done, { exact: true }).waitFor();
    expect(vendor.fake.requests.at(-1)?.json).toMatchObject({ model: 'gpt-5.4', stream: true, store: false });
    const text = answer().locator('.play-text');
    expect(await text.locator('strong').allTextContents()).toEqual(['Why', 'blue']);
    expect(await text.locator('li').allTextContents()).toEqual(['<img src=x onerror=alert(1)>', '[no](javascript:alert(1))']);
    expect(await text.locator('img, a').count()).toBe(0);
    await answer().locator('.play-cost data').waitFor();
    const id = await answer().locator('.copied-id code').textContent();
    const receipt = JSON.parse(await (await vendor.gateway.call(`/usage/${id}`)).text());
    expect(await answer().locator('.play-cost data').getAttribute('value')).toBe(receipt.charged);
    expect(before).toBe(receipt.held);
    expect(await findViolations(page)).toEqual([]);
    await shoot('answer');
    await answer().getByRole('link', { name: startTexts.receipt }).click();
    await page
      .getByRole('complementary', { name: `Call ${id}` })
      .getByText('Recalculated in your browser')
      .waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: playgroundTexts.title, level: 1 }).waitFor();
    await answer().getByText(playgroundTexts.states.done, { exact: true }).waitFor();
    const message = page.getByLabel(playgroundTexts.input, { exact: true });
    expect(await message.inputValue()).toBe('');
    await message.fill('And at dusk?');
    await page.getByRole('button', { name: playgroundTexts.run }).click();
    await expect.poll(() => answer().getByText(playgroundTexts.states.done, { exact: true }).count()).toBe(2);
    expect(vendor.fake.requests.at(-1)?.json).toMatchObject({
      input: [
        { role: 'user', content: 'Why?' },
        { role: 'assistant', content: said.join('') },
        { role: 'user', content: 'And at dusk?' },
      ],
    });
    expect(await findViolations(page)).toEqual([]);
    await shoot('conversation');

    await page.getByRole('button', { name: playgroundTexts.views.events }).click();
    await answer().getByText(playgroundTexts.orderValid).waitFor();
    const types = await answer().locator('.play-events strong').allTextContents();
    expect([types[0], types.at(-2), types.at(-1)]).toEqual(['response.created', 'response.completed', '[DONE]']);
    await page.getByLabel(playgroundTexts.filter).fill('output_text.delta');
    expect(await answer().locator('.play-events li').count()).toBe(said.length);
    expect(await findViolations(page)).toEqual([]);
    await shoot('events');
  });

  it('compares two models that go on from the same conversation, each with its cost', async () => {
    await open('?tab=chat');
    const columns = () => answer().locator('.play-columns > section');
    const run = async (text: string, replies: readonly string[]) => {
      for (const reply of replies) vendor.fake.next(stream(chatFrames({ text: [reply], includeUsage: true })));
      await page.getByLabel(playgroundTexts.message, { exact: true }).fill(text);
      await page.getByRole('button', { name: playgroundTexts.run }).click();
      await expect.poll(() => page.getByLabel(playgroundTexts.message, { exact: true }).inputValue()).toBe('');
    };
    await run('One?', ['First.']);
    await page.getByRole('button', { name: playgroundTexts.addModel }).click();
    const other = await page.getByLabel(playgroundTexts.secondModel, { exact: true }).inputValue();
    const before = vendor.fake.requests.length;
    await run('Two?', ['A.', 'B.']);
    await expect.poll(() => answer().getByText(playgroundTexts.states.done, { exact: true }).count()).toBe(4);
    const sent = vendor.fake.requests.slice(before).map(({ json: body }) => body as { model: string; messages: unknown });
    const messages = [
      { role: 'user', content: 'One?' },
      { role: 'assistant', content: 'First.' },
      { role: 'user', content: 'Two?' },
    ];
    expect(sent.map(({ model }) => model).sort()).toEqual(['gpt-5.4', other]);
    expect(other).not.toBe('gpt-5.4');
    for (const body of sent) expect(body.messages).toEqual(messages);
    expect(await columns().nth(0).getByText(playgroundTexts.answeredBy('gpt-5.4')).count()).toBe(0);
    expect(await columns().nth(1).getByText(playgroundTexts.answeredBy('gpt-5.4')).count()).toBe(1);
    for (const index of [0, 1]) await columns().nth(index).locator('.play-cost data').last().waitFor();
    expect(new URL(page.url()).searchParams.get('with')).toBe(other);
    expect(await findViolations(page)).toEqual([]);
    await page.getByLabel(playgroundTexts.message, { exact: true }).fill('Three?');
    await page.locator('.play-ceiling:not([aria-busy])').getByText(`${other}: `).waitFor();
    await shoot('compared');
    await page.setViewportSize({ width: 390, height: 844 });
    const boxes = await Promise.all([0, 1].map((index) => columns().nth(index).boundingBox()));
    expect(boxes[1]?.y).toBeGreaterThan((boxes[0]?.y ?? 0) + (boxes[0]?.height ?? 0));
    await page.getByRole('button', { name: playgroundTexts.removeModel }).click();
    await expect.poll(() => columns().count()).toBe(1);
    await page.getByLabel(playgroundTexts.message, { exact: true }).fill('');
    await page.getByRole('button', { name: playgroundTexts.restart }).click();
    await answer().getByText(playgroundTexts.empty).waitFor();
    expect(await page.getByLabel(playgroundTexts.message, { exact: true }).inputValue()).toBe('One?');
  });

  it('shows code that runs unchanged', async () => {
    await open('?view=code');
    await page.getByLabel(playgroundTexts.input, { exact: true }).fill(`It's "quoted" — $HOME \\ ☕`);
    expect(await findViolations(page)).toEqual([]);
    const code = await answer().locator('pre').textContent();
    expect(code).not.toContain(vendor.gateway.key);
    vendor.fake.next(stream(responseFrames({ text: ['hello'] })));
    const { stdout } = await promisify(execFile)('sh', ['-c', code ?? ''], {
      env: { ...process.env, MODELGATE_API_KEY: vendor.gateway.key },
    });
    expect(stdout).toContain('response.completed');
    expect(JSON.stringify(vendor.fake.requests.at(-1)?.json)).toContain(JSON.stringify(`It's "quoted" — $HOME \\ ☕`));
    await shoot('code');
  });

  it('shows the error of a rejected call and what to change', async () => {
    const { key } = await vendor.gateway.newKey({ permissions: { models: ['gpt-5-mini'], operations: null, mayStore: true } });
    await open('?tab=chat', key);
    await page.getByRole('button', { name: playgroundTexts.run }).click();
    await answer().getByText(playgroundTexts.callRejected).waitFor();
    expect(await answer().locator('dl').textContent()).toContain(playgroundTexts.howToFix);
    const help = answer().getByRole('link', { name: 'permission_denied' });
    expect(await help.getAttribute('href')).toBe('/docs/errors/permission_denied');
    const whole = JSON.parse((await answer().locator('pre').textContent()) ?? '');
    const body = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Why is the sky blue?' }], stream: true, store: false };
    expect(whole).toEqual(JSON.parse(await (await vendor.gateway.call('/chat/completions', { json: body, key })).text()));
    expect(await findViolations(page)).toEqual([]);
    await shoot('rejected');
  });

  it('marks a stream that breaks off as broken, not as complete', async () => {
    await open('?tab=chat');
    vendor.fake.next(stream(chatFrames({ text: ['one ', 'two ', 'three'] }), { stopAfter: { frames: 3 }, ending: 'cut' }));
    await page.getByRole('button', { name: playgroundTexts.run }).click();
    await answer().getByText(playgroundTexts.states.broken, { exact: true }).waitFor();
    expect(await answer().getByText(playgroundTexts.states.done, { exact: true }).count()).toBe(0);
    expect(await answer().textContent()).toContain('this response is incomplete');
    expect(await findViolations(page)).toEqual([]);
    await shoot('broken');
  });

  it('stops a call, and closes the connection to the provider', async () => {
    await open('?tab=chat');
    const index = vendor.fake.requests.length;
    vendor.fake.next(stream(chatFrames({ text: ['one ', 'two ', 'three'] }), { stopAfter: { frames: 2 }, ending: 'stall' }));
    await page.getByRole('button', { name: playgroundTexts.run }).click();
    await answer().getByText('one').waitFor();
    await page.getByRole('button', { name: playgroundTexts.stop }).click();
    await answer().getByText(playgroundTexts.states.stopped, { exact: true }).waitFor();
    await vendor.fake.hangUp(index);
    expect(vendor.fake.requests[index]).toMatchObject({ closedAt: expect.any(Number), endedAt: null });
  });

  it('generates an image, and edits one from a file', async () => {
    await open('?tab=images');
    const picture = Buffer.from(drawPng(32, 16));
    vendor.fake.next(json(images({ size: '1024x1024' })));
    await page.getByRole('button', { name: playgroundTexts.run }).click();
    await answer().getByRole('img', { name: 'Image 1' }).waitFor();
    await page.getByLabel(playgroundTexts.images).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: picture });
    await page.getByText(playgroundTexts.noImages).waitFor({ state: 'detached' });
    vendor.fake.next(json(images({ size: '1024x1024' })));
    await page.getByRole('button', { name: playgroundTexts.run }).click();
    await answer().getByText(playgroundTexts.states.done, { exact: true }).waitFor();
    expect(vendor.fake.requests.at(-1)?.path).toContain('/images/edits');
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('data:');
    expect(await findViolations(page)).toEqual([]);
    await shoot('image');
  });

  it('edits one body by form and by JSON, and keeps it for the next visit without the key', async () => {
    await open('?tab=chat');
    await page.getByText(playgroundTexts.json).first().click();
    const body = page.getByLabel(playgroundTexts.json);
    await page.getByText(playgroundTexts.settings, { exact: true }).click();
    await page.getByLabel(playgroundTexts.temperature).fill('0.5');
    expect(JSON.parse(await body.inputValue())).toMatchObject({ temperature: 0.5 });
    await body.fill('{ "model": ');
    expect(await body.getAttribute('aria-invalid')).toBe('true');
    await body.fill('{ "model": "gpt-5-mini", "messages": [{ "role": "user", "content": "again" }] }');
    expect(await page.getByLabel(playgroundTexts.message, { exact: true }).inputValue()).toBe('again');
    await page.reload();
    expect(await page.getByLabel(playgroundTexts.message, { exact: true }).inputValue()).toBe('again');
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(vendor.gateway.key);
  });
});
