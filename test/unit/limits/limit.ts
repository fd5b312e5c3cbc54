/** Makes limits, takes and a limiter on a clock of the test. */

import {
  type Limit,
  type LimitStore,
  type MemoryLimits,
  openMemoryLimits,
  type Quantity,
  type Take,
  type Taken,
  type Windows,
} from '../../../server/limits/limiter.ts';

export interface Clocked {
  readonly limits: MemoryLimits;
  readonly now: () => number;
  /** Advances the clock. */
  pass(ms: number): void;
}

export function openClocked(): Clocked {
  let now = 1_000_000;
  return {
    limits: openMemoryLimits(() => now),
    now: () => now,
    pass(ms) {
      now += ms;
    },
  };
}

export const limitOf = (quantity: Quantity, most: number, more: Partial<Limit> = {}): Limit => ({
  scope: 'key',
  subject: 'key_1',
  quantity,
  most,
  mode: 'enforce',
  ...more,
});

/** Copies windows, which a store may compute only when they are read. */
const told = ({ requests, tokens }: Windows): Windows => ({ requests, tokens });

/** A result of a store as plain values. */
export const plain = (said: Taken | Windows): Taken | Windows =>
  'windows' in said ? { ...said, windows: told(said.windows) } : told(said);

/** A store whose windows are plain values, like those from Redis. */
export const toldBy = (limits: MemoryLimits) =>
  ({
    take: (take: Take): Taken => {
      const taken = limits.take(take);
      return { ...taken, windows: told(taken.windows) };
    },
    giveBack: (take: Take): Windows => told(limits.giveBack(take)),
    finish: (take: Take, usedTokens: number): Windows => told(limits.finish(take, usedTokens)),
    look: (some: readonly Limit[]): Windows => told(limits.look(some)),
    measure: (some: readonly Limit[]) => limits.measure(some),
    close: () => limits.close(),
  }) satisfies LimitStore;

let takes = 0;
/** A take of all quantities by default. */
export const takeOf = (limits: readonly Limit[], more: Partial<Take> = {}): Take => ({
  requestId: `req_${++takes}`,
  limits,
  tokens: 0,
  quantities: ['requests', 'tokens', 'concurrency'],
  ...more,
});
