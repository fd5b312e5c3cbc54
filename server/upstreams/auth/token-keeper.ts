/** Caches one fetched token for all requests of an upstream. It makes one fetch at a time, and begins the next before the token expires. */
import { type CallCode, GatewayError } from '../../errors.ts';

/** The header lines of a token, and its expiry in milliseconds since 1970. */
export interface Token {
  readonly lines: readonly string[];
  readonly endsAt: number;
}

/** Fetches a token. Stops when the signal is aborted. Its errors are logged, so they must contain no secret. */
export type FetchToken = (signal: AbortSignal) => Promise<Token>;

/** Reported renewals: the first failure in a row, and the success after it. `endsAt`: when the cached token expires, in milliseconds since 1970; null without one. */
export type RenewalNews =
  | { readonly kind: 'failed'; readonly cause: unknown; readonly endsAt: number | null }
  | { readonly kind: 'renewed' };
export type ReportRenewal = (news: RenewalNews) => void;

const EARLY_MS = 300_000;
const FETCH_MS = 5_000;
/** Milliseconds without another fetch after a failed one, so that not every request asks a broken endpoint. */
const PAUSE_MS = 1_000;
/** Milliseconds before a new token that was rejected, too, is replaced again. */
const REFUSED_MS = 60_000;

interface KeeperOptions {
  readonly now?: () => number;
  /** Hears that renewals fail while the cached token still serves, which no call shows. */
  readonly report?: ReportRenewal;
}

export class TokenKeeper {
  readonly #fetch: FetchToken;
  readonly #now: () => number;
  readonly #report: ReportRenewal;
  #kept: Token | null = null;
  #renewAt = 0;
  #fetching: Promise<readonly string[]> | null = null;
  #failure: { readonly error: GatewayError; readonly until: number } | null = null;
  /** Set while the cached token is the replacement of a rejected one. */
  #replacedAt: number | null = null;

  constructor(fetch: FetchToken, { now = Date.now, report = () => {} }: KeeperOptions = {}) {
    this.#fetch = fetch;
    this.#now = now;
    this.#report = report;
  }

  /** The cached header lines, or a promise when a token must be fetched first. The promise rejects with `upstream_error`. */
  lines(): readonly string[] | Promise<readonly string[]> {
    const now = this.#now();
    const { lines, endsAt } = this.#kept ?? none;
    if (now < this.#renewAt) return lines;
    if (now >= endsAt) return this.#next(now);
    // The cached token is still valid, so a failed fetch has no effect yet.
    this.#next(now).catch(() => {});
    return lines;
  }

  /** Drops the token that the provider rejected. Returns whether another one may be fetched: false if a new one was rejected shortly before. */
  replace(rejected: readonly string[]): boolean {
    // Another request has dropped it already: a new one is cached or being fetched.
    if (this.#kept?.lines !== rejected) return true;
    const now = this.#now();
    if (this.#replacedAt !== null && now - this.#replacedAt < REFUSED_MS) return false;
    this.#kept = null;
    this.#renewAt = 0;
    this.#replacedAt = now;
    return true;
  }

  #next(now: number): Promise<readonly string[]> {
    if (this.#fetching) return this.#fetching;
    if (this.#failure && now < this.#failure.until) return Promise.reject(this.#failure.error);
    this.#fetching = this.#take().finally(() => {
      this.#fetching = null;
    });
    return this.#fetching;
  }

  async #take(): Promise<readonly string[]> {
    try {
      const token = await this.#fetch(AbortSignal.timeout(FETCH_MS));
      const now = this.#now();
      this.#kept = token;
      // A short-lived token is used for at least half of its lifetime.
      this.#renewAt = token.endsAt - Math.min(EARLY_MS, (token.endsAt - now) / 2);
      if (this.#failure) this.#report({ kind: 'renewed' });
      this.#failure = null;
      return token.lines;
    } catch (cause) {
      const error = new GatewayError<CallCode>('upstream_error', { cause });
      const now = this.#now();
      if (!this.#failure) this.#report({ kind: 'failed', cause, endsAt: this.#kept && this.#kept.endsAt > now ? this.#kept.endsAt : null });
      this.#failure = { error, until: now + PAUSE_MS };
      throw error;
    }
  }
}

const none: Token = { lines: [], endsAt: 0 };

/** AWS's library renews credentials five minutes before they end: with less than this left, it has failed. */
const LATE_MS = 240_000;
/** An upstream that was idle uses old credentials while the new ones are fetched; only after this time are they late. */
const PATIENCE_MS = 30_000;

interface Expiring {
  readonly expiration?: Date | undefined;
}

/** Returns a function that is given the credentials of each request. It tells once that they are late, and once that they were renewed. */
export function watchExpiry(report: ReportRenewal, now: () => number): (credentials: Expiring) => void {
  let lateSince: number | null = null;
  let isTold = false;
  return ({ expiration }) => {
    const endsAt = expiration?.getTime() ?? Number.POSITIVE_INFINITY;
    if (endsAt - now() >= LATE_MS) {
      if (isTold) report({ kind: 'renewed' });
      lateSince = null;
      isTold = false;
      return;
    }
    lateSince ??= now();
    if (isTold || now() - lateSince < PATIENCE_MS) return;
    isTold = true;
    report({ kind: 'failed', cause: new Error('the credential source returned no newer credentials'), endsAt });
  };
}
