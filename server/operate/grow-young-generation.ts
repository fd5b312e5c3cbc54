/** Bounds V8's young generation, whose memory a process keeps for as long as it's busy. */

import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Of both semi-spaces. Without a bound, they grow to 134 MB under load. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Above this share of time in collections, V8 may grow the young generation further. Many large bodies at once take that much. */
const MAX_GC_SHARE = 0.05;
const SHARE_INTERVAL_MS = 1_000;

/**
 * Ends the limit of the start, and sets a higher one. V8 reads its own limit only at startup, but the growth factor before each growth: 2 doubles the
 * size, and 1 keeps it. V8 also shrinks the young generation of an idle process, so the factor is chosen again after each collection.
 */
export function growYoungGeneration(): void {
  let factor: GrowthFactor = 2;
  setGrowthFactor(factor);
  let [since, gcMs, isBusy] = [performance.now(), 0, false];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) gcMs += duration;
    const elapsedMs = performance.now() - since;
    if (elapsedMs >= SHARE_INTERVAL_MS) {
      isBusy = gcMs / elapsedMs > MAX_GC_SHARE;
      [since, gcMs] = [performance.now(), 0];
    }
    const nextFactor: GrowthFactor = isBusy || getYoungBytes() < MAX_BYTES ? 2 : 1;
    if (nextFactor !== factor) setGrowthFactor(nextFactor);
    factor = nextFactor;
  }).observe({ entryTypes: ['gc'] });
}

type GrowthFactor = 1 | 2;

const setGrowthFactor = (factor: GrowthFactor): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

const getYoungBytes = (): number => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
