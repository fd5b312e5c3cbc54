/** Subscriptions of accounts and caps of keys: what may be spent within a period. */
import { test as base, describe, expect } from 'vitest';
import type { Period } from '../../../server/money/period.ts';
import type { OwnedCap } from '../../../server/money/spending-cap.ts';
import { dayMs, noon, order, posting, subscription, topUp } from '../../unit/money/open.ts';
import { engines } from './engines.ts';

const april = Date.UTC(2026, 3, 1);
const createCaps = (micros: bigint, period: Period = 'month', owner = 'key:key_1'): readonly OwnedCap[] => [
  { owner, micros, period, scope: 'key' },
];

describe.for(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();

  test('takes a hold from the subscription while it fits whole, and rejects others when it stops at exhaustion', async () => {
    const { ledger } = await open('ada');
    await topUp(ledger, 'ada', 1_000n);
    await ledger.addSubscription(subscription());
    expect(await ledger.reserve(order({ requestId: 'r1', amount: 60n }))).toEqual({ kind: 'held', source: 'subscription' });
    expect(await ledger.reserve(order({ requestId: 'r2', amount: 41n }))).toEqual({ kind: 'rejected', by: 'subscription', available: 40n });
    expect(await ledger.reserve(order({ requestId: 'r3', amount: 40n }))).toEqual({ kind: 'held', source: 'subscription' });
    expect(await ledger.getBalance('ada')).toEqual({ balance: 1_000n, held: 0n });
  });

  test("takes a hold that doesn't fit a subscription with fallback whole from the balance", async () => {
    const { ledger } = await open('ada');
    await topUp(ledger, 'ada', 50n);
    await ledger.addSubscription(subscription({ onExhaustion: 'balance' }));
    await ledger.reserve(order({ requestId: 'r1', amount: 90n }));
    expect(await ledger.reserve(order({ requestId: 'r2', amount: 20n }))).toEqual({ kind: 'held', source: 'balance' });
    expect(await ledger.reserve(order({ requestId: 'r3', amount: 40n }))).toEqual({ kind: 'rejected', by: 'balance', available: 30n });
    expect(await ledger.reserve(order({ requestId: 'r4', amount: 10n }))).toEqual({ kind: 'held', source: 'subscription' });
  });

  test('gives a new period the whole amount again, and settles a hold of the old period in the old one', async () => {
    const { ledger, rows } = await open('ada');
    await ledger.addSubscription(subscription());
    await ledger.reserve(order({ requestId: 'r1', amount: 100n, at: april - 1 }));
    expect(await ledger.reserve(order({ requestId: 'r2', amount: 100n, at: april }))).toMatchObject({ kind: 'held' });
    await ledger.post(posting('r1', 30n, april + 1));
    expect(await rows('SELECT period_start, used, held FROM allowances ORDER BY period_start')).toEqual([
      [BigInt(Date.UTC(2026, 2)), 30n, 0n],
      [BigInt(april), 0n, 100n],
    ]);
    expect(await ledger.reserve(order({ requestId: 'r3', amount: 1n, at: april + 2 }))).toMatchObject({
      by: 'subscription',
      available: 0n,
    });
  });

  test('rejects holds after a subscription that stops has ended, and takes them from the balance with fallback', async () => {
    const { ledger } = await open('ada', 'bob');
    for (const account of ['ada', 'bob']) await topUp(ledger, account, 10n);
    await ledger.addSubscription(subscription({ endsAt: noon + 10 }));
    await ledger.addSubscription(subscription({ id: 'plan_2', accountId: 'bob', onExhaustion: 'balance' }));
    expect(await ledger.reserve(order({ requestId: 'r1', amount: 1n, at: noon + 9 }))).toMatchObject({ source: 'subscription' });
    expect(await ledger.reserve(order({ requestId: 'r2', amount: 1n, at: noon + 10 }))).toEqual({
      kind: 'rejected',
      by: 'subscription',
      available: 0n,
    });
    expect(await ledger.cancelSubscription('plan_2', noon)).toBe(true);
    expect(await ledger.cancelSubscription('plan_2', noon)).toBe(false);
    expect(await ledger.cancelSubscription('plan_3', noon)).toBe(false);
    expect(await ledger.reserve(order({ requestId: 'r3', accountId: 'bob', amount: 1n }))).toEqual({ kind: 'held', source: 'balance' });
  });

  test('treats adding a subscription again as a repetition, and a different one under its ID as a mismatch', async () => {
    const { ledger } = await open('ada', 'bob');
    await ledger.addSubscription(subscription({ endsAt: noon }));
    const others = [
      ...[{ plan: 'other' }, { included: 0n }, { period: 'week' }, { onExhaustion: 'balance' }, { priceList: 'other' }],
      ...[{ startsAt: 0 }, { endsAt: null }, { endsAt: noon - 1 }, { accountId: 'bob' }],
    ] as const;
    for (const other of others) {
      expect(await ledger.addSubscription(subscription({ endsAt: noon, ...other })), JSON.stringify(Object.keys(other))).toEqual({
        kind: 'mismatch',
      });
    }
    expect(await ledger.listSubscriptions('bob')).toEqual([]);
    await ledger.cancelSubscription('plan_1', noon - 1);
    expect(await ledger.addSubscription(subscription({ endsAt: noon }))).toEqual({ kind: 'repeated' });
  });

  test('subscriptions of an account must not overlap; the next may begin where the last ends', async () => {
    const { ledger } = await open('ada', 'bob');
    expect(await ledger.addSubscription(subscription({ endsAt: noon }))).toEqual({ kind: 'added' });
    expect(await ledger.addSubscription(subscription({ endsAt: noon }))).toEqual({ kind: 'repeated' });
    expect(await ledger.addSubscription(subscription({ id: 'plan_2', startsAt: noon - 1 }))).toEqual({ kind: 'overlaps', id: 'plan_1' });
    expect(await ledger.addSubscription(subscription({ id: 'plan_2', startsAt: noon }))).toEqual({ kind: 'added' });
    expect(await ledger.addSubscription(subscription({ id: 'plan_3', startsAt: noon - 3 * dayMs }))).toMatchObject({ kind: 'overlaps' });
    expect(await ledger.addSubscription(subscription({ id: 'plan_0', startsAt: noon - 3 * dayMs, endsAt: noon - dayMs }))).toEqual({
      kind: 'added',
    });
    expect(await ledger.addSubscription(subscription({ id: 'plan_3', accountId: 'nobody' }))).toEqual({ kind: 'unknown_account' });
    expect(await ledger.addSubscription(subscription({ id: 'plan_3', accountId: 'bob', included: 2n ** 63n }))).toEqual({
      kind: 'too_much',
    });
    expect(await ledger.findActiveSubscription('ada', noon - 1)).toEqual(subscription({ endsAt: noon }));
    expect(await ledger.findActiveSubscription('ada', noon)).toMatchObject({ id: 'plan_2' });
    expect(await ledger.findActiveSubscription('ada', noon - 4 * dayMs)).toBeUndefined();
    expect((await ledger.listSubscriptions('ada')).map(({ id }) => id)).toEqual(['plan_0', 'plan_1', 'plan_2']);
    await ledger.cancelSubscription('plan_2', noon + 5);
    expect(await ledger.findActiveSubscription('ada', noon + 4)).toMatchObject({ id: 'plan_2' });
    expect(await ledger.findActiveSubscription('ada', noon + 5)).toBeUndefined();
  });

  test('rejects no hold for a subscription that was canceled before its start', async () => {
    const { ledger } = await open('ada');
    await topUp(ledger, 'ada', 10n);
    await ledger.addSubscription(subscription({ startsAt: noon + 10 }));
    expect(await ledger.cancelSubscription('plan_1', noon)).toBe(true);
    expect(await ledger.reserve(order({ requestId: 'r1', amount: 1n, at: noon + 20 }))).toEqual({ kind: 'held', source: 'balance' });
    expect(await ledger.addSubscription(subscription({ id: 'plan_2', startsAt: noon + 5 }))).toEqual({ kind: 'added' });
  });

  test('checks the cap of a key before the subscription, and counts holds', async () => {
    const { ledger } = await open('ada');
    await ledger.addSubscription(subscription({ included: 10n }));
    const capped = { caps: createCaps(50n) };
    expect(await ledger.reserve(order({ ...capped, requestId: 'r1', amount: 51n }))).toMatchObject({
      kind: 'rejected',
      by: 'cap',
      available: 50n,
    });
    expect(await ledger.reserve(order({ ...capped, requestId: 'r2', amount: 11n }))).toMatchObject({ by: 'subscription' });
    await ledger.reserve(order({ ...capped, requestId: 'r3', amount: 8n }));
    expect(await ledger.reserve(order({ ...capped, requestId: 'r4', amount: 43n }))).toMatchObject({ by: 'cap', available: 42n });
    expect(
      await ledger.reserve(order({ requestId: 'r5', keyId: 'key_2', caps: createCaps(1n, 'month', 'key:key_2'), amount: 1n })),
    ).toMatchObject({
      kind: 'held',
    });
  });

  test('counts a hold toward all caps, and rejects by the one with the least left', async () => {
    const { ledger, rows } = await open('ada', 'bob');
    for (const accountId of ['ada', 'bob']) await topUp(ledger, accountId, 1_000n);
    // A Wednesday: its week began in April, its month and its week don't start together.
    const at = april + 7 * dayMs;
    const key = [...createCaps(50n, 'day'), ...createCaps(70n, 'week'), ...createCaps(90n, 'month')];
    const ofAccount = { owner: 'account:ada', micros: 80n, period: 'month', scope: 'account' } as const;
    const caps = [...key, ofAccount];
    expect(await ledger.reserve(order({ requestId: 'r1', amount: 40n, caps, at }))).toMatchObject({ kind: 'held' });
    expect(await ledger.reserve(order({ requestId: 'r2', amount: 11n, caps, at }))).toMatchObject({
      by: 'cap',
      available: 10n,
      cap: key[0],
    });
    expect(await ledger.post(posting('r1', 30n, at))).toMatchObject({ charged: 30n });
    const nextDay = at + dayMs;
    expect(await ledger.reserve(order({ requestId: 'r3', amount: 41n, caps, at: nextDay }))).toMatchObject({
      by: 'cap',
      available: 40n,
      cap: key[1],
    });
    expect(await ledger.reserve(order({ requestId: 'r4', amount: 40n, caps, at: nextDay }))).toMatchObject({ kind: 'held' });
    const another = { keyId: 'key_2', caps: [...createCaps(100n, 'day', 'key:key_2'), ofAccount], at: nextDay };
    expect(await ledger.reserve(order({ requestId: 'r5', amount: 11n, ...another }))).toMatchObject({ available: 10n, cap: ofAccount });
    await ledger.void('r4', nextDay, 'failed');
    expect(await rows("SELECT owner, used, held FROM allowances WHERE owner <> 'sub:plan_1' ORDER BY owner, period_start")).toEqual([
      ['account:ada', 30n, 0n],
      ['key:key_1', 30n, 0n],
      ['key:key_1', 30n, 0n],
      ['key:key_1', 30n, 0n],
      ['key:key_1', 0n, 0n],
    ]);
    expect(await ledger.reconcile({ isFull: true })).toMatchObject({ differences: [], unbalanced: [], contradictions: [] });
  });

  test('counts a hold once where a day, a week, and a month start together', async () => {
    const { ledger, rows } = await open('ada');
    await topUp(ledger, 'ada', 1_000n);
    const june = Date.UTC(2026, 5, 1);
    const caps = [...createCaps(50n, 'day'), ...createCaps(70n, 'week'), ...createCaps(90n, 'month')];
    await ledger.reserve(order({ requestId: 'r1', amount: 40n, caps, at: june }));
    await ledger.post(posting('r1', 40n, june));
    expect(await ledger.reserve(order({ requestId: 'r2', amount: 11n, caps, at: june }))).toMatchObject({ by: 'cap', available: 10n });
    expect(await ledger.reserve(order({ requestId: 'r3', amount: 30n, caps, at: june + dayMs }))).toMatchObject({ kind: 'held' });
    expect(await ledger.reserve(order({ requestId: 'r4', amount: 1n, caps, at: june + dayMs }))).toMatchObject({
      available: 0n,
      cap: { period: 'week' },
    });
    expect(await rows('SELECT used, held FROM allowances ORDER BY period_start')).toEqual([
      [40n, 30n],
      [0n, 30n],
    ]);
  });

  describe('C3: a hold that may be less than its amount', () => {
    const less = (requestId: string, amount: bigint, more = {}) => order({ requestId, amount, least: 20n, ...more });
    const held = (source: 'balance' | 'subscription', granted?: bigint) => ({
      kind: 'held',
      source,
      ...(granted !== undefined && { granted }),
    });

    test('takes the least and half of the remaining balance, and beside another hold a sixteenth of it', async () => {
      const { ledger } = await open('ada');
      await topUp(ledger, 'ada', 1_000n);
      expect(await ledger.reserve(less('r1', 1_000n))).toEqual(held('balance', 510n));
      expect(await ledger.reserve(less('r2', 1_000n))).toEqual(held('balance', 49n));
      expect(await ledger.reserve(less('r3', 30n))).toEqual(held('balance'));
      expect(await ledger.getBalance('ada')).toEqual({ balance: 1_000n, held: 589n });
      expect(await ledger.reserve(less('r4', 1_000n, { least: 412n }))).toEqual({ kind: 'rejected', by: 'balance', available: 411n });
    });

    test('takes no more than its part of the cap of the key', async () => {
      const { ledger } = await open('ada');
      await topUp(ledger, 'ada', 10_000n);
      const capped = { caps: createCaps(500n) };
      expect(await ledger.reserve(less('r1', 1_000n, capped))).toEqual(held('balance', 260n));
      expect(await ledger.reserve(less('r2', 1_000n, capped))).toEqual(held('balance', 33n));
      expect(await ledger.reserve(less('r3', 1_000n, { ...capped, least: 208n }))).toMatchObject({
        kind: 'rejected',
        by: 'cap',
        available: 207n,
      });
    });

    test('takes its part of a subscription that stops, whatever the balance', async () => {
      const { ledger } = await open('ada');
      await topUp(ledger, 'ada', 1_000n);
      await ledger.addSubscription(subscription());
      expect(await ledger.reserve(less('r1', 80n))).toEqual(held('subscription', 60n));
      expect(await ledger.reserve(less('r2', 80n))).toEqual(held('subscription', 21n));
    });

    test.for([
      [100n, 0n, held('subscription')],
      [101n, 0n, held('subscription', 60n)],
      [101n, 99n, held('subscription', 60n)],
      [101n, 100n, held('subscription', 60n)],
      [101n, 102n, held('balance', 61n)],
      [101n, 1_000n, held('balance')],
    ] as const)(
      'takes %i, with 100 left of a subscription that falls back to a balance of %i, from where it gets more',
      async ([amount, balance, result]) => {
        const { ledger } = await open('ada');
        if (balance > 0n) await topUp(ledger, 'ada', balance);
        const record = subscription({ onExhaustion: 'balance' });
        await ledger.addSubscription(record);
        expect(await ledger.listSubscriptions('ada')).toEqual([record]);
        expect(await ledger.dryRunHold(less('r1', amount))).toEqual(result);
        expect(await ledger.reserve(less('r1', amount))).toEqual(result);
      },
    );
  });

  test('returns 0, not a negative amount, for a cap lowered below its usage', async () => {
    const { ledger } = await open('ada');
    await topUp(ledger, 'ada', 100n);
    await ledger.reserve(order({ requestId: 'r1', amount: 10n, caps: createCaps(20n, 'never') }));
    expect(await ledger.reserve(order({ requestId: 'r2', amount: 0n, caps: createCaps(5n, 'never') }))).toMatchObject({
      kind: 'rejected',
      by: 'cap',
      available: 0n,
    });
  });
});
