/** Reads how much each model and upstream was used recently. */

import { readNumber, readText } from '../store/rows.ts';
import type { RecordsQuery } from './store.ts';
import { HOUR_MS } from './time-bucket.ts';

export interface ModelUse {
  readonly requests: number;
  /** In micro-dollars. */
  readonly charged: bigint;
  /** Totals of the calls with a known provider cost. */
  readonly provider: { readonly requests: number; readonly cost: bigint; readonly charged: bigint };
  /** Start of the last hour in which a call ended, in milliseconds since 1970. */
  readonly lastHour: number;
}

/** Returns the use by model ID, without unused models. `since`: milliseconds since 1970, rounded down to the hour. */
export async function readModelUse(read: RecordsQuery, since: number): Promise<ReadonlyMap<string, ModelUse>> {
  const rows = await read(
    `SELECT model, CAST(sum(requests) AS BIGINT) AS requests, CAST(sum(charged) AS BIGINT) AS charged, max(hour) AS last_hour,
       CAST(sum(costed) AS BIGINT) AS costed, CAST(sum(vendor_cost) AS BIGINT) AS vendor_cost, CAST(sum(costed_charged) AS BIGINT) AS costed_charged
     FROM activity_hours WHERE hour >= ?1 GROUP BY model`,
    [since - (since % HOUR_MS)],
  );
  return new Map(
    rows.map((row) => [
      readText(row.model),
      {
        requests: readNumber(row.requests),
        charged: BigInt(readNumber(row.charged)),
        lastHour: readNumber(row.last_hour),
        provider: {
          requests: readNumber(row.costed),
          cost: BigInt(readNumber(row.vendor_cost)),
          charged: BigInt(readNumber(row.costed_charged)),
        },
      },
    ]),
  );
}

/** Returns the use by upstream name, without unused upstreams. `since`: milliseconds since 1970, rounded down to the hour. */
export async function readUpstreamUse(
  read: RecordsQuery,
  since: number,
): Promise<ReadonlyMap<string, { requests: number; errors: number }>> {
  const rows = await read(
    `SELECT upstream, CAST(sum(requests) AS BIGINT) AS requests, CAST(sum(errors) AS BIGINT) AS errors
     FROM activity_hours WHERE hour >= ?1 GROUP BY upstream`,
    [since - (since % HOUR_MS)],
  );
  return new Map(rows.map((row) => [readText(row.upstream), { requests: readNumber(row.requests), errors: readNumber(row.errors) }]));
}
