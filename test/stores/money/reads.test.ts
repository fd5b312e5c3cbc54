/** Lists of charges for receipts, and versions of prices. */
import { test as base, describe, expect } from 'vitest';
import { noon, order, topUp } from '../../unit/money/open.ts';
import { engines } from './engines.ts';

describe.for(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();

  test('lists the charges of an account newest first, in pages that neither repeat nor skip a charge', async () => {
    const { ledger } = await open('ada', 'bob');
    await topUp(ledger, 'ada', 100n);
    await topUp(ledger, 'bob', 100n);
    for (const [requestId, at] of [
      ['r1', 1],
      ['r2', 2],
      ['r4', 2],
      ['r3', 2],
      ['r5', 3],
    ] as const) {
      await ledger.reserve(order({ requestId, amount: 1n, at: noon + at, keyId: requestId === 'r4' ? 'key_2' : 'key_1' }));
    }
    await ledger.reserve(order({ requestId: 'foreign', accountId: 'bob', amount: 1n, at: noon + 3 }));
    const ids = async (query: object) => (await ledger.listCharges({ accountId: 'ada', limit: 10, ...query })).map((one) => one.requestId);
    expect(await ids({})).toEqual(['r5', 'r4', 'r3', 'r2', 'r1']);
    expect(await ids({ limit: 2 })).toEqual(['r5', 'r4']);
    expect(await ids({ limit: 2, after: 'r4' })).toEqual(['r3', 'r2']);
    expect(await ids({ after: 'r2' })).toEqual(['r1']);
    expect(await ids({ keyId: 'key_2' })).toEqual(['r4']);
    expect(await ids({ from: noon + 2, to: noon + 3 })).toEqual(['r4', 'r3', 'r2']);
    expect(await ids({ after: 'foreign' })).toEqual([]);
    expect(await ids({ after: 'nowhere' })).toEqual([]);
  });

  test('finds nothing under an ID that no store can keep', async () => {
    const { ledger } = await open('ada');
    const id = 'r\u00001';
    expect([await ledger.findCharge(id), await ledger.listAttempts(id)]).toEqual([undefined, []]);
    for (const query of [{ accountId: id }, { keyId: id }, { after: id }])
      expect(await ledger.listCharges({ accountId: 'ada', limit: 9, ...query })).toEqual([]);
  });

  test('applies the newest version of each price, and still finds older ones', async () => {
    const { ledger } = await open('ada');
    const price = { priceList: 'standard', model: 'm', source: 'config', prices: '{"input":1}', createdAt: noon } as const;
    const first = await ledger.addPrice(price);
    const second = await ledger.addPrice({ ...price, source: 'admin', prices: '{"input":2}' });
    const other = await ledger.addPrice({ ...price, priceList: 'partner' });
    expect(first).toEqual({ version: 1, ...price });
    expect(await ledger.listLatestPrices()).toEqual([other, second]);
    expect(await ledger.findPrice(1)).toEqual(first);
    expect(await ledger.findPrice(9)).toBeUndefined();
  });
});
