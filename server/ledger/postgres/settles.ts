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
  readonly isKeyed?: boolean | undefined;
}

/** Statements that settle charges by a function of the database, without and with the attempts of those that have more to record than one good attempt. */
function settling(call: string, attempts: string) {
  const name = call.slice(0, call.indexOf('('));
  return {
    plain: { name, text: `SELECT came_to, account, node, held, charged, overrun FROM ${call}` },
    telling: {
      name: `${name}_telling`,
      text: `
        WITH settled AS MATERIALIZED (
          SELECT * FROM ${call} WITH ORDINALITY AS s (came_to, account, node, held, charged, overrun, place)
        ),
        told AS (
          INSERT INTO attempts (request_id, attempts)
          SELECT a.request, a.attempts FROM unnest($1::TEXT[], ${attempts}::TEXT[]) WITH ORDINALITY AS a (request, attempts, place) JOIN settled AS s USING (place)
          WHERE s.came_to IN ('settled', 'late') AND a.attempts IS NOT NULL
        )
        SELECT came_to, account, node, held, charged, overrun FROM settled ORDER BY place`,
    },
  };
}
const settle = settling('settle_charges($1, $2, $3, $4, $5, $6, $7)', '$8');
/** A late charge is posted only if its call still has its idempotency key. */
const settleKeyed = settling('settle_keyed($1, $2, $3, $4, $5, $6, $7, $8)', '$9');
const barRequest = { name: 'bar_request', text: 'SELECT bar_request($1, $2) AS barred' };
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
    post: ({ cost, metered, ...posting }: Posting): Promise<SettleResult> =>
      close({ ...posting, state: 'posted', cost: nearestAmount(cost), usage: JSON.stringify(metered) }),
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
  const rows = await queries.query(settle.plain, columnsOf(closings));
  return rows.flatMap((row, index): Orphan[] => {
    if (row.came_to !== 'settled') return [];
    return [{ requestId: requestIds[index] ?? '', accountId: text(row.account), node: text(row.node), held: integer(row.held) }];
  });
}

function statementFor(closings: readonly Closing[]): [Statement, Value[]] {
  const isKeyed = closings.some((closing) => closing.isKeyed);
  const columns = [...columnsOf(closings), ...(isKeyed ? [closings.map((closing) => closing.isKeyed ?? false)] : [])];
  const { plain, telling } = isKeyed ? settleKeyed : settle;
  if (closings.every(({ attempts }) => attempts === undefined)) return [plain, columns];
  return [telling, [...columns, closings.map(({ attempts }) => (attempts ? JSON.stringify(attempts) : null))]];
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
