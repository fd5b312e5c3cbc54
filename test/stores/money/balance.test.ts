/** Holds on a balance, and what an operator puts on it and takes from it. */
import { test as base, describe, expect } from 'vitest';
import { MAX_AMOUNT } from '../../../server/money/dollars.ts';
import type { Adjustment } from '../../../server/money/store.ts';
import { noon, order, posting, topUp } from '../../unit/money/open.ts';
import { engines } from './engines.ts';

const adjustment = (changes: Partial<Adjustment>): Adjustment => ({
  accountId: 'ada',
  transfer: 'transfer_1',
  kind: 'correction',
  amount: 0n,
  note: null,
  at: noon,
  ...changes,
});

describe.for(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();

  test('rejects a second hold for a request ID, before and after the first is settled', async () => {
    const { ledger } = await open('ada');
    await topUp(ledger, 'ada', 10n);
    await ledger.reserve(order({ requestId: 'r1', amount: 1n }));
    const again = { kind: 'rejected', by: 'duplicate', available: 0n };
    expect(await ledger.reserve(order({ requestId: 'r1', amount: 1n }))).toEqual(again);
    await ledger.post(posting('r1', 1n));
    expect(await ledger.reserve(order({ requestId: 'r1', amount: 1n }))).toEqual(again);
    expect(await ledger.getBalance('ada')).toEqual({ balance: 9n, held: 0n });
  });

  test.each<Partial<Adjustment>>([
    { amount: 6n },
    { amount: 5n, kind: 'top_up' },
    { amount: 5n, accountId: 'bob' },
    { amount: 2n ** 80n },
    { amount: -5n },
  ])('treats a different transfer under a used name as a mismatch that moves no money: %o', async (changes) => {
    const { ledger } = await open('ada', 'bob');
    await ledger.adjust(adjustment({ amount: 5n }));
    const earlier = { accountId: 'ada', kind: 'correction', amount: 5n };
    expect(await ledger.adjust(adjustment(changes))).toEqual({ kind: 'mismatch', earlier });
    expect(await ledger.getBalance('ada')).toEqual({ balance: 5n, held: 0n });
    expect(await ledger.getBalance('bob')).toEqual({ balance: 0n, held: 0n });
  });

  test('amounts above MAX_AMOUNT and negative holds are rejected, and MAX_AMOUNT itself is exact', async () => {
    const { ledger } = await open('ada');
    const tooMuch = MAX_AMOUNT + 1n;
    expect(await ledger.adjust(adjustment({ amount: tooMuch }))).toEqual({ kind: 'rejected', available: 0n });
    expect(await ledger.adjust(adjustment({ amount: 2n ** 80n }))).toEqual({ kind: 'rejected', available: 0n });
    expect(await ledger.adjust(adjustment({ amount: MAX_AMOUNT }))).toMatchObject({ kind: 'adjusted', balance: MAX_AMOUNT });
    expect(await ledger.adjust(adjustment({ transfer: 'more', amount: 1n }))).toEqual({ kind: 'rejected', available: MAX_AMOUNT });
    for (const amount of [tooMuch, 2n ** 80n, -1n]) {
      const rejected = { kind: 'rejected', by: 'balance', available: MAX_AMOUNT };
      expect(await ledger.reserve(order({ requestId: 'r1', amount })), String(amount)).toEqual(rejected);
    }
    expect(await ledger.reserve(order({ requestId: 'r1', amount: MAX_AMOUNT }))).toMatchObject({ kind: 'held' });
    expect(await ledger.post(posting('r1', MAX_AMOUNT - 1n))).toEqual({ kind: 'settled', charged: MAX_AMOUNT - 1n, overrun: 0n });
    expect(await ledger.getBalance('ada')).toEqual({ balance: 1n, held: 0n });
  });

  test('sums revenue beyond 64 bits exactly', async () => {
    const { ledger } = await open('ada');
    for (let round = 0; round < 1_100; round++) {
      await topUp(ledger, 'ada', MAX_AMOUNT);
      await ledger.reserve(order({ requestId: `r${round}`, amount: MAX_AMOUNT }));
      await ledger.post(posting(`r${round}`, 2n ** 70n));
    }
    expect(await ledger.reconcile()).toMatchObject({ differences: [], unbalanced: [], contradictions: [], overrun: 0n });
  });
});
