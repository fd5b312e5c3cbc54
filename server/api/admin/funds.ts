/** Reads the funds of a key: the remainder of its balance, subscription, and spending caps. */

import type { Explanation } from '../../../contract/admin/explanations.ts';
import { type KeyRecord, listCaps } from '../../access/store.ts';
import { formatDollars } from '../../money/dollars.ts';
import { getNextPeriodStart } from '../../money/period.ts';
import type { OwnedCap } from '../../money/spending-cap.ts';
import type { BalanceRecord, LedgerStore, SubscriptionRecord } from '../../money/store.ts';
import { writeCap } from './caps.ts';
import { writeTime, writeTimeOrNull } from './times.ts';

/** The subscription that started last decides, even if it has ended. */
interface ActiveSubscription {
  readonly record: SubscriptionRecord;
  readonly isOver: boolean;
  readonly left: bigint;
}

/** A spending cap and what is left of it, in micro-dollars. */
export interface RemainingCap extends OwnedCap {
  readonly left: bigint;
}

export interface Funds {
  readonly caps: readonly RemainingCap[];
  readonly subscription: ActiveSubscription | null;
  readonly balance: BalanceRecord;
}

export async function fetchFunds(ledger: LedgerStore, key: KeyRecord, now: number): Promise<Funds> {
  const accountId = key.account.id;
  const balance = (await ledger.getBalance(accountId)) ?? { balance: 0n, held: 0n };
  const caps = await Promise.all(listCaps(key).map((cap) => fetchRemainingCap(ledger, cap, now)));
  return { balance, caps, subscription: await findActiveSubscription(ledger, accountId, now) };
}

async function fetchRemainingCap(ledger: LedgerStore, cap: OwnedCap, now: number): Promise<RemainingCap> {
  const { used, held } = await ledger.getAllowance(cap.owner, cap.period, now);
  return { ...cap, left: cap.micros - used - held };
}

async function findActiveSubscription(ledger: LedgerStore, accountId: string, now: number): Promise<ActiveSubscription | null> {
  const startedSubscriptions = (await ledger.listSubscriptions(accountId)).filter(
    (one) => one.startsAt <= now && getSubscriptionEnd(one) > one.startsAt,
  );
  const record = startedSubscriptions.toSorted((one, other) => other.startsAt - one.startsAt)[0];
  if (!record) return null;
  const { used, held } = await ledger.getAllowance(`sub:${record.id}`, record.period, now);
  const isOver = getSubscriptionEnd(record) <= now;
  return { record, isOver, left: isOver ? 0n : record.included - used - held };
}

function getSubscriptionEnd({ endsAt, cancelledAt }: SubscriptionRecord): number {
  return Math.min(endsAt ?? Number.POSITIVE_INFINITY, cancelledAt ?? Number.POSITIVE_INFINITY);
}

const writeRemaining = (micros: bigint): string => formatDollars(micros > 0n ? micros : 0n);

export const writeRemainingCaps = ({ caps }: Funds, now: number): Explanation['spending_caps'] =>
  caps.map(({ left, ...cap }) => ({
    scope: cap.scope,
    ...writeCap(cap),
    left: writeRemaining(left),
    resets_at: writeTimeOrNull(getNextPeriodStart(cap.period, now)),
  }));

export function writeSubscription(subscription: ActiveSubscription | null, now: number): Explanation['subscription'] {
  if (!subscription || subscription.isOver) return null;
  const { id, plan, included, period, onExhaustion, endsAt } = subscription.record;
  return {
    id,
    plan,
    included: formatDollars(included),
    left: writeRemaining(subscription.left),
    on_exhaustion: onExhaustion,
    resets_at: writeTime(getNextPeriodStart(period, now) ?? now),
    ends_at: writeTimeOrNull(endsAt),
  };
}
