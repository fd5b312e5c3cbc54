/** What is said of a request that has ended: one line in the log, its metrics and its spans, and what is kept of a refusal (promise G13). */
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
  /** The pattern that matched, never the address itself. */
  readonly route: string;
  /** Whether the caller hung up before the end of the answer. */
  readonly isGone: boolean;
  readonly status: number;
  readonly durationMs: number;
}

/** For the log alone: the caller had gone before there was a status. */
export const CLIENT_GONE = 499;

/** What a caller who hung up has used and owes is known a little later. */
export function logWhenSettled(gateway: Gateway, telemetry: Telemetry | null, ended: Ended): void {
  const { settled } = ended.call;
  if (settled) void settled.then(() => logRequest(gateway, telemetry, ended));
  else logRequest(gateway, telemetry, ended);
}

export function logRequest(gateway: Gateway, telemetry: Telemetry | null, ended: Ended): void {
  const { log, config } = gateway;
  const { call } = ended;
  // An envelope is not a call: those that it held have each been noted.
  if (call.innerCalls > 0) return void log.debug({ id: call.id, calls: call.innerCalls, status: ended.status }, 'trpc');
  // Whoever hung up before an answer was told of no id.
  if (call.failure && ended.status !== CLIENT_GONE) keepRefusal(gateway, ended, call.failure);
  // A configuration may have been adopted since that no longer has it.
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
    heardOut: call.isHeardOut ? (call.end === 'completed' ? 'completed' : 'cut') : null,
    provider: upstream === undefined ? undefined : config.upstreams[upstream]?.kind,
  };
  telemetry.record(record);
  call.trace?.end(record);
}

/** For whoever asks about it by its id (docs/decisions/0040). */
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

/** Of what never became a request with an address and a key. */
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
