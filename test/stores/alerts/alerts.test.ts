/** Alerts on each engine, by a clock that the test holds: each begin and each end is told once, whichever process sees it, and sent until it is taken. */
import { afterAll, test as base, beforeAll, beforeEach, describe, expect } from 'vitest';
import { openAlerts } from '../../../server/alerts/alerts.ts';
import * as conditions from '../../../server/alerts/conditions.ts';
import { MOST_ATTEMPTS } from '../../../server/alerts/deliver.ts';
import type { WatchedPlace } from '../../../server/alerts/sightings.ts';
import { Alerts as AlertsSchema } from '../../../server/config/alerts-schema.ts';
import { openLog } from '../../../server/telemetry/log.ts';
import { openReceiver, type Receiver, receiverSecret, signatureOf } from '../../fakes/webhook-receiver.ts';
import { order, posting, topUp } from '../../unit/ledger/open.ts';
import { engines, type Stage } from './engines.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const noon = Date.UTC(2027, 0, 10, 12);

let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.came.length = 0;
});

const webhook = () => ({ name: 'ops', url: receiver.url, secret: receiverSecret });
/** Kind, event and subject of each message that came. */
const came = () => receiver.came.map(({ type, data }) => `${type} ${data.kind} ${data.subject}`);

interface Clock {
  now: number;
}

interface Opened {
  readonly clock: Clock;
  readonly places: WatchedPlace[];
  readonly logged: string[];
}

function openProcess(stage: Stage, settings: object, { clock, places, logged }: Opened) {
  const parsed = () => AlertsSchema.parse({ webhooks: [webhook()], ...settings });
  return openAlerts({
    store: stage.here,
    read: stage.activity.ask,
    settings: parsed,
    places: () => places,
    hasLedger: true,
    node: 'node_a',
    log: openLog({ log: { level: 'info' } }, { write: (line: string) => void logged.push(line) }),
    now: () => clock.now,
    random: () => 0,
  });
}

const openedNow = (): Opened => ({ clock: { now: noon }, places: [], logged: [] });

/** Spends an amount on one call. */
async function spend({ ledger }: Stage, accountId: string, amount: bigint, cap: Parameters<typeof order>[0]['cap'] = null): Promise<void> {
  const requestId = `req_${Math.random()}`;
  await ledger.reserve({ ...order({ requestId, accountId, amount, cap }), at: noon });
  await ledger.post({ ...posting(requestId, amount), at: noon });
}

