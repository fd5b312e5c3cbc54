/** Alerts on each engine, by a clock that the test holds: each begin and each end is told once, whichever process sees it. */
import { afterAll, test as base, beforeAll, beforeEach, describe, expect } from 'vitest';
import * as conditions from '../../../../server/records/alerts/conditions.ts';
import { buildDueSql } from '../../../../server/records/alerts/deliver-alerts.ts';
import { LAST_DELIVERY_SQL } from '../../../../server/records/alerts/last-delivery.ts';
import {
  buildAlertsSql,
  buildOpenAlertsSql,
  COUNT_UNATTENDED_SQL,
  readUnavailableSince,
  UNATTENDED_SQL,
  UNAVAILABLE_SINCE_SQL,
} from '../../../../server/records/alerts/list-alerts.ts';
import { openReceiver, type Receiver } from '../../../fakes/webhook-receiver.ts';
import { order, posting, topUp } from '../../../unit/money/open.ts';
import { engines, type Stage } from './engines.ts';
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

/** Spends an amount on one call. */
async function spend({ ledger }: Stage, accountId: string, amount: bigint, caps: Parameters<typeof order>[0]['caps'] = []): Promise<void> {
  const requestId = `req_${Math.random()}`;
  await ledger.reserve({ ...order({ requestId, accountId, amount, caps }), at: noon });
  await ledger.post({ ...posting(requestId, amount), at: noon });
}

