/** Makes the row of the request log of a call that has ended (decision 0026). */

import { errorTable } from '../../contract/errors.ts';
import { isOwnRead, operationAt } from '../../contract/shared/operations.ts';
import { callerAddress, openRanges } from '../access/authenticate.ts';
import type { CallRecord, Details } from '../activity/record.ts';
import type { Config } from '../config/config.ts';
import { longWritesOf, partition, type Usage } from '../dialects/usage.ts';
import type { GatewayError } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { formatDollars, providerCostOf } from '../ledger/charge.ts';
import type { Metered } from '../ledger/store.ts';
import type { Outcome, RequestContext } from '../request/context.ts';
import { type RequestEnd, type RequestLine, type RequestRecord, requestLine, type Telemetry } from '../telemetry/log.ts';

/** `line`: the one of the access log, which says how the call ended. */
function recordOf(call: RequestContext, line: RequestLine, config: Config): CallRecord {
  const { outcome } = call;
  const { charge } = outcome;
  const { input, cached_input, cache_write, output, images } = amountsOf(outcome);
  return {
    request_id: call.id,
    ended_at: charge?.at ?? Date.now(),
    account_id: line.accountId ?? null,
    key_id: line.keyId ?? null,
    model: line.model ?? null,
    operation: operationAt(line.method, line.route) ?? null,
    upstream: line.upstream ?? null,
    session: outcome.session,
    status: line.status,
    code: outcome.failure?.code ?? line.code ?? null,
    outcome: line.end,
    is_stream: line.firstEventMs === undefined ? 0 : 1,
    attempts: outcome.attempts.length,
    first_ms: line.firstEventMs === undefined ? null : Math.round(line.firstEventMs),
    total_ms: Math.round(line.durationMs),
    input,
    cached_input,
    cache_write,
    output,
    images,
    charged: charge === null ? null : Number(charge.charged),
    missed: charge?.missed == null ? null : Number(charge.missed),
    vendor_cost: providerCostIn(outcome),
    details: call.principal === null ? { ...detailsOf(outcome), ...originOf(call, config) } : detailsOf(outcome),
  };
}

/** Where a request without a known key went, without its query, and where it came from, if the operator wants to know. */
function originOf({ method, raw }: RequestContext, { refusals, server }: Config): Pick<Details, 'path' | 'address'> {
  const [path = ''] = (raw.url ?? '').split('?');
  const address = refusals.addresses ? callerAddress(raw, openRanges(server.trustedProxies)) : undefined;
  return { path: `${method} ${path}`, ...(address !== undefined && { address }) };
}

type Amounts = Pick<CallRecord, 'input' | 'cached_input' | 'cache_write' | 'output' | 'images'>;

/** As charged; where calls cost nothing, as the upstream reported. */
function amountsOf({ charge, usage }: Outcome): Amounts {
  if (charge) {
    const { input, cachedInput, cacheWrite, output, images } = charge.metered;
    const made = Object.values(images).reduce((sum, count) => sum + count, 0);
    return { input, cached_input: cachedInput, cache_write: cacheWrite, output, images: made };
  }
  if (!usage) return NOTHING;
  const { uncachedInput, imageInput, cachedInput, cacheWrite, output } = partition(usage);
  return { input: uncachedInput + imageInput, cached_input: cachedInput, cache_write: cacheWrite, output, images: 0 };
}
/** Of the candidate that was asked last. Null if no candidate was called, its prices are unknown, or its usage wasn't counted. */
function providerCostIn({ charge, usage, model, upstream, attempts }: Outcome): number | null {
  if (model === null || upstream === undefined || attempts.length === 0) return null;
  const asked = model.candidates.find((one) => one.upstream === upstream && one.upstreamModel === model.upstreamModel);
  if (asked?.cost === undefined) return null;
  const metered = charge?.metered ?? (usage && model.kind === 'text' ? meteredOf(usage) : null);
  if (metered === null) return null;
  const cost = providerCostOf(asked.cost, metered);
  return cost === null ? null : Number(cost);
}

function meteredOf(usage: Usage): Metered {
  const classes = partition(usage);
  const { uncachedInput, imageInput, cachedInput, cacheWrite, output, reasoning } = classes;
  return { input: uncachedInput + imageInput, cachedInput, cacheWrite, ...longWritesOf(classes), output, reasoning, images: {} };
}

