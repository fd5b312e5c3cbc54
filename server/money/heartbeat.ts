/** Sends the heartbeat of this process from a separate thread, so that other processes don't expire its holds while its event loop is blocked (promise G2). */

import { Worker } from 'node:worker_threads';
import type { HeartbeatOptions } from './heartbeat-worker.ts';

export interface Heartbeat {
  close(): Promise<void>;
}

interface HeartbeatThreadOptions extends Pick<HeartbeatOptions, 'node' | 'location' | 'everyMs'> {
  /** Whether this process has anything that other processes could treat as orphaned. A process without calls needs no thread. */
  readonly isWanted: () => boolean;
  /** Called if the thread fails. Another thread starts. */
  readonly failed: (error: unknown) => void;
}

/** The event loop also sends heartbeats. A process that ends before its second heartbeat never starts the thread. */
export function openHeartbeat({ node, location, everyMs, isWanted, failed: onError }: HeartbeatThreadOptions): Heartbeat {
  const tickCounter = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let worker: Worker | null = null;
  const startWorker = (): Worker => {
    const workerOptions: HeartbeatOptions = { node, location, everyMs, turns: tickCounter };
    const newWorker = new Worker(new URL('./heartbeat-worker.ts', import.meta.url), { workerData: workerOptions });
    newWorker.unref();
    newWorker.on('error', onError);
    newWorker.on('exit', () => {
      if (worker === newWorker) worker = null;
    });
    return newWorker;
  };
  const timer = setInterval(() => {
    Atomics.add(tickCounter, 0, 1);
    if (isWanted()) worker ??= startWorker();
  }, everyMs).unref();
  return {
    async close() {
      clearInterval(timer);
      await worker?.terminate();
    },
  };
}
