/** One circuit breaker: closed until its rule opens it, open for a cooldown, then half open while one trial call runs. */
import type { FailureRule } from './consecutive-failures.ts';

export type BreakerState = 'closed' | 'open' | 'half_open';

/** In milliseconds: no breaker stays open for longer without a trial. */
export const LONGEST_COOLDOWN_MS = 600_000;
/** A trial that takes longer may be a long answer of a healthy upstream: each time this interval passes, one more call is let through. */
const TRIAL_MS = 2_000;

/** All times are milliseconds of one steady clock. */
export class Breaker {
  state: BreakerState = 'closed';
  /** The end of the cooldown. It is never moved to an earlier time. */
  openUntil = 0;
  readonly #rule: FailureRule;
  readonly #cooldownMs: number;
  #opened = 0;
  #triedAt = 0;

  constructor(rule: FailureRule, cooldownMs: number) {
    this.#rule = rule;
    this.#cooldownMs = cooldownMs;
  }

  /** For a call that began while it was closed. When it has opened meanwhile, only a trial closes it. */
  succeeded(): void {
    if (this.state === 'closed') this.#rule.succeeded();
  }

  /** For a call that began while it was closed. */
  failed(account: string, now: number): void {
    if (this.state === 'closed' && this.#rule.failed(account)) this.open(now);
  }

  /** Each time it opens without having been closed, the cooldown is twice as long. */
  open(now: number): void {
    this.state = 'open';
    this.openUntil = Math.max(this.openUntil, now + Math.min(this.#cooldownMs * 2 ** this.#opened, LONGEST_COOLDOWN_MS));
    this.#opened++;
  }

  /** What a call may do here now: be the trial, run beside a trial that takes long (its outcome says nothing), or nothing. */
  enter(now: number): 'trial' | 'beside' | null {
    if (this.state === 'half_open') return now - this.#triedAt < TRIAL_MS ? null : this.#mark(now, 'beside');
    if (now < this.openUntil) return null;
    this.state = 'half_open';
    return this.#mark(now, 'trial');
  }

  #mark<Role>(now: number, role: Role): Role {
    this.#triedAt = now;
    return role;
  }
}