describe.each(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();

  test('a balance that falls below is told once, does not flap beside the threshold, and its end is told once', async () => {
    const stage = await open();
    const process = openedNow();
    const alerts = openProcess(stage, { balanceBelow: '5' }, process);
    // Without a call an account is new, and not low.
    await alerts.look();
    expect(came()).toEqual([]);
    for (const account of ['ada', 'bob']) await topUp(stage.ledger, account, 6_000_000n);
    await spend(stage, 'ada', 1_500_000n);
    await spend(stage, 'bob', 500_000n);
    await alerts.look();
    expect(came()).toEqual(['alert.opened balance_low ada']);
    expect(receiver.came[0]?.data).toMatchObject({
      name: 'ada',
      value: '4.500000',
      threshold: '5.000000',
      message: 'The account ada has 4.50 dollars left, less than 5.00.',
      opened_at: new Date(noon).toISOString(),
      resolved_at: null,
    });
    await topUp(stage.ledger, 'ada', 800_000n);
    await alerts.look();
    await spend(stage, 'ada', 600_000n);
    await alerts.look();
    expect(came()).toHaveLength(1);
    await topUp(stage.ledger, 'ada', 1_000_000n);
    process.clock.now += MINUTE_MS;
    await alerts.look();
    await alerts.look();
    expect(came().slice(1)).toEqual(['alert.resolved balance_low ada']);
    expect(receiver.came[1]?.data).toMatchObject({ id: receiver.came[0]?.data.id, resolved_at: new Date(noon + MINUTE_MS).toISOString() });
    await spend(stage, 'ada', 4_000_000n);
    await alerts.look();
    expect(came().slice(2)).toEqual(['alert.opened balance_low ada']);
    expect(receiver.came[2]?.data.id).not.toBe(receiver.came[0]?.data.id);
  });

  test('accounts that are suspended, or that a subscription pays for, are not watched', async () => {
    const stage = await open();
    const process = openedNow();
    const alerts = openProcess(stage, { balanceBelow: '5' }, process);
    for (const account of ['ada', 'bob', 'cem']) {
      await topUp(stage.ledger, account, 1_000_000n);
      await spend(stage, account, 1n);
    }
    await stage.run("UPDATE accounts SET suspended_at = 1 WHERE id = 'bob'");
    const plan = { plan: 'pro', included: 1n, period: 'month', onExhaustion: 'stop', priceList: 'standard' } as const;
    await stage.ledger.addSubscription({ id: 's', accountId: 'cem', ...plan, startsAt: 0, endsAt: null, cancelledAt: null });
    await alerts.look();
    expect(came()).toEqual(['alert.opened balance_low ada']);
    await stage.run("UPDATE accounts SET suspended_at = 1 WHERE id = 'ada'");
    await alerts.look();
    expect(came().slice(1)).toEqual(['alert.resolved balance_low ada']);
  });

  test('a cap that is nearly used is told, and a new period is its end', async () => {
    const stage = await open();
    const process = openedNow();
    const alerts = openProcess(stage, {}, process);
    await topUp(stage.ledger, 'ada', 100_000_000n);
    await stage.addCappedKey('key_1', 10_000_000n);
    const cap = { owner: 'key_1', micros: 10_000_000n, period: 'day' } as const;
    await spend(stage, 'ada', 8_900_000n, cap);
    await alerts.look();
    expect(came()).toEqual([]);
    await spend(stage, 'ada', 200_000n, cap);
    await alerts.look();
    await alerts.look();
    expect(came()).toEqual(['alert.opened cap_used key_1']);
    expect(receiver.came[0]?.data).toMatchObject({
      message: 'The key ci of ada has used 9.10 of its 10.00 dollars, 90 % or more.',
      value: '9.100000',
      threshold: '9.000000',
    });
    process.clock.now += DAY_MS;
    await alerts.look();
    expect(came().slice(1)).toEqual(['alert.resolved cap_used key_1']);
  });

  test('an upstream that rests long enough is told once for all processes, and its end when it has not rested for as long', async () => {
    const stage = await open();
    const first = openedNow();
    const second = { ...openedNow(), clock: first.clock };
    const alerts = [openProcess(stage, {}, first), openProcess({ ...stage, here: stage.there }, {}, second)] as const;
    const resting = { upstream: 'openai', upstreamModel: 'gpt', state: 'open', restMs: 5_000 } as const;
    for (const { places } of [first, second]) places.push(resting);
    await Promise.all(alerts.map((one) => one.look()));
    expect(came()).toEqual([]);
    first.clock.now += MINUTE_MS;
    await Promise.all(alerts.map((one) => one.look()));
    expect(came()).toEqual(['alert.opened upstream_rests openai']);
    expect(receiver.came[0]?.data.message).toBe(
      'The upstream openai has rested since 2027-01-10T12:00:00.000Z: gpt failed several times in a row.',
    );
    for (const { places } of [first, second]) places.length = 0;
    // One good trial is not the end.
    first.clock.now += 30_000;
    await alerts[0].look();
    expect(came()).toHaveLength(1);
    first.clock.now += 31_000;
    await Promise.all(alerts.map((one) => one.look()));
    expect(came().slice(1)).toEqual(['alert.resolved upstream_rests openai']);
  });

  test('books that do not agree are told once, and that they agree again', async () => {
    const stage = await open();
    const process = openedNow();
    const alerts = openProcess(stage, {}, process);
    const hour = noon - HOUR_MS;
    await stage.activity.noteCheck({ hour, firstEntry: 1, booked: 700, summed: 500 });
    await alerts.look();
    await alerts.look();
    expect(came()).toEqual(['alert.opened books_differ null']);
    expect(receiver.came[0]?.data).toMatchObject({ value: '0.000200', message: expect.stringContaining('differ in 1 of the last hours') });
    await stage.activity.noteCheck({ hour, firstEntry: 1, booked: 700, summed: 700 });
    await alerts.look();
    expect(came().slice(1)).toEqual(['alert.resolved books_differ null']);
  });

  test('what was not taken is sent again later, the same bytes under the same id, and then given up', async () => {
    const stage = await open();
    const process = openedNow();
    const alerts = openProcess(stage, {}, process);
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, booked: 700, summed: 500 });
    receiver.next(500);
    await alerts.look();
    expect(receiver.came).toHaveLength(1);
    await alerts.beat();
    expect(receiver.came).toHaveLength(1);
    process.clock.now += 5_000;
    await alerts.beat();
    const [first, second] = receiver.came;
    expect([second?.id, second?.body]).toEqual([first?.id, first?.body]);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect(second && signatureOf(second)).toBe(second?.headers['webhook-signature']);
    process.clock.now += 12 * HOUR_MS;
    await alerts.beat();
    expect(receiver.came).toHaveLength(2);

    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, booked: 700, summed: 700 });
    receiver.next(...Array.from({ length: MOST_ATTEMPTS }, () => 503));
    await alerts.look();
    for (let at = 0; at < MOST_ATTEMPTS + 3; at++) {
      process.clock.now += 12 * HOUR_MS;
      await alerts.beat();
    }
    expect(receiver.came).toHaveLength(2 + MOST_ATTEMPTS);
    const lines = process.logged.join('');
    expect(lines).toContain('is not tried again');
    expect(lines).not.toMatch(/in-the-address|whsec_/);
  });

  test('a receiver that answers 410 is not asked again', async () => {
    const stage = await open();
    const process = openedNow();
    const alerts = openProcess(stage, {}, process);
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, booked: 700, summed: 500 });
    receiver.next(410);
    await alerts.look();
    process.clock.now += 12 * HOUR_MS;
    await alerts.beat();
    expect(receiver.came).toHaveLength(1);
  });

  test('the end of an alert is not told before its begin, and each webhook gets the kinds that it asked for', async () => {
    const stage = await open();
    const process = openedNow();
    const webhooks = [
      { ...webhook(), name: 'all' },
      { ...webhook(), name: 'money', events: ['balance_low'] },
    ];
    const alerts = openProcess(stage, { webhooks }, process);
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, booked: 700, summed: 500 });
    receiver.next(500);
    await alerts.look();
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, booked: 700, summed: 700 });
    process.clock.now += 1_000;
    await alerts.look();
    expect(came()).toEqual(['alert.opened books_differ null']);
    process.clock.now += 5_000;
    await alerts.beat();
    expect(came().slice(1)).toEqual(['alert.opened books_differ null', 'alert.resolved books_differ null']);
  });

  test('a process that ends between sending and writing so: another one sends the same once more, and no third', async () => {
    const stage = await open();
    const process = openedNow();
    const failing = { ...stage.here, finish: () => Promise.reject(new Error('the process was killed')) };
    const killed = openProcess({ ...stage, here: failing }, {}, process);
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, booked: 700, summed: 500 });
    await expect(killed.look()).rejects.toThrow('killed');
    const other = openProcess({ ...stage, here: stage.there }, {}, process);
    await other.look();
    expect(receiver.came).toHaveLength(1);
    for (let at = 0; at < 3; at++) {
      process.clock.now += MINUTE_MS;
      await other.look();
    }
    expect(receiver.came.map(({ id }) => id)).toEqual([receiver.came[0]?.id, receiver.came[0]?.id]);
  });

  test('of many processes one looks in a minute, and one sends', async () => {
    const stage = await open();
    const turns = await Promise.all(
      Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? stage.here : stage.there).takeTurn('look', noon, MINUTE_MS)),
    );
    expect(turns.filter((isMine) => isMine)).toHaveLength(1);
    expect(await stage.there.takeTurn('look', noon + MINUTE_MS - 1, MINUTE_MS)).toBe(false);
    expect(await stage.there.takeTurn('look', noon + MINUTE_MS, MINUTE_MS)).toBe(true);
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, booked: 700, summed: 500 });
    const processes = [stage.here, stage.there, stage.here, stage.there].map((here) => openProcess({ ...stage, here }, {}, openedNow()));
    await Promise.all(processes.map((one) => one.look()));
    expect(receiver.came).toHaveLength(1);
  });

  test('many at once are all told, a bounded number in one question', async () => {
    const stage = await open();
    for (let at = 0; at < 150; at++) {
      await stage.run(`INSERT INTO accounts (id, name, created_at) VALUES ('many_${at}', 'many_${at}', 0)`);
      await topUp(stage.ledger, `many_${at}`, 1_000n);
      await spend(stage, `many_${at}`, 1n);
    }
    const alerts = openProcess(stage, { balanceBelow: '5' }, openedNow());
    await alerts.look();
    expect(new Set(receiver.came.map(({ data }) => data.subject)).size).toBe(150);
    expect(receiver.came).toHaveLength(150);
  });

  test('what is over for long goes, and what nobody could be told of ends', async () => {
    const stage = await open();
    const alerts = openProcess(stage, { webhooks: [{ ...webhook(), name: 'gone' }] }, openedNow());
    const nobody = openProcess(stage, { webhooks: [] }, openedNow());
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, booked: 700, summed: 500 });
    receiver.next(500);
    await alerts.look();
    await stage.activity.noteCheck({ hour: noon - HOUR_MS, firstEntry: 1, booked: 700, summed: 700 });
    await nobody.look();
    const rows = async (table: string) => Number((await stage.activity.ask(`SELECT count(*) AS rows FROM ${table}`, []))[0]?.rows);
    await stage.here.sweep({ due: noon + DAY_MS, resolved: noon, seen: 0 });
    expect(await stage.activity.ask('SELECT state, failure FROM alert_deliveries', [])).toEqual([
      { state: 'failed', failure: 'was due for a day' },
    ]);
    expect([await rows('alerts'), await rows('alert_deliveries')]).toEqual([1, 1]);
    await stage.here.sweep({ due: noon, resolved: noon + 1, seen: 0 });
    expect([await rows('alerts'), await rows('alert_deliveries')]).toEqual([0, 0]);
  });

  test('no question reads calls, charges, keys or entries as a whole; balances are read as a whole, once a minute', async () => {
    const { plan, scan } = await open();
    const day = [0, 0, 0];
    const questions: readonly [string, (number | bigint)[], readonly string[]][] = [
      [conditions.LOW_BALANCES, [5n, noon], ['accounts', 'balances']],
      [conditions.OVER_BALANCES, [5n, noon], []],
      [conditions.USED_CAPS, [...day, noon, 90], []],
      [conditions.OVER_CAPS, [...day, noon, 85], []],
      [conditions.RESTING, [noon, noon], ['alert_sightings']],
      [conditions.OVER_RESTS, [noon], ['alert_sightings']],
      [conditions.DIFFERING, [noon], []],
      [conditions.OPEN_BOOKS, [], []],
    ];
    for (const [sql, values, small] of questions) {
      // An index that has only the keys with a cap is read as a whole.
      const found = (await plan(sql, values)).replace('SCAN keys USING INDEX keys_capped', '');
      const scanned = [...found.matchAll(scan)].map(([, table]) => String(table));
      expect(
        scanned.filter((table) => !small.includes(table)),
        found,
      ).toEqual([]);
    }
  });
});
