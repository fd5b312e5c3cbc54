/** Keeps one fetched token for all requests of an upstream: one fetch at a time, the next one begun before the kept token ends. */
import { type CallCode, GatewayError } from '../../errors.ts';

/** The header lines of a token, and when it ends in milliseconds since 1970. */
export interface Token {
  readonly lines: readonly string[];
  readonly endsAt: number;
}

/** Fetches a token; it gives up when the signal is aborted. Its error is logged, so it contains no secret. */
export type FetchToken = (signal: AbortSignal) => Promise<Token>;

const EARLY_MS = 300_000;
const FETCH_MS = 5_000;
/** After a failed fetch, for as long nothing is fetched: a broken endpoint is not asked for each request. */
const PAUSE_MS = 1_000;
/** A fresh token that is refused, too, is not replaced again for as long. */
const REFUSED_MS = 60_000;

export class TokenKeeper {
  readonly #fetch: FetchToken;
  readonly #now: () => number;
  #kept: Token | null = null;
  #renewAt = 0;
  #fetching: Promise<readonly string[]> | null = null;
  #failure: { readonly error: GatewayError; readonly until: number } | null = null;
  /** Set while the kept token replaces a refused one. */
  #replacedAt: number | null = null;

  constructor(fetch: FetchToken, now: () => number = Date.now) {
    this.#fetch = fetch;
    this.#now = now;
  }

  /** The kept lines, or a promise when a token has to be fetched first; it rejects with `upstream_error`. */
  lines(): readonly string[] | Promise<readonly string[]> {
    const now = this.#now();
    const { lines, endsAt } = this.#kept ?? none;
    if (now < this.#renewAt) return lines;
    if (now >= endsAt) return this.#next(now);
    // The kept token is still good: a failure of the next one harms nobody yet.
    this.#next(now).catch(() => {});
    return lines;
  }

  /** Throws away the token that the vendor refused. Whether another one may be taken: false when a fresh one was refused just before. */
  replace(refused: readonly string[]): boolean {
    // Another request has thrown it away already: a fresh one is there, or on its way.
    if (this.#kept?.lines !== refused) return true;
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
      // A short life is used for its half at least.
      this.#renewAt = token.endsAt - Math.min(EARLY_MS, (token.endsAt - now) / 2);
      this.#failure = null;
      return token.lines;
    } catch (cause) {
      const error = new GatewayError<CallCode>('upstream_error', { cause });
      this.#failure = { error, until: this.#now() + PAUSE_MS };
      throw error;
    }
  }
}

const none: Token = { lines: [], endsAt: 0 };
