/** Writes the log line of a request, and defines its fields. */
import type { ErrorCode } from '../../contract/errors.ts';
import { destinations, type Log } from './log.ts';

export type RequestEnd = 'completed' | 'incomplete' | 'failed' | 'rejected' | 'client_disconnected';

/** The only fields that are logged about a request. */
export interface RequestLine {
  readonly id: string;
  readonly keyId?: string | undefined;
  readonly accountId?: string | undefined;
  readonly method: string;
  /** The route pattern, never the URL itself. */
  readonly route: string;
  /** A model ID from the catalog, never the caller's text. */
  readonly model?: string | undefined;
  readonly upstream?: string | undefined;
  /** Protocol of the upstream, if it differs from the caller's. */
  readonly protocol?: string | undefined;
  readonly status: number;
  readonly code?: ErrorCode | undefined;
  /** Last failed attempt: upstream, status, and the provider's code and message without keys. */
  readonly upstreamError?: string | undefined;
  /** Number of attempts at upstreams. */
  readonly attempts?: number | undefined;
  readonly durationMs: number;
  readonly firstEventMs?: number | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** Charge in dollars. */
  readonly cost?: string | undefined;
  /** Request fields that weren't sent to the upstream, as in the header `x-modelgate-dropped`. */
  readonly dropped?: readonly string[] | undefined;
  readonly end: RequestEnd;
}

/**
 * Copies only known fields, so that other fields of the object are never logged. Uses one JSON.stringify, because pino's field-by-field
 * serialization costs a twentieth of a small call.
 */
export function logRequestLine(log: Log, line: RequestLine): void {
  const level = line.status >= 500 || line.end === 'failed' ? 'warn' : 'info';
  if (!log.isLevelEnabled(level)) return;
  const fields: { [Name in keyof Required<RequestLine>]: RequestLine[Name] } & Readonly<Record<'level' | 'time' | 'msg', string>> = {
    level,
    time: new Date().toISOString(),
    id: line.id,
    keyId: line.keyId,
    accountId: line.accountId,
    method: line.method,
    route: line.route,
    model: line.model,
    upstream: line.upstream,
    protocol: line.protocol,
    status: line.status,
    code: line.code,
    upstreamError: line.upstreamError,
    attempts: line.attempts,
    durationMs: line.durationMs,
    firstEventMs: line.firstEventMs,
    inputTokens: line.inputTokens,
    outputTokens: line.outputTokens,
    cost: line.cost,
    dropped: line.dropped,
    end: line.end,
    msg: 'request',
  };
  destinations.get(log)?.write(`${JSON.stringify(fields)}\n`);
}
