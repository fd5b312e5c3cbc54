/** Acknowledged and snoozed alerts, thresholds of accounts, and tables of the version before, on each engine. */
import { DatabaseSync } from 'node:sqlite';
import { afterAll, test as base, beforeAll, beforeEach, describe, expect, onTestFinished } from 'vitest';
import { hasOpenAlerts, listAlerts, listOpenAlertKeys, listUnattended } from '../../../../server/records/alerts/list-alerts.ts';
import { openPostgres } from '../../../../server/store/postgres/postgres.ts';
import { migratePostgres, migrations as ofPostgres } from '../../../../server/store/postgres/schema.ts';
import { migrate, migrations } from '../../../../server/store/sqlite/database.ts';
import { openReceiver, type Receiver } from '../../../fakes/webhook-receiver.ts';
import { emptyPostgres, postgresName } from '../../../harness/postgres.ts';
import { postgresMissing } from '../../../harness/servers.ts';
import { order, posting, topUp } from '../../../unit/money/open.ts';
import { engines, type Stage } from './engines.ts';
import { atNoon, HOUR_MS, heardBy, noon, openProcess, webhookOf } from './process.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.came.length = 0;
});
const told = () => ({ webhooks: [webhookOf(receiver)] });
const auditAt = (at: number, actor = 'mkey_ada') => ({ actor, action: 'alert.acknowledge', target: 'alert', details: {}, at });

/** Tops an account up and spends almost nothing, so that its balance is checked. */
async function giveBalance({ ledger }: Stage, accountId: string, micros: bigint): Promise<void> {
  await topUp(ledger, accountId, micros + 1n);
  await ledger.reserve({ ...order({ requestId: `req_${accountId}`, accountId, amount: 1n }), at: noon });
  await ledger.post({ ...posting(`req_${accountId}`, 1n), at: noon });
}

