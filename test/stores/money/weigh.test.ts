/** A dry run of a hold uses the rule of real holds, and stores nothing (promise G3). */
import { describe, expect, test } from 'vitest';
import { order, subscription, topUp } from '../../unit/money/open.ts';
import { engines } from './engines.ts';

describe.each(engines)('$title', ({ use, isMissing }) => {
  describe.skipIf(isMissing)('C2: an order that is only weighed', () => {
    const open = use();

    test('returns the result of a real hold, and holds nothing', async () => {
      const { ledger, rows } = await open('ada', 'bob');
      await topUp(ledger, 'ada', 100n);
      await ledger.addSubscription(subscription({ id: 'p1', accountId: 'bob', included: 50n }));
      const cap = { owner: 'key:k', micros: 30n, period: 'day', scope: 'key' } as const;
      const asked = [
        { accountId: 'ada', amount: 40n },
        { accountId: 'ada', amount: 400n },
        { accountId: 'ada', amount: 400n, least: 20n },
        { accountId: 'ada', amount: 40n, caps: [cap] },
        { accountId: 'bob', amount: 40n },
        { accountId: 'bob', amount: 90n },
      ] as const;
      const weighed = [];
      for (const one of asked) weighed.push(await ledger.dryRunHold(order({ requestId: '', ...one })));
      expect(weighed).toEqual([
        { kind: 'held', source: 'balance' },
        { kind: 'rejected', by: 'balance', available: 100n },
        { kind: 'held', source: 'balance', granted: 60n },
        { kind: 'rejected', by: 'cap', available: 30n, cap },
        { kind: 'held', source: 'subscription' },
        { kind: 'rejected', by: 'subscription', available: 50n },
      ]);
      expect(await rows('SELECT request_id FROM charges')).toEqual([]);
      expect(await ledger.getBalance('ada')).toEqual({ balance: 100n, held: 0n });
      for (const index of [1, 0]) {
        const one = asked[index] ?? expect.fail('no such order');
        expect(await ledger.reserve(order({ requestId: `r${index}`, ...one }))).toEqual(weighed[index]);
      }
    });
  });
});
