/** Loaded into a gateway (`--import`): how long its event loop was held up, and by how much garbage collection, told over IPC. */
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

/** Milliseconds. */
export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  /** The longest collection of garbage, which holds the loop up whatever else is done. */
  readonly maxCollection: number;
}

const delay = monitorEventLoopDelay({ resolution: 1 });
let maxCollection = 0;

process.on('message', (message) => {
  if (message === 'watch') {
    maxCollection = 0;
    delay.reset();
    delay.enable();
  }
  if (message === 'tell') {
    const at = (percentile: number): number => delay.percentile(percentile) / 1e6;
    process.send?.({ delay: { p50: at(50), p99: at(99), p999: at(99.9), max: delay.max / 1e6, maxCollection } satisfies LoopDelay });
  }
});
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) maxCollection = Math.max(maxCollection, duration);
}).observe({ entryTypes: ['gc'] });
process.on('disconnect', () => process.exit());
process.channel?.unref();
