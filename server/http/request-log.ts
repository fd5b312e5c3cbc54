/** Makes the row of the request log of a call that has ended (decision 0058). */
import { operationAt } from '../../contract/operations.ts';
import type { CallRecord, Details } from '../activity/record.ts';
import { partition, type Usage } from '../dialects/usage.ts';
import type { GatewayError } from '../errors.ts';
import type { Metered } from '../ledger/store.ts';
import { vendorCostOf } from '../ledger/vendor-cost.ts';
import type { RequestContext } from '../request/context.ts';
import type { Outcome } from '../request/outcome.ts';
import type { RequestLine } from '../telemetry/log.ts';

/** `line`: the one of the access log, which says how the call ended. */
export function recordOf(call: RequestContext, line: RequestLine): CallRecord {
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
    vendor_cost: vendorCostIn(outcome),
    details: detailsOf(outcome),
  };
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
/** Of the candidate that was asked last. Null where none was asked, its prices are not known, or nobody counted what it used. */
function vendorCostIn({ charge, usage, model, upstream, attempts }: Outcome): number | null {
  if (model === null || upstream === undefined || attempts.length === 0) return null;
  const asked = model.candidates.find((one) => one.upstream === upstream && one.upstreamModel === model.upstreamModel);
  if (asked?.cost === undefined) return null;
  const metered = charge?.metered ?? (usage && model.kind === 'text' ? meteredOf(usage) : null);
  if (metered === null) return null;
  const cost = vendorCostOf(asked.cost, metered);
  return cost === null ? null : Number(cost);
}

function meteredOf(usage: Usage): Metered {
  const { uncachedInput, imageInput, cachedInput, cacheWrite, output, reasoning } = partition(usage);
  return { input: uncachedInput + imageInput, cachedInput, cacheWrite, output, reasoning, images: {} };
}

const NOTHING: Amounts = { input: 0, cached_input: 0, cache_write: 0, output: 0, images: 0 };

function detailsOf({ failure, model, askedModel, attempts, ignored, refusedBy, windows }: Outcome): Details {
  const details: { -readonly [Name in keyof Details]: Details[Name] } = { attempts, ignored };
  if (failure) {
    details.param = failure.param;
    details.message = failure.message;
  }
  if (model === null && askedModel !== null) details.asked = askedModel;
  if (refusedBy) details.refusedBy = { scope: refusedBy.scope, quantity: refusedBy.quantity, most: refusedBy.most };
  if (windows?.requests) details.requests = { limit: windows.requests.limit, remaining: windows.requests.remaining };
  if (windows?.tokens) details.tokens = { limit: windows.tokens.limit, remaining: windows.tokens.remaining };
  return details;
}

/** A message that was not a valid HTTP request: it has no route and no key. */
export function brokenRecordOf(requestId: string, { status, code, param, message }: GatewayError): CallRecord {
  const nobody = { account_id: null, key_id: null, model: null, operation: null, upstream: null };
  const nothing = { is_stream: 0, attempts: 0, first_ms: null, total_ms: 0, ...NOTHING, charged: null, vendor_cost: null } as const;
  return {
    request_id: requestId,
    ended_at: Date.now(),
    ...nobody,
    status,
    code,
    outcome: 'refused',
    ...nothing,
    details: { param, message },
  };
}