const NOTHING: Amounts = { input: 0, cached_input: 0, cache_write: 0, output: 0, images: 0 };

function detailsOf({ failure, model, askedModel, attempts, ignored, rejectedBy, windows }: Outcome): Details {
  const details: { -readonly [Name in keyof Details]: Details[Name] } = { attempts, ignored };
  if (failure) {
    details.param = failure.param;
    details.message = failure.message;
  }
  if (model === null && askedModel !== null) details.asked = askedModel;
  if (rejectedBy) details.rejectedBy = { scope: rejectedBy.scope, quantity: rejectedBy.quantity, most: rejectedBy.most };
  if (windows?.requests) details.requests = { limit: windows.requests.limit, remaining: windows.requests.remaining };
  if (windows?.tokens) details.tokens = { limit: windows.tokens.limit, remaining: windows.tokens.remaining };
  return details;
}

/** A message that wasn't a valid HTTP request: it has no route and no key. */
function brokenRecordOf(requestId: string, { status, code, param, message }: GatewayError): CallRecord {
  const noCaller = { account_id: null, key_id: null, model: null, operation: null, upstream: null, session: null };
  const nothing = {
    is_stream: 0,
    attempts: 0,
    first_ms: null,
    total_ms: 0,
    ...NOTHING,
    charged: null,
    missed: null,
    vendor_cost: null,
  } as const;
  return {
    request_id: requestId,
    ended_at: Date.now(),
    ...noCaller,
    status,
    code,
    outcome: 'rejected',
    ...nothing,
    details: { param, message },
  };
}

interface Ended {
  readonly call: RequestContext;
  readonly method: string;
  /** The route's pattern, never the address: an address may hold IDs of callers. */
  readonly route: string;
  /** Whether it is for an operation, and not for a page or a session. */
  readonly isCall: boolean;
  /** Whether the caller disconnected before the end of the response. */
  readonly isGone: boolean;
  readonly status: number;
  readonly durationMs: number;
}

/** A status for the log only: the caller disconnected before a response began. */
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
  // A tRPC envelope has no log line; each call in it has one.
  if (outcome.innerCalls > 0) return void log.debug({ id: call.id, calls: outcome.innerCalls, status: ended.status }, 'trpc');
  // A reload may have removed this upstream in the meantime; then it has no provider below.
  const { upstream } = outcome;
  const line = lineOf(ended, upstream);
  if (config.activity.days > 0 && isLogged(ended)) gateway.activity.keep(recordOf(call, line, config));
  requestLine(log, line);
  if (!telemetry) return;
  const record: RequestRecord = {
    line,
    attempts: outcome.attempts,
    isTurned: outcome.isTurned,
    cost: outcome.cost,
    rejectedBy: outcome.rejectedBy,
    shed: outcome.shed,
    drained: outcome.isDrained ? (outcome.end === 'completed' ? 'completed' : 'cut') : null,
    provider: upstream === undefined ? undefined : config.upstreams[upstream],
  };
  telemetry.record(record);
  call.trace?.end(record);
}

/** Stores the refusal of a message that wasn't a valid HTTP request. */
export const keepBrokenRequest = ({ activity }: Gateway, requestId: string, failure: GatewayError): void =>
  activity.keep(brokenRecordOf(requestId, failure));

/** Calls of a known key, and refusals that a caller may ask about. Health checks, pages of the documentation and reading one's own bill aren't calls. */
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
    protocol: outcome.protocol,
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
    end: isGone ? 'client_disconnected' : (outcome.end ?? endOf(status)),
  };
}

/** Without the message, which may quote the prompt: no prompt is in the log. Operators read it in the record of the request. A mistake of the caller is none. */
function upstreamErrorIn({ attempts }: Outcome): string | undefined {
  const failed = attempts.findLast(({ said, code }) => said !== undefined && (code === null || errorTable[code].status >= FIRST_OTHER));
  if (failed?.said === undefined) return undefined;
  return [failed.upstream, failed.status, failed.said.code].filter((part) => part !== null).join(' ');
}
const FIRST_OTHER = 429;

const endOf = (status: number): RequestEnd => (status < 400 ? 'completed' : status < 500 ? 'rejected' : 'failed');
