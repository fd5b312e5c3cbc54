/** Clocks and timers in the hand of a test, while sockets, disks and turns of the event loop go on as ever. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import timers, { setImmediate as nextTurn } from 'node:timers/promises';
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
 * the process lives (server/primitives/shared-timeout.ts), and it would belong to this test for ever.
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

/** Timers of one length in the hand of a test: they run out when it says so. All others go by the clock. */
export interface TimersOfOneLength {
  /** Resolves as soon as one has been set. */
  readonly isSet: Promise<void>;
  /** Those that were set, and not cleared since, run out now. */
  runOut(): void;
}

/** The longest that a timer can be: no test sees it run out by itself. */
const neverMs = 2 ** 31 - 1;

/** Until the end of the test. */
export function holdTimersOf(heldMs: number): TimersOfOneLength {
  const { release, ...held } = holdTimersUntilReleased(heldMs);
  onTestFinished(release);
  return held;
}

/** For all tests of a file. */
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
        // Node takes it away from a timer that is cleared, though its type does not say so.
        act?.();
      }
    },
  };
}

/** The clock of the process in the hands of a test: pauses that the product makes are over at once, and time has passed all the same. */
export interface HeldClock {
  /** How long each pause was, in order. */
  readonly pauses: readonly number[];
  /** Lets time pass. */
  pass(ms: number): void;
}

/** For the test that calls it: the clocks of Node stand still, but for what is passed. Draws of chance come out at `chance`. */
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
  // Whoever imported it by name sees the other one from now on.
  syncBuiltinESMExports();
  onTestFinished(() => {
    pausing.mockRestore();
    syncBuiltinESMExports();
    random.mockRestore();
    vi.useRealTimers();
  });
  return { pauses, pass };
}
