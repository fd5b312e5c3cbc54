/** Counts failed sign-ins: after ten of one address within a minute, the address has to wait. One that is still checked counts, so that a burst gets no more. */
import type { SignInCode } from '../../contract/portal-errors.ts';
import { GatewayError } from '../errors.ts';

const MINUTE_MS = 60_000;
const MOST_TRIES = 10;
/** Addresses that are remembered; the one that failed first is forgotten first. */
const MOST_ADDRESSES = 10_000;
/** Failures of all addresses within a minute that leave an audit entry, so that nobody can fill the disk with them. */
const MOST_NOTED = 100;

interface Tries {
  readonly since: number;
  count: number;
}

export class WrongSignIns {
  readonly #now: () => number;
  readonly #tries = new Map<string, Tries>();
  #all: Tries = { since: 0, count: 0 };

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a try. Throws `rate_limit_exceeded` while the address has to wait, whatever it sends. */
  take(address: string): void {
    const tries = this.#of(address);
    if (tries === undefined) {
      this.#begin(address);
      return;
    }
    if (tries.count < MOST_TRIES) {
      tries.count += 1;
      return;
    }
    const seconds = Math.max(1, Math.ceil((tries.since + MINUTE_MS - this.#now()) / 1_000));
    throw new GatewayError<SignInCode>('rate_limit_exceeded', {
      message: `Too many failed sign-ins. Wait ${seconds} s.`,
      headers: { 'retry-after': String(seconds) },
    });
  }

  /** The try was no failure. */
  giveBack(address: string): void {
    const tries = this.#of(address);
    if (tries && tries.count > 0) tries.count -= 1;
  }

  /** The try was one. Returns whether it is to be noted in the audit log. */
  fail(): boolean {
    if (!this.#isRunning(this.#all)) this.#all = { since: this.#now(), count: 0 };
    this.#all.count += 1;
    return this.#all.count <= MOST_NOTED;
  }

  #begin(address: string): void {
    this.#tries.delete(address);
    const [oldest] = this.#tries.keys();
    if (this.#tries.size >= MOST_ADDRESSES && oldest !== undefined) this.#tries.delete(oldest);
    this.#tries.set(address, { since: this.#now(), count: 1 });
  }

  #of(address: string): Tries | undefined {
    const tries = this.#tries.get(address);
    return tries && this.#isRunning(tries) ? tries : undefined;
  }

  /** A clock that was set back would make a minute last too long. */
  #isRunning({ since }: Tries): boolean {
    const passed = this.#now() - since;
    return passed >= 0 && passed < MINUTE_MS;
  }
}
