/** Rate limits and concurrency limits: requests and tokens per minute and calls in flight, per key, account, group and model, decided in one atomic step (promise G11). */

/** `observe` counts and reports, and refuses no call. */
export type LimitMode = 'off' | 'observe' | 'enforce';
export type Quantity = 'requests' | 'tokens' | 'concurrency';
export type Scope = 'key' | 'account' | 'group' | 'model';

/** One limit on one thing: `key:key_1`, 60 requests a minute. */
export interface Limit {
  readonly scope: Scope;
  /** The id of the key, account, group or model. */
  readonly subject: string;
  readonly quantity: Quantity;
  /** Per minute; for `concurrency` at once. */
  readonly most: number;
  readonly mode: Exclude<LimitMode, 'off'>;
  /** The share of one account in a limit of many accounts: the account alone owes what the others must not wait for. */
  readonly isPart?: boolean;
}

/** How much a shared limit can owe: no account waits longer for what another one used. */
const WINDOWS_OWED = 2;
/** The most that a bucket holds; unbounded when those who filled it are those who wait. */
export const mostOwed = ({ scope, most, isPart }: Limit): number =>
  isPart !== true && (scope === 'group' || scope === 'model') ? most * WINDOWS_OWED : Number.POSITIVE_INFINITY;

/** The cost of a take under a limit: of the output reserve, only as much as the limit has room for. */
export function costOf(limit: Limit, { tokens, reserve = 0 }: Take): number {
  if (limit.quantity !== 'tokens') return 1;
  return Math.min(Math.max(tokens, Math.min(tokens + reserve, limit.most)), mostOwed(limit));
}

export interface Take {
  readonly requestId: string;
  /** All limits of the call: the windows report all of them. */
  readonly limits: readonly Limit[];
  /** Tokens to take from each token limit; corrected when the call has ended. */
  readonly tokens: number;
  /** The output reserve in tokens, taken in addition as far as a limit has room; 0 when absent. */
  readonly reserve?: number;
  /** The quantities that are taken: the key's request rate is taken at authentication, the others later. */
  readonly quantities: readonly Quantity[];
  /** Only limits of these scopes are taken from; absent: all. */
  readonly scopes?: readonly Scope[];
  /** For a call that may still be refused: the request is held without leaking, until it is given back or replaced by a take that counts. */
  readonly isProvisional?: boolean;
  /** Nothing is done for the call before a second take replaces this one, so a store may admit it by cached data. */
  readonly isAskedAgain?: boolean;
  /** The provisional take that this one replaces. When this one is refused, the provisional one stays. */
  readonly replaces?: Take | null;
}

/** Whether a limit is taken from, or only read. */
export const isAsked = ({ quantities, scopes }: Take, { scope, quantity }: Limit): boolean =>
  quantities.includes(quantity) && (scopes === undefined || scopes.includes(scope));

/** The state of the tightest limits, for the `x-ratelimit-…` headers. */
export interface Window {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the whole limit is free again. */
  readonly resetMs: number;
}
export interface Windows {
  readonly requests: Window | null;
  readonly tokens: Window | null;
}

/** How far one limit is used. */
export interface Standing {
  /** The limit; where Redis is down, the part of it that this process enforces. */
  readonly most: number;
  readonly remaining: number;
  /** Milliseconds until the whole limit is free again; null for `concurrency`. */
  readonly resetMs: number | null;
}

export type Taken =
  | { readonly kind: 'taken'; readonly windows: Windows; readonly observed: readonly Limit[] }
  | {
      readonly kind: 'refused';
      /** The limit that makes the call wait longest. */
      readonly limit: Limit;
      /** Milliseconds until the same call would be admitted; at least 1. */
      readonly retryAfterMs: number;
      readonly windows: Windows;
    };

/** Where limits are counted. Each method is one atomic step over all of its limits. */
export interface LimitStore {
  /** All or nothing: a refused call takes nothing from any limit. */
  take(take: Take): Taken | Promise<Taken>;
  /** Gives a provisional take back, as if it had never been taken. */
  giveBack(take: Take): Windows | Promise<Windows>;
  /**
   * The call of this very take has ended: slots come back, the tokens that were taken are corrected to those that were used. What may have leaked
   * of tokens taken too much does not come back, or a minute would let through more than its limit. Never rejects.
   */
  finish(take: Take, usedTokens: number): Windows | Promise<Windows>;
  /** Reads what is left, without taking anything. */
  look(limits: readonly Limit[]): Windows | Promise<Windows>;
  /** The state of each limit, of any quantity and mode, without taking anything. Never rejects. */
  measure(limits: readonly Limit[]): readonly Standing[] | Promise<readonly Standing[]>;
  /** A concurrency limit without a free slot. Only stores that know it without asking have this method. */
  findFull?(limits: readonly Limit[]): Limit | null;
  close(): Promise<void>;
}
