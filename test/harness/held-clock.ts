/** Clocks and timers that a test controls, while sockets, disks and the event loop work as usual. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import timers, { setImmediate as nextTurn } from 'node:timers/promises';
import { request } from 'undici';
import { onTestFinished, vi } from 'vitest';
import { hangLimitMs } from './hang-limit.ts';

export interface HeldTimers {
  /** Resolves when a timer of this length has been set. */
  isSet(ms: number): Promise<void>;
}

/** Until the test ends, timers that are set wait for `vi.advanceTimersByTime`, and `performance.now` reports the advanced time. */
export async function holdTimers(): Promise<HeldTimers> {
  await startOwnTimers();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const lengths = new Set<unknown>();
  // Not by `vi.spyOn`: it restores again after the file, and would then restore the fake timer.
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
    apply(set, self, order: unknown[]) {
      lengths.add(order[1]);
      return Reflect.apply(set, self, order);
    },
  });
  return { isSet: (ms) => until(() => lengths.has(ms)) };
}

/** Waits by turns of the event loop: `expect.poll` and `vi.waitFor` would advance a fake clock. */
export async function until(isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + hangLimitMs; !isSo(); await nextTurn()) {
    if (Date.now() > end) throw new Error(`it is not so after ${hangLimitMs} ms: ${isSo}`);
  }
}

/**
 * The same with intervals. Do not use it where the code waits for a store: all such waits share one interval that lives as long as the
 * process (server/primitives/shared-timeout.ts), and it would stay fake after this test.
 */
export function holdIntervals(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Makes Node's fetch and undici set their timers, which live as long as the process, while timers are real. */
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
  /** Moves `Date` forward by so many milliseconds. */
  pass(ms: number): void;
}

/** Stops `Date` until the test ends. Timers are not affected. */
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

/** Controls timers of one length: they fire when the test says so. All others are real. */
export interface TimersOfOneLength {
  /** Resolves when a timer of this length has been set. */
  readonly isSet: Promise<void>;
  /** Fires all timers of this length that are set and not cleared. */
  runOut(): void;
}

/** The longest possible timer, in milliseconds: it never fires by itself during a test. */
const neverMs = 2 ** 31 - 1;

/** Controls the timers until the test ends. */
export function holdTimersOf(heldMs: number): TimersOfOneLength {
  const { release, ...held } = holdTimersUntilReleased(heldMs);
  onTestFinished(release);
  return held;
}

/** Controls the timers for all tests of a file. */
export function holdTimersUntilReleased(heldMs: number): TimersOfOneLength & { release(): void } {
  const held: NodeJS.Timeout[] = [];
  const { promise: isSet, resolve: tell } = Promise.withResolvers<void>();
  const setTimer = globalThis.setTimeout;
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation((act, ms, ...rest) => {
    if (ms !== heldMs) return setTimer(act, ms, ...rest);
    const timer = setTimer(act, neverMs, ...rest);
    held.push(timer);
    tell();
    return timer;
  });
  return {
    isSet,
    release: () => spy.mockRestore(),
    runOut() {
      for (const timer of held.splice(0)) {
        const { _onTimeout: act } = timer;
        clearTimeout(timer);
        // Node deletes this field of a cleared timer, though the type does not say so.
        act?.();
      }
    },
  };
}

/** A clock that a test controls: each pause of the product ends at once, and the clock advances by its length. */
export interface HeldClock {
  /** Milliseconds of each pause, in order. */
  readonly pauses: readonly number[];
  /** Advances the clock by so many milliseconds. */
  pass(ms: number): void;
}

/** Until the calling test ends, replaces `Date`, `performance` and the `setTimeout` of node:timers/promises. `Math.random` returns `chance`. */
export function holdClock(chance = 0.5): HeldClock {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const random = vi.spyOn(Math, 'random').mockReturnValue(chance);
  const pauses: number[] = [];
  const pass = (ms: number): void => void vi.advanceTimersByTime(ms);
  const pausing = vi.spyOn(timers, 'setTimeout').mockImplementation(async (ms = 0, value) => {
    pauses.push(ms);
    pass(ms);
    return value as never;
  });
  // Makes imports by name see the replacement.
  syncBuiltinESMExports();
  onTestFinished(() => {
    pausing.mockRestore();
    syncBuiltinESMExports();
    random.mockRestore();
    vi.useRealTimers();
  });
  return { pauses, pass };
}
