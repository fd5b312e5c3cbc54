/** What channels are sent on each engine: until it is taken, under one id, by one process at a time, and not for ever. */
import type { ServerResponse } from 'node:http';
import { afterAll, test as base, beforeAll, beforeEach, describe, expect, onTestFinished } from 'vitest';
import { MAX_ATTEMPTS } from '../../../../server/records/alerts/deliver-alerts.ts';
import { openSmtpServer } from '../../../fakes/smtp-server.ts';
import { openReceiver, type Receiver, signatureOf } from '../../../fakes/webhook-receiver.ts';
import { engines } from './engines.ts';
import { atNoon, DAY_MS, HOUR_MS, heardBy, MINUTE_MS, noon, openProcess, webhookOf } from './process.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.came.length = 0;
});
const told = () => ({ webhooks: [webhookOf(receiver)] });

describe.each(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();

  test('retries a failed delivery later, the same bytes under the same ID, and then gives up', async () => {
    const stage = await open();
    const process = atNoon();
    const alerts = openProcess(stage, told(), process);
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, posted: 700, summed: 500 });
    receiver.next(500);
    await alerts.checkNow();
    expect(receiver.came).toHaveLength(1);
    await alerts.tick();
    expect(receiver.came).toHaveLength(1);
    process.clock.now += 5_000;
    await alerts.tick();
    const [first, second] = receiver.came;
    expect([second?.id, second?.body]).toEqual([first?.id, first?.body]);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect(second && signatureOf(second)).toBe(second?.headers['webhook-signature']);
    process.clock.now += 12 * HOUR_MS;
    await alerts.tick();
    expect(receiver.came).toHaveLength(2);

    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, posted: 700, summed: 700 });
    receiver.next(...Array.from({ length: MAX_ATTEMPTS }, () => 503));
    await alerts.checkNow();
    for (let at = 0; at < MAX_ATTEMPTS + 3; at++) {
      process.clock.now += 12 * HOUR_MS;
      await alerts.tick();
    }
    expect(receiver.came).toHaveLength(2 + MAX_ATTEMPTS);
    const lines = process.logged.join('');
    expect(lines).toContain('alert delivery failed; giving up');
    expect(lines).not.toMatch(/in-the-address|whsec_/);
  });

  test('sends nothing more to a receiver that returns 410', async () => {
    const stage = await open();
    const process = atNoon();
    const alerts = openProcess(stage, told(), process);
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, posted: 700, summed: 500 });
    receiver.next(410);
    await alerts.checkNow();
    process.clock.now += 12 * HOUR_MS;
    await alerts.tick();
    expect(receiver.came).toHaveLength(1);
  });

  test('sends Slack, Teams, and mail what people read, with links, in the same order and with the same retries', async () => {
    const stage = await open();
    const process = atNoon();
    const mailServer = await openSmtpServer();
    onTestFinished(() => mailServer.close());
    const { url } = receiver;
    const settings = {
      webhooks: [
        { name: 'slack', url, format: 'slack' },
        { name: 'teams', url, format: 'teams' },
      ],
      mail: [{ name: 'on-call', host: '127.0.0.1', port: mailServer.port, tls: 'none', from: 'a@b.example', to: ['c@d.example'] }],
    };
    const alerts = openProcess(stage, settings, process, 'https://gateway.example');
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, posted: 700, summed: 500 });
    mailServer.next('451 4.7.1 greylisted');
    await alerts.checkNow();
    const bodies = receiver.came.map(({ body }) => JSON.parse(body));
    const [slack, teams] = bodies[0].blocks ? bodies : bodies.toReversed();
    const message = expect.stringMatching(/^The ledger and the request log disagree by \$0\.000200/);
    const [consoleUrl, guideUrl] = [
      'https://gateway.example/console/activity',
      'https://gateway.example/admin/docs/guides/alerts#ledger_mismatch',
    ];
    expect(slack).toEqual({
      text: expect.stringMatching(/^Ledger mismatch\. The ledger/),
      mrkdwn: false,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Ledger mismatch', emoji: false } },
        { type: 'section', text: { type: 'plain_text', text: message, emoji: false } },
        { type: 'context', elements: [{ type: 'mrkdwn', text: `<${consoleUrl}|Open in console> · <${guideUrl}|What to do>` }] },
      ],
    });
    expect(teams).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            body: [
              { inlines: [{ type: 'TextRun', text: 'Ledger mismatch', color: 'Attention' }] },
              { inlines: [{ type: 'TextRun', text: message }] },
            ],
            actions: [
              { type: 'Action.OpenUrl', title: 'Open in console', url: consoleUrl },
              { type: 'Action.OpenUrl', title: 'What to do', url: guideUrl },
            ],
          },
        },
      ],
    });
    expect(receiver.came.every(({ headers }) => headers['webhook-signature'] === undefined)).toBe(true);
    expect(mailServer.came).toEqual([]);
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, posted: 700, summed: 700 });
    process.clock.now += 1_000;
    await alerts.checkNow();
    expect(mailServer.came).toEqual([]);
    process.clock.now += 5_000;
    await alerts.tick();
    const mails = mailServer.came.map(({ headers, text }) => [headers.get('subject'), text.split('\n')[0]?.slice(0, 30)]);
    expect(mails).toEqual([
      ['Modelgate: Ledger mismatch', 'The ledger and the request log'],
      ['Modelgate: Resolved: Ledger mismatch', 'The ledger and the request log'],
    ]);
    expect(mailServer.came[0]?.text).toContain(`\nOpen in console: ${consoleUrl}\nWhat to do: ${guideUrl}`);
    expect(mailServer.came[0]?.text).toContain('starting 2027-01-10 11:00 UTC.');
    expect(receiver.came).toHaveLength(4);
    expect(process.logged.join('')).toContain('451 4.7.1 greylisted');
  });

  test('sends the end of an alert only after its start, and each webhook only its configured kinds', async () => {
    const stage = await open();
    const process = atNoon();
    const webhooks = [
      { ...webhookOf(receiver), name: 'all' },
      { ...webhookOf(receiver), name: 'money', events: ['balance_low'] },
    ];
    const alerts = openProcess(stage, { webhooks }, process);
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, posted: 700, summed: 500 });
    receiver.next(500);
    await alerts.checkNow();
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, posted: 700, summed: 700 });
    process.clock.now += 1_000;
    await alerts.checkNow();
    expect(heardBy(receiver)).toEqual(['alert.opened ledger_mismatch null']);
    process.clock.now += 5_000;
    await alerts.tick();
    expect(heardBy(receiver).slice(1)).toEqual(['alert.opened ledger_mismatch null', 'alert.resolved ledger_mismatch null']);
  });

  test('repeats a delivery once when a process ends between sending and recording it', async () => {
    const stage = await open();
    const process = atNoon();
    const failing = { ...stage.here, finish: () => Promise.reject(new Error('the process was killed')) };
    const killed = openProcess({ ...stage, here: failing }, told(), process);
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, posted: 700, summed: 500 });
    await expect(killed.checkNow()).rejects.toThrow('killed');
    const other = openProcess({ ...stage, here: stage.there }, told(), process);
    await other.checkNow();
    expect(receiver.came).toHaveLength(1);
    for (let at = 0; at < 3; at++) {
      process.clock.now += MINUTE_MS;
      await other.checkNow();
    }
    expect(receiver.came.map(({ id }) => id)).toEqual([receiver.came[0]?.id, receiver.came[0]?.id]);
  });

  test('checks in one of many processes per minute, and sends in one', async () => {
    const stage = await open();
    const turns = await Promise.all(
      Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? stage.here : stage.there).acquireTurn('look', noon, MINUTE_MS)),
    );
    expect(turns.filter((isMine) => isMine)).toHaveLength(1);
    expect(await stage.there.acquireTurn('look', noon + MINUTE_MS - 1, MINUTE_MS)).toBe(false);
    expect(await stage.there.acquireTurn('look', noon + MINUTE_MS, MINUTE_MS)).toBe(true);
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, posted: 700, summed: 500 });
    const processes = [stage.here, stage.there, stage.here, stage.there].map((here) => openProcess({ ...stage, here }, told(), atNoon()));
    await Promise.all(processes.map((one) => one.checkNow()));
    expect(receiver.came).toHaveLength(1);
  });

  test('deletes what ended long ago, and fails deliveries that have been pending for a day', async () => {
    const stage = await open();
    const alerts = openProcess(stage, { webhooks: [{ ...webhookOf(receiver), name: 'gone' }] }, atNoon());
    const nobody = openProcess(stage, { webhooks: [] }, atNoon());
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, posted: 700, summed: 500 });
    receiver.next(500);
    await alerts.checkNow();
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, posted: 700, summed: 700 });
    await nobody.checkNow();
    const rows = async (table: string) => Number((await stage.activity.ask(`SELECT count(*) AS rows FROM ${table}`, []))[0]?.rows);
    await stage.here.sweep({ due: noon + DAY_MS, resolved: noon, seen: 0 });
    expect(await stage.activity.ask('SELECT state, failure FROM alert_deliveries', [])).toEqual([
      { state: 'failed', failure: 'expired after a day' },
    ]);
    expect([await rows('alerts'), await rows('alert_deliveries')]).toEqual([1, 1]);
    await stage.here.sweep({ due: noon, resolved: noon + 1, seen: 0 });
    expect([await rows('alerts'), await rows('alert_deliveries')]).toEqual([0, 0]);
  });

  test('checks once per minute without calls from others, and sends what another process left; without work once in ten', async () => {
    const stage = await open();
    const surroundings = atNoon();
    const left = openProcess(stage, told(), surroundings);
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, posted: 700, summed: 500 });
    receiver.next(500);
    await left.checkNow();
    await left.close();
    const idle = openProcess(stage, told(), { ...surroundings, hasCalls: false });
    const beatAt = async (ms: number) => {
      surroundings.clock.now = noon + ms;
      await idle.tick();
      return heardBy(receiver).slice(1);
    };
    expect(await beatAt(MINUTE_MS - 1)).toEqual([]);
    expect(await beatAt(MINUTE_MS)).toEqual(['alert.opened ledger_mismatch null']);
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, posted: 700, summed: 700 });
    expect((await beatAt(2 * MINUTE_MS - 1)).length).toBe(1);
    expect((await beatAt(2 * MINUTE_MS)).slice(1)).toEqual(['alert.resolved ledger_mismatch null']);
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, posted: 700, summed: 500 });
    expect((await beatAt(12 * MINUTE_MS - 1)).length).toBe(2);
    expect((await beatAt(12 * MINUTE_MS)).slice(2)).toEqual(['alert.opened ledger_mismatch null']);
  });

  test('sends a new webhook no end without its start, and a removed webhook nothing', async () => {
    const stage = await open();
    const surroundings = atNoon();
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, posted: 700, summed: 500 });
    receiver.next(500);
    await openProcess(stage, told(), surroundings).checkNow();
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, posted: 700, summed: 700 });
    const changed = openProcess(stage, { webhooks: [{ ...webhookOf(receiver), name: 'new' }] }, surroundings);
    surroundings.clock.now += MINUTE_MS;
    await changed.checkNow();
    await changed.tick();
    expect(heardBy(receiver)).toEqual(['alert.opened ledger_mismatch null']);
    expect(await stage.activity.ask('SELECT webhook, event, state FROM alert_deliveries', [])).toEqual([
      { webhook: 'ops', event: 'opened', state: 'waiting' },
    ]);
  });

  test('leaves slow receivers after half a minute, and sends them the remainder in the next turn', async () => {
    const stage = await open();
    const surroundings = atNoon();
    for (let at = 0; at < 15; at++) surroundings.places.push({ upstream: `up-${at}`, upstreamModel: 'm', state: 'open', restMs: 9 });
    receiver.next(
      ...Array.from({ length: 10 }, () => (_request: unknown, response: ServerResponse) => {
        surroundings.clock.now += 4_000;
        response.writeHead(204).end();
      }),
    );
    const alerts = openProcess(stage, { ...told(), upstreamUnavailableForMs: 0 }, surroundings);
    await alerts.checkNow();
    expect(receiver.came).toHaveLength(10);
    await alerts.tick();
    expect(new Set(receiver.came.map(({ data }) => data.subject)).size).toBe(15);
    expect(receiver.came).toHaveLength(15);
  });
});
