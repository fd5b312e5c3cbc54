/** Says that this process lives while its event loop stands still, from a thread of its own: others would take its holds for orphans (promise G2). */
import { Worker } from 'node:worker_threads';
import type { HeartbeatOrder } from './heartbeat-worker.ts';

export interface Heartbeat {
  close(): Promise<void>;
}

export interface HeartbeatParts extends Pick<HeartbeatOrder, 'node' | 'place' | 'everyMs'> {
  /** Whether there is anything yet that others could take for an orphan: a process that nobody called does without the thread. */
  readonly isWanted: () => boolean;
  /** Told when the thread has ended by itself; another one begins. */
  readonly failed: (error: unknown) => void;
}

/** The event loop beats by itself as well; a process that ends before its second beat never has the thread. */
export function openHeartbeat({ node, place, everyMs, isWanted, failed }: HeartbeatParts): Heartbeat {
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let worker: Worker | null = null;
  const start = (): Worker => {
    const order: HeartbeatOrder = { node, place, everyMs, turns };
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
