/** The processes on one database that gave a sign of life lately. */
import { number, text } from '../storage/postgres/rows.ts';
import type { Read } from '../storage/shared-reads.ts';

export interface LiveNode {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
}

const MOST = 200;

/** Newest sign of life first. */
export async function listNodes(read: Read, since: number): Promise<readonly LiveNode[]> {
  const rows = await read(`SELECT id, seen_at FROM nodes WHERE seen_at >= ?1 ORDER BY seen_at DESC, id LIMIT ${MOST}`, [since]);
  return rows.map((row) => ({ id: text(row.id), seenAt: number(row.seen_at) }));
}
