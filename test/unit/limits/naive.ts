/** A simple limiter for comparison: it keeps all takes and computes each level from the beginning. */
import type { Acquisition, Limit } from '../../../server/limits/limiter.ts';

interface Taking {
  readonly take: Acquisition;
  readonly at: number;
}

/** Levels are in milliseconds times the limit, so that nothing is divided. */
const MINUTE = 60_000;

export class NaiveLimiter {
  #counted: Taking[] = [];
  #pending: Acquisition[] = [];
  #running: Acquisition[] = [];

  count(take: Acquisition, at: number): void {
    this.#counted.push({ take, at });
    this.#running.push(take);
  }
  hold(take: Acquisition): void {
    this.#pending.push(take);
  }
  drop(take: Acquisition): void {
    this.#pending = this.#pending.filter((each) => each !== take);
  }
  end(take: Acquisition): void {
    this.#running = this.#running.filter((each) => each !== take);
  }

  /** The milliseconds until `take` fits under this limit, 0 when it does now. For a slot it is a second. */
  waitFor(limit: Limit, take: Acquisition, now: number): number {
    if (limit.quantity === 'concurrency') return this.slots(limit) < limit.most ? 0 : 1_000;
    const level = this.level(limit, now);
    const room = (limit.most - Math.min(costOf(limit, take), limit.most)) * MINUTE;
    let ms = 0;
    // In a millisecond, `limit.most` leaks.
    while (level - ms * limit.most > room) ms += level - (ms + 1000) * limit.most > room ? 1000 : 1;
    return ms;
  }

  remaining(limit: Limit, now: number): number {
    let left = limit.most;
    while (left > 0 && this.level(limit, now) + left * MINUTE > limit.most * MINUTE) left--;
    return left;
  }

  slots(limit: Limit): number {
    return this.#running.filter((take) => costOf(limit, take) > 0).length;
  }

  level(limit: Limit, now: number): number {
    let level = 0;
    let last = 0;
    for (const { take, at } of this.#counted) {
      level = Math.max(level - (at - last) * limit.most, 0) + costOf(limit, take) * MINUTE;
      last = at;
    }
    const pending = this.#pending.reduce((sum, take) => sum + costOf(limit, take), 0);
    return Math.max(level - (now - last) * limit.most, 0) + pending * MINUTE;
  }
}

function costOf(limit: Limit, { limits, quantities, tokens, scopes }: Acquisition): number {
  const isAsked = limits.some(({ scope, subject, quantity }) => `${scope} ${subject} ${quantity}` === nameOf(limit));
  if (!isAsked || !quantities.includes(limit.quantity) || (scopes && !scopes.includes(limit.scope))) return 0;
  return limit.quantity === 'tokens' ? tokens : 1;
}

const nameOf = ({ scope, subject, quantity }: Limit): string => `${scope} ${subject} ${quantity}`;
