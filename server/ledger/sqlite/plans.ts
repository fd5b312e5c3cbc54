/** What the subscription of an account still allows in the period of a given time. */
import type { DatabaseSync } from 'node:sqlite';
import { periodStart } from '../periods.ts';
import type { SubscriptionRecord } from '../store.ts';
import { integer, prepare } from './rows.ts';
import { asSubscription, rulingSubscription, SUBSCRIPTION_COLUMNS } from './subscriptions.ts';

/** A row of allowances: the amount that may be spent from it in one period. */
export interface Allowance {
  readonly owner: string;
  readonly start: number;
}

export interface Plan extends Pick<SubscriptionRecord, 'onExhaustion'> {
  readonly isOver: boolean;
  readonly allowance: Allowance;
  /** 0 when it has ended. */
  readonly left: bigint;
  readonly held: bigint;
}

export function openPlans(connection: DatabaseSync): (accountId: string, at: number) => Plan | undefined {
  const ruling = prepare(connection, `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions WHERE id = (${rulingSubscription})`);
  const used = prepare(connection, 'SELECT used + held AS taken, held FROM allowances WHERE owner = ? AND period_start = ?');
  return (accountId, at) => {
    const row = ruling.get(accountId, at);
    if (!row) return undefined;
    const subscription = asSubscription(row);
    const allowance = { owner: `sub:${subscription.id}`, start: periodStart(subscription.period, at) };
    const isOver = hasEnded(subscription, at);
    const { taken = 0n, held = 0n } = used.get(allowance.owner, allowance.start) ?? {};
    const left = isOver ? 0n : subscription.included - integer(taken);
    return { isOver, allowance, left, held: integer(held), onExhaustion: subscription.onExhaustion };
  };
}

function hasEnded({ endsAt, cancelledAt }: SubscriptionRecord, at: number): boolean {
  return (endsAt !== null && endsAt <= at) || (cancelledAt !== null && cancelledAt <= at);
}
