/** Reads the funds of a key: the remainder of its balance, subscription, and spending cap. */

import type { Explanation } from '../../../contract/admin/explanations.ts';
import type { KeyRecord } from '../../access/store.ts';
import { formatDollars } from '../../money/dollars.ts';
import { getPeriodStart, type Period } from '../../money/period.ts';
import type { BalanceRecord, LedgerStore, SubscriptionRecord } from '../../money/store.ts';
import { writeTime, writeTimeOrNull } from './times.ts';

/** The subscription that started last decides, even if it has ended. */
interface ActiveSubscription {
  readonly record: SubscriptionRecord;
  readonly isOver: boolean;
  readonly left: bigint;
}

export interface Funds {
  /** Null if the key has no cap. */
  readonly capLeft: bigint | null;
  readonly subscription: ActiveSubscription | null;
  readonly balance: BalanceRecord;
}

export async function fetchFunds(ledger: LedgerStore, key: KeyRecord, now: number): Promise<Funds> {
  const accountId = key.account.id;
  const balance = (await ledger.getBalance(accountId)) ?? { balance: 0n, held: 0n };
  return { balance, capLeft: await fetchCapLeft(ledger, key, now), subscription: await findActiveSubscription(ledger, accountId, now) };
}

async function fetchCapLeft(ledger: LedgerStore, { cap, capOwner }: KeyRecord, now: number): Promise<bigint | null> {
  if (!cap) return null;
  const { used, held } = await ledger.getAllowance(`key:${capOwner}`, cap.period, now);
  return cap.micros - used - held;
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

const DAY_MS = 86_400_000;

/** Null for a period that never resets. */
function findNextPeriodStart(period: Period, at: number): number | null {
  const start = getPeriodStart(period, at);
  switch (period) {
    case 'never':
      return null;
    case 'day':
      return start + DAY_MS;
    case 'week':
      return start + 7 * DAY_MS;
    case 'month':
      return getPeriodStart('month', start + 31 * DAY_MS);
  }
}

const writeRemaining = (micros: bigint): string => formatDollars(micros > 0n ? micros : 0n);

export function writeCap({ cap }: KeyRecord, left: bigint | null, now: number): Explanation['spending_cap'] {
  if (!cap || left === null) return null;
  const capFields = { amount: formatDollars(cap.micros), period: cap.period };
  return { cap: capFields, left: writeRemaining(left), resets_at: writeTimeOrNull(findNextPeriodStart(cap.period, now)) };
}

export function writeSubscription(subscription: ActiveSubscription | null, now: number): Explanation['subscription'] {
  if (!subscription || subscription.isOver) return null;
  const { id, plan, included, period, onExhaustion, endsAt } = subscription.record;
  return {
    id,
    plan,
    included: formatDollars(included),
    left: writeRemaining(subscription.left),
    on_exhaustion: onExhaustion,
    resets_at: writeTime(findNextPeriodStart(period, now) ?? now),
    ends_at: writeTimeOrNull(endsAt),
  };
}