describe.each(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();

  test("reports a low balance once, doesn't flap beside the threshold, and reports its end once", async () => {
    const stage = await open();
    const process = atNoon();
    const alerts = openProcess(stage, { ...told(), balanceBelow: '5' }, process);
    // Without a call an account is new, and not low.
    await alerts.checkNow();
    expect(heardBy(receiver)).toEqual([]);
    for (const account of ['ada', 'bob']) await topUp(stage.ledger, account, 6_000_000n);
    await spend(stage, 'ada', 1_500_000n);
    await spend(stage, 'bob', 500_000n);
    await alerts.checkNow();
    expect(heardBy(receiver)).toEqual(['alert.opened balance_low ada']);
    expect(receiver.came[0]?.data).toMatchObject({
      name: 'ada',
      value: '4.500000',
      threshold: '5.000000',
      message: 'Account ada has $4.50 left, which is below $5.00.',
      opened_at: new Date(noon).toISOString(),
      resolved_at: null,
    });
    await topUp(stage.ledger, 'ada', 800_000n);
    await alerts.checkNow();
    await spend(stage, 'ada', 600_000n);
    await alerts.checkNow();
    expect(heardBy(receiver)).toHaveLength(1);
    await topUp(stage.ledger, 'ada', 1_000_000n);
    process.clock.now += MINUTE_MS;
    await alerts.checkNow();
    await alerts.checkNow();
    expect(heardBy(receiver).slice(1)).toEqual(['alert.resolved balance_low ada']);
    expect(receiver.came[1]?.data).toMatchObject({ id: receiver.came[0]?.data.id, resolved_at: new Date(noon + MINUTE_MS).toISOString() });
    await spend(stage, 'ada', 4_000_000n);
    await alerts.checkNow();
    expect(heardBy(receiver).slice(2)).toEqual(['alert.opened balance_low ada']);
    expect(receiver.came[2]?.data.id).not.toBe(receiver.came[0]?.data.id);
  });

  test('ignores accounts that are suspended or paid for by a subscription', async () => {
    const stage = await open();
    const process = atNoon();
    const alerts = openProcess(stage, { ...told(), balanceBelow: '5' }, process);
    for (const account of ['ada', 'bob', 'cem']) {
      await topUp(stage.ledger, account, 1_000_000n);
      await spend(stage, account, 1n);
    }
    await stage.run("UPDATE accounts SET suspended_at = 1 WHERE id = 'bob'");
    const plan = { plan: 'pro', included: 1n, period: 'month', onExhaustion: 'stop', priceList: 'standard' } as const;
    await stage.ledger.addSubscription({ id: 's', accountId: 'cem', ...plan, startsAt: 0, endsAt: null, cancelledAt: null });
    await alerts.checkNow();
    expect(heardBy(receiver)).toEqual(['alert.opened balance_low ada']);
    await stage.run("UPDATE accounts SET suspended_at = 1 WHERE id = 'ada'");
    await alerts.checkNow();
    expect(heardBy(receiver).slice(1)).toEqual(['alert.resolved balance_low ada']);
  });

  test('reports a cap that is nearly used, and its end in a new period', async () => {
    const stage = await open();
    const process = atNoon();
    const alerts = openProcess(stage, told(), process);
    await topUp(stage.ledger, 'ada', 100_000_000n);
    await stage.addCappedKey('key_1', 10_000_000n);
    const caps = [{ owner: 'key:key_1', micros: 10_000_000n, period: 'day', scope: 'key' } as const];
    await spend(stage, 'ada', 8_900_000n, caps);
    await alerts.checkNow();
    expect(heardBy(receiver)).toEqual([]);
    await spend(stage, 'ada', 200_000n, caps);
    await alerts.checkNow();
    await alerts.checkNow();
    expect(heardBy(receiver)).toEqual(['alert.opened cap_used key_1']);
    expect(receiver.came[0]?.data).toMatchObject({
      message: 'Key ci of account ada has used $9.10 (91%, threshold 90%) of its spending cap of $10.00 per day.',
      value: '9.100000',
      threshold: '9.000000',
    });
    process.clock.now += DAY_MS;
    await alerts.checkNow();
    expect(heardBy(receiver).slice(1)).toEqual(['alert.resolved cap_used key_1']);
  });

  test('reports the cap of an account, by the period that is used most', async () => {
    const stage = await open();
    const process = atNoon();
    const alerts = openProcess(stage, told(), process);
    await topUp(stage.ledger, 'ada', 100_000_000n);
    await stage.run("UPDATE accounts SET cap_day = 10000000, cap_month = 9500000 WHERE id = 'ada'");
    const account = { owner: 'account:ada', scope: 'account' } as const;
    const caps = [
      { ...account, micros: 10_000_000n, period: 'day' } as const,
      { ...account, micros: 9_500_000n, period: 'month' } as const,
    ];
    await spend(stage, 'ada', 9_100_000n, caps);
    await alerts.checkNow();
    expect(heardBy(receiver)).toEqual(['alert.opened cap_used ada']);
    expect(receiver.came[0]?.data.message).toBe('Account ada has used $9.10 (95%, threshold 90%) of its spending cap of $9.50 per month.');
    process.clock.now += 60 * DAY_MS;
    await alerts.checkNow();
    expect(heardBy(receiver).slice(1)).toEqual(['alert.resolved cap_used ada']);
  });

  test('opens an alert for each of several thresholds once, and resolves each at its own', async () => {
    const stage = await open();
    const process = atNoon();
    const settings = { ...told(), balanceBelow: ['5', '20'], capUsedAbove: [0.8, 0.5, 1] };
    const alerts = openProcess(stage, settings, process);
    const takeMessages = () => receiver.came.splice(0).map(({ type, data }) => `${type} ${data.kind} ${data.subject} ${data.threshold}`);
    await topUp(stage.ledger, 'ada', 30_000_000n);
    await stage.addCappedKey('key_1', 10_000_000n);
    const caps = [{ owner: 'key:key_1', micros: 10_000_000n, period: 'day', scope: 'key' } as const];
    await spend(stage, 'ada', 6_000_000n, caps);
    await alerts.checkNow();
    expect(takeMessages()).toEqual(['alert.opened cap_used key_1 5.000000']);
    await spend(stage, 'ada', 4_000_000n, caps);
    await spend(stage, 'ada', 16_000_000n);
    for (let round = 0; round < 2; round++) await alerts.checkNow();
    expect(takeMessages().toSorted()).toEqual([
      'alert.opened balance_low ada 20.000000',
      'alert.opened balance_low ada 5.000000',
      'alert.opened cap_used key_1 10.000000',
      'alert.opened cap_used key_1 8.000000',
    ]);
    await topUp(stage.ledger, 'ada', 6_000_000n);
    await alerts.checkNow();
    expect(takeMessages()).toEqual(['alert.resolved balance_low ada 5.000000']);
    // A threshold that isn't configured any more resolves its alert.
    const fewer = openProcess(stage, { ...settings, capUsedAbove: 0.5 }, process);
    await fewer.checkNow();
    expect(takeMessages().toSorted()).toEqual(['alert.resolved cap_used key_1 10.000000', 'alert.resolved cap_used key_1 8.000000']);
    await stage.run("UPDATE accounts SET alert_below = 1000000 WHERE id = 'ada'");
    process.clock.now += DAY_MS;
    await fewer.checkNow();
    expect(takeMessages().toSorted()).toEqual(['alert.resolved balance_low ada 20.000000', 'alert.resolved cap_used key_1 5.000000']);
  });

  test('reports a long cooldown of an upstream once for all processes, and its end after as long without one', async () => {
    const stage = await open();
    const first = atNoon();
    const second = { ...atNoon(), clock: first.clock };
    const alerts = [openProcess(stage, told(), first), openProcess({ ...stage, here: stage.there }, told(), second)] as const;
    const resting = { upstream: 'openai', upstreamModel: 'gpt', state: 'open', restMs: 5_000 } as const;
    for (const { places } of [first, second]) places.push(resting);
    await Promise.all(alerts.map((one) => one.checkNow()));
    expect(heardBy(receiver)).toEqual([]);
    first.clock.now += MINUTE_MS;
    await Promise.all(alerts.map((one) => one.checkNow()));
    expect(heardBy(receiver)).toEqual(['alert.opened upstream_unavailable openai']);
    expect(receiver.came[0]?.data.message).toBe(
      'Upstream openai has been unavailable since 2027-01-10T12:00:00.000Z: gpt failed several times in a row.',
    );
    for (const { places } of [first, second]) places.length = 0;
    // One good trial is not the end.
    first.clock.now += 30_000;
    await alerts[0].checkNow();
    expect(heardBy(receiver)).toHaveLength(1);
    first.clock.now += 31_000;
    await Promise.all(alerts.map((one) => one.checkNow()));
    expect(heardBy(receiver).slice(1)).toEqual(['alert.resolved upstream_unavailable openai']);
  });

  test('remembers since when an upstream has been unavailable after the process restarts', async () => {
    const stage = await open();
    const process = atNoon();
    process.places.push({ upstream: 'openai', upstreamModel: 'gpt', state: 'open', restMs: 5_000 });
    const alerts = openProcess(stage, told(), process);
    await alerts.checkNow();
    process.clock.now += MINUTE_MS;
    await alerts.checkNow();
    process.clock.now += MINUTE_MS;
    await openProcess(stage, told(), process).checkNow();
    expect(await readUnavailableSince(stage.activity.ask, process.clock.now)).toEqual(new Map([['openai', noon + MINUTE_MS]]));
  });

  test('reports a ledger mismatch once, and its end', async () => {
    const stage = await open();
    const process = atNoon();
    const alerts = openProcess(stage, told(), process);
    const hour = noon - HOUR_MS;
    await stage.activity.noteCheck({ hour, firstEntry: 1, posted: 700, summed: 500 });
    await alerts.checkNow();
    await alerts.checkNow();
    expect(heardBy(receiver)).toEqual(['alert.opened ledger_mismatch null']);
    expect(receiver.came[0]?.data).toMatchObject({
      value: '0.000200',
      message: expect.stringContaining('disagree by $0.000200 over 1 of the last 24 hours'),
    });
    await stage.activity.noteCheck({ hour, firstEntry: 1, posted: 700, summed: 700 });
    await alerts.checkNow();
    expect(heardBy(receiver).slice(1)).toEqual(['alert.resolved ledger_mismatch null']);
  });

  test('reports many at once, a bounded number per query', async () => {
    const stage = await open();
    for (let at = 0; at < 150; at++) {
      await stage.run(`INSERT INTO accounts (id, name, created_at) VALUES ('many_${at}', 'many_${at}', 0)`);
      await topUp(stage.ledger, `many_${at}`, 1_000n);
      await spend(stage, `many_${at}`, 1n);
    }
    const alerts = openProcess(stage, { ...told(), balanceBelow: '5' }, atNoon());
    await alerts.checkNow();
    expect(new Set(receiver.came.map(({ data }) => data.subject)).size).toBe(150);
    expect(receiver.came).toHaveLength(150);
  });

  test('queries no calls, charges, keys or entries as a whole, and balances as a whole once per minute', async () => {
    const { plan, scan } = await open();
    const day = [0, 0, 0];
    const questions: readonly [string, (number | bigint | string | null)[], readonly string[]][] = [
      [conditions.LOW_BALANCES, [5n, noon, ''], ['accounts', 'balances']],
      [conditions.OWN_LOW_BALANCES, [null, noon, ''], []],
      [conditions.RESTORED_BALANCES, [5n, noon, ''], []],
      [conditions.USED_CAPS, [...day, noon, 90, ''], ['caps']],
      [conditions.FREED_CAPS, [...day, noon, 85, ''], []],
      [conditions.UNAVAILABLE_UPSTREAMS, [noon, noon], ['alert_sightings']],
      [conditions.RECOVERED_UPSTREAMS, [noon], ['alert_sightings']],
      [conditions.DIFFERING_HOURS, [noon], []],
      [conditions.OPEN_LEDGER_MISMATCHES, [], []],
      [buildAlertsSql(), ['~', 100n], []],
      [buildAlertsSql('open'), ['~', 100n], []],
      [UNATTENDED_SQL, [noon, 10n], []],
      [COUNT_UNATTENDED_SQL, [noon], []],
      [buildOpenAlertsSql(2), ['ada', 'vendor'], []],
      [UNAVAILABLE_SINCE_SQL, [noon], ['alert_sightings']],
      [LAST_DELIVERY_SQL, ['ops'], []],
      [buildDueSql(['ops', 'money']), ['ops', 'money'], []],
    ];
    const partialIndexes =
      /SCAN (?:keys USING INDEX keys_capped|accounts USING INDEX accounts_(?:with_threshold|capped)|alerts USING INDEX alerts_open_by_id)/g;
    for (const [sql, values, small] of questions) {
      // Indexes of the keys with a cap, the accounts with a threshold, and the open alerts are read as a whole.
      const found = (await plan(sql, values)).replace(partialIndexes, '');
      const scanned = [...found.matchAll(scan)].map(([, table]) => String(table));
      expect(
        scanned.filter((table) => !small.includes(table)),
        found,
      ).toEqual([]);
    }
  });
});
