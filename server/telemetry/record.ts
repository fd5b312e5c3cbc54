/** What telemetry is told of a request and may ask of the gateway; everything in here is from the configuration or a closed set (promise G13). */
import type { ErrorCode } from '../../contract/errors.ts';
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
}

/** It was not asked: it had as many requests as it may have at once. */
export const wasFull = ({ status, code }: AttemptRecord): boolean => status === null && code === 'overloaded';

/** What a process has too much of that refuses new calls. */
export type Excess = 'loop delay' | 'memory';

/** A request that has ended. */
export interface RequestRecord {
  readonly line: RequestLine;
  readonly attempts: readonly AttemptRecord[];
  /** The kind of the upstream that answered. */
  readonly provider: string | undefined;
  /** In micro-dollars. */
  readonly cost: bigint | null;
  /** What there was too much of, where it was refused for that. */
  readonly shed: Excess | null;
  /** How an answer ended whose caller had left it; null where nobody heard it out. */
  readonly heardOut: 'completed' | 'cut' | null;
  readonly refusedBy: { readonly scope: string; readonly quantity: string } | null;
}

/** The spans of one request. */
export interface RequestTrace {
  /** Call it when an upstream is asked. The `traceparent` to send along; undefined where none shall be sent. */
  beginAttempt(upstream: string): string | undefined;
  end(record: RequestRecord): void;
}

/** Of one model at one upstream, both by their names there. */
export interface BreakerState {
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly state: 'closed' | 'half_open' | 'open';
}

/** What is looked at when somebody reads the metrics. */
export interface Watched {
  streamsOpen(): number;
  /** Null where calls cost nothing. */
  holdsOpen(): number | null;
  spoolWaiting(): number | null;
  /** Null without Redis. */
  isLimitShared(): boolean | null;
  breakers(): Iterable<BreakerState>;
}

export interface MetricsPlace {
  readonly host: string;
  readonly port: number;
}

export interface Telemetry {
  /** Null where nobody wants traces. `traceparent` as the caller sent it. */
  readonly beginTrace:
    | ((request: { readonly method: string; readonly route: string; readonly traceparent: unknown }) => RequestTrace)
    | null;
  record(record: RequestRecord): void;
  /** Serves `GET /metrics` and says where, without the path; null where that is not configured. */
  readonly listen: ((place: MetricsPlace) => Promise<string>) | null;
  /** Pushes what is left, and listens no more. */
  close(): Promise<void>;
}
