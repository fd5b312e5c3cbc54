/** Reserves the highest possible cost of a request: the cap of the key first, then the subscription, then the balance (promise G3). */
import type { DatabaseSync } from 'node:sqlite';
import { isAmount } from '../bounds.ts';
import { periodStart } from '../periods.ts';
import type { HoldOrder, HoldResult } from '../store.ts';
import { balanceSource } from './entries.ts';
import { type Allowance, openPlans, type Plan } from './plans.ts';
import { integer, prepare, type Row } from './rows.ts';

type Refusal = Extract<HoldResult, { kind: 'refused' }>;
/** Where the money comes from; without an allowance it is the balance. */
type Source = { readonly kind: 'source'; readonly allowance: Allowance | null };

export function openReserve(connection: DatabaseSync): (order: HoldOrder) => HoldResult {
  const look = prepare(connection, lookSql);
  const planOf = openPlans(connection);
  const insert = prepare(connection, insertSql);
  const holdBalance = prepare(connection, 'UPDATE balances SET held = held + ? WHERE account_id = ?');
  const holdAllowance = prepare(
    connection,
    `INSERT INTO allowances (owner, period_start, held) VALUES (?, ?, ?)
     ON CONFLICT (owner, period_start) DO UPDATE SET held = held + excluded.held`,
  );

  const write = (order: HoldOrder, cap: Allowance | null, allowance: Allowance | null): void => {
    const { requestId, accountId, keyId, model, operation, priceVersion, multiplier, node, amount, at } = order;
    const source = allowance?.owner ?? balanceSource;
    const places = [source, allowance?.start ?? null, cap?.owner ?? null, cap?.start ?? null];
    insert.run(requestId, accountId, keyId, model, operation, priceVersion, multiplier, node, ...places, amount, at);
    if (allowance) holdAllowance.run(allowance.owner, allowance.start, amount);
    else holdBalance.run(amount, accountId);
    if (cap) holdAllowance.run(cap.owner, cap.start, amount);
  };

  return (order) => {
    const { requestId, accountId, at } = order;
    const cap = order.cap && { owner: `key:${order.cap.owner}`, start: periodStart(order.cap.period, at) };
    const facts = look.get(requestId, accountId, accountId, cap?.owner ?? null, cap?.start ?? null) ?? {};
    if (facts.is_known === 1n) return refuse('duplicate', 0n);
    const refusal = refuseByCap(order, facts) ?? refuseByBound(order, facts);
    if (refusal) return refusal;
    const plan = facts.has_plan === 1n ? planOf(accountId, at) : undefined;
    const source = chooseSource(order.amount, plan, integer(facts.free));
    if (source.kind === 'refused') return source;
    write(order, cap, source.allowance);
    return { kind: 'held', source: source.allowance ? 'subscription' : 'balance' };
  };
}

/** What most decisions need, in one read; the account without a balance has none. */
const lookSql = `
  SELECT
    EXISTS (SELECT 1 FROM charges WHERE request_id = ?) AS is_known,
    coalesce((SELECT balance - held FROM balances WHERE account_id = ?), 0) AS free,
    EXISTS (SELECT 1 FROM subscriptions WHERE account_id = ?) AS has_plan,
    coalesce((SELECT used + held FROM allowances WHERE owner = ? AND period_start = ?), 0) AS cap_taken`;

const insertSql = `
  INSERT INTO charges (request_id, account_id, key_id, model, operation, price_version, multiplier, node,
    source, source_period, cap_owner, cap_period, held, created_at, state)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'held')`;

function refuse(by: Refusal['by'], available: bigint): Refusal {
  // A cap that was lowered since may be used more than whole.
  return { kind: 'refused', by, available: available > 0n ? available : 0n };
}

function refuseByCap({ cap, amount }: HoldOrder, facts: Row): Refusal | undefined {
  if (!cap) return undefined;
  const left = cap.micros - integer(facts.cap_taken);
  return amount > left ? refuse('cap', left) : undefined;
}

/** No such amount can be owned, and a column could not add it up. */
function refuseByBound({ amount }: HoldOrder, facts: Row): Refusal | undefined {
  return isAmount(amount) ? undefined : refuse('balance', integer(facts.free));
}

function chooseSource(amount: bigint, plan: Plan | undefined, free: bigint): Source | Refusal {
  if (plan && !plan.isOver && amount <= plan.left) return { kind: 'source', allowance: plan.allowance };
  if (plan?.onExhaustion === 'stop') return refuse('subscription', plan.left);
  return amount > free ? refuse('balance', free) : { kind: 'source', allowance: null };
}
