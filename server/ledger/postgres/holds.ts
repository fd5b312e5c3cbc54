/** Reserves on PostgreSQL: the decision is taken there, in one round trip that those who come together share (promise G3). */
import { type BatchingPool, batched } from '../../storage/postgres/batcher.ts';
import type { Postgres } from '../../storage/postgres/pool.ts';
import { integer, type Row, text, textOrNull } from '../../storage/postgres/rows.ts';
import { MAX_AMOUNT } from '../money.ts';
import { periodStart } from '../periods.ts';
import type { HoldOrder, HoldResult } from '../store.ts';
import { clampAmount } from './amounts.ts';

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
      const rows = await postgres.query(reserve, [...columnsOf(orders), MAX_AMOUNT]);
      return rows.map((row, index) => asResult(row, orders[index]));
    },
  });
}

/** The same step, rolled back before any other transaction sees it. */
export function openDryRun(postgres: Pick<Postgres, 'transaction'>): (order: HoldOrder) => Promise<HoldResult> {
  return (order) =>
    postgres.transaction('write', async ({ query }) => {
      await query({ text: 'SAVEPOINT weighed' });
      const [row = {}] = await query(reserve, [...columnsOf([order]), MAX_AMOUNT]);
      await query({ text: 'ROLLBACK TO SAVEPOINT weighed' });
      return asResult(row, order);
    });
}

const columnsOf = (orders: readonly HoldOrder[]) => [
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

function asResult(row: Row, order: HoldOrder | undefined): HoldResult {
  const name = textOrNull(row.source);
  if (name !== null) {
    const source = name === 'balance' ? 'balance' : 'subscription';
    const granted = integer(row.granted);
    return order && granted < order.amount ? { kind: 'held', source, granted } : { kind: 'held', source };
  }
  // The function knows no other words.
  return { kind: 'refused', by: text(row.refused_by) as Refusal['by'], available: integer(row.available) };
}
