/** The prices in force: each change is a new version, and the last change counts. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';

import { type ConfiguredPrice, openPriceBook, type PriceBook } from '../../../server/money/price-book.ts';
import { readPrices } from '../../../server/money/prices.ts';
import type { LedgerStore } from '../../../server/money/store.ts';
import { holdIntervals, until } from '../../harness/held-clock.ts';
import { noon, openMemory } from './open.ts';

const plain = { input: '1', output: '8' };
const dear = { input: '2', output: '16' };
const price = (prices: ConfiguredPrice['prices'], priceList = 'standard', model = 'm'): ConfiguredPrice => ({ priceList, model, prices });

async function open(ledger: LedgerStore, ...configured: readonly ConfiguredPrice[]): Promise<PriceBook> {
  const book = await openPriceBook(ledger, configured, () => noon);
  onTestFinished(() => book.close());
  return book;
}

test('replaces the standard prices with a price list for the models in it', async () => {
  const book = await open(openMemory().ledger, price(plain), price(dear, 'wholesale'), price('free', 'standard', 'other'));
  expect(book.find('wholesale', 'm')?.prices).toEqual(readPrices(dear));
  expect(book.find('wholesale', 'other')?.prices).toEqual({ kind: 'free' });
  expect(book.find('wholesale', 'none')).toBeUndefined();
  expect(book.find('standard', 'm')?.prices).toEqual(readPrices(plain));
});

test("applies an operator's price without one in the file, even as the first of all", async () => {
  const { ledger } = openMemory();
  const book = await open(ledger);
  await ledger.addPrice({ priceList: 'sold-earlier', model: 'm', source: 'admin', prices: JSON.stringify(dear), createdAt: noon });
  await book.refresh();
  expect(book.find('sold-earlier', 'm')?.prices).toEqual(readPrices(dear));
});

test('keeps a price that another process set since the last read when the file changes', async () => {
  const { ledger } = openMemory();
  const book = await open(ledger, price(plain));
  await ledger.addPrice({ priceList: 'standard', model: 'm', source: 'admin', prices: JSON.stringify(dear), createdAt: noon });
  await book.change([price(plain), price(plain, 'standard', 'new')], () => undefined);
  expect(['m', 'new'].map((model) => book.find('standard', model)?.prices)).toEqual([dear, plain].map(readPrices));
  await ledger.addPrice({ priceList: 'standard', model: 'other', source: 'admin', prices: JSON.stringify(dear), createdAt: noon });
  await book.refresh();
  expect(['m', 'new', 'other'].map((model) => book.find('standard', model)?.prices)).toEqual([dear, plain, dear].map(readPrices));
});

test('replaces the prices object only after a change', async () => {
  const { ledger } = openMemory();
  const book = await open(ledger, price(plain));
  const before = book.now;
  await book.refresh();
  expect(book.now).toBe(before);
  await ledger.addPrice({ priceList: 'standard', model: 'm', source: 'admin', prices: JSON.stringify(dear), createdAt: noon });
  await book.refresh();
  expect(book.now).not.toBe(before);
});

test('reads prices after the change in flight, even if that fails', async () => {
  const { ledger } = openMemory();
  const { promise: answer, reject } = Promise.withResolvers<never>();
  let looks = 0;
  const slow: LedgerStore = {
    ...ledger,
    addPrices: () => answer,
    listLatestPrices: () => {
      looks++;
      return ledger.listLatestPrices();
    },
  };
  const book = await open(slow);
  const change = book.change([price(plain)], () => expect.fail('put in force'));
  const look = book.refresh();
  await nextTurn();
  expect(looks).toBe(2);
  reject(new Error('the store is down'));
  await expect(change).rejects.toThrow('the store is down');
  await look;
  expect(looks).toBe(3);
});

test("applies a price of another process after a second, until it's closed", async () => {
  holdIntervals();
  const { ledger } = openMemory();
  const book = await open(ledger, price(plain));
  await ledger.addPrice({ priceList: 'standard', model: 'm', source: 'admin', prices: JSON.stringify(dear), createdAt: noon });
  const version = () => book.find('standard', 'm')?.version;
  const before = version();
  vi.advanceTimersByTime(1_000);
  await until(() => version() !== before);
  expect(book.find('standard', 'm')?.prices).toEqual(readPrices(dear));
  expect(vi.getTimerCount()).toBe(1);
  book.close();
  expect(vi.getTimerCount()).toBe(0);
});
