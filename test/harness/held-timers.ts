/** Timers of one length in the hand of a test: they run out when it says so. All others go by the clock. */
import { onTestFinished, vi } from 'vitest';

export interface HeldTimers {
  /** Resolves as soon as one has been set. */
  readonly isSet: Promise<void>;
  /** Those that were set, and not cleared since, run out now. */
  runOut(): void;
}

/** The longest that a timer can be: no test sees it run out by itself. */
const neverMs = 2 ** 31 - 1;

/** Until the end of the test. */
export function holdTimersOf(heldMs: number): HeldTimers {
  const { release, ...held } = holdTimersUntilReleased(heldMs);
  onTestFinished(release);
  return held;
}

/** For all tests of a file. */
export function holdTimersUntilReleased(heldMs: number): HeldTimers & { release(): void } {
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
