/** How many calls each upstream had since a time, from the sums by hour. */
import { number, text } from '../storage/postgres/rows.ts';
import type { Ask } from './store.ts';
import { HOUR_MS } from './sums.ts';

export interface UpstreamUse {
  readonly requests: number;
  readonly errors: number;
}

/** By the name of the upstream; without those that nobody called. `since`: milliseconds since 1970, counted from the begin of its hour. */
export async function readUpstreamUse(ask: Ask, since: number): Promise<ReadonlyMap<string, UpstreamUse>> {
  const rows = await ask(
    `SELECT upstream, CAST(sum(requests) AS BIGINT) AS requests, CAST(sum(errors) AS BIGINT) AS errors
     FROM activity_hours WHERE hour >= ?1 GROUP BY upstream`,
    [since - (since % HOUR_MS)],
  );
  return new Map(rows.map((row) => [text(row.upstream), { requests: number(row.requests), errors: number(row.errors) }]));
}
