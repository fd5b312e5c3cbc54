/** The concurrency slots of this process's calls: renews their leases in Redis, and moves them when Redis fails and comes back. */
import type { Limit, MemoryLimits, Standing, Take, Taken, Windows } from '../limiter.ts';
import { type Slots, slotKeys } from './script.ts';

interface Call {
  readonly slots: Slots;
  /** Whether Redis has recorded it. */
  isShared: boolean;
  /** Removes it from this process's own count; null if the process doesn't count it, or counts it by its take. */
  uncount: (() => void) | null;
}

export class RunningCalls {
  readonly #calls = new Map<Take, Call>();
  /** Slots of ended calls that Redis may still hold: released with the next heartbeat. */
  readonly #ended = new Map<string, Slots>();
  readonly #share: OwnShare;
  readonly #prefix: string;

  constructor(share: OwnShare, prefix: string) {
    this.#share = share;
    this.#prefix = prefix;
  }

  get count(): number {
    return this.#calls.size;
  }

  begin(take: Take, isShared: boolean): void {
    const slots = this.slotsOf(take);
    if (slots) this.#calls.set(take, { slots, isShared, uncount: null });
  }

  /** The slots to release in Redis; null if Redis holds none. */
  end(take: Take): Slots | null {
    const call = this.#calls.get(take);
    if (!call) return null;
    this.#calls.delete(take);
    call.uncount?.();
    return call.isShared ? call.slots : null;
  }

  /** Redis could not be told, or it is unknown whether Redis has done it. */
  owe(slots: Slots | null): void {
    if (slots) this.#ended.set(slots.requestId, slots);
  }

  /** Redis is down: from now on the process counts these slots itself. */
  moveHere(): void {
    for (const [take, call] of this.#calls) if (!this.#share.has(take)) call.uncount ??= this.#share.addSlots(take);
  }

  /** Redis is back and knows the running calls. */
  moveBack(): void {
    for (const call of this.#calls.values()) {
      call.uncount?.();
      call.uncount = null;
    }
  }

  /** Returns what to send to Redis now. Ended calls come first, so that a kept slot belongs to a call in flight. */
  report(): { readonly ended: readonly Slots[]; readonly running: readonly Slots[] } {
    const running = [...this.#calls.values()];
    for (const call of running) call.isShared = true;
    return { ended: [...this.#ended.values()], running: running.map(({ slots }) => slots) };
  }

  /** Redis has recorded these. */
  forget(ended: readonly Slots[]): void {
    for (const slots of ended) if (this.#ended.get(slots.requestId) === slots) this.#ended.delete(slots.requestId);
  }

  /** Null if the call takes no slot. */
  slotsOf(take: Take): Slots | null {
    const keys = slotKeys(this.#prefix, take);
    return keys.length === 0 ? null : { requestId: take.requestId, keys };
  }
}

/** Takes are identified by their object: the same object gives back or ends what was taken. */
export interface OwnShare {
  take(take: Take): Taken;
  has(take: Take): boolean;
  /** Releases a take that this process counted. */
  giveBack(take: Take): void;
  finish(take: Take, usedTokens: number): void;
  /** Counts the slots of a running call, which is never rejected. The returned function releases them. */
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
