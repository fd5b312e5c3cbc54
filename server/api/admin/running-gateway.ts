/** The interface through which the admin API reaches a gateway in the same process. */

import type { TestOutcome } from '../../call/test-call.ts';
import type { UpstreamState } from '../../providers/upstream.ts';

/** A model of an upstream, under the upstream's name for it. */
export interface ServedModel {
  readonly upstream: string;
  readonly upstreamModel: string;
}

export interface ServedModelState extends ServedModel {
  /** The worst state over all accounts. */
  readonly state: 'closed' | 'open' | 'half_open';
  /** Milliseconds until the next attempt. 0 if it can be called now. */
  readonly restMs: number;
}

export interface KeyCheck {
  /** Null for a fetched token, or without a key. */
  readonly lastFour: string | null;
  readonly state: 'ok' | 'warning' | 'fault' | 'skipped';
  readonly detail: string;
  readonly hint?: string | undefined;
}

export interface RunningGateway {
  /** The ID of this gateway process. */
  readonly node: string;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Bytes. */
  memory(): number;
  openStreams(): number;
  /** Null if billing is off. */
  waitingCharges(): number | null;
  /** Since when this process enforces only its share of the limits, because it can't reach their shared counter. Milliseconds since 1970, or null. */
  ownLimitsSince(): number | null;
  /** Returns the state of all models that were called. */
  places(): readonly ServedModelState[];
  /** Undefined for a simulator, and for an upstream that isn't in use. */
  findState(upstream: string): UpstreamState | undefined;
  /** Makes a real call to a model of an upstream. Never rejects. */
  testUpstream(upstream: string, model: string): Promise<TestOutcome>;
  /** Checks the keys of an upstream with its model list. Never rejects. Null for a simulator. */
  checkKeys(upstream: string): Promise<readonly KeyCheck[] | null>;
  /** Clears failures and cooldowns. Returns how many models and keys were cooling down. */
  resetUpstream(upstream: string): { readonly places: number; readonly keys: number };
}
