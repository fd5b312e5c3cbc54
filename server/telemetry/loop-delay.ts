/** Measures the delay of the event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoopDelay {
  /** Returns the delay over the last seconds. A second reader shortly after the first gets the same value. */
  read(): readonly { readonly percentile: string; readonly seconds: number }[];
  close(): void;
}

const RESOLUTION_MS = 20;

const CACHE_MS = 5_000;

const percentiles = [50, 99, 100];

export function openLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let lastDelays: ReturnType<LoopDelay['read']> = [];
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    read() {
      if (performance.now() - readAt < CACHE_MS) return lastDelays;
      // The measured value includes the interval of the timer itself.
      const computeDelay = (percentile: number): number => Math.max(histogram.percentile(percentile) / 1e6 - RESOLUTION_MS, 0) / 1_000;
      lastDelays = percentiles.map((percentile) => ({ percentile: `${percentile}`, seconds: computeDelay(percentile) }));
      readAt = performance.now();
      histogram.reset();
      return lastDelays;
    },
    close: () => histogram.disable(),
  };
}
