/** Bounds V8's young generation, whose memory a process keeps for as long as it's busy. */

import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Of both semi-spaces. Without a bound, they grow to 134 MB under load. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Lets the young generation grow to `MAX_BYTES`. A running process can't set V8's limit, only the factor by which V8 grows it after a garbage collection.
 * V8 may shrink it while the process is idle, so the factor is set again after each collection.
 */
export function growYoungGeneration(): void {
  let factor: GrowthFactor = 2;
  setGrowthFactor(factor);
  new PerformanceObserver(() => {
    const nextFactor: GrowthFactor = getYoungBytes() < MAX_BYTES ? 2 : 1;
    if (nextFactor !== factor) setGrowthFactor(nextFactor);
    factor = nextFactor;
  }).observe({ entryTypes: ['gc'] });
}

type GrowthFactor = 1 | 2;

const setGrowthFactor = (factor: GrowthFactor): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

const getYoungBytes = (): number => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
