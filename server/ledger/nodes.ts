/** Sends the heartbeat of this process from a separate thread, so that other processes don't expire its holds while its event loop is blocked (promise G2). */
import { Worker } from 'node:worker_threads';
import type { Read } from '../storage/audit.ts';
import { number, text } from '../storage/rows.ts';
import type { HeartbeatOrder } from './heartbeat-worker.ts';

export interface Heartbeat {
  close(): Promise<void>;
}

interface HeartbeatParts extends Pick<HeartbeatOrder, 'node' | 'location' | 'everyMs'> {
  /** Whether there is anything that other processes could take for orphaned: a process without calls needs no thread. */
  readonly isWanted: () => boolean;
  /** Called when the thread has ended by itself; another one starts. */
  readonly failed: (error: unknown) => void;
}

/** The event loop sends heartbeats as well; a process that ends before its second heartbeat never starts the thread. */
export function openHeartbeat({ node, location, everyMs, isWanted, failed }: HeartbeatParts): Heartbeat {
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let worker: Worker | null = null;
  const start = (): Worker => {
    const order: HeartbeatOrder = { node, location: location, everyMs, turns };
    const started = new Worker(new URL('./heartbeat-worker.ts', import.meta.url), { workerData: order });
    started.unref();
    started.on('error', failed);
    started.on('exit', () => {
      if (worker === started) worker = null;
    });
    return started;
  };
  const timer = setInterval(() => {
    Atomics.add(turns, 0, 1);
    if (isWanted()) worker ??= start();
  }, everyMs).unref();
  return {
    async close() {
      clearInterval(timer);
      await worker?.terminate();
    },
  };
}

/** Three heartbeats: a process that is silent for longer counts as dead. */
export const SILENT_MS = 15_000;

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
