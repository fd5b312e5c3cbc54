/** Repeated transfers under one name: the same transfer changes nothing, a different one is reported (promise G2). */
import type { Adjustment, AdjustResult, BalanceRecord, SubscriptionRecord } from './store.ts';

/** The side of a transfer that is not the operator's own. */
export interface BookedEntry {
  readonly kind: string;
  readonly book: string;
  readonly amount: bigint;
}

const ACCOUNT_BOOK = 'account:';

/** The note is not part of the comparison. */
export function compareTransfer(
  { accountId, kind, amount }: Adjustment,
  booked: BookedEntry,
  balance: BalanceRecord,
): Extract<AdjustResult, { kind: 'repeated' | 'mismatch' }> {
  if (booked.kind === kind && booked.book === ACCOUNT_BOOK + accountId && booked.amount === amount) return { kind: 'repeated', ...balance };
  // No other kinds have names that operators give.
  const earlier = { accountId: booked.book.slice(ACCOUNT_BOOK.length), kind: booked.kind as Adjustment['kind'], amount: booked.amount };
  return { kind: 'mismatch', earlier };
}

/** It may have been cancelled since. */
export function compareSubscription(record: SubscriptionRecord, added: SubscriptionRecord): { readonly kind: 'repeated' | 'mismatch' } {
  const { id, accountId, plan, included, period, onExhaustion, priceList, startsAt, endsAt } = record;
  const terms = { id, accountId, plan, included, period, onExhaustion, priceList, startsAt, endsAt };
  const isSame = Object.entries(terms).every(([name, value]) => added[name as keyof typeof terms] === value);
  return { kind: isSame ? 'repeated' : 'mismatch' };
}
