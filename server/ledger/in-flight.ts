/** Counts the calls of this process that hold money. Each will settle its hold soon, so the first settlement waits a moment for others (docs/decisions/0016). */
import type { LedgerStore } from './store.ts';

export interface InFlightCalls {
  count: number;
}

type Steps = Pick<LedgerStore, 'reserve' | 'post' | 'void'>;

export function countInFlight(inFlight: InFlightCalls, steps: Steps): Steps {
  const noteEnd = (): void => {
    // A settlement may be repeated: the count stops at 0.
    inFlight.count = Math.max(inFlight.count - 1, 0);
  };
  return {
    async reserve(order) {
      const result = await steps.reserve(order);
      if (result.kind === 'held') inFlight.count++;
      return result;
    },
    post(posting) {
      noteEnd();
      return steps.post(posting);
    },
    void(...ending) {
      noteEnd();
      return steps.void(...ending);
    },
  };
}
