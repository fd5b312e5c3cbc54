/** The slots of this process's calls, as those of Redis in concurrency-leases.ts: who counts them while nobody answers, and what the counter learns afterwards. */

import { isAsked, type Limit, type Take } from '../limiter.ts';
import type { OwnShare } from '../redis/outage.ts';

export class RunningTakes {
  readonly #share: OwnShare;
  /** How this process's own count of it ends; null when the process does not count it, or counts it by its take. */
  readonly #calls = new Map<Take, (() => void) | null>();

  constructor(share: OwnShare) {
    this.#share = share;
  }

  begin(take: Take): void {
    if (slotsOf(take).length > 0) this.#calls.set(take, null);
  }

  end(take: Take): void {
    this.#calls.get(take)?.();
    this.#calls.delete(take);
  }

  /** Nobody answers: from now on the process counts these slots itself. */
  moveHere(): void {
    for (const [take, uncount] of this.#calls) if (!this.#share.has(take)) this.#calls.set(take, uncount ?? this.#share.addSlots(take));
  }

  /** The counter answers again. Returns the calls that it has not heard of. */
  moveBack(): Take[] {
    for (const [take, uncount] of this.#calls) {
      uncount?.();
      this.#calls.set(take, null);
    }
    return [...this.#calls.keys()].filter((take) => this.#share.has(take));
  }
}

/** A running call is never refused: its slots are observed. */
export const slotsOnly = (take: Take): Take => ({
  ...take,
  limits: slotsOf(take).map((limit): Limit => ({ ...limit, mode: 'observe' })),
  quantities: ['concurrency'],
});

const slotsOf = (take: Take): Limit[] => take.limits.filter((limit) => limit.quantity === 'concurrency' && isAsked(take, limit));