describe.each(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();

  /** One open alert about a balance. */
  async function openLow() {
    const stage = await open();
    const process = atNoon();
    const alerts = openProcess(stage, { ...told(), balanceBelow: '5' }, process);
    await giveBalance(stage, 'ada', 1_000_000n);
    await alerts.checkNow();
    const [alert] = await listAlerts(stage.activity.ask, { limit: 2 });
    return { stage, process, alerts, read: stage.activity.ask, alert: alert ?? expect.fail('no alert') };
  }
  const audits = async ({ activity }: Stage) =>
    (await activity.ask("SELECT actor FROM audit WHERE action = 'alert.acknowledge' ORDER BY id", [])).map(({ actor }) => actor);

  test('keeps an acknowledged alert open, without attention until it resolves', async () => {
    const { stage, read, alert, alerts, process } = await openLow();
    expect(alert.acknowledgement).toBeNull();
    expect(await listUnattended(read, noon, 2)).toEqual({ count: 1, newest: [alert] });
    const acknowledgement = { by: 'mkey_ada', at: noon, until: null };
    expect(await alerts.acknowledge(alert.id, null, auditAt(noon))).toEqual({ ...alert, acknowledgement });
    expect(await listAlerts(read, { state: 'open', limit: 2 })).toEqual([{ ...alert, acknowledgement }]);
    expect([await listUnattended(read, noon + 1_000 * HOUR_MS, 2), await hasOpenAlerts(read)]).toEqual([{ count: 0, newest: [] }, true]);
    expect([...(await listOpenAlertKeys(read, ['ada', 'bob']))]).toEqual(['balance_low ada']);
    await topUp(stage.ledger, 'ada', 9_000_000n);
    process.clock.now += HOUR_MS;
    await alerts.checkNow();
    expect(heardBy(receiver)).toEqual(['alert.opened balance_low ada', 'alert.resolved balance_low ada']);
    expect(await alerts.acknowledge(alert.id, null, auditAt(noon + HOUR_MS, 'mkey_bob'))).toMatchObject({
      resolvedAt: noon + HOUR_MS,
      acknowledgement,
    });
    expect(await alerts.acknowledge('alert_0', null, auditAt(noon))).toBeNull();
    expect(await audits(stage)).toEqual(['mkey_ada']);
  });

  test('asks for attention again when a snooze ends, without another message, and a later snooze replaces it', async () => {
    const { stage, read, alert, alerts, process } = await openLow();
    await alerts.acknowledge(alert.id, noon + HOUR_MS, auditAt(noon));
    expect((await listUnattended(read, noon + HOUR_MS - 1, 2)).count).toBe(0);
    expect((await listUnattended(read, noon + HOUR_MS, 2)).count).toBe(1);
    process.clock.now += 2 * HOUR_MS;
    await alerts.checkNow();
    expect(heardBy(receiver)).toEqual(['alert.opened balance_low ada']);
    const again = noon + 3 * HOUR_MS;
    await alerts.acknowledge(alert.id, again, auditAt(noon + 2 * HOUR_MS, 'mkey_bob'));
    expect((await listUnattended(read, noon + 2 * HOUR_MS, 2)).count).toBe(0);
    const [listed] = await listAlerts(read, { limit: 1 });
    expect(listed?.acknowledgement).toEqual({ by: 'mkey_bob', at: noon + 2 * HOUR_MS, until: again });
    expect(await audits(stage)).toEqual(['mkey_ada', 'mkey_bob']);
  });

  test('checks the threshold of an account where none is configured, and resolves a tenth above', async () => {
    const stage = await open();
    const alerts = openProcess(stage, told(), atNoon());
    for (const account of ['ada', 'bob']) await giveBalance(stage, account, 3_000_000n);
    await stage.run("UPDATE accounts SET alert_below = 4000000 WHERE id = 'ada'");
    await alerts.checkNow();
    expect(heardBy(receiver)).toEqual(['alert.opened balance_low ada']);
    expect(receiver.came[0]?.data).toMatchObject({
      threshold: '4.000000',
      message: 'Account ada has $3.00 left, which is below $4.00.',
    });
    await topUp(stage.ledger, 'ada', 1_300_000n);
    await alerts.checkNow();
    expect(heardBy(receiver)).toHaveLength(1);
    await topUp(stage.ledger, 'ada', 100_000n);
    await alerts.checkNow();
    expect(receiver.came[1]?.data).toMatchObject({ subject: 'ada', message: 'Account ada has $4.40 again.' });
  });

  test("prefers an account's threshold to the configured one: 0 never alerts, null uses the configured one", async () => {
    const stage = await open();
    const alerts = openProcess(stage, { ...told(), balanceBelow: '5' }, atNoon());
    for (const account of ['ada', 'bob', 'cem']) await giveBalance(stage, account, 3_000_000n);
    await stage.run("UPDATE accounts SET alert_below = 0 WHERE id = 'ada'");
    await stage.run("UPDATE accounts SET alert_below = 2000000 WHERE id = 'bob'");
    await alerts.checkNow();
    expect(heardBy(receiver)).toEqual(['alert.opened balance_low cem']);
    await stage.run("UPDATE accounts SET alert_below = NULL WHERE id = 'bob'");
    await stage.run("UPDATE accounts SET alert_below = 0 WHERE id = 'cem'");
    await alerts.checkNow();
    expect(heardBy(receiver).slice(1).sort()).toEqual(['alert.opened balance_low bob', 'alert.resolved balance_low cem']);
    const ended = receiver.came.find(({ type }) => type === 'alert.resolved');
    expect(ended?.data.message).toBe('Account cem is no longer monitored.');
  });
});

/** What programs of the version before write: they don't know the new columns. */
const earlierRows = [
  "INSERT INTO accounts (id, name, created_at) VALUES ('ada', 'ada', 0)",
  "INSERT INTO alerts (id, kind, subject, message, opened_at) VALUES ('alert_1', 'balance_low', 'ada', 'low', 0)",
];
const READ = 'SELECT alert_below, acknowledged_at, acknowledged_by, snoozed_until FROM alerts JOIN accounts ON accounts.id = subject';
const empty = { alert_below: null, acknowledged_at: null, acknowledged_by: null, snoozed_until: null };

describe('tables of the version before, with an open alert', () => {
  base('upgrades them in a file', () => {
    const connection = new DatabaseSync(':memory:');
    onTestFinished(() => connection.close());
    migrate(connection, migrations.slice(0, 2));
    for (const row of earlierRows) connection.exec(row);
    expect(migrate(connection)).toMatchObject({ version: migrations.length, worksWith: 1 });
    expect(connection.prepare(READ).all()).toEqual([empty]);
  });

  base.skipIf(postgresMissing !== null)(`upgrades them in ${postgresName}`, async () => {
    const postgres = openPostgres({ url: await emptyPostgres() });
    onTestFinished(() => postgres.close());
    await migratePostgres(postgres, ofPostgres.slice(0, 2));
    for (const text of earlierRows) await postgres.query({ text });
    expect(await migratePostgres(postgres)).toMatchObject({ version: ofPostgres.length, worksWith: 1 });
    expect(await postgres.query({ text: READ })).toEqual([empty]);
  });
});
