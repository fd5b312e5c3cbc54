/** Reserves on PostgreSQL: the decision is taken there, in one round trip that those who come together share (promise G3). */
import { type Gatherer, gather } from '../../storage/postgres/gather.ts';
import { integer, type Row, text, textOrNull } from '../../storage/postgres/rows.ts';
import { MAX_AMOUNT } from '../money.ts';
import { periodStart } from '../periods.ts';
import type { HoldOrder, HoldResult } from '../store.ts';
import { fitted } from './amounts.ts';

type Refusal = Extract<HoldResult, { kind: 'refused' }>;

const reserve = {
  name: 'reserve_holds',
  text: 'SELECT source, refused_by, available FROM reserve_holds($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)',
};

export function openReserve(postgres: Gatherer, expected: () => number): (order: HoldOrder) => Promise<HoldResult> {
  return gather(postgres, {
    expected,
    lockOf: ({ accountId }) => accountId,
    async send(orders: readonly HoldOrder[]) {
      const rows = await postgres.query(reserve, [...columnsOf(orders), MAX_AMOUNT]);
      return rows.map(asResult);
    },
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
  orders.map(({ amount }) => fitted(amount)),
  orders.map(({ at }) => at),
  orders.map(({ cap }) => cap && `key:${cap.owner}`),
  orders.map(({ cap }) => cap && fitted(cap.micros)),
  orders.map(({ cap, at }) => cap && periodStart(cap.period, at)),
];

function asResult(row: Row): HoldResult {
  const source = textOrNull(row.source);
  if (source !== null) return { kind: 'held', source: source === 'balance' ? 'balance' : 'subscription' };
  // The function knows no other words.
  return { kind: 'refused', by: text(row.refused_by) as Refusal['by'], available: integer(row.available) };
}
