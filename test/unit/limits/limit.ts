/** Makes limits, takes and a limiter on a clock of the test. */

import {
  type AcquireResult,
  type Acquisition,
  type Limit,
  type MemoryLimits,
  openMemoryLimits,
  type Quantity,
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
export const plain = (said: AcquireResult | Windows): AcquireResult | Windows =>
  'windows' in said ? { ...said, windows: told(said.windows) } : told(said);

let takes = 0;
/** A take of all quantities by default. */
export const takeOf = (limits: readonly Limit[], more: Partial<Acquisition> = {}): Acquisition => ({
  requestId: `req_${++takes}`,
  limits,
  tokens: 0,
  quantities: ['requests', 'tokens', 'concurrency'],
  ...more,
});
