/** How much at once: requests and tokens per minute and calls in flight, per key, account, group and model, decided in one atomic step (promise G11). */

/** `observe` counts and reports, and refuses nobody. */
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
  /** The part that one account has in a limit of many: it owes alone what the others are not made to wait for. */
  readonly isPart?: boolean;
}

/** How much a limit of many can owe: nobody waits longer for what another one used. */
const WINDOWS_OWED = 2;
/** The most that a bucket holds; without a bound where those who filled it are those who wait. */
export const mostOwed = ({ scope, most, isPart }: Limit): number =>
  isPart !== true && (scope === 'group' || scope === 'model') ? most * WINDOWS_OWED : Number.POSITIVE_INFINITY;

/** What a take costs under a limit: of what may be put out, no more than the limit has room for. */
export function costOf(limit: Limit, { tokens, reserve = 0 }: Take): number {
  if (limit.quantity !== 'tokens') return 1;
  return Math.min(Math.max(tokens, Math.min(tokens + reserve, limit.most)), mostOwed(limit));
}

export interface Take {
  readonly requestId: string;
  /** All that the call falls under: the windows are told of all of them. */
  readonly limits: readonly Limit[];
  /** Tokens to be taken from each limit on tokens; corrected when the call has ended. */
  readonly tokens: number;
  /** The most that may be put out, taken on top of that as far as there is room under a limit; 0 where left out. */
  readonly reserve?: number;
  /** Whether a request, tokens, or a slot is taken: the request rate of the key is taken at the door, the rest later. */
  readonly quantities: readonly Quantity[];
  /** Only limits of these scopes are taken from; of all where left out. */
  readonly scopes?: readonly Scope[];
  /** For a call that may still be refused: it holds its place without leaking, until it is given back, or replaced by a take that counts. */
  readonly isProvisional?: boolean;
  /** Nothing is done for the call before another take in place of this one is let through: a store may let it in by what it knew lately. */
  readonly isAskedAgain?: boolean;
  /** The provisional take in whose place this one stands. Where this one is refused, that one stays. */
  readonly replaces?: Take | null;
}

/** Whether something is taken from a limit, or it is only looked at. */
export const isAsked = ({ quantities, scopes }: Take, { scope, quantity }: Limit): boolean =>
  quantities.includes(quantity) && (scopes === undefined || scopes.includes(scope));

/** What a caller is told of its tightest limits, for the `x-ratelimit-…` headers. */
export interface Window {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until all of it is free again. */
  readonly resetMs: number;
}
export interface Windows {
  readonly requests: Window | null;
  readonly tokens: Window | null;
}

export type Taken =
  | { readonly kind: 'taken'; readonly windows: Windows; readonly observed: readonly Limit[] }
  | {
      readonly kind: 'refused';
      /** The limit that takes longest to let it through. */
      readonly limit: Limit;
      /** Milliseconds until the same call would be let through; at least 1. */
      readonly retryAfterMs: number;
      readonly windows: Windows;
    };

/** Where limits are counted. Each method is one atomic step over all limits it names. */
export interface LimitStore {
  /** All or nothing: a refused call takes nothing anywhere. */
  take(take: Take): Taken | Promise<Taken>;
  /** Gives a provisional take back: all is as if it had never been. */
  giveBack(take: Take): Windows | Promise<Windows>;
  /**
   * The call of this very take has ended: slots come back, the tokens that were taken are corrected to those that were used. What may have leaked
   * of tokens taken too much does not come back, or a minute would let through more than its limit. Never rejects.
   */
  finish(take: Take, usedTokens: number): Windows | Promise<Windows>;
  /** What is left, without taking anything. */
  look(limits: readonly Limit[]): Windows | Promise<Windows>;
  /** A limit on calls at once that has no slot left. Only of a store that knows without asking. */
  findFull?(limits: readonly Limit[]): Limit | null;
  close(): Promise<void>;
}
