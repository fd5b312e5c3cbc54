/** Sends the heartbeat of this process from a thread of its own, so that other processes do not expire its holds while its event loop is blocked (promise G2). */
import { Worker } from 'node:worker_threads';
import type { HeartbeatOrder } from './heartbeat-worker.ts';

export interface Heartbeat {
  close(): Promise<void>;
}

export interface HeartbeatParts extends Pick<HeartbeatOrder, 'node' | 'location' | 'everyMs'> {
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
