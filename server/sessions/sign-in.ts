/** Protects sign-ins to the console and the portal: checks the origin, limits failed attempts, and returns the same response for every failure. */
import type { FastifyRequest } from 'fastify';
import type { CookieCode, SignInCode } from '../../contract/portal/errors.ts';
import { callerAddress, openRanges } from '../access/authenticate.ts';
import type { AccessStore } from '../access/store.ts';
import { GatewayError, storeFailed } from '../errors.ts';
import type { AuditEntry } from '../storage/audit.ts';
import { rejectForeignSignIn, type SessionKind } from './sessions.ts';

interface SignInRules {
  /** The address by which browsers reach the listener, when a proxy is in front. */
  readonly publicUrl?: string | undefined;
  readonly trustedProxies: readonly string[];
}

interface SignInParts {
  readonly kind: SessionKind;
  readonly store: Pick<AccessStore, 'note'>;
  readonly now: () => number;
  /** As the configuration says at the moment. */
  readonly rules: () => SignInRules;
}

/** Audit entry of a failed sign-in. */
interface Refusal {
  readonly actor: string;
  readonly details: AuditEntry['details'];
}
export type Checked<T> = { readonly found: T } | { readonly rejected: Refusal };

/** Runs the check of what was sent, and notes a failure. Throws `rate_limit_exceeded` while the address has to wait; null after a failure. */
type CountTries = <T extends object>(request: FastifyRequest, check: () => Promise<Checked<T>>) => Promise<T | null>;

export function openTries({ kind, store, now, rules }: SignInParts): CountTries {
  const wrong = new WrongSignIns(now);
  return async (request, check) => {
    const address = callerAddress(request.raw, openRanges(rules().trustedProxies)) ?? 'unknown';
    wrong.take(address);
    const checked = await check().catch((error: unknown) => {
      wrong.giveBack(address);
      throw error;
    });
    if ('found' in checked) {
      wrong.giveBack(address);
      return checked.found;
    }
    if (wrong.fail()) {
      const { actor, details } = checked.rejected;
      await store.note({ actor, action: 'session.refuse', target: kind, details: { address, ...details }, at: now() }).catch(storeFailed);
    }
    return null;
  };
}

/** Runs the check of what was sent; where that returns undefined, notes the failure and throws `invalid_api_key`, the same for every reason. */
type GuardSignIn = <T extends object>(request: FastifyRequest, check: () => Promise<T | undefined>) => Promise<T>;

const UNKNOWN = { rejected: { actor: 'unknown', details: {} } };

export function openSignIn(parts: SignInParts): GuardSignIn {
  const count = openTries(parts);
  return async (request, check) => {
    rejectForeignSignIn(request, parts.rules().publicUrl);
    const found = await count(request, async () => {
      const checked = await check();
      return checked === undefined ? UNKNOWN : { found: checked };
    });
    if (found === null) throw failed();
    return found;
  };
}

const failed = (): GatewayError =>
  new GatewayError<SignInCode>('invalid_api_key', {
    message: 'Sign-in failed. The key or link is mistyped, already used, expired, or revoked.',
  });

/** Error for calls without a cookie or with an expired session. */
export const notSignedIn = (): GatewayError =>
  new GatewayError<CookieCode>('invalid_api_key', { message: "Your session has ended, or you haven't signed in. Sign in." });

const MINUTE_MS = 60_000;
const MAX_TRIES = 10;
/** Addresses that are remembered; the one that failed first is forgotten first. */
const MAX_ADDRESSES = 10_000;
/** Failures of all addresses within a minute that leave an audit entry, so that nobody can fill the disk with them. */
const MAX_NOTED = 100;

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
    if (tries.count < MAX_TRIES) {
      tries.count += 1;
      return;
    }
    const seconds = Math.max(1, Math.ceil((tries.since + MINUTE_MS - this.#now()) / 1_000));
    throw new GatewayError<SignInCode>('rate_limit_exceeded', {
      message: `Too many failed sign-ins. Try again in ${seconds} seconds.`,
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
    return this.#all.count <= MAX_NOTED;
  }

  #begin(address: string): void {
    this.#tries.delete(address);
    const [oldest] = this.#tries.keys();
    if (this.#tries.size >= MAX_ADDRESSES && oldest !== undefined) this.#tries.delete(oldest);
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
