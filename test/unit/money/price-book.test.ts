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

test('a price list replaces the standard prices for the models that it has', async () => {
  const book = await open(openMemory().ledger, price(plain), price(dear, 'wholesale'), price('free', 'standard', 'other'));
  expect(book.find('wholesale', 'm')?.prices).toEqual(readPrices(dear));
  expect(book.find('wholesale', 'other')?.prices).toEqual({ kind: 'free' });
  expect(book.find('wholesale', 'none')).toBeUndefined();
  expect(book.find('standard', 'm')?.prices).toEqual(readPrices(plain));
});

test('a price that an operator set counts without one in the file, also as the first of all', async () => {
  const { ledger } = openMemory();
  const book = await open(ledger);
  await ledger.addPrice({ priceList: 'sold-earlier', model: 'm', source: 'admin', prices: JSON.stringify(dear), createdAt: noon });
  await book.refresh();
  expect(book.find('sold-earlier', 'm')?.prices).toEqual(readPrices(dear));
});

test('a change of the file keeps what another process set since the last look', async () => {
  const { ledger } = openMemory();
  const book = await open(ledger, price(plain));
  await ledger.addPrice({ priceList: 'standard', model: 'm', source: 'admin', prices: JSON.stringify(dear), createdAt: noon });
  await book.change([price(plain), price(plain, 'standard', 'new')], () => undefined);
  expect(['m', 'new'].map((model) => book.find('standard', model)?.prices)).toEqual([dear, plain].map(readPrices));
  await ledger.addPrice({ priceList: 'standard', model: 'other', source: 'admin', prices: JSON.stringify(dear), createdAt: noon });
  await book.refresh();
  expect(['m', 'new', 'other'].map((model) => book.find('standard', model)?.prices)).toEqual([dear, plain, dear].map(readPrices));
});

test('the prices are another object only after a change', async () => {
  const { ledger } = openMemory();
  const book = await open(ledger, price(plain));
  const before = book.now;
  await book.refresh();
  expect(book.now).toBe(before);
  await ledger.addPrice({ priceList: 'standard', model: 'm', source: 'admin', prices: JSON.stringify(dear), createdAt: noon });
  await book.refresh();
  expect(book.now).not.toBe(before);
});

test('a look waits for the change before it, and comes even if that fails', async () => {
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

test('a price that another process set counts after a second, until the book is closed', async () => {
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
