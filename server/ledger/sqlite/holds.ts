/** Reserves the highest possible cost of a request: the cap of the key first, then the subscription, then the balance (promise G3). */
import type { DatabaseSync } from 'node:sqlite';
import { isAmount } from '../money.ts';
import { type Funds, partialHold, type WantedHold } from '../partial-hold.ts';
import { periodStart } from '../periods.ts';
import type { HoldOrder, HoldResult } from '../store.ts';
import { BALANCE_SOURCE } from './entries.ts';
import { type Allowance, openPlans, type Plan } from './plans.ts';
import { integer, prepare, type Row } from './rows.ts';

type Refusal = Extract<HoldResult, { kind: 'refused' }>;
/** The source of the money and the amount; without an allowance the source is the balance. */
type Source = { readonly kind: 'source'; readonly allowance: Allowance | null; readonly amount: bigint };

export function openReserve(connection: DatabaseSync): (order: HoldOrder) => HoldResult {
  const decide = openDecide(connection);
  const insert = prepare(connection, INSERT_SQL);
  const holdBalance = prepare(connection, 'UPDATE balances SET held = held + ? WHERE account_id = ?');
  const holdAllowance = prepare(
    connection,
    `INSERT INTO allowances (owner, period_start, held) VALUES (?, ?, ?)
     ON CONFLICT (owner, period_start) DO UPDATE SET held = held + excluded.held`,
  );

  const write = (order: HoldOrder, cap: Allowance | null, { allowance, amount }: Source): void => {
    const { requestId, accountId, keyId, model, operation, priceVersion, multiplier, node, at } = order;
    const source = allowance?.owner ?? BALANCE_SOURCE;
    const places = [source, allowance?.start ?? null, cap?.owner ?? null, cap?.start ?? null];
    insert.run(requestId, accountId, keyId, model, operation, priceVersion, multiplier, node, ...places, amount, at);
    if (allowance) holdAllowance.run(allowance.owner, allowance.start, amount);
    else holdBalance.run(amount, accountId);
    if (cap) holdAllowance.run(cap.owner, cap.start, amount);
  };

  return (order) => {
    const cap = capOf(order);
    const source = decide(order, cap);
    if (source.kind === 'refused') return source;
    write(order, cap, source);
    return asHeld(order, source);
  };
}

/** The same decision, of which nothing is stored. */
export function openDryRun(connection: DatabaseSync): (order: HoldOrder) => HoldResult {
  const decide = openDecide(connection);
  return (order) => {
    const source = decide(order, capOf(order));
    return source.kind === 'refused' ? source : asHeld(order, source);
  };
}

const capOf = ({ cap, at }: HoldOrder): Allowance | null => cap && { owner: `key:${cap.owner}`, start: periodStart(cap.period, at) };

function asHeld(order: HoldOrder, { allowance, amount }: Source): HoldResult {
  const source = allowance ? 'subscription' : 'balance';
  return amount < order.amount ? { kind: 'held', source, granted: amount } : { kind: 'held', source };
}

function openDecide(connection: DatabaseSync): (order: HoldOrder, cap: Allowance | null) => Source | Refusal {
  const look = prepare(connection, LOOK_SQL);
  const planOf = openPlans(connection);
  return (order, cap) => {
    const { requestId, accountId, at } = order;
    const facts =
      look.get(
        requestId,
        accountId,
        accountId,
        accountId,
        cap?.owner ?? null,
        cap?.start ?? null,
        cap?.owner ?? null,
        cap?.start ?? null,
      ) ?? {};
    if (facts.is_known === 1n) return refuse('duplicate', 0n);
    const amount = underCap(order, facts);
    if (typeof amount !== 'bigint') return amount;
    const free = { left: integer(facts.free), held: integer(facts.held) };
    // No such amount can be owned, and a column could not add it up.
    if (!isAmount(amount)) return refuse('balance', free.left);
    return chooseSource({ amount, least: order.least ?? amount }, facts.has_plan === 1n ? planOf(accountId, at) : undefined, free);
  };
}

/** What most decisions need, in one read; an account without a balance row has 0. */
const LOOK_SQL = `
  SELECT
    EXISTS (SELECT 1 FROM charges WHERE request_id = ?) AS is_known,
    coalesce((SELECT balance - held FROM balances WHERE account_id = ?), 0) AS free,
    coalesce((SELECT held FROM balances WHERE account_id = ?), 0) AS held,
    EXISTS (SELECT 1 FROM subscriptions WHERE account_id = ?) AS has_plan,
    coalesce((SELECT used + held FROM allowances WHERE owner = ? AND period_start = ?), 0) AS cap_taken,
    coalesce((SELECT held FROM allowances WHERE owner = ? AND period_start = ?), 0) AS cap_held`;

const INSERT_SQL = `
  INSERT INTO charges (request_id, account_id, key_id, model, operation, price_version, multiplier, node,
    source, source_period, cap_owner, cap_period, held, created_at, state)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'held')`;

function refuse(by: Refusal['by'], available: bigint): Refusal {
  // A cap that was lowered since may be used more than whole.
  return { kind: 'refused', by, available: available > 0n ? available : 0n };
}

/** As much of the amount as the cap lets through. */
function underCap({ cap, amount, least = amount }: HoldOrder, facts: Row): bigint | Refusal {
  if (!cap) return amount;
  const left = cap.micros - integer(facts.cap_taken);
  return partialHold({ left, held: integer(facts.cap_held) }, { amount, least }) ?? refuse('cap', left);
}

/** The subscription first, in full; when it is not enough and the account has a balance, the source that gives more. */
function chooseSource(wanted: WantedHold, plan: Plan | undefined, free: Funds): Source | Refusal {
  const { amount } = wanted;
  const isStopping = plan?.onExhaustion === 'stop';
  const ofPlan = plan && !plan.isOver ? partialHold(plan, wanted) : null;
  if (plan && ofPlan !== null && (isStopping || amount <= plan.left))
    return { kind: 'source', allowance: plan.allowance, amount: isStopping ? ofPlan : amount };
  if (isStopping) return refuse('subscription', plan.left);
  const ofBalance = partialHold(free, wanted);
  if (plan && ofPlan !== null && (ofBalance === null || ofPlan >= ofBalance))
    return { kind: 'source', allowance: plan.allowance, amount: ofPlan };
  return ofBalance === null ? refuse('balance', free.left) : { kind: 'source', allowance: null, amount: ofBalance };
}
