/** How late timers come: what every caller waits for when the process is busy. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoopDelay {
  /** Of the last seconds. Whoever looks right after somebody else sees the same. */
  look(): readonly { readonly quantile: string; readonly seconds: number }[];
  close(): void;
}

const RESOLUTION_MS = 20;
const KEPT_MS = 5_000;
const quantiles: readonly (readonly [name: string, percentile: number])[] = [
  ['0.5', 50],
  ['0.99', 99],
  ['1', 100],
];

export function openLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let seen: ReturnType<LoopDelay['look']> = [];
  let seenAt = Number.NEGATIVE_INFINITY;
  return {
    look() {
      if (performance.now() - seenAt < KEPT_MS) return seen;
      // The time between two looks of the timer itself is part of what is measured.
      const late = (percentile: number): number => Math.max(histogram.percentile(percentile) / 1e6 - RESOLUTION_MS, 0) / 1_000;
      seen = quantiles.map(([quantile, percentile]) => ({ quantile, seconds: late(percentile) }));
      seenAt = performance.now();
      histogram.reset();
      return seen;
    },
    close: () => histogram.disable(),
  };
}
