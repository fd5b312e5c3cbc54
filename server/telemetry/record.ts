/** What telemetry gets about a request and reads from the gateway. All labels come from the configuration or a closed set (promise G13). */
import type { ErrorCode } from '../../contract/errors.ts';
import type { UpstreamConfig } from '../config/config.ts';
import type { RequestLine } from './log.ts';

/** One attempt at an upstream. */
export interface AttemptRecord {
  /** The name of the upstream. */
  readonly upstream: string;
  /** Null where no answer came. */
  readonly status: number | null;
  /** Null where it went well. */
  readonly code: ErrorCode | null;
  readonly ms: number;
  /** What the vendor said of its failure; for operators alone. Absent: nothing. */
  readonly said?: { readonly code: string | null; readonly message: string | null };
}

/** It was not called: its concurrency limit was reached. */
export const wasFull = ({ status, code }: AttemptRecord): boolean => status === null && code === 'overloaded';

/** Reasons for load shedding. */
export type Excess = 'loop delay' | 'memory';

/** A request that has ended. */
export interface RequestRecord {
  readonly line: RequestLine;
  readonly attempts: readonly AttemptRecord[];
  /** The upstream that answered. */
  readonly provider: UpstreamConfig | undefined;
  /** In micro-dollars. */
  readonly cost: bigint | null;
  /** The reason for load shedding, when the request was refused for it. */
  readonly shed: Excess | null;
  /** How the drain ended after the caller had disconnected; null when there was none. */
  readonly drained: 'completed' | 'cut' | null;
  readonly refusedBy: { readonly scope: string; readonly quantity: string } | null;
}

/** The spans of one request. */
export interface RequestTrace {
  /** Call it when an attempt begins. Returns the `traceparent` to send; undefined when none is sent. */
  beginAttempt(upstream: string): string | undefined;
  end(record: RequestRecord): void;
}

/** The state for one model at one upstream, by the name of the model there. */
export interface BreakerState {
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly state: 'closed' | 'half_open' | 'open';
}

/** What is read when the metrics are collected. */
export interface Watched {
  streamsOpen(): number;
  /** Null when billing is off. */
  holdsOpen(): number | null;
  outboxWaiting(): number | null;
  /** Null without Redis. */
  isLimitShared(): boolean | null;
  breakers(): Iterable<BreakerState>;
}

export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

export interface Telemetry {
  /** Null when traces are off. `traceparent` as the caller sent it. */
  readonly beginTrace:
    | ((request: { readonly method: string; readonly route: string; readonly traceparent: unknown }) => RequestTrace)
    | null;
  record(record: RequestRecord): void;
  /** Serves `GET /metrics` and returns its origin, without the path; null when it is off. */
  readonly listen: ((place: MetricsAddress) => Promise<string>) | null;
  /** The metrics as text for Prometheus; null when they are not served. */
  readonly scrape: (() => Promise<string>) | null;
  /** Pushes the rest, and closes the listener. */
  close(): Promise<void>;
}
