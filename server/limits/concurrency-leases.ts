/** The concurrency slots of this process's calls: renews their leases in Redis, and moves them when Redis fails and comes back. */
import type { OwnShare } from './fallback.ts';
import type { Take } from './limiter.ts';
import { type Slots, slotKeys } from './redis/script-steps.ts';

interface Call {
  readonly slots: Slots;
  /** Whether Redis has recorded it. */
  isShared: boolean;
  /** Removes it from this process's own count; null when the process does not count it, or counts it by its take. */
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

  /** The slots to release in Redis; null when Redis holds none. */
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

  /** What Redis must be told now. Ended calls come first, so that a kept slot belongs to a running call. */
  report(): { readonly ended: readonly Slots[]; readonly running: readonly Slots[] } {
    const running = [...this.#calls.values()];
    for (const call of running) call.isShared = true;
    return { ended: [...this.#ended.values()], running: running.map(({ slots }) => slots) };
  }

  /** Redis has recorded these. */
  forget(ended: readonly Slots[]): void {
    for (const slots of ended) if (this.#ended.get(slots.requestId) === slots) this.#ended.delete(slots.requestId);
  }

  /** Null when the call takes no slot. */
  slotsOf(take: Take): Slots | null {
    const keys = slotKeys(this.#prefix, take);
    return keys.length === 0 ? null : { requestId: take.requestId, keys };
  }
}
