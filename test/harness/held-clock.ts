/** Clocks that stand still until a test moves them, while sockets, disks and turns of the event loop go on as ever. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { request } from 'undici';
import { onTestFinished, vi } from 'vitest';
import { hangLimitMs } from './hang-limit.ts';

export interface HeldTimers {
  /** Resolves when somebody has set a timer of this length. */
  isSet(ms: number): Promise<void>;
}

/** Until the test is over: what sets a timer from now on waits until `vi.advanceTimersByTime`, and `performance.now` tells how far that went. */
export async function holdTimers(): Promise<HeldTimers> {
  await startOwnTimers();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const lengths = new Set<unknown>();
  // Not by `vi.spyOn`: what that has replaced it puts back once more after the file, and here that would be a timer that stands still.
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
    apply(set, self, order: unknown[]) {
      lengths.add(order[1]);
      return Reflect.apply(set, self, order);
    },
  });
  return { isSet: (ms) => until(() => lengths.has(ms)) };
}

/** By turns of the event loop: `expect.poll` and `vi.waitFor` would move a clock that is held. */
export async function until(isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + hangLimitMs; !isSo(); await nextTurn()) {
    if (Date.now() > end) throw new Error(`it is not so after ${hangLimitMs} ms: ${isSo}`);
  }
}

/**
 * The same for what is done again and again. Not where a store is waited for: the product keeps one interval for all of its waits as long as
 * the process lives (server/patience.ts), and it would belong to this test for ever.
 */
export function holdIntervals(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Node's fetch and the package that it comes from keep one timer each for as long as the process lives: those have to be real ones. */
async function startOwnTimers(): Promise<void> {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address with a port.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await (await fetch(url)).text();
  await (await request(url)).body.dump();
  server.closeAllConnections();
  server.close();
}

export interface HeldDate {
  /** What `Date` tells is so much later. */
  pass(ms: number): void;
}

/** Until the test is over `Date` stands still. Timers run on: what counts by them is not held. */
export function holdDate(): HeldDate {
  let now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  return {
    pass(ms) {
      now += ms;
      vi.setSystemTime(now);
    },
  };
}
