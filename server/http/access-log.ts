/** Records a request that has ended: one log line, metrics, spans, and a stored record of a refusal (promise G13). */
import { operationAt } from '../../contract/operations.ts';
import type { GatewayError } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { formatDollars } from '../ledger/money.ts';
import type { RequestContext } from '../request/context.ts';
import { type RequestEnd, type RequestLine, requestLine } from '../telemetry/log.ts';
import type { RequestRecord, Telemetry } from '../telemetry/record.ts';

export interface Ended {
  readonly call: RequestContext;
  readonly method: string;
  /** The route's pattern, never the address: an address may hold ids of callers. */
  readonly route: string;
  /** Whether the caller disconnected before the end of the answer. */
  readonly isGone: boolean;
  readonly status: number;
  readonly durationMs: number;
}

/** A status for the log only: the caller disconnected before an answer began. */
export const CLIENT_GONE = 499;

/** Writes the line of a caller who disconnected after its request is settled: usage and cost are known only then. */
export function logWhenSettled(gateway: Gateway, telemetry: Telemetry | null, ended: Ended): void {
  const { settled } = ended.call;
  if (settled) void settled.then(() => logRequest(gateway, telemetry, ended));
  else logRequest(gateway, telemetry, ended);
}

export function logRequest(gateway: Gateway, telemetry: Telemetry | null, ended: Ended): void {
  const { log, config } = gateway;
  const { call } = ended;
  // A tRPC envelope has no line of its own: each call in it has one.
  if (call.innerCalls > 0) return void log.debug({ id: call.id, calls: call.innerCalls, status: ended.status }, 'trpc');
  // A caller who disconnected before an answer never saw the request id, so nobody can ask about it.
  if (call.failure && ended.status !== CLIENT_GONE) keepRefusal(gateway, ended, call.failure);
  // A reload may have removed this upstream meanwhile; then it has no kind below.
  const { upstream } = call;
  const line = lineOf(ended, upstream);
  requestLine(log, line);
  if (!telemetry) return;
  const record: RequestRecord = {
    line,
    attempts: call.attempts,
    cost: call.cost,
    refusedBy: call.refusedBy,
    shed: call.shed,
    drained: call.isDrained ? (call.end === 'completed' ? 'completed' : 'cut') : null,
    provider: upstream === undefined ? undefined : config.upstreams[upstream]?.kind,
  };
  telemetry.record(record);
  call.trace?.end(record);
}

/** Stores a refusal, so that an operator can look it up by its request id (docs/decisions/0040). */
function keepRefusal(
  { refusals }: Gateway,
  { call, method, route, status, durationMs }: Ended,
  { code, param, message }: GatewayError,
): void {
  refusals.keep({
    requestId: call.id,
    createdAt: Math.round(Date.now() - durationMs),
    accountId: call.principal?.accountId ?? null,
    keyId: call.principal?.keyId ?? null,
    operation: operationAt.get(`${method} ${route}`) ?? null,
    model: call.model?.id ?? call.askedModel,
    status,
    code,
    param,
    message,
    attempts: call.attempts,
  });
}

/** Stores the refusal of a message that was not a valid HTTP request: it has no route and no key. */
export function keepBrokenRequest({ refusals }: Gateway, requestId: string, { status, code, param, message }: GatewayError): void {
  const nobody = { accountId: null, keyId: null, operation: null, model: null, attempts: [] };
  refusals.keep({ requestId, createdAt: Date.now(), ...nobody, status, code, param, message });
}

function lineOf({ call, method, route, isGone, status, durationMs }: Ended, upstream: string | undefined): RequestLine {
  return {
    id: call.id,
    keyId: call.principal?.keyId,
    accountId: call.principal?.accountId,
    method,
    route,
    model: call.model?.id,
    upstream,
    status,
    code: isGone ? undefined : call.code,
    attempts: call.attempts.length > 0 ? call.attempts.length : undefined,
    durationMs,
    firstEventMs: call.firstEventMs,
    inputTokens: call.usage?.input,
    outputTokens: call.usage?.output,
    cost: call.cost === null ? undefined : formatDollars(call.cost),
    ignored: call.ignored.length > 0 ? call.ignored : undefined,
    end: isGone ? 'client_gone' : (call.end ?? endOf(status)),
  };
}

const endOf = (status: number): RequestEnd => (status < 400 ? 'completed' : status < 500 ? 'refused' : 'failed');
