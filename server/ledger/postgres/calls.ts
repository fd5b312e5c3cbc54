/** Ends charges on PostgreSQL, each once: many in one round trip, and the hold is released in the same step (promises G2 and G4). */

import { integer, type Row, type Statement, text, textOrNull, type Value } from '../../storage/postgres/connections.ts';
import type { Postgres } from '../../storage/postgres/pool.ts';
import { type BatchingPool, batched } from '../../storage/postgres/statements.ts';
import { MAX_AMOUNT, nearestAmount } from '../charge.ts';
import {
  type AllowanceRecord,
  type ChargeState,
  type HoldOrder,
  type HoldResult,
  type Orphan,
  type Period,
  type Posting,
  periodStart,
  type SettleResult,
} from '../store.ts';

interface Closing {
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
const MAX_VOIDS = 2;

export function openSettles(postgres: BatchingPool, expected: () => number) {
  const close = batched(postgres, {
    expected,
    send: async (closings: readonly Closing[]) => (await postgres.query(...statementFor(closings))).map(asSettleResult),
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
        if (result.kind !== 'unknown' || tries > MAX_VOIDS) return result;
        const [row] = await postgres.query(barRequest, [requestId, at]);
        if (row?.barred === true) return result;
      }
    },
  };
}

/** Those of them that were held until now. */
export async function expire(queries: Pick<Postgres, 'query'>, requestIds: readonly string[], at: number): Promise<readonly Orphan[]> {
  const closings = requestIds.map((requestId): Closing => ({ requestId, state: 'expired', ...noUsage, outcome: 'orphaned', at }));
  const rows = await queries.query(settle.plain, closingColumns(closings));
  return rows.flatMap((row, index): Orphan[] => {
    if (row.came_to !== 'settled') return [];
    return [{ requestId: requestIds[index] ?? '', accountId: text(row.account), node: text(row.node), held: integer(row.held) }];
  });
}

function statementFor(closings: readonly Closing[]): [Statement, Value[]] {
  const isKeyed = closings.some((closing) => closing.isKeyed);
  const columns = [...closingColumns(closings), ...(isKeyed ? [closings.map((closing) => closing.isKeyed ?? false)] : [])];
  const { plain, telling } = isKeyed ? settleKeyed : settle;
  if (closings.every(({ attempts }) => attempts === undefined)) return [plain, columns];
  return [telling, [...columns, closings.map(({ attempts }) => (attempts ? JSON.stringify(attempts) : null))]];
}

const closingColumns = (closings: readonly Closing[]) => [
  closings.map(({ requestId }) => requestId),
  closings.map(({ state }) => state),
  closings.map(({ cost }) => cost),
  closings.map(({ usage }) => usage),
  closings.map(({ isEstimated }) => isEstimated),
  closings.map(({ outcome }) => outcome),
  closings.map(({ at }) => at),
];

function asSettleResult(row: Row): SettleResult {
  const cameTo = textOrNull(row.came_to);
  if (cameTo === null) return { kind: 'unknown' };
  if (cameTo === 'settled' || cameTo === 'late')
    return { kind: 'settled', charged: integer(row.charged), overrun: integer(row.overrun), ...(cameTo === 'late' && { isLate: true }) };
  // It is not held, or it would have been ended.
  return { kind: 'earlier', state: cameTo as Exclude<ChargeState, 'held'> };
}

type Refusal = Extract<HoldResult, { kind: 'refused' }>;

const reserve = {
  name: 'reserve_holds',
  text: 'SELECT source, granted, refused_by, available FROM reserve_holds($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)',
};

export function openReserve(postgres: BatchingPool, expected: () => number): (order: HoldOrder) => Promise<HoldResult> {
  return batched(postgres, {
    expected,
    lockOf: ({ accountId }) => accountId,
    async send(orders: readonly HoldOrder[]) {
      const rows = await postgres.query(reserve, [...holdColumns(orders), MAX_AMOUNT]);
      return rows.map((row, index) => asHoldResult(row, orders[index]));
    },
  });
}

/** The same step, rolled back before any other transaction sees it. */
export function openDryRun(postgres: Pick<Postgres, 'transaction'>): (order: HoldOrder) => Promise<HoldResult> {
  return (order) =>
    postgres.transaction('write', async ({ query }) => {
      await query({ text: 'SAVEPOINT estimate' });
      const [row = {}] = await query(reserve, [...holdColumns([order]), MAX_AMOUNT]);
      await query({ text: 'ROLLBACK TO SAVEPOINT estimate' });
      return asHoldResult(row, order);
    });
}

const holdColumns = (orders: readonly HoldOrder[]) => [
  orders.map(({ requestId }) => requestId),
  orders.map(({ accountId }) => accountId),
  orders.map(({ keyId }) => keyId),
  orders.map(({ model }) => model),
  orders.map(({ operation }) => operation),
  orders.map(({ priceVersion }) => priceVersion),
  orders.map(({ multiplier }) => multiplier),
  orders.map(({ node }) => node),
  orders.map(({ amount }) => clampAmount(amount)),
  orders.map(({ amount, least = amount }) => clampAmount(least)),
  orders.map(({ at }) => at),
  orders.map(({ cap }) => cap && `key:${cap.owner}`),
  orders.map(({ cap }) => cap && clampAmount(cap.micros)),
  orders.map(({ cap, at }) => cap && periodStart(cap.period, at)),
];

function asHoldResult(row: Row, order: HoldOrder | undefined): HoldResult {
  const name = textOrNull(row.source);
  if (name !== null) {
    const source = name === 'balance' ? 'balance' : 'subscription';
    const granted = integer(row.granted);
    return order && granted < order.amount ? { kind: 'held', source, granted } : { kind: 'held', source };
  }
  // The function knows no other words.
  return { kind: 'refused', by: text(row.refused_by) as Refusal['by'], available: integer(row.available) };
}

const one = { name: 'allowance', text: 'SELECT used, held FROM allowances WHERE owner = $1 AND period_start = $2' };

export function openAllowances(postgres: Pick<Postgres, 'query'>) {
  return {
    /** 0 while there is no row. */
    async allowance(owner: string, period: Period, at: number): Promise<AllowanceRecord> {
      const [row] = await postgres.query(one, [owner, periodStart(period, at)]);
      return row ? { used: integer(row.used), held: integer(row.held) } : { used: 0n, held: 0n };
    },
  };
}

/** Far above any real balance, and far enough below 2^63 that a balance can be added. */
const LARGEST = 2n ** 62n;

export function clampAmount(micros: bigint): bigint {
  if (micros > LARGEST) return LARGEST;
  return micros < -LARGEST ? -LARGEST : micros;
}
