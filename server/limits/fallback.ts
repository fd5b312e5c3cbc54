/** What one process enforces by itself while Redis is away: each limit divided by the processes that were alive lately (promise G11). */
import type { Limit, Take, Taken, Windows } from './limiter.ts';
import type { MemoryLimits } from './memory.ts';

/** Takes are known by themselves: what was taken here is given back, or ended, by the very same. */
export interface OwnShare {
  take(take: Take): Taken;
  has(take: Take): boolean;
  /** Of a take that is here. */
  giveBack(take: Take): void;
  finish(take: Take, usedTokens: number): void;
  /** Counts the slots of a call that runs already; it is refused nothing. Gives them back when called. */
  addSlots(take: Take): () => void;
  look(limits: readonly Limit[]): Windows;
}

export const shareOf = (most: number, processes: number): number => Math.max(Math.floor(most / processes), 1);

export function openOwnShare(memory: MemoryLimits, processes: () => number): OwnShare {
  const shares = (limits: readonly Limit[]): Limit[] => limits.map((limit) => ({ ...limit, most: shareOf(limit.most, processes()) }));
  /** What was taken, by what the caller calls it. */
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
  };
}

/** Callers are told of the limits as they are written, with what is left of the share. */
function asWritten(taken: Taken, limits: readonly Limit[], parts: readonly Limit[]): Taken {
  const written = (part: Limit): Limit => limits[parts.indexOf(part)] ?? part;
  return taken.kind === 'taken' ? { ...taken, observed: taken.observed.map(written) } : { ...taken, limit: written(taken.limit) };
}
