/** The processes on one database that gave a sign of life lately. */
import { number, text } from '../storage/postgres/rows.ts';
import type { Read } from '../storage/shared-reads.ts';

export interface LiveNode {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
  /** What it told of itself, unless that is older than `since`: then its event loop is blocked, and another thread sends its signs of life. */
  readonly report: { readonly text: string; readonly at: number } | null;
}

const MOST = 200;

/** Newest sign of life first. */
export async function listNodes(read: Read, since: number): Promise<readonly LiveNode[]> {
  const rows = await read(
    `SELECT id, seen_at, CASE WHEN reported_at >= ?1 THEN report END AS report, reported_at
     FROM nodes WHERE seen_at >= ?1 ORDER BY seen_at DESC, id LIMIT ${MOST}`,
    [since],
  );
  return rows.map((row) => ({
    id: text(row.id),
    seenAt: number(row.seen_at),
    report: row.report === null ? null : { text: text(row.report), at: number(row.reported_at) },
  }));
}
