/** Ends a charge, once: posted, voided or expired. The hold is released, and the cost moves in the books (promises G2 and G4). */
import type { DatabaseSync } from 'node:sqlite';
import { type Funds, isAmount, nearestAmount, partialHold, type WantedHold } from '../charge.ts';
import {
  type AllowanceRecord,
  type ChargeState,
  type HoldOrder,
  type HoldResult,
  LATE,
  type Period,
  type Posting,
  periodStart,
  type SettleResult,
  type SubscriptionRecord,
} from '../store.ts';
import { asSubscription, integer, prepare, type Row, rulingSubscription, SUBSCRIPTION_COLUMNS, text } from './accounts.ts';

type EntryKind = 'charge' | 'overrun' | 'top_up' | 'refund' | 'correction';

interface Transfer {
  /** The request id of a charge, or the name that an operator gave; one of a name and kind. */
  readonly transfer: string;
  readonly kind: EntryKind;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly note: string | null;
  readonly at: number;
}

export const books = {
  account: (accountId: string) => `account:${accountId}`,
  /** Named by the source of a charge: `balance`, or `sub:` and the id of a subscription. */
  source: (source: string, accountId: string) => (source === BALANCE_SOURCE ? books.account(accountId) : `subscription:${source.slice(4)}`),
  revenue: 'revenue',
  funding: 'funding',
  overrun: 'overrun',
} as const;

const BALANCE_SOURCE = 'balance';

export function openEntries(connection: DatabaseSync): (transfer: Transfer) => void {
  const insert = prepare(
    connection,
    'INSERT INTO entries (transfer, kind, book, amount, note, created_at) VALUES (?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?)',
  );
  return ({ transfer, kind, from, to, amount, note, at }) => {
    insert.run(transfer, kind, from, -amount, note, at, transfer, kind, to, amount, note, at);
  };
}

interface Closing {
  readonly requestId: string;
  readonly state: Exclude<ChargeState, 'held'>;
  readonly cost: bigint;
  /** JSON text. */
  readonly usage: string | null;
  readonly isEstimated: boolean;
  readonly outcome: string;
  readonly at: number;
  readonly attempts?: Posting['attempts'];
  readonly isKeyed?: boolean | undefined;
}

export interface Voiding {
  readonly requestId: string;
  readonly at: number;
  readonly outcome: string;
  readonly attempts?: Posting['attempts'];
}

export function openSettleSteps(connection: DatabaseSync) {
  const close = openClose(connection);
  const nothing = { cost: 0n, usage: null, isEstimated: false } as const;
  return {
    post: ({ cost, metered, ...posting }: Posting): SettleResult =>
      // A settlement is never refused, so a cost beyond all bounds is as much as the bound.
      close({ ...posting, state: 'posted', cost: nearestAmount(cost), usage: JSON.stringify(metered) }),
    void: ({ requestId, at, outcome, attempts }: Voiding): SettleResult =>
      close({ requestId, state: 'voided', ...nothing, outcome, at, attempts }),
    expire: (requestId: string, at: number): SettleResult => close({ requestId, state: 'expired', ...nothing, outcome: 'orphaned', at }),
  };
}

function openClose(connection: DatabaseSync): (closing: Closing) => SettleResult {
  const stateOf = prepare(connection, 'SELECT state FROM charges WHERE request_id = ?');
  const end = prepare(connection, END_SQL);
  const settleBalance = prepare(connection, 'UPDATE balances SET balance = balance - ?, held = held - ? WHERE account_id = ?');
  const settleAllowance = prepare(
    connection,
    'UPDATE allowances SET used = used + ?, held = held - ? WHERE owner = ? AND period_start = ?',
  );
  const write = openEntries(connection);
  const postLate = openPostLate(connection);
  const noteAttempts = prepare(connection, 'INSERT INTO attempts (request_id, attempts) VALUES (?, ?)');

  const release = (row: Row, charged: bigint): void => {
    const held = integer(row.held);
    if (row.source === BALANCE_SOURCE) settleBalance.run(charged, held, text(row.account_id));
    // Against the period of the hold, though another may have begun since.
    else settleAllowance.run(charged, held, text(row.source), integer(row.source_period));
    if (row.cap_owner !== null) settleAllowance.run(charged, held, text(row.cap_owner), integer(row.cap_period));
  };

  return ({ requestId, state, cost, usage, isEstimated, outcome, at, attempts, isKeyed }) => {
    const row = end.get(state, cost, cost, usage, isEstimated ? 1 : 0, outcome, at, requestId);
    if (!row) {
      const late = state === 'posted' ? postLate({ requestId, cost, usage, isEstimated, outcome, at, isKeyed }) : null;
      if (late && attempts) noteAttempts.run(requestId, JSON.stringify(attempts));
      return late ?? asEarlier(stateOf.get(requestId));
    }
    const charged = integer(row.charged);
    const overrun = integer(row.overrun);
    release(row, charged);
    if (attempts) noteAttempts.run(requestId, JSON.stringify(attempts));
    const transfer = { transfer: requestId, to: books.revenue, note: null, at };
    const from = books.source(text(row.source), text(row.account_id));
    if (charged > 0n) write({ ...transfer, kind: 'charge', from, amount: charged });
    if (overrun > 0n) write({ ...transfer, kind: 'overrun', from: books.overrun, amount: overrun });
    return { kind: 'settled', charged, overrun };
  };
}

