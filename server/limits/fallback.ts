/** The part of each limit that one process enforces while Redis is down: the limit divided by the processes that were alive lately (promise G11). */
import type { Limit, Standing, Take, Taken, Windows } from './limiter.ts';
import type { MemoryLimits } from './memory.ts';

/** Takes are identified by their object: the same object gives back or ends what was taken. */
export interface OwnShare {
  take(take: Take): Taken;
  has(take: Take): boolean;
  /** For a take that was counted here. */
  giveBack(take: Take): void;
  finish(take: Take, usedTokens: number): void;
  /** Counts the slots of a running call, which is never refused. The returned function releases them. */
  addSlots(take: Take): () => void;
  look(limits: readonly Limit[]): Windows;
  measure(limits: readonly Limit[]): readonly Standing[];
}

export const shareOf = (most: number, processes: number): number => Math.max(Math.floor(most / processes), 1);

export function openOwnShare(memory: MemoryLimits, processes: () => number): OwnShare {
  const shares = (limits: readonly Limit[]): Limit[] => limits.map((limit) => ({ ...limit, most: shareOf(limit.most, processes()) }));
  /** The local take, by the caller's take. */
  const taken = new WeakMap<Take, Take>();
  return {
    has: (take) => taken.has(take),
    take(take) {
      const replaces = take.replaces ? (taken.get(take.replaces) ?? null) : null;
      const part = { ...take, limits: shares(take.limits), replaces };
      const answer = memory.take(part);
      if (answer.kind === 'taken') taken.set(take, part);
      if (answer.kind === 'taken' && take.replaces) taken.delete(take.replaces);
      return asWritten(answer, take.limits, part.limits);
    },
    giveBack(take) {
      const part = taken.get(take);
      if (part) memory.giveBack(part);
      taken.delete(take);
    },
    finish(take, usedTokens) {
      const part = taken.get(take);
      if (part) memory.finish(part, usedTokens);
      taken.delete(take);
    },
    addSlots(take) {
      const limits = shares(take.limits).map((limit): Limit => ({ ...limit, mode: 'observe' }));
      const slots: Take = { ...take, limits, quantities: ['concurrency'], replaces: null };
      memory.take(slots);
      return () => void memory.finish(slots, 0);
    },
    look: (limits) => memory.look(shares(limits)),
    measure: (limits) => memory.measure(shares(limits)),
  };
}

/** Reports the limits as configured, with what is left of this process's part. */
function asWritten(taken: Taken, limits: readonly Limit[], parts: readonly Limit[]): Taken {
  const written = (part: Limit): Limit => limits[parts.indexOf(part)] ?? part;
  return taken.kind === 'taken' ? { ...taken, observed: taken.observed.map(written) } : { ...taken, limit: written(taken.limit) };
}
