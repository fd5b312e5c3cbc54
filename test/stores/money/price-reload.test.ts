/** Reloads of prices in a running gateway, on each engine: all prices of a file take effect or none, and removed prices are no longer charged (promise G10). */
import { test as base, describe, expect, onTestFinished } from 'vitest';

import { type ConfiguredPrice, openPriceBook, type PriceBook, readPriceVersion } from '../../../server/money/price-book.ts';
import { readPrices } from '../../../server/money/prices.ts';
import type { LedgerStore } from '../../../server/money/store.ts';
import { noon } from '../../unit/money/open.ts';
import { engines } from './engines.ts';

const plain = { input: '1', output: '8' };
const cheap = { input: '0.5', output: '4' };
const dear = { input: '2', output: '16' };
const price = (prices: ConfiguredPrice['prices'], priceList = 'standard', model = 'm'): ConfiguredPrice => ({ priceList, model, prices });

/** Does what a process does at its start. */
async function start(ledger: LedgerStore, ...configured: readonly ConfiguredPrice[]): Promise<PriceBook> {
  const book = await openPriceBook(ledger, configured, () => noon);
  onTestFinished(() => book.close());
  return book;
}

/** Resolves to whether the rest of the configuration was swapped, too. */
async function reload(book: PriceBook, ...configured: readonly ConfiguredPrice[]): Promise<boolean> {
  let isSwapped = false;
  await book.change(configured, () => {
    isSwapped = true;
  });
  return isSwapped;
}

const paid = (book: PriceBook, list: string, model = 'm') => book.find(list, model)?.prices;

const refusal = {
  sqlite: "CREATE TRIGGER no_z BEFORE INSERT ON price_versions WHEN NEW.model = 'z' BEGIN SELECT RAISE(ABORT, 'no'); END",
  postgres: "ALTER TABLE price_versions ADD CONSTRAINT no_z CHECK (model <> 'z')",
} as const;

describe.for(engines)('$title', ({ name, isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();

  test('restores the standard price when an entry is removed from a price list, even after a restart', async () => {
    const { ledger } = await open();
    const book = await start(ledger, price(plain), price(cheap, 'wholesale'));
    const version = book.find('wholesale', 'm')?.version ?? 0;
    expect(await reload(book, price(plain))).toBe(true);
    expect(paid(book, 'wholesale')).toEqual(readPrices(plain));
    await book.refresh();
    expect(paid(book, 'wholesale')).toEqual(readPrices(plain));
    expect(paid(await start(ledger, price(plain)), 'wholesale')).toEqual(readPrices(plain));
    // Receipts of earlier charges still need it.
    const kept = await ledger.findPrice(version);
    expect(kept && readPriceVersion(kept).prices).toEqual(readPrices(cheap));
  });

  test('applies an entry again that is added to the file again, with the same or other prices', async () => {
    const { ledger } = await open();
    const book = await start(ledger, price(plain), price(cheap, 'wholesale'));
    for (const prices of [cheap, dear]) {
      await reload(book, price(plain));
      await reload(book, price(plain), price(prices, 'wholesale'));
      expect(paid(book, 'wholesale')).toEqual(readPrices(prices));
    }
  });

  test('keeps a price that an operator set in a list when its entry is removed from the file', async () => {
    const { ledger } = await open();
    const book = await start(ledger, price(plain), price(cheap, 'wholesale'));
    await ledger.addPrice({ priceList: 'wholesale', model: 'm', source: 'admin', prices: JSON.stringify(dear), createdAt: noon });
    await reload(book, price(plain));
    expect(paid(book, 'wholesale')).toEqual(readPrices(dear));
  });

  test("applies none of the new prices if one can't be stored, and doesn't swap the configuration", async () => {
    const { ledger, exec } = await open();
    const book = await start(ledger, price(plain));
    await exec(refusal[name]);
    let isSwapped = false;
    const changing = book.change([price(dear), price(dear, 'wholesale'), price(plain, 'standard', 'z')], () => {
      isSwapped = true;
    });
    await expect(changing).rejects.toThrow();
    await book.refresh();
    expect([isSwapped, paid(book, 'standard'), paid(book, 'wholesale')]).toEqual([false, readPrices(plain), readPrices(plain)]);
    expect(await ledger.listLatestPrices()).toHaveLength(1);
  });

  test('applies new prices of several lists together, and another process finds them at its next read', async () => {
    const { ledger } = await open();
    const [one, other] = [
      await start(ledger, price(plain), price(plain, 'wholesale')),
      await start(ledger, price(plain), price(plain, 'wholesale')),
    ];
    expect(await reload(one, price(dear), price(cheap, 'wholesale'))).toBe(true);
    expect([paid(one, 'standard'), paid(one, 'wholesale')]).toEqual([readPrices(dear), readPrices(cheap)]);
    expect(paid(other, 'standard')).toEqual(readPrices(plain));
    await other.refresh();
    expect([paid(other, 'standard'), paid(other, 'wholesale')]).toEqual([readPrices(dear), readPrices(cheap)]);
  });
});
