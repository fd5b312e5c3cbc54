/**
 * Loaded into a gateway to time SQLite in all its threads: from each call of a statement until it returns, with its values, and with commits.
 * JavaScript around the statements, their preparation, and messages between threads aren't counted. What else runs on the core stretches the wall
 * time of a thread, so the time is scaled by the CPU that the thread used per millisecond in which its event loop wasn't idle. Reading the clock adds 0.1 µs per statement.
 */
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

/** Of a thread since its start, in microseconds. */
export interface ThreadClock {
  readonly sqlite: number;
  readonly active: number;
  readonly cpu: number;
}

const REPORT_MS = 50;
let sqlite = 0;

function time(owner: object, name: string): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== 'function') throw new Error(`node:sqlite has no ${name}`);
  Reflect.set(owner, name, function timed(this: unknown, ...values: unknown[]): unknown {
    const startedAt = performance.now();
    try {
      return Reflect.apply(original, this, values);
    } finally {
      sqlite += (performance.now() - startedAt) * 1_000;
    }
  });
}

for (const name of ['run', 'get', 'all']) time(StatementSync.prototype, name);
time(DatabaseSync.prototype, 'exec');

function readClock(): ThreadClock {
  const { user, system } = process.threadCpuUsage();
  return { sqlite, active: performance.eventLoopUtilization().active * 1_000, cpu: user + system };
}

const channel = new BroadcastChannel('sqlite-clock');
if (isMainThread) {
  const others = new Map<number, ThreadClock>();
  channel.onmessage = (message: unknown) => {
    // `as`: sent below.
    const { data } = message as { readonly data: { readonly thread: number; readonly clock: ThreadClock } };
    others.set(data.thread, data.clock);
  };
  process.on('message', (message) => {
    if (message === 'clocks') process.send?.({ clocks: [readClock(), ...others.values()] });
  });
} else setInterval(() => channel.postMessage({ thread: threadId, clock: readClock() }), REPORT_MS).unref();
channel.unref();
