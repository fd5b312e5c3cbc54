/** Counts the calls that an outage hits, and the failed calls of the last minutes. */
import { readNumber, readTextOrNull } from '../store/rows.ts';
import type { RecordsQuery } from './store.ts';
import { HOUR_MS } from './time-bucket.ts';

interface Outage {
  readonly upstream: string;
  /** IDs of the models without another candidate: their calls fail without reaching any upstream. */
  readonly models: readonly string[];
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** Counts the calls that failed at the upstream, or for lack of it. Reads the log up to the next full hour, and the hourly totals after it. */
export async function countOutageCalls(read: RecordsQuery, { upstream, models, since }: Outage): Promise<number> {
  const firstHour = since - (since % HOUR_MS) + HOUR_MS;
  const isHit = (parameter: number) =>
    `(upstream = ?${parameter} OR code = 'no_upstream_available' AND model IN (${['NULL', ...models.map((_, index) => `?${parameter + 1 + index}`)].join(', ')}))`;
  const [[row], [total]] = await Promise.all([
    read(
      `SELECT CAST(coalesce(sum(1 + repeats), 0) AS BIGINT) AS calls FROM requests WHERE ended_at >= ?1 AND ended_at < ?2 AND outcome = 'failed' AND ${isHit(3)}`,
      [since, firstHour, upstream, ...models],
    ),
    read(`SELECT CAST(coalesce(sum(errors), 0) AS BIGINT) AS calls FROM activity_hours WHERE hour >= ?1 AND ${isHit(2)}`, [
      firstHour,
      upstream,
      ...models,
    ]),
  ]);
  return readNumber(row?.calls) + readNumber(total?.calls);
}

interface RecentCalls {
  /** Null for calls that reached no upstream. */
  readonly upstream: string | null;
  readonly calls: number;
  readonly failed: number;
}

/** Counts the calls since then by upstream, without those that found none available. */
export async function countRecentCalls(read: RecordsQuery, since: number): Promise<readonly RecentCalls[]> {
  const rows = await read(
    `SELECT upstream, CAST(sum(1 + repeats) AS BIGINT) AS calls, CAST(sum(CASE WHEN outcome = 'failed' THEN 1 + repeats ELSE 0 END) AS BIGINT) AS failed
     FROM requests WHERE ended_at >= ?1 AND (code IS NULL OR code <> 'no_upstream_available') GROUP BY upstream ORDER BY upstream`,
    [since],
  );
  return rows.map((row) => ({ upstream: readTextOrNull(row.upstream), calls: readNumber(row.calls), failed: readNumber(row.failed) }));
}
