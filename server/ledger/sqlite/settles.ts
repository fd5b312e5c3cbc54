/** Ends a charge, once: posted, voided or expired. The hold is released, and the cost moves in the books (promises G2 and G4). */
import type { DatabaseSync } from 'node:sqlite';
import { LATE } from '../late-settlement.ts';
import { nearestAmount } from '../money.ts';
import type { ChargeState, Posting, SettleResult } from '../store.ts';
import { BALANCE_SOURCE, books, openEntries } from './entries.ts';
import { integer, prepare, type Row, text } from './rows.ts';

export interface Closing {
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
