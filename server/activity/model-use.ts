/** How much each model was used since a time, from the sums by hour. */
import { number, text } from '../storage/postgres/rows.ts';
import type { Ask } from './store.ts';
import { HOUR_MS } from './sums.ts';

export interface ModelUse {
  readonly requests: number;
  /** In micro-dollars. */
  readonly charged: bigint;
  /** Of the calls whose vendor cost is known. */
  readonly vendor: { readonly requests: number; readonly cost: bigint; readonly charged: bigint };
  /** Begin of the last hour in which a call ended, in milliseconds since 1970. */
  readonly lastHour: number;
}

/** By the id of the model; without those that nobody called. `since`: milliseconds since 1970, counted from the begin of its hour. */
export async function readModelUse(ask: Ask, since: number): Promise<ReadonlyMap<string, ModelUse>> {
  const rows = await ask(
    `SELECT model, CAST(sum(requests) AS BIGINT) AS requests, CAST(sum(charged) AS BIGINT) AS charged, max(hour) AS last_hour,
       CAST(sum(costed) AS BIGINT) AS costed, CAST(sum(vendor_cost) AS BIGINT) AS vendor_cost, CAST(sum(costed_charged) AS BIGINT) AS costed_charged
     FROM activity_hours WHERE hour >= ?1 GROUP BY model`,
    [since - (since % HOUR_MS)],
  );
  return new Map(
    rows.map((row) => [
      text(row.model),
      {
        requests: number(row.requests),
        charged: BigInt(number(row.charged)),
        lastHour: number(row.last_hour),
        vendor: { requests: number(row.costed), cost: BigInt(number(row.vendor_cost)), charged: BigInt(number(row.costed_charged)) },
      },
    ]),
  );
}
