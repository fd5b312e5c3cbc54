/** Counts failed sign-ins by address, and limits them. */

import type { SignInCode } from '../../../contract/portal/errors.ts';
import { GatewayError } from '../../primitives/errors.ts';

const MINUTE_MS = 60_000;

const MAX_ATTEMPTS = 10;

/** Maximum remembered addresses. The one with the oldest first failure is forgotten first. */
const MAX_ADDRESSES = 10_000;

/** Maximum audited failures per minute over all addresses, so that failed sign-ins can't fill the disk. */
const MAX_RECORDED_FAILURES = 100;

interface AttemptWindow {
  readonly since: number;
  count: number;
}

export class FailedSignIns {
  readonly #now: () => number;
  readonly #attempts = new Map<string, AttemptWindow>();
  #allFailures: AttemptWindow = { since: 0, count: 0 };

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts an attempt. Throws `rate_limit_exceeded` while the address must wait, whatever it sends. */
  acquire(address: string): void {
    const attempts = this.#findWindow(address);
    if (attempts === undefined) {
      this.#startWindow(address);
      return;
    }
    if (attempts.count < MAX_ATTEMPTS) {
      attempts.count += 1;
      return;
    }
    const seconds = Math.max(1, Math.ceil((attempts.since + MINUTE_MS - this.#now()) / 1_000));
    throw new GatewayError<SignInCode>('rate_limit_exceeded', {
      message: `Too many failed sign-ins. Try again in ${seconds} seconds.`,
      headers: { 'retry-after': String(seconds) },
    });
  }

  /** Uncounts an attempt that didn't fail. */
  release(address: string): void {
    const attempts = this.#findWindow(address);
    if (attempts && attempts.count > 0) attempts.count -= 1;
  }

  /** Records a failure. Returns whether to write it to the audit log. */
  recordFailure(): boolean {
    if (!this.#isRunning(this.#allFailures)) this.#allFailures = { since: this.#now(), count: 0 };
    this.#allFailures.count += 1;
    return this.#allFailures.count <= MAX_RECORDED_FAILURES;
  }

  #startWindow(address: string): void {
    this.#attempts.delete(address);
    const [oldest] = this.#attempts.keys();
    if (this.#attempts.size >= MAX_ADDRESSES && oldest !== undefined) this.#attempts.delete(oldest);
    this.#attempts.set(address, { since: this.#now(), count: 1 });
  }

  #findWindow(address: string): AttemptWindow | undefined {
    const attempts = this.#attempts.get(address);
    return attempts && this.#isRunning(attempts) ? attempts : undefined;
  }

  /** Ignores times in the future: after the clock was set back, a minute would last too long. */
  #isRunning({ since }: AttemptWindow): boolean {
    const elapsedMs = this.#now() - since;
    return elapsedMs >= 0 && elapsedMs < MINUTE_MS;
  }
}