/** Checks and changes the state in one statement: when two callers settle, the second finds nothing held. */
const END_SQL = `
  UPDATE charges SET state = ?, charged = min(?, held), overrun = max(? - held, 0), usage = ?, estimated = ?, outcome = ?, settled_at = ?
  WHERE request_id = ? AND state = 'held'
  RETURNING account_id, source, source_period, cap_owner, cap_period, held, charged, overrun`;

/** For a process that was silent for so long that its holds expired, and is back: takes what is left of the source; the operator bears the rest. */
function openPostLate(connection: DatabaseSync): (closing: Omit<Closing, 'state' | 'attempts'>) => SettleResult | null {
  const find = prepare(connection, lateSql);
  const end = prepare(
    connection,
    `UPDATE charges SET state = 'posted', charged = ?, overrun = ?, usage = ?, estimated = ?, outcome = ?, settled_at = ? WHERE request_id = ?`,
  );
  const takeBalance = prepare(connection, 'UPDATE balances SET balance = balance - ? WHERE account_id = ?');
  const takeAllowance = prepare(connection, 'UPDATE allowances SET used = used + ? WHERE owner = ? AND period_start = ?');
  const write = openEntries(connection);
  return ({ requestId, cost, usage, isEstimated, outcome, at, isKeyed = false }) => {
    const row = find.get(requestId, isKeyed ? 1 : 0);
    if (!row) return null;
    const [held, left] = [integer(row.held), integer(row.free)];
    const charged = [cost, held, left > 0n ? left : 0n].reduce((least, one) => (one < least ? one : least));
    const overrun = cost - charged;
    end.run(charged, overrun, usage, isEstimated ? 1 : 0, outcome, at, requestId);
    if (row.source === BALANCE_SOURCE) takeBalance.run(charged, text(row.account_id));
    else takeAllowance.run(charged, text(row.source), integer(row.source_period));
    if (row.cap_owner !== null) takeAllowance.run(charged, text(row.cap_owner), integer(row.cap_period));
    const transfer = { transfer: requestId, to: books.revenue, note: LATE, at };
    if (charged > 0n) write({ ...transfer, kind: 'charge', from: books.source(text(row.source), text(row.account_id)), amount: charged });
    if (overrun > 0n) write({ ...transfer, kind: 'overrun', from: books.overrun, amount: overrun });
    return { kind: 'settled', charged, overrun, isLate: true };
  };
}

/** What is free in the source of the hold; 0 when another request took over its idempotency key. */
const lateSql = `
  SELECT c.account_id, c.source, c.source_period, c.cap_owner, c.cap_period, c.held,
    coalesce(CASE c.source WHEN '${BALANCE_SOURCE}' THEN (SELECT balance - held FROM balances WHERE account_id = c.account_id)
      ELSE (
        SELECT s.included - a.used - a.held FROM subscriptions AS s JOIN allowances AS a ON a.owner = c.source AND a.period_start = c.source_period
        WHERE s.id = substr(c.source, 5)
      )
    END, 0) AS free
  FROM charges AS c
  WHERE c.request_id = ? AND c.state = 'expired'
    AND (? = 0 OR EXISTS (SELECT 1 FROM idempotency AS i WHERE i.account_id = c.account_id AND i.request_id = c.request_id))`;

function asEarlier(row: Row | undefined): SettleResult {
  // It is not held, or it would have been ended.
  return row ? { kind: 'earlier', state: text(row.state) as Exclude<ChargeState, 'held'> } : { kind: 'unknown' };
}

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

/** A row of allowances: the amount that may be spent from it in one period. */
interface Allowance {
  readonly owner: string;
  readonly start: number;
}

interface Plan extends Pick<SubscriptionRecord, 'onExhaustion'> {
  readonly isOver: boolean;
  readonly allowance: Allowance;
  /** 0 when it has ended. */
  readonly left: bigint;
  readonly held: bigint;
}

function openPlans(connection: DatabaseSync): (accountId: string, at: number) => Plan | undefined {
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

export function openAllowanceReads(connection: DatabaseSync) {
  const one = prepare(connection, 'SELECT used, held FROM allowances WHERE owner = ? AND period_start = ?');
  return {
    /** 0 while there is no row. */
    allowance: (owner: string, period: Period, at: number): AllowanceRecord => {
      const row = one.get(owner, periodStart(period, at));
      return row ? { used: integer(row.used), held: integer(row.held) } : { used: 0n, held: 0n };
    },
  };
}
