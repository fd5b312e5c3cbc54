/** Counts the callers of this process who hold money and will come back to end that: who is first at the store waits a moment for others (docs/decisions/0017). */
import type { LedgerStore } from './store.ts';

export interface Away {
  count: number;
}

type Steps = Pick<LedgerStore, 'reserve' | 'post' | 'void'>;

export function countAway(away: Away, steps: Steps): Steps {
  const isBack = (): void => {
    // A settlement may be repeated: the count stops at 0.
    away.count = Math.max(away.count - 1, 0);
  };
  return {
    async reserve(order) {
      const result = await steps.reserve(order);
      if (result.kind === 'held') away.count++;
      return result;
    },
    post(posting) {
      isBack();
      return steps.post(posting);
    },
    void(...ending) {
      isBack();
      return steps.void(...ending);
    },
  };
}
