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
}

export interface Take {
  readonly requestId: string;
  readonly limits: readonly Limit[];
  /** Tokens to be taken from each limit on tokens; corrected when the call has ended. */
  readonly tokens: number;
  /** Whether a request, tokens, or a slot is taken: the request rate of the key is taken at the door, the rest later. */
  readonly quantities: readonly Quantity[];
}

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
  /** Gives back what `take` took, for a call that was refused later. Slots included. */
  giveBack(take: Take): void | Promise<void>;
  /** The call has ended: slots come back, the tokens that were taken are corrected to those that were used. */
  finish(take: Take, usedTokens: number): void | Promise<void>;
  /** What is left, without taking anything. */
  look(limits: readonly Limit[]): Windows | Promise<Windows>;
  close(): Promise<void>;
}
