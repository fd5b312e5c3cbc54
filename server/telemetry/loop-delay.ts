/** Delay of the event loop: how late timers fire, and so how long every caller waits when the process is busy. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoopDelay {
  /** Over the last seconds. A second reader shortly after the first gets the same value. */
  look(): readonly { readonly percentile: string; readonly seconds: number }[];
  close(): void;
}

const RESOLUTION_MS = 20;
const KEPT_MS = 5_000;
const percentiles = [50, 99, 100];

export function openLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let seen: ReturnType<LoopDelay['look']> = [];
  let seenAt = Number.NEGATIVE_INFINITY;
  return {
    look() {
      if (performance.now() - seenAt < KEPT_MS) return seen;
      // The measured value includes the interval of the timer itself.
      const late = (percentile: number): number => Math.max(histogram.percentile(percentile) / 1e6 - RESOLUTION_MS, 0) / 1_000;
      seen = percentiles.map((percentile) => ({ percentile: `${percentile}`, seconds: late(percentile) }));
      seenAt = performance.now();
      histogram.reset();
      return seen;
    },
    close: () => histogram.disable(),
  };
}
