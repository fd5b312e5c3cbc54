/** Finds the prices that apply to a call: the subscription's or the standard prices. */

import { throwStoreDown } from '../primitives/errors.ts';
import type { Money } from './money.ts';
import { type PricedVersion, STANDARD_PRICE_LIST } from './price-book.ts';

/** Undefined if the model has none. Throws `overloaded` if the store is down. */
export async function findPrice({ ledger, prices, now }: Money, accountId: string, model: string): Promise<PricedVersion | undefined> {
  const subscription = await ledger.findActiveSubscription(accountId, now()).catch(throwStoreDown);
  return prices.find(subscription?.priceList ?? STANDARD_PRICE_LIST, model);
}
