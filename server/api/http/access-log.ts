/** Writes the access log: the log line of a request that has ended, its row in the request log, and its telemetry record. */

import { errorTable } from '../../../contract/errors.ts';
import { isOwnRead } from '../../../contract/shared/operations.ts';
import type { RequestContext } from '../../call/context.ts';
import type { RequestOutcome } from '../../call/request-outcome.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { formatDollars } from '../../money/dollars.ts';
import { logRequestLine, type RequestEnd, type RequestLine } from '../../telemetry/request-line.ts';
import type { RequestRecord, Telemetry } from '../../telemetry/telemetry.ts';
import { toCallRecord } from './call-record.ts';

interface EndedRequest {
  readonly call: RequestContext;
  readonly method: string;
  /** The route's pattern, never the URL, which may contain callers' IDs. */
  readonly route: string;
  /** Whether the request is for an operation, not for a page or session. */
  readonly isCall: boolean;
  /** Whether the caller disconnected before the end of the response. */
  readonly isGone: boolean;
  readonly status: number;
  readonly durationMs: number;
}

/** A status for the log only: the caller disconnected before the response started. */
export const CLIENT_CLOSED_REQUEST = 499;

/** If the caller disconnected, or the response runs in the background, waits for settlement before writing the log line, because usage and cost are known only then. */
export function writeAccessLogWhenSettled(gateway: Gateway, telemetry: Telemetry | null, endedRequest: EndedRequest): void {
  const { call } = endedRequest;
  const { completion } = call;
  if (completion)
    return void completion.then(() => writeAccessLog(gateway, telemetry, { ...endedRequest, durationMs: call.outcome.getElapsedMs() }));
  const settlement = call.admission?.settled;
  if (settlement) void settlement.then(() => writeAccessLog(gateway, telemetry, endedRequest));
  else writeAccessLog(gateway, telemetry, endedRequest);
}

export function writeAccessLog(gateway: Gateway, telemetry: Telemetry | null, endedRequest: EndedRequest): void {
  const { log, config } = gateway;
  const { call } = endedRequest;
  const { outcome } = call;
  // A tRPC envelope has no log line, because each call inside it has one.
  if (outcome.innerCalls > 0) return void log.debug({ id: call.id, calls: outcome.innerCalls, status: endedRequest.status }, 'trpc');
  // A reload may have removed this upstream, so that it has no provider below.
  const { upstream } = outcome;
  const line = toRequestLine(endedRequest, upstream);
  if (config.activity.days > 0 && isLogged(endedRequest)) gateway.activity.addCall(toCallRecord(call, line, config));
  logRequestLine(log, line);
  if (!telemetry) return;
  const record: RequestRecord = {
    line,
    attempts: outcome.attempts,
    hasSwitchedProtocol: outcome.hasSwitchedProtocol,
    cost: outcome.cost,
    rejectedBy: outcome.rejectedBy,
    shed: outcome.shed,
    drained: outcome.isDrained ? (outcome.end === 'completed' ? 'completed' : 'cut') : null,
    provider: upstream === undefined ? undefined : config.upstreams[upstream],
  };
  telemetry.record(record);
  call.trace?.end(record);
}

/**
 * Whether the request log stores the request: calls with a known key, and rejections that callers may ask about. Health checks, documentation pages and
 * reads of one's own usage aren't stored.
 */
const isLogged = ({ call, method, route, isCall, status }: EndedRequest): boolean =>
  call.principal === null ? isCall && call.outcome.failure !== null && status !== CLIENT_CLOSED_REQUEST : !isOwnRead(method, route);

function toRequestLine({ call, method, route, isGone, status, durationMs }: EndedRequest, upstream: string | undefined): RequestLine {
  const { outcome } = call;
  return {
    id: call.id,
    keyId: call.principal?.keyId,
    accountId: call.principal?.accountId,
    method,
    route,
    model: outcome.model?.id,
    upstream,
    protocol: outcome.protocol,
    status,
    code: isGone ? undefined : outcome.code,
    upstreamError: findUpstreamError(outcome),
    attempts: outcome.attempts.length > 0 ? outcome.attempts.length : undefined,
    durationMs,
    firstEventMs: outcome.firstEventMs,
    inputTokens: outcome.usage?.input,
    outputTokens: outcome.usage?.output,
    cost: outcome.cost === null ? undefined : formatDollars(outcome.cost),
    dropped: outcome.dropped.length > 0 ? outcome.dropped : undefined,
    end: isGone ? 'client_disconnected' : (outcome.end ?? toRequestEnd(status)),
  };
}

/**
 * Returns the last upstream error that isn't the caller's mistake, without the provider's message: it may quote the prompt, which must not be in the log.
 * Operators read it in the request's record.
 */
function findUpstreamError({ attempts }: RequestOutcome): string | undefined {
  const failedAttempt = attempts.findLast(
    ({ providerError, code }) => providerError !== undefined && (code === null || errorTable[code].status >= MIN_UPSTREAM_ERROR_STATUS),
  );
  if (failedAttempt?.providerError === undefined) return undefined;
  const { upstream, status, providerError } = failedAttempt;
  return [upstream, status, providerError.code].filter((part) => part !== null).join(' ');
}
const MIN_UPSTREAM_ERROR_STATUS = 429;

const toRequestEnd = (status: number): RequestEnd => (status < 400 ? 'completed' : status < 500 ? 'rejected' : 'failed');
