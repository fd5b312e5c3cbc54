/** Tracks the concurrency slots of this process's calls: renews their leases in Redis, and moves them when Redis fails and recovers. */

import type { Acquisition } from '../limiter.ts';
import type { LocalShare } from '../local-share.ts';
import { listSlotKeys, type Slots } from './script.ts';

interface RunningCall {
  readonly slots: Slots;
  /** Whether Redis has recorded the slots. */
  isShared: boolean;
  /** Removes the slots from this process's own count. Null if the process doesn't count them, or counts them with the acquisition. */
  uncount: (() => void) | null;
}

export class RunningCalls {
  readonly #calls = new Map<Acquisition, RunningCall>();
  /** Slots of ended calls that Redis may still hold. Released with the next heartbeat. */
  readonly #ended = new Map<string, Slots>();
  readonly #share: LocalShare;
  readonly #prefix: string;

  constructor(share: LocalShare, prefix: string) {
    this.#share = share;
    this.#prefix = prefix;
  }

  get count(): number {
    return this.#calls.size;
  }

  begin(acquisition: Acquisition, isShared: boolean): void {
    const slots = this.getSlots(acquisition);
    if (slots) this.#calls.set(acquisition, { slots, isShared, uncount: null });
  }

  /** Returns the slots to release in Redis, or null if Redis holds none. */
  end(acquisition: Acquisition): Slots | null {
    const call = this.#calls.get(acquisition);
    if (!call) return null;
    this.#calls.delete(acquisition);
    call.uncount?.();
    return call.isShared ? call.slots : null;
  }

  /** Queues slots for the next heartbeat, if Redis couldn't release them or its response is missing. */
  queueRelease(slots: Slots | null): void {
    if (slots) this.#ended.set(slots.requestId, slots);
  }

  /** Redis is down: counts the slots in this process from now on. */
  startLocalCount(): void {
    for (const [acquisition, call] of this.#calls) if (!this.#share.has(acquisition)) call.uncount ??= this.#share.addSlots(acquisition);
  }

  /** Redis has recovered and has recorded the calls in flight. */
  stopLocalCount(): void {
    for (const call of this.#calls.values()) {
      call.uncount?.();
      call.uncount = null;
    }
  }

  /** Returns the slots to send to Redis now. Ended calls come first, so that a kept slot belongs to a call in flight. */
  collectSlots(): { readonly ended: readonly Slots[]; readonly running: readonly Slots[] } {
    const running = [...this.#calls.values()];
    for (const call of running) call.isShared = true;
    return { ended: [...this.#ended.values()], running: running.map(({ slots }) => slots) };
  }

  /** Removes ended calls that Redis has recorded. */
  forget(ended: readonly Slots[]): void {
    for (const slots of ended) if (this.#ended.get(slots.requestId) === slots) this.#ended.delete(slots.requestId);
  }

  /** Null if the call needs no slot. */
  getSlots(acquisition: Acquisition): Slots | null {
    const keys = listSlotKeys(this.#prefix, acquisition);
    return keys.length === 0 ? null : { requestId: acquisition.requestId, keys };
  }
}
