/** A repeated transfer or subscription under one name, and a different one under that name (promise G2). */
import { describe, expect, test } from 'vitest';
import { type Adjustment, compareSubscription, compareTransfer, type SubscriptionRecord } from '../../../server/money/store.ts';
import { noon, subscription } from './open.ts';

describe('G2: a transfer', () => {
  const asked: Adjustment = { accountId: 'ada', transfer: 't1', kind: 'top_up', amount: 5n, note: 'first', at: noon };
  const booked = { kind: 'top_up', book: 'account:ada', amount: 5n };
  const balance = { balance: 7n, held: 2n };

  test.each([{ note: 'other' }, { note: null }, { at: noon + 1 }])('is repeated with %j, and the result has the balance', (changes) => {
    expect(compareTransfer({ ...asked, ...changes }, booked, balance)).toEqual({ kind: 'repeated', balance: 7n, held: 2n });
  });

  test.each<Partial<Adjustment>>([{ accountId: 'bob' }, { kind: 'refund' }, { kind: 'correction' }, { amount: 6n }, { amount: -5n }])(
    'is a mismatch with %o, and the result has the earlier one',
    (changes) => {
      expect(compareTransfer({ ...asked, ...changes }, booked, balance)).toEqual({
        kind: 'mismatch',
        earlier: { accountId: 'ada', kind: 'top_up', amount: 5n },
      });
    },
  );
});

describe('G2: a subscription', () => {
  const added = subscription({ endsAt: noon + 1 });

  test('is repeated, also when it was cancelled since', () => {
    expect(compareSubscription(added, { ...added })).toEqual({ kind: 'repeated' });
    expect(compareSubscription(added, { ...added, cancelledAt: noon })).toEqual({ kind: 'repeated' });
  });

  test.each<Partial<SubscriptionRecord>>([
    { id: 'other' },
    { accountId: 'bob' },
    { plan: 'basic' },
    { included: 101n },
    { period: 'week' },
    { onExhaustion: 'balance' },
    { priceList: 'wholesale' },
    { startsAt: noon },
    { endsAt: null },
  ])('is a mismatch with %o', (changes) => {
    expect(compareSubscription({ ...added, ...changes }, added)).toEqual({ kind: 'mismatch' });
  });
});
