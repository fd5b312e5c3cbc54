/** The calls of this process that hold slots, so that their leases are renewed and their slots move when Redis goes and comes back. */

import type { OwnShare } from './fallback.ts';
import type { Take } from './limiter.ts';
import { type Slots, slotKeys } from './redis/steps.ts';

interface Call {
  readonly slots: Slots;
  /** Redis was told of it. */
  isShared: boolean;
  /** Takes it out of the count of this process; null where that does not count it, or does so by its take. */
  uncount: (() => void) | null;
}

export class RunningCalls {
  readonly #calls = new Map<Take, Call>();
  /** Slots that Redis may hold for calls that have ended: told with the next beat. */
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

  /** The slots that Redis has to hear of; null where it knows of none. */
  end(take: Take): Slots | null {
    const call = this.#calls.get(take);
    if (!call) return null;
    this.#calls.delete(take);
    call.uncount?.();
    return call.isShared ? call.slots : null;
  }

  /** Redis could not be told, or whether it took them is not known. */
  owe(slots: Slots | null): void {
    if (slots) this.#ended.set(slots.requestId, slots);
  }

  /** Redis is gone: what it counted for this process, the process counts by itself. */
  moveHere(): void {
    for (const [take, call] of this.#calls) if (!this.#share.has(take)) call.uncount ??= this.#share.addSlots(take);
  }

  /** Redis is back, and has heard of what runs. */
  moveBack(): void {
    for (const call of this.#calls.values()) {
      call.uncount?.();
      call.uncount = null;
    }
  }

  /** What Redis must know now. What has ended goes first: a slot that is kept is one that runs. */
  report(): { readonly ended: readonly Slots[]; readonly running: readonly Slots[] } {
    const running = [...this.#calls.values()];
    for (const call of running) call.isShared = true;
    return { ended: [...this.#ended.values()], running: running.map(({ slots }) => slots) };
  }

  /** Redis has heard of these. */
  forget(ended: readonly Slots[]): void {
    for (const slots of ended) if (this.#ended.get(slots.requestId) === slots) this.#ended.delete(slots.requestId);
  }

  /** Null where the call takes none. */
  slotsOf(take: Take): Slots | null {
    const keys = slotKeys(this.#prefix, take);
    return keys.length === 0 ? null : { requestId: take.requestId, keys };
  }
}
