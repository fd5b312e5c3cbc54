/** The clock of the process in the hands of a test: pauses that the product makes are over at once, and time has passed all the same. */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

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
