/** Counts the calls of this process that hold money. While several are in flight, a settlement waits a moment, so that others share its transaction (docs/decisions/0016). */
import type { LedgerStore } from './store.ts';

export interface InFlightCalls {
  count: number;
}

type HoldMethods = Pick<LedgerStore, 'reserve' | 'post' | 'void'>;

export function countInFlight(inFlight: InFlightCalls, methods: HoldMethods): HoldMethods {
  const recordEnd = (): void => {
    // A settlement may be repeated, so the count stops at 0.
    inFlight.count = Math.max(inFlight.count - 1, 0);
  };
  return {
    async reserve(order) {
      const result = await methods.reserve(order);
      if (result.kind === 'held') inFlight.count++;
      return result;
    },
    post(posting) {
      recordEnd();
      return methods.post(posting);
    },
    void(...args) {
      recordEnd();
      return methods.void(...args);
    },
  };
}
