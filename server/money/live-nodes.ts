/** Lists the processes whose heartbeat the database received recently. */
import type { Read } from '../store/audit.ts';
import { readNumber, readText } from '../store/rows.ts';

/** Three heartbeats. A process without a heartbeat for longer counts as dead. */
export const MAX_SILENCE_MS = 15_000;

export interface LiveNode {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
  /**
   * The latest report of the process. Null if it's older than `since`: then its event loop is blocked, and another thread sends its
   * heartbeats.
   */
  readonly report: { readonly text: string; readonly at: number } | null;
}

const MAX_NODES = 200;

/** Lists the processes by heartbeat, newest first. */
export async function listLiveNodes(read: Read, since: number): Promise<readonly LiveNode[]> {
  const rows = await read(
    `SELECT id, seen_at, CASE WHEN reported_at >= ?1 THEN report END AS report, reported_at
     FROM nodes WHERE seen_at >= ?1 ORDER BY seen_at DESC, id LIMIT ${MAX_NODES}`,
    [since],
  );
  return rows.map((row) => ({
    id: readText(row.id),
    seenAt: readNumber(row.seen_at),
    report: row.report === null ? null : { text: readText(row.report), at: readNumber(row.reported_at) },
  }));
}
