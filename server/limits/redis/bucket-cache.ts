/** Caches the bucket levels that Redis reported, to admit calls far below their limit without asking Redis. */
import { type Acquisition, isRequested, type Limit, type Windows } from '../limiter.ts';
import { isReported, type ReportedLimit, toWindows } from './script.ts';

/** The bucket of a limit, as reported by Redis. */
interface BucketState {
  level: number;
  pending: number;
  /** By this process's clock, in whole milliseconds. */
  at: number;
}

/** Buckets count in units of 1/60000. */
const ONE_REQUEST_LEVEL = 60_000;

const getNowMs = (): number => Math.floor(performance.now());

export class BucketCache {
  readonly #maxAgeMs: number;
  readonly #states = new WeakMap<Limit, BucketState>();

  /** `maxAgeMs`: how long a reported rate can be used. 0 disables the cache. */
  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  record(reportedLimits: readonly ReportedLimit[]): void {
    if (this.#maxAgeMs === 0) return;
    const at = getNowMs();
    for (const { limit, level, pending } of reportedLimits) {
      const state = this.#states.get(limit);
      if (state) Object.assign(state, { level, pending, at });
      else this.#states.set(limit, { level, pending, at });
    }
  }

  /**
   * Returns the windows to report if the cached data admits the call, or null if Redis must be asked.
   * Only for an acquisition that a second one replaces. Redis then counts exactly, and the cache only decides whether a body is read
   * before a rejection.
   */
  findTrusted(acquisition: Acquisition): Windows | null {
    const at = getNowMs();
    const reportedLimits: ReportedLimit[] = [];
    const requestedStates: BucketState[] = [];
    for (const limit of acquisition.limits) {
      const isCounted = isRequested(acquisition, limit);
      if (!isCounted && !isReported(limit)) continue;
      const state = this.#states.get(limit);
      if (!state || at - state.at > this.#maxAgeMs) return null;
      const level = Math.max(state.level - (at - state.at) * limit.most, 0);
      const pending = state.pending + (isCounted ? 1 : 0);
      // Leaves half of the limit free, because other calls may acquire some of it at the same time.
      if (isCounted && level + pending * ONE_REQUEST_LEVEL > (limit.most * ONE_REQUEST_LEVEL) / 2) return null;
      if (isCounted) requestedStates.push(state);
      reportedLimits.push({ limit, level, pending });
    }
    // Adds the admitted calls locally, until Redis reports again.
    for (const state of requestedStates) state.pending++;
    return toWindows(reportedLimits);
  }
}
