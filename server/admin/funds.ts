/** What a key can still spend: under its own cap, from the subscription of its account, and from the balance. */
import type { Explanation } from '../../contract/admin/explanations.ts';
import type { KeyRecord } from '../access/store.ts';
import { formatDollars } from '../ledger/money.ts';
import { periodStart } from '../ledger/periods.ts';
import type { BalanceRecord, LedgerStore, Period, SubscriptionRecord } from '../ledger/store.ts';
import { writeTime, writeTimeOrNull } from './values.ts';

/** The subscription that began last decides, even when it has ended. */
export interface Ruling {
  readonly record: SubscriptionRecord;
  readonly isOver: boolean;
  readonly left: bigint;
}

export interface Funds {
  /** Null: the key has no cap. */
  readonly capLeft: bigint | null;
  readonly ruling: Ruling | null;
  readonly balance: BalanceRecord;
}

export async function readFunds(ledger: LedgerStore, key: KeyRecord, now: number): Promise<Funds> {
  const accountId = key.account.id;
  const balance = (await ledger.balance(accountId)) ?? { balance: 0n, held: 0n };
  return { balance, capLeft: await capLeft(ledger, key, now), ruling: await rulingOf(ledger, accountId, now) };
}

async function capLeft(ledger: LedgerStore, { cap, capOwner }: KeyRecord, now: number): Promise<bigint | null> {
  if (!cap) return null;
  const { used, held } = await ledger.allowance(`key:${capOwner}`, cap.period, now);
  return cap.micros - used - held;
}

async function rulingOf(ledger: LedgerStore, accountId: string, now: number): Promise<Ruling | null> {
  const begun = (await ledger.listSubscriptions(accountId)).filter((one) => one.startsAt <= now && endOf(one) > one.startsAt);
  const record = begun.toSorted((one, other) => other.startsAt - one.startsAt)[0];
  if (!record) return null;
  const { used, held } = await ledger.allowance(`sub:${record.id}`, record.period, now);
  const isOver = endOf(record) <= now;
  return { record, isOver, left: isOver ? 0n : record.included - used - held };
}

function endOf({ endsAt, cancelledAt }: SubscriptionRecord): number {
  return Math.min(endsAt ?? Number.POSITIVE_INFINITY, cancelledAt ?? Number.POSITIVE_INFINITY);
}

const DAY_MS = 86_400_000;

/** Null for a period that never resets. */
function nextStart(period: Period, at: number): number | null {
  const start = periodStart(period, at);
  switch (period) {
    case 'never':
      return null;
    case 'day':
      return start + DAY_MS;
    case 'week':
      return start + 7 * DAY_MS;
    case 'month':
      return periodStart('month', start + 31 * DAY_MS);
  }
}

const writeLeft = (micros: bigint): string => formatDollars(micros > 0n ? micros : 0n);

export function writeCap({ cap }: KeyRecord, left: bigint | null, now: number): Explanation['spending_cap'] {
  if (!cap || left === null) return null;
  const written = { amount: formatDollars(cap.micros), period: cap.period };
  return { cap: written, left: writeLeft(left), resets_at: writeTimeOrNull(nextStart(cap.period, now)) };
}

export function writeRuling(ruling: Ruling | null, now: number): Explanation['subscription'] {
  if (!ruling || ruling.isOver) return null;
  const { id, plan, included, period, onExhaustion, endsAt } = ruling.record;
  return {
    id,
    plan,
    included: formatDollars(included),
    left: writeLeft(ruling.left),
    on_exhaustion: onExhaustion,
    resets_at: writeTime(nextStart(period, now) ?? now),
    ends_at: writeTimeOrNull(endsAt),
  };
}
