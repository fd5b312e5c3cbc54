/** The page of alerts over a real gateway: what is wrong, who was told, and a test message that somebody really gets. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alerts as alertsTexts } from '../../client/pages/src/texts/alerts.ts';
import { kit as kitTexts } from '../../client/pages/src/texts/kit.ts';
import { overview as overviewTexts } from '../../client/pages/src/texts/overview.ts';
import { settings as settingsTexts } from '../../client/pages/src/texts/settings.ts';
import { issueAdminKey } from '../../server/access/issue-key.ts';
import { openSmtpServer, type SmtpServer } from '../fakes/smtp-server.ts';
import { openReceiver, type Receiver, receiverSecret } from '../fakes/webhook-receiver.ts';
import { findViolations, hasChromium, launchBrowser, openPage } from './browser.ts';
import { openSeededConsole, type SeededConsole } from './seeded-console.ts';
import { type SignedIn, signInOnce } from './sign-in-once.ts';

describe.skipIf(!hasChromium)('the page of alerts', () => {
  let receiver: Receiver;
  /** Always responds 500. */
  let broken: Receiver;
  let mailServer: SmtpServer;
  let seeded: SeededConsole;
  let browser: Browser;
  let signedIn: SignedIn;
  beforeAll(async () => {
    [receiver, broken, browser] = await Promise.all([openReceiver(), openReceiver(), launchBrowser()]);
    broken.next(...Array.from({ length: 100 }, () => 500));
    const webhook = { url: receiver.url, secret: receiverSecret };
    const webhooks = [
      { ...webhook, name: 'ops', url: broken.url },
      { ...webhook, name: 'finance', events: ['balance_low', 'cap_used'] },
      { ...webhook, name: 'ledger', events: ['ledger_mismatch'] },
    ];
    mailServer = await openSmtpServer();
    const mail = [
      {
        name: 'on-call',
        host: '127.0.0.1',
        port: mailServer.port,
        tls: 'none',
        from: 'a@b.example',
        to: ['c@d.example'],
        events: ['cap_used'],
      },
    ];
    seeded = await openSeededConsole({ settings: { alerts: { balanceBelow: '100', webhooks, mail } } });
    signedIn = await signInOnce(browser, { origin: seeded.origin, key: seeded.adminKey });
  });
  afterAll(async () => {
    await browser?.close();
    await seeded?.close();
    await receiver?.close();
    await broken?.close();
    await mailServer?.close();
  });

  const open = (path: string) => openPage(browser, `${seeded.origin}/console${path}`, signedIn);

  it('shows that nothing is wrong, then an alert with its link and the notified webhooks', async () => {
    const { page, pageErrors } = await open('/alerts');
    await page.getByText(alertsTexts.empty.open).waitFor();
    await expect
      .poll(() => page.getByRole('region', { name: alertsTexts.channels.title }).getByText(alertsTexts.channels.none).count())
      .toBe(4);
    expect(await findViolations(page)).toEqual([]);
    await seeded.gateway.gateway.alerts.checkNow();
    await page.reload();
    const row = page.getByRole('row').filter({ hasText: 'Account research has $25.00 left' });
    await row.waitFor();
    expect(await row.textContent()).toContain('which is below $100.00');
    const told = page.getByRole('table', { name: alertsTexts.channels.caption });
    const texts = await told.getByRole('row').allTextContents();
    expect(texts.filter((text) => /Pending.*status 500 · \d+ attempt/.test(text))).toHaveLength(1);
    expect(texts.filter((text) => text.includes(alertsTexts.channels.states.delivered))).toHaveLength(1);
    expect(await page.content()).not.toMatch(/in-the-address|whsec_/);
    await row.getByRole('link', { name: 'Account research' }).click();
    await page.getByRole('heading', { name: 'research', level: 1 }).waitFor();
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('acknowledges an alert, which then needs no attention, and snoozes it instead, with a link to the guide', async () => {
    await seeded.gateway.gateway.alerts.checkNow();
    const { page, pageErrors } = await open('/alerts');
    const row = page.getByRole('row').filter({ hasText: 'Account research has' });
    const guide = row.getByRole('link', { name: alertsTexts.guideNamed(alertsTexts.kinds.balance_low) });
    expect(await guide.getAttribute('href')).toBe('/admin/docs/guides/alerts#balance_low');
    await page.goto(`${seeded.origin}/console/`);
    const attention = page.getByRole('region', { name: 'Needs attention' });
    const opened = attention.getByText('research has');
    await opened.waitFor();
    await page.goBack();
    await row.waitFor();
    const buttons = page.getByRole('button', { name: alertsTexts.acknowledge });
    for (const name of await buttons.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel ?? ''))) {
      const button = page.getByRole('button', { name });
      await button.click();
      await button.waitFor({ state: 'detached' });
    }
    await row.getByText(alertsTexts.states.acknowledged, { exact: true }).waitFor();
    await row.getByText('by tester').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.goto(`${seeded.origin}/console/`);
    await attention.getByText('trial has').waitFor();
    expect(await opened.count()).toBe(0);
    await page.route('**/admin/v1/overview*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), attention: [] } });
    });
    await page.reload();
    await attention.getByRole('link', { name: /acknowledged alerts? (is|are) open$/ }).waitFor();
    expect(await attention.getByText(overviewTexts.allClear).count()).toBe(0);
    await page.goBack();
    await row.getByRole('button', { name: alertsTexts.snoozeNamed('research') }).focus();
    await page.keyboard.press('Enter');
    await page.locator('[role=menuitem]:focus').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByText(alertsTexts.snoozed).waitFor();
    await row.getByText(alertsTexts.states.snoozed, { exact: true }).waitFor();
    const until = Date.parse((await row.locator('time').last().getAttribute('datetime')) ?? '');
    expect(Math.round((until - Date.now()) / 3_600_000)).toBe(72);
    expect(await row.getByRole('button', { name: alertsTexts.acknowledgeNamed('research') }).count()).toBe(1);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it('sends a test message by keyboard, shows its outcome, and the same as a command', async () => {
    const { page } = await open('/alerts');
    const before = receiver.came.length;
    await page.getByRole('button', { name: alertsTexts.channels.testNamed('ledger') }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Test message delivered to ledger: status 204' }).waitFor();
    // An alert of an earlier test may still be delivered.
    expect(receiver.came.slice(before).filter(({ type }) => type === 'webhook.test')).toHaveLength(1);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'tested less than 5 seconds ago' }).waitFor();
    await page.getByRole('button', { name: alertsTexts.channels.testNamed('ops') }).click();
    await page.getByText('Test delivery to ops failed. Status 500.').waitFor();
    await page.getByRole('button', { name: alertsTexts.channels.testNamed('on-call') }).click();
    const result = page.getByRole('region', { name: alertsTexts.channels.testResult });
    await result.getByText('Test message delivered to on-call: status 250').waitFor();
    await result.getByText('250 2.0.0 queued as 4711').waitFor();
    await result.getByText(alertsTexts.channels.sent).click();
    await result.getByText('"subject": "Modelgate: Test message"').waitFor();
    expect(mailServer.came).toHaveLength(1);
    await page.locator('summary').filter({ hasText: kitTexts.equivalentCall }).click();
    await page.getByRole('button', { name: kitTexts.commandLine }).click();
    await page.getByText('modelgate alert test ops').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.context().close();
  });

  it('shows the button and the role it needs to an operator who can only read', async () => {
    const { access } = seeded.gateway.gateway;
    const { key } = await issueAdminKey('reader', { ...access, now: Date.now, role: 'viewer' });
    const viewer = await signInOnce(browser, { origin: seeded.origin, key });
    const { page } = await openPage(browser, `${seeded.origin}/console/alerts`, viewer);
    const button = page.getByRole('button', { name: alertsTexts.channels.testNamed('ops') });
    await page.getByText(settingsTexts.reload.needsAdmin).first().waitFor({ state: 'attached' });
    const acknowledge = page.getByRole('button', { name: alertsTexts.acknowledgeNamed('research') });
    expect(await acknowledge.getAttribute('aria-disabled')).toBe('true');
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await page.context().close();
  });
});
