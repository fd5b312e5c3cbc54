/** The interface of telemetry: the records of a request and its attempts, and the sources of gauges. */
import type { ErrorCode } from '../../contract/errors.ts';
import type { UpstreamConfig } from '../config/config.ts';
import type { RequestLine } from './request-line.ts';

/** One attempt at an upstream. */
export interface AttemptRecord {
  /** The upstream's name. */
  readonly upstream: string;
  /** Null if there was no response. */
  readonly status: number | null;
  /** Null if the attempt succeeded. */
  readonly code: ErrorCode | null;
  readonly ms: number;
  /** The protocol, if it differs from the caller's. */
  readonly protocol?: string;
  /** The provider's code and message for operators. Omitted if it sent none. */
  readonly providerError?: { readonly code: string | null; readonly message: string | null };
}

/** Whether the attempt wasn't sent because the upstream's concurrency limit was reached. */
export const wasConcurrencyLimited = ({ status, code }: AttemptRecord): boolean => status === null && code === 'overloaded';

/** Reasons for load shedding. */
export type OverloadReason = 'loop delay' | 'memory';

/** A request that has ended. */
export interface RequestRecord {
  readonly line: RequestLine;
  readonly attempts: readonly AttemptRecord[];
  /** Whether the request was retried over the other protocol, because the provider rejected the caller's. */
  readonly hasSwitchedProtocol: boolean;
  /** The upstream that responded. */
  readonly provider: UpstreamConfig | undefined;
  /** In micro-dollars. */
  readonly cost: bigint | null;
  /** The reason for load shedding. Null if the request wasn't shed. */
  readonly shed: OverloadReason | null;
  /** How the drain ended after the client disconnected. Null if there was none. */
  readonly drained: 'completed' | 'cut' | null;
  readonly rejectedBy: { readonly scope: string; readonly quantity: string } | null;
}

/** The spans of one request. */
export interface RequestTrace {
  /** Call when an attempt starts. Returns the `traceparent` to send, or undefined if none is sent. */
  beginAttempt(upstream: string): string | undefined;
  end(record: RequestRecord): void;
}

/** The state of one model at one upstream, by the upstream's model name. */
export interface BreakerState {
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly state: 'closed' | 'half_open' | 'open';
}

/** Sources that are read when metrics are collected. */
export interface GaugeSources {
  streamsOpen(): number;
  webSocketsOpen(): number;
  /** Null if billing is off. */
  holdsOpen(): number | null;
  outboxWaiting(): number | null;
  /** Null for a single process without Redis. */
  isLimitShared(): boolean | null;
  breakers(): Iterable<BreakerState>;
}

export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

export interface Telemetry {
  /** Null if traces are off. `traceparent`: the header as the caller sent it. */
  readonly beginTrace:
    | ((request: { readonly method: string; readonly route: string; readonly traceparent: unknown }) => RequestTrace)
    | null;
  record(record: RequestRecord): void;
  /** Serves `GET /metrics` and returns its origin, without the path. Null if metrics aren't served. */
  readonly listen: ((address: MetricsAddress) => Promise<string>) | null;
  /** Returns the metrics as text for Prometheus, or null if metrics aren't served. */
  readonly scrape: (() => Promise<string>) | null;
  /** Pushes the remaining data and closes the listener. */
  close(): Promise<void>;
}
