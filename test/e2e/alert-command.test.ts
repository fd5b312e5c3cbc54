/** `modelgate alert` on a data folder, beside a gateway or without one: what was wrong, who was told, and a test message. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { openDatabase } from '../../server/store/sqlite/database.ts';
import { openSmtpServer } from '../fakes/smtp-server.ts';
import { openReceiver, receiverSecret } from '../fakes/webhook-receiver.ts';
import { modelgate } from '../harness/command-line.ts';
import { startGateway } from '../harness/gateway.ts';

const HOUR_MS = 3_600_000;

test('lists alerts and channels on the command line, and sends test messages', async () => {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const mailServer = await openSmtpServer({ unknown: ['gone@example.com'] });
  onTestFinished(() => mailServer.close());
  const mail = { host: '127.0.0.1', port: mailServer.port, tls: 'none', from: 'alerts@example.com', events: ['cap_used'] };
  const alerts = {
    webhooks: [{ name: 'ops', url: receiver.url, secret: receiverSecret }],
    mail: [
      { ...mail, name: 'on-call', to: ['ops@example.com'] },
      { ...mail, name: 'gone', to: ['gone@example.com'] },
    ],
  };
  const { gateway, folder, close } = await startGateway({ alerts });
  onTestFinished(close);
  const file = join(folder, 'operator.yaml');
  writeFileSync(file, stringify({ data: gateway.config.data, alerts }));
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await modelgate(['alert', ...words, '--config', file], { folder });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toMatch(/in-the-address|whsec_/);
    return stdout;
  };
  expect(await run('list')).toBe('No alerts.\n');
  expect(await run('channels')).toMatch(/ops +standard +127\.0\.0\.1:\d+ +0 +none/);

  const beside = openDatabase({ folder: gateway.config.data, durability: 'relaxed' });
  onTestFinished(() => beside.close());
  const note = beside.connection.prepare('INSERT INTO activity_checks (hour, first_entry, booked, summed) VALUES (?, 1, 700, 500)');
  note.run(Date.now() - HOUR_MS);
  await gateway.alerts.checkNow();
  expect(await run('list')).toMatch(
    /open +ledger_mismatch +- +The ledger and the request log disagree by \$0\.000200 over 1 of the last 24 hours/,
  );
  const [, id = ''] = /(alert_\w+)/.exec(await run('list')) ?? [];
  expect(await run('acknowledge', id)).toBe(`${id} is acknowledged.\n`);
  expect(await run('acknowledge', id, '--snooze', '8h')).toMatch(/ is snoozed until \S+\.\n$/);
  expect(await run('list')).toMatch(/ snoozed until \S+ +ledger_mismatch /);
  expect(await run('list', '--state', 'resolved')).toBe('No alerts.\n');
  expect(await run('channels')).toMatch(/ops .* 0 +\S+ delivered, 1 attempt\n/);
  expect(JSON.parse(await run('list', '--json'))).toMatchObject({ data: [{ kind: 'ledger_mismatch' }] });

  expect(await run('test', 'ops')).toMatch(
    /Delivered: +yes\nMessage: +test_\w+\nStatus: +204\nTime: +\d+ ms\nSent: +\{"type":"webhook\.test"/,
  );
  receiver.next(500);
  const failed = await modelgate(['alert', 'test', 'ops', '--config', file], { folder });
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('no: status 500')]);
  expect(receiver.came.map(({ type }) => type)).toEqual(['alert.opened', 'webhook.test', 'webhook.test']);
  expect(await run('test', 'on-call')).toMatch(
    /Delivered: +yes\n.*Status: +250\nResponse: +250 2\.0\.0 queued as 4711\n.*Sent: +\{"subject":"Modelgate: Test message","text":"This is a test/s,
  );
  expect(mailServer.came.map(({ to, text }) => `${to} ${text.trim()}`)).toEqual([
    'ops@example.com This is a test message. No action is needed.',
  ]);
  const bounced = await modelgate(['alert', 'test', 'gone', '--config', file], { folder });
  expect([bounced.code, bounced.stdout]).toEqual([1, expect.stringContaining('550 5.1.1 no such mailbox')]);
  const unknown = await modelgate(['alert', 'test', 'nobody', '--config', file], { folder });
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("Channel 'nobody' not found.")]);
});
