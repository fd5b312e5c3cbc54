/** Divides limits among processes: each grants its share alone while the shared limiter is unavailable. */
import type { AcquireResult, Acquisition, Limit, LimitStatus, MemoryLimits, Windows } from './limiter.ts';

/** Acquisitions are identified by object: release or finish with the object that was acquired. */
export interface LocalShare {
  acquire(acquisition: Acquisition): AcquireResult;
  has(acquisition: Acquisition): boolean;
  /** Releases an acquisition that this process counted. */
  release(acquisition: Acquisition): void;
  finish(acquisition: Acquisition, usedTokens: number): void;
  /** Counts the slots of a running call, which is never rejected. The returned function releases them. */
  addSlots(acquisition: Acquisition): () => void;
  peek(limits: readonly Limit[]): Windows;
  getStatuses(limits: readonly Limit[]): readonly LimitStatus[];
}

export const divideLimit = (limit: number, processes: number): number => Math.max(Math.floor(limit / processes), 1);

export function openLocalShare(memory: MemoryLimits, processes: () => number): LocalShare {
  const toShares = (limits: readonly Limit[]): Limit[] => limits.map((limit) => ({ ...limit, most: divideLimit(limit.most, processes()) }));
  /** The local acquisition, by the caller's acquisition. */
  const localAcquisitions = new WeakMap<Acquisition, Acquisition>();
  return {
    has: (take) => localAcquisitions.has(take),
    acquire(take) {
      const replaces = take.replaces ? (localAcquisitions.get(take.replaces) ?? null) : null;
      const localAcquisition = { ...take, limits: toShares(take.limits), replaces };
      const result = memory.acquire(localAcquisition);
      if (result.kind === 'taken') localAcquisitions.set(take, localAcquisition);
      if (result.kind === 'taken' && take.replaces) localAcquisitions.delete(take.replaces);
      return toConfiguredResult(result, take.limits, localAcquisition.limits);
    },
    release(take) {
      const localAcquisition = localAcquisitions.get(take);
      if (localAcquisition) memory.release(localAcquisition);
      localAcquisitions.delete(take);
    },
    finish(take, usedTokens) {
      const localAcquisition = localAcquisitions.get(take);
      if (localAcquisition) memory.finish(localAcquisition, usedTokens);
      localAcquisitions.delete(take);
    },
    addSlots(acquisition) {
      const limits = toShares(acquisition.limits).map((limit): Limit => ({ ...limit, mode: 'observe' }));
      const slots: Acquisition = { ...acquisition, limits, quantities: ['concurrency'], replaces: null };
      memory.acquire(slots);
      return () => void memory.finish(slots, 0);
    },
    peek: (limits) => memory.peek(toShares(limits)),
    getStatuses: (limits) => memory.getStatuses(toShares(limits)),
  };
}

/** Reports the limits as configured, with the remaining amounts of this process's share. */
function toConfiguredResult(result: AcquireResult, limits: readonly Limit[], shares: readonly Limit[]): AcquireResult {
  const toConfiguredLimit = (part: Limit): Limit => limits[shares.indexOf(part)] ?? part;
  return result.kind === 'taken'
    ? { ...result, observed: result.observed.map(toConfiguredLimit) }
    : { ...result, limit: toConfiguredLimit(result.limit) };
}
