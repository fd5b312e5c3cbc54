/** Ends charges on PostgreSQL, each once: many in one round trip, and the hold is released in the same step (promises G2 and G4). */

import { type BatchingPool, batched } from '../../storage/postgres/batcher.ts';
import type { Postgres } from '../../storage/postgres/pool.ts';
import type { Statement } from '../../storage/postgres/prepared.ts';
import { integer, type Row, text, textOrNull, type Value } from '../../storage/postgres/rows.ts';
import { nearestAmount } from '../money.ts';
import type { ChargeState, Orphan, Posting, SettleResult } from '../store.ts';

export interface Closing {
  readonly requestId: string;
  readonly accountId?: string | undefined;
  readonly state: Exclude<ChargeState, 'held'>;
  readonly cost: bigint;
  /** JSON text. */
  readonly usage: string | null;
  readonly isEstimated: boolean;
  readonly outcome: string;
  readonly at: number;
  readonly attempts?: Posting['attempts'];
}

const settle = {
  name: 'settle_charges',
  text: 'SELECT came_to, account, node, held, charged, overrun FROM settle_charges($1, $2, $3, $4, $5, $6, $7)',
};
/** The same, with the attempts of the charges that have more to record than one good attempt. */
const settleWithAttempts = {
  name: 'settle_charges_telling',
  text: `
    WITH settled AS MATERIALIZED (
      SELECT * FROM settle_charges($1, $2, $3, $4, $5, $6, $7) WITH ORDINALITY AS s (came_to, account, node, held, charged, overrun, place)
    ),
    told AS (
      INSERT INTO attempts (request_id, attempts)
      SELECT a.request, a.attempts FROM unnest($1::TEXT[], $8::TEXT[]) WITH ORDINALITY AS a (request, attempts, place) JOIN settled AS s USING (place)
      WHERE s.came_to IN ('settled', 'late') AND a.attempts IS NOT NULL
    )
    SELECT came_to, account, node, held, charged, overrun FROM settled ORDER BY place`,
};
const barRequest = { name: 'bar_request', text: 'SELECT bar_request($1, $2) AS barred' };
/** Whether its hold has expired, and its idempotency key belongs to another request. */
const takenOver = {
  name: 'taken_over',
  text: `
    SELECT CASE WHEN c.state = 'expired'
      THEN NOT EXISTS (SELECT 1 FROM idempotency AS i WHERE i.account_id = c.account_id AND i.request_id = c.request_id) ELSE FALSE END AS is_taken
    FROM charges AS c WHERE c.request_id = $1`,
};
const noUsage = { cost: 0n, usage: null, isEstimated: false } as const;
/** Each time a hold has come meanwhile, and it is the one that ends next. */
const MOST_VOIDS = 2;

export function openSettles(postgres: BatchingPool, expected: () => number) {
  const close = batched(postgres, {
    expected,
    send: async (closings: readonly Closing[]) => (await postgres.query(...statementFor(closings))).map(asResult),
    nameOf: ({ requestId }) => requestId,
    lockOf: ({ accountId }) => accountId ?? '',
  });
  return {
    // A settlement is never refused, so a cost beyond all bounds is as much as the bound.
    async post({ cost, metered, isKeyed = false, ...posting }: Posting): Promise<SettleResult> {
      const [taken] = isKeyed ? await postgres.query(takenOver, [posting.requestId]) : [];
      if (taken?.is_taken === true) return { kind: 'earlier', state: 'expired' };
      return close({ ...posting, state: 'posted', cost: nearestAmount(cost), usage: JSON.stringify(metered) });
    },
    /** An unknown id stays unknown: its reservation may still arrive over an abandoned connection, and must have no effect. */
    async void(requestId: string, at: number, outcome: string, attempts?: Posting['attempts']): Promise<SettleResult> {
      for (let tries = 1; ; tries++) {
        const result = await close({ requestId, state: 'voided', ...noUsage, outcome, at, attempts });
        if (result.kind !== 'unknown' || tries > MOST_VOIDS) return result;
        const [row] = await postgres.query(barRequest, [requestId, at]);
        if (row?.barred === true) return result;
      }
    },
  };
}

/** Those of them that were held until now. */
export async function expire(queries: Pick<Postgres, 'query'>, requestIds: readonly string[], at: number): Promise<readonly Orphan[]> {
  const closings = requestIds.map((requestId): Closing => ({ requestId, state: 'expired', ...noUsage, outcome: 'orphaned', at }));
  const rows = await queries.query(settle, columnsOf(closings));
  return rows.flatMap((row, index): Orphan[] => {
    if (row.came_to !== 'settled') return [];
    return [{ requestId: requestIds[index] ?? '', accountId: text(row.account), node: text(row.node), held: integer(row.held) }];
  });
}

function statementFor(closings: readonly Closing[]): [Statement, Value[]] {
  const columns = columnsOf(closings);
  if (closings.every(({ attempts }) => attempts === undefined)) return [settle, columns];
  return [settleWithAttempts, [...columns, closings.map(({ attempts }) => (attempts ? JSON.stringify(attempts) : null))]];
}

const columnsOf = (closings: readonly Closing[]) => [
  closings.map(({ requestId }) => requestId),
  closings.map(({ state }) => state),
  closings.map(({ cost }) => cost),
  closings.map(({ usage }) => usage),
  closings.map(({ isEstimated }) => isEstimated),
  closings.map(({ outcome }) => outcome),
  closings.map(({ at }) => at),
];

function asResult(row: Row): SettleResult {
  const cameTo = textOrNull(row.came_to);
  if (cameTo === null) return { kind: 'unknown' };
  if (cameTo === 'settled' || cameTo === 'late')
    return { kind: 'settled', charged: integer(row.charged), overrun: integer(row.overrun), ...(cameTo === 'late' && { isLate: true }) };
  // It is not held, or it would have been ended.
  return { kind: 'earlier', state: cameTo as Exclude<ChargeState, 'held'> };
}
