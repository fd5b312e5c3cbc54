/** Builds and stores the request log row of a call that has ended (decision 0026). */

import { findOperation } from '../../../contract/shared/operations.ts';
import { getCallerAddress, toBlockList } from '../../access/caller-address.ts';
import type { RequestContext } from '../../call/context.ts';
import type { RequestOutcome } from '../../call/request-outcome.ts';
import type { Config } from '../../config/config.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { computeProviderCost } from '../../money/cost.ts';
import type { GatewayError } from '../../primitives/errors.ts';
import { getBilledTokens } from '../../protocols/usage.ts';
import type { CallDetails, CallRecord } from '../../records/call-record.ts';
import type { RequestLine } from '../../telemetry/request-line.ts';

/** `line`: the access log line, which has the outcome. */
export function toCallRecord(call: RequestContext, line: RequestLine, config: Config): CallRecord {
  const { outcome } = call;
  const { charge } = outcome;
  const { input, cached_input, cache_write, output, images } = getUsageAmounts(outcome);
  return {
    request_id: call.id,
    ended_at: charge?.at ?? Date.now(),
    account_id: line.accountId ?? null,
    key_id: line.keyId ?? null,
    model: line.model ?? null,
    operation: findOperation(line.method, line.route) ?? null,
    upstream: line.upstream ?? null,
    session: outcome.session,
    end_user: outcome.endUser,
    tag: findTag(call, config),
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
    vendor_cost: getProviderCost(outcome),
    details: call.principal === null ? { ...toDetails(outcome), ...getRequestSource(call, config) } : toDetails(outcome),
  };
}

/** Returns the value of the header that the operator chose, or null if there's none. */
function findTag({ headers }: RequestContext, { activity: { tagHeader } }: Config): string | null {
  const value = tagHeader === undefined ? undefined : headers[tagHeader.toLowerCase()];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Describes a request without a known key: its path without the query, and its address if the operator enabled that. */
function getRequestSource({ method, raw }: RequestContext, { unknownCallers, server }: Config): Pick<CallDetails, 'path' | 'address'> {
  const [path = ''] = (raw.url ?? '').split('?');
  const address = unknownCallers.addresses ? getCallerAddress(raw, toBlockList(server.trustedProxies)) : undefined;
  return { path: `${method} ${path}`, ...(address !== undefined && { address }) };
}

type UsageAmounts = Pick<CallRecord, 'input' | 'cached_input' | 'cache_write' | 'output' | 'images'>;

/** Returns the charged amounts, or the reported usage if requests cost nothing. */
function getUsageAmounts({ charge, usage }: RequestOutcome): UsageAmounts {
  if (charge) {
    const { input, cachedInput, cacheWrite, output, images } = charge.metered;
    const imageCount = Object.values(images).reduce((sum, count) => sum + count, 0);
    return { input, cached_input: cachedInput, cache_write: cacheWrite, output, images: imageCount };
  }
  if (!usage) return NO_USAGE;
  const { input, cachedInput, cacheWrite, output } = getBilledTokens(usage);
  return { input, cached_input: cachedInput, cache_write: cacheWrite, output, images: 0 };
}

/** Returns the cost at the last candidate, or null if no candidate was called, its prices are unknown, or its usage wasn't measured. */
function getProviderCost({ charge, usage, model, upstream, attempts }: RequestOutcome): number | null {
  if (model === null || upstream === undefined || attempts.length === 0) return null;
  const candidate = model.candidates.find((one) => one.upstream === upstream && one.upstreamModel === model.upstreamModel);
  if (candidate?.cost === undefined) return null;
  const metered = charge?.metered ?? (usage && model.kind === 'text' ? { ...getBilledTokens(usage), images: {} } : null);
  if (metered === null) return null;
  const cost = computeProviderCost(candidate.cost, metered);
  return cost === null ? null : Number(cost);
}

const NO_USAGE: UsageAmounts = { input: 0, cached_input: 0, cache_write: 0, output: 0, images: 0 };

function toDetails({ failure, model, requestedModel, attempts, dropped, rejectedBy, windows }: RequestOutcome): CallDetails {
  const details: { -readonly [Name in keyof CallDetails]: CallDetails[Name] } = { attempts, dropped };
  if (failure) {
    details.param = failure.param;
    details.message = failure.message;
  }
  if (model === null && requestedModel !== null) details.requested = requestedModel;
  if (rejectedBy) details.rejectedBy = { scope: rejectedBy.scope, quantity: rejectedBy.quantity, most: rejectedBy.most };
  if (windows?.requests) details.requests = { limit: windows.requests.limit, remaining: windows.requests.remaining };
  if (windows?.tokens) details.tokens = { limit: windows.tokens.limit, remaining: windows.tokens.remaining };
  return details;
}

/** Creates the record of a message that wasn't a valid HTTP request, so it has no route and no key. */
function toBrokenCallRecord(requestId: string, { status, code, param, message }: GatewayError): CallRecord {
  const noCaller = {
    account_id: null,
    key_id: null,
    model: null,
    operation: null,
    upstream: null,
    session: null,
    end_user: null,
    tag: null,
  };
  const zeroFields = {
    is_stream: 0,
    attempts: 0,
    first_ms: null,
    total_ms: 0,
    ...NO_USAGE,
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
    ...zeroFields,
    details: { param, message },
  };
}

/** Stores the rejection of a message that wasn't a valid HTTP request. */
export const recordBrokenRequest = ({ activity }: Gateway, requestId: string, failure: GatewayError): void =>
  activity.addCall(toBrokenCallRecord(requestId, failure));
