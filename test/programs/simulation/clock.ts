/** Replaces the clock and all timers, so that the simulation decides when time passes. Sockets, disks and the event loop stay real. */

import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

interface Timer {
  at: number;
  readonly act: () => void;
  readonly everyMs: number | null;
  readonly ms: number;
}

class Handle {
  readonly timer: Timer;
  constructor(timer: Timer) {
    this.timer = timer;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  refresh(): this {
    this.timer.at = now + this.timer.ms;
    waiting.add(this.timer);
    return this;
  }
  close(): this {
    waiting.delete(this.timer);
    return this;
  }
  [Symbol.dispose](): void {
    this.close();
  }
}

const START = Date.UTC(2026, 10, 1, 12);
let now = 0;
const waiting = new Set<Timer>();

function add(act: (...args: unknown[]) => void, ms: number, args: unknown[], isRepeated: boolean): Handle {
  const length = Math.max(1, Number(ms) || 1);
  const timer: Timer = { at: now + length, act: () => act(...args), everyMs: isRepeated ? length : null, ms: length };
  waiting.add(timer);
  return new Handle(timer);
}

const realSetTimeout = globalThis.setTimeout;

/** A real pause, for a disk. */
export const breathe = (): Promise<void> => new Promise((resolve) => void realSetTimeout(resolve, 2));

/** Before anything is imported that sets a timer. */
export function holdTime(): void {
  const clear = (handle: unknown): void => void (handle instanceof Handle && waiting.delete(handle.timer));
  const replaced = {
    setTimeout: (act: () => void, ms: number, ...args: unknown[]) => add(act, ms, args, false),
    setInterval: (act: () => void, ms: number, ...args: unknown[]) => add(act, ms, args, true),
    clearTimeout: clear,
    clearInterval: clear,
  };
  Object.assign(globalThis, replaced);
  timersPromises.setTimeout = ((ms: number, value: never, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      const handle = add(() => resolve(value), ms, [], false);
      signal?.addEventListener('abort', () => {
        handle.close();
        reject(signal.reason);
      });
    })) as typeof timersPromises.setTimeout;
  syncBuiltinESMExports();
  Date.now = () => START + Math.floor(now);
  performance.now = () => now;
}

/** Fires what is due in this time, in order. */
export function pass(ms: number): void {
  const end = now + ms;
  for (;;) {
    let next: Timer | undefined;
    for (const timer of waiting) if (timer.at <= end && (next === undefined || timer.at < next.at)) next = timer;
    if (next === undefined) break;
    now = Math.max(now, next.at);
    if (next.everyMs === null) waiting.delete(next);
    else next.at = now + next.everyMs;
    next.act();
  }
  now = end;
}
