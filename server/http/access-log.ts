/** Records a request that has ended: one log line, metrics, spans, and a row of the request log (promise G13). */
import { errorTable } from '../../contract/errors.ts';
import { isOwnRead } from '../../contract/operations.ts';
import type { GatewayError } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { formatDollars } from '../ledger/money.ts';
import type { RequestContext } from '../request/context.ts';
import type { Outcome } from '../request/outcome.ts';
import { type RequestEnd, type RequestLine, requestLine } from '../telemetry/log.ts';
import type { RequestRecord, Telemetry } from '../telemetry/record.ts';
import { brokenRecordOf, recordOf } from './request-log.ts';

export interface Ended {
  readonly call: RequestContext;
  readonly method: string;
  /** The route's pattern, never the address: an address may hold ids of callers. */
  readonly route: string;
  /** Whether it is for an operation, and not for a page or a session. */
  readonly isCall: boolean;
  /** Whether the caller disconnected before the end of the answer. */
  readonly isGone: boolean;
  readonly status: number;
  readonly durationMs: number;
}

/** A status for the log only: the caller disconnected before an answer began. */
export const CLIENT_GONE = 499;

/** Writes the line of a caller who disconnected after its request is settled: usage and cost are known only then. */
export function logWhenSettled(gateway: Gateway, telemetry: Telemetry | null, ended: Ended): void {
  const settled = ended.call.admission?.settled;
  if (settled) void settled.then(() => logRequest(gateway, telemetry, ended));
  else logRequest(gateway, telemetry, ended);
}

export function logRequest(gateway: Gateway, telemetry: Telemetry | null, ended: Ended): void {
  const { log, config } = gateway;
  const { call } = ended;
  const { outcome } = call;
  // A tRPC envelope has no line of its own: each call in it has one.
  if (outcome.innerCalls > 0) return void log.debug({ id: call.id, calls: outcome.innerCalls, status: ended.status }, 'trpc');
  // A reload may have removed this upstream meanwhile; then it has no provider below.
  const { upstream } = outcome;
  const line = lineOf(ended, upstream);
  if (config.activity.days > 0 && isLogged(ended)) gateway.activity.keep(recordOf(call, line));
  requestLine(log, line);
  if (!telemetry) return;
  const record: RequestRecord = {
    line,
    attempts: outcome.attempts,
    cost: outcome.cost,
    refusedBy: outcome.refusedBy,
    shed: outcome.shed,
    drained: outcome.isDrained ? (outcome.end === 'completed' ? 'completed' : 'cut') : null,
    provider: upstream === undefined ? undefined : config.upstreams[upstream],
  };
  telemetry.record(record);
  call.trace?.end(record);
}

/** Stores the refusal of a message that was not a valid HTTP request. */
export const keepBrokenRequest = ({ activity }: Gateway, requestId: string, failure: GatewayError): void =>
  activity.keep(brokenRecordOf(requestId, failure));

/** Calls of a known key, and refusals that a caller may ask about. Health checks, pages of the documentation and reading the own bill are no calls. */
const isLogged = ({ call, method, route, isCall, status }: Ended): boolean =>
  call.principal === null ? isCall && call.outcome.failure !== null && status !== CLIENT_GONE : !isOwnRead(method, route);

function lineOf({ call, method, route, isGone, status, durationMs }: Ended, upstream: string | undefined): RequestLine {
  const { outcome } = call;
  return {
    id: call.id,
    keyId: call.principal?.keyId,
    accountId: call.principal?.accountId,
    method,
    route,
    model: outcome.model?.id,
    upstream,
    status,
    code: isGone ? undefined : outcome.code,
    upstreamError: upstreamErrorIn(outcome),
    attempts: outcome.attempts.length > 0 ? outcome.attempts.length : undefined,
    durationMs,
    firstEventMs: outcome.firstEventMs,
    inputTokens: outcome.usage?.input,
    outputTokens: outcome.usage?.output,
    cost: outcome.cost === null ? undefined : formatDollars(outcome.cost),
    ignored: outcome.ignored.length > 0 ? outcome.ignored : undefined,
    end: isGone ? 'client_gone' : (outcome.end ?? endOf(status)),
  };
}

/** Without the message, which may quote the prompt: no prompt is in the log. Operators read it in the record of the request. A mistake of the caller is none. */
function upstreamErrorIn({ attempts }: Outcome): string | undefined {
  const failed = attempts.findLast(({ said, code }) => said !== undefined && (code === null || errorTable[code].status >= FIRST_OTHER));
  if (failed?.said === undefined) return undefined;
  return [failed.upstream, failed.status, failed.said.code].filter((part) => part !== null).join(' ');
}
const FIRST_OTHER = 429;

const endOf = (status: number): RequestEnd => (status < 400 ? 'completed' : status < 500 ? 'refused' : 'failed');
