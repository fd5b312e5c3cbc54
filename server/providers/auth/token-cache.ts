/** Caches one fetched token for all requests of an upstream. It makes one fetch at a time, and starts the next before the token expires. */
import { type CallCode, GatewayError } from '../../primitives/errors.ts';

/** The header lines of a token, and its expiry in milliseconds since 1970. */
export interface Token {
  readonly lines: readonly string[];
  readonly endsAt: number;
}

/** Fetches a token until the signal aborts. Its errors are logged, so they must contain no secret. */
export type FetchToken = (signal: AbortSignal) => Promise<Token>;

/**
 * A reported renewal: the first failure in a row, or the success after it. `endsAt`: when the cached token expires, in milliseconds since 1970. Null
 * without one.
 */
export type RenewalEvent =
  | { readonly kind: 'failed'; readonly cause: unknown; readonly endsAt: number | null }
  | { readonly kind: 'renewed' };
export type ReportRenewal = (renewal: RenewalEvent) => void;

const RENEW_BEFORE_EXPIRY_MS = 300_000;
const FETCH_TIMEOUT_MS = 5_000;
/** How long to wait after a failed fetch, in milliseconds, so that not every request calls a failing endpoint. */
const FAILED_FETCH_PAUSE_MS = 1_000;
/** Minimum time between two replacements of a rejected token, in milliseconds. */
const MIN_REPLACEMENT_INTERVAL_MS = 60_000;

interface TokenCacheOptions {
  readonly now?: () => number;
  /** Reports renewals that fail while the cached token is still valid, because no request fails yet. */
  readonly report?: ReportRenewal;
}

export class TokenCache {
  readonly #fetch: FetchToken;
  readonly #now: () => number;
  readonly #report: ReportRenewal;
  #token: Token | null = null;
  #renewAt = 0;
  #pendingFetch: Promise<readonly string[]> | null = null;
  #lastFailure: { readonly error: GatewayError; readonly until: number } | null = null;
  /** Set while the cached token is the replacement of a rejected one. */
  #replacedAt: number | null = null;

  constructor(fetch: FetchToken, { now = Date.now, report = () => {} }: TokenCacheOptions = {}) {
    this.#fetch = fetch;
    this.#now = now;
    this.#report = report;
  }

  /** Returns the cached header lines, or a promise if a token must be fetched first. The promise rejects with `upstream_error`. */
  getLines(): readonly string[] | Promise<readonly string[]> {
    const now = this.#now();
    const { lines, endsAt } = this.#token ?? noToken;
    if (now < this.#renewAt) return lines;
    if (now >= endsAt) return this.#fetchOnce(now);
    // The cached token is still valid, so a failed fetch has no effect yet.
    this.#fetchOnce(now).catch(() => {});
    return lines;
  }

  /** Drops a token that the provider rejected. Returns whether another one can be fetched: false if a replacement was also rejected recently. */
  invalidate(rejectedLines: readonly string[]): boolean {
    // Another request has dropped the token already: a new one is cached or being fetched.
    if (this.#token?.lines !== rejectedLines) return true;
    const now = this.#now();
    if (this.#replacedAt !== null && now - this.#replacedAt < MIN_REPLACEMENT_INTERVAL_MS) return false;
    this.#token = null;
    this.#renewAt = 0;
    this.#replacedAt = now;
    return true;
  }

  #fetchOnce(now: number): Promise<readonly string[]> {
    if (this.#pendingFetch) return this.#pendingFetch;
    if (this.#lastFailure && now < this.#lastFailure.until) return Promise.reject(this.#lastFailure.error);
    this.#pendingFetch = this.#fetchToken().finally(() => {
      this.#pendingFetch = null;
    });
    return this.#pendingFetch;
  }

  async #fetchToken(): Promise<readonly string[]> {
    try {
      const token = await this.#fetch(AbortSignal.timeout(FETCH_TIMEOUT_MS));
      const now = this.#now();
      this.#token = token;
      // A short-lived token is used for at least half of its lifetime.
      this.#renewAt = token.endsAt - Math.min(RENEW_BEFORE_EXPIRY_MS, (token.endsAt - now) / 2);
      if (this.#lastFailure) this.#report({ kind: 'renewed' });
      this.#lastFailure = null;
      return token.lines;
    } catch (cause) {
      const error = new GatewayError<CallCode>('upstream_error', { cause });
      const now = this.#now();
      if (!this.#lastFailure)
        this.#report({ kind: 'failed', cause, endsAt: this.#token && this.#token.endsAt > now ? this.#token.endsAt : null });
      this.#lastFailure = { error, until: now + FAILED_FETCH_PAUSE_MS };
      throw error;
    }
  }
}

const noToken: Token = { lines: [], endsAt: 0 };
