/** What the operators' API sees of the gateway in its own process. On the command line there is none. */

import type { TestOutcome } from '../request/test-call.ts';
import type { UpstreamState } from '../upstreams/upstream.ts';

/** A place that serves models: an upstream and the name of a model there. */
export interface Place {
  readonly upstream: string;
  readonly upstreamModel: string;
}

export interface PlaceState extends Place {
  /** The worst over all accounts. */
  readonly state: 'closed' | 'open' | 'half_open';
  /** Milliseconds until it is tried again; 0: it may be called now. */
  readonly restMs: number;
}

export interface RunningGateway {
  /** Id of the process. */
  readonly node: string;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Bytes. */
  memory(): number;
  openStreams(): number;
  /** Null when billing is off. */
  waitingCharges(): number | null;
  /** Of the places that were called. */
  places(): readonly PlaceState[];
  /** Undefined for a simulator, and for an upstream that is not in use. */
  reportOf(upstream: string): UpstreamState | undefined;
  /** A real call to an upstream that serves the model; never rejects. */
  testUpstream(upstream: string, model: string): Promise<TestOutcome>;
  /** Forgets failures and pauses; how many places and keys rested. */
  wakeUpstream(upstream: string): { readonly places: number; readonly keys: number };
}
