/** Admission control: holds money and acquires limits before an upstream is called, and settles both exactly once (promises G2 to G4, G11). */

import type { SharedCode } from '../../contract/operation-errors.ts';
import type { Principal } from '../access/principal.ts';
import type { Model } from '../config/config.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { AcquireResult, Acquisition, Limit, Quantity } from '../limits/limiter.ts';
import { type Hold, type HoldRequest, openHold, type Settled } from '../money/hold.ts';
import { type MeasuredUsage, measureUsage, type UsageEvidence } from '../money/measured-usage.ts';
import { estimateTokens, type UsageCeiling } from '../money/usage-ceiling.ts';
import { type CallCode, type CallName, formatRetryHint, GatewayError, type KeyedName, type OperationError } from '../primitives/errors.ts';
import { getCallerLimits, getCallLimits } from './caller-limits.ts';
import type { AdmittedCaller, RequestContext } from './context.ts';

export interface GrantRequest {
  readonly model: Model;
  readonly operation: string;
  /** Whether the request is free, so that no money is held. */
  readonly isFree?: boolean;
  /** The maximum usage of the request. */
  readonly ceiling: UsageCeiling;
}

export interface Grant {
  /** Whether usage must be measured, because money or a token limit depends on it. */
  readonly isMeasured: boolean;
  /** The maximum output tokens that the held money pays for. Null if no limit must be set. */
  readonly outputLimit: number | null;
  /**
   * Charges the usage. Resolves when the charge is on disk; rejects with `overloaded` if it couldn't be stored. Without evidence, releases money and token
   * limits. Null if nothing is charged. Only the first call counts; later ones return the same result.
   */
  settle(evidence: UsageEvidence | null, outcome: string): Promise<Settled | null>;
}

const RATE_ONLY: readonly Quantity[] = ['requests'];
const ALL_QUANTITIES: readonly Quantity[] = ['requests', 'tokens', 'concurrency'];

/**
 * Admits one caller in two steps. Before the body is read, acquires the key's request rate provisionally. Once the model and body are known, holds money
 * and acquires all limits. If a request ends before the second step, its provisional rate is counted or released.
 */
export class Admission implements AdmittedCaller {
  readonly principal: Principal;
  readonly #gateway: Gateway;
  readonly #call: RequestContext;
  /** The provisional acquisition of the key's request rate. Null once it's final or released. */
  #provisional: Acquisition | null = null;
  settled: Promise<void> | null = null;

  constructor(gateway: Gateway, call: RequestContext, principal: Principal) {
    this.#gateway = gateway;
    this.#call = call;
    this.principal = principal;
  }

  get isProvisional(): boolean {
    return this.#provisional !== null;
  }

  /** Acquires the key's request rate provisionally: the first check after authentication. Throws 429. */
  acquireRate(): void | Promise<void> {
    const call = this.#call;
    const limits = getCallerLimits(this.#gateway, this.principal);
    if (limits.length === 0) return;
    const isRepeated = needsGrant(call);
    const acquisition: Acquisition = {
      requestId: call.id,
      limits,
      tokens: 0,
      quantities: RATE_ONLY,
      scopes: ['key'],
      isProvisional: true,
      isRepeated,
    };
    const acquiring = this.#gateway.limits.acquire(acquisition);
    if (!(acquiring instanceof Promise)) return this.#recordRate(acquisition, acquiring);
    return acquiring.then((result) => {
      this.#recordRate(acquisition, result);
      // The caller may have disconnected while we waited. The close event has fired already, so count the request here.
      if (call.isGone) this.finish();
    });
  }

  #recordRate(acquisition: Acquisition, result: AcquireResult): void {
    this.#call.outcome.setWindows(result.windows);
    if (result.kind === 'rejected') {
      this.#gateway.limitUse.recordRejection(result.limit, this.principal.accountId);
      throw createRateLimitError(this.#call, result);
    }
    this.#provisional = acquisition;
  }

  /** `gateway`: the snapshot that serves the request. */
  async open(gateway: Gateway, request: GrantRequest): Promise<Grant> {
    const [call, { money }, { ceiling }] = [this.#call, gateway, request];
    const hold = money && request.isFree !== true ? await openHold(money, toHoldRequest(gateway, call, request)) : null;
    if (!hold) await call.idempotentRequest?.claimKey();
    try {
      const result = await this.#acquireLimits(gateway, request);
      return this.#grant(gateway, { ...result, hold, ceiling });
    } catch (rejected) {
      await hold?.release({ outcome: call.isGone ? 'client_disconnected' : 'rejected', attempts: [] });
      throw rejected;
    }
  }

  #grant(gateway: Gateway, granted: GrantState): Grant {
    const grant = new ActiveGrant(gateway, this.#call, granted);
    this.settled = grant.settled;
    this.#call.outcome.outputLimit = grant.outputLimit;
    return grant;
  }

  /** Acquires all limits, which makes the provisional request rate final. Throws 429. */
  async #acquireLimits(gateway: Gateway, { model, ceiling }: GrantRequest): Promise<Pick<GrantState, 'acquisition' | 'most'>> {
    const call = this.#call;
    const provisional = this.#provisional;
    // The disconnect has already counted the request.
    if (call.isGone) throw new GatewayError<CallCode>('upstream_error', { cause: new Error('the client disconnected') });
    const limits = getCallLimits(gateway, this.principal, model);
    const { tokens, reserve, most } = limits.some(isOnTokens) ? estimateTokens(ceiling) : NO_TOKENS;
    const acquisition: Acquisition = { requestId: call.id, limits, tokens, reserve, quantities: ALL_QUANTITIES, replaces: provisional };
    this.#provisional = null;
    this.#recordAcquired(gateway, acquisition, await gateway.limits.acquire(acquisition));
    return { acquisition, most };
  }

  /** Records limit use. Throws 429 if a limit rejects the request, and then keeps the provisional request rate. */
  #recordAcquired(gateway: Gateway, { limits, replaces = null }: Acquisition, result: AcquireResult): void {
    const call = this.#call;
    const { accountId } = this.principal;
    call.outcome.setWindows(result.windows);
    if (limits.length === 0) return;
    const use = gateway.limitUse;
    use.record(limits);
    if (result.kind === 'rejected') {
      use.recordRejection(result.limit, accountId);
      this.#provisional = replaces;
      throw createRateLimitError(call, result);
    }
    for (const limit of result.observed) use.recordRejection(limit, accountId);
    for (const limit of result.observed) gateway.log.info({ id: call.id, limit }, 'limit exceeded in observe mode');
  }

  /** Releases the provisional request rate: a rejected request doesn't count. */
  release(): void | Promise<void> {
    const provisional = this.#provisional;
    if (!provisional) return;
    this.#provisional = null;
    const windows = this.#gateway.limits.release(provisional);
    if (!(windows instanceof Promise)) return this.#call.outcome.setWindows(windows);
    return windows.then((late) => this.#call.outcome.setWindows(late));
  }

  /** Counts the provisional request rate, unless a grant replaced it or it was released. */
  finish(): void {
    const provisional = this.#provisional;
    if (!provisional) return;
    this.#provisional = null;
    const { id } = this.#call;
    const { limits, log } = this.#gateway;
    const counting = limits.acquire({ ...provisional, isProvisional: false, replaces: provisional });
    if (counting instanceof Promise) counting.catch((error: unknown) => log.warn({ id, err: error }, 'updating rate limit failed'));
  }
}

/** Builds the hold that a request needs from the ledger. */
export function toHoldRequest(
  { config }: Gateway,
  { id, principal, idempotentRequest }: RequestContext,
  { model, operation, ceiling }: GrantRequest,
): HoldRequest {
  if (principal === null) throw new GatewayError<CallCode>('invalid_api_key');
  const multiplier = config.groups[principal.group]?.multiplier ?? '1';
  return { requestId: id, claim: idempotentRequest?.claim, model: model.id, operation, bounds: ceiling.bounds, principal, multiplier };
}

/** Holds the money (403), then acquires tokens, concurrency and all request rates (429). Releases the money if a limit rejects the request. */
export function openGrant(gateway: Gateway, { admission }: RequestContext, request: GrantRequest): Promise<Grant> {
  if (admission instanceof Admission) return admission.open(gateway, request);
  throw new GatewayError<CallCode>('internal_error', { cause: new Error('the call has no admission') });
}

/** Whether a grant will certainly follow. Every POST needs an upstream, unless its idempotency key has a stored response. */
const needsGrant = (call: RequestContext): boolean => call.method === 'POST' && call.header('idempotency-key') === undefined;

const NO_TOKENS = { tokens: 0, reserve: 0, most: 0 };
const isOnTokens = ({ quantity }: Limit): boolean => quantity === 'tokens';
const countsTokens = ({ limits }: Acquisition): boolean => limits.some(isOnTokens);

/** The error code per limit. Every operation with a key can return the first, because the request rate is checked on entry. */
const codes = {
  requests: 'rate_limit_exceeded',
  tokens: 'token_limit_exceeded',
  concurrency: 'concurrency_limit_exceeded',
} as const satisfies Record<Quantity, SharedCode<CallName>> & { readonly requests: SharedCode<KeyedName> };

export function createRateLimitError(
  call: RequestContext,
  { limit, retryAfterMs }: Pick<Extract<AcquireResult, { kind: 'rejected' }>, 'limit' | 'retryAfterMs'>,
): OperationError<CallName, 429> {
  call.outcome.rejectedBy = limit;
  const { scope, quantity, most } = limit;
  const seconds = Math.max(Math.ceil(retryAfterMs / 1000), 1);
  const what = quantity === 'concurrency' ? `${most} concurrent requests` : `${most} ${quantity} per minute`;
  return new GatewayError(codes[quantity], {
    message: `Limit reached for this ${scope}: ${what}. ${formatRetryHint(seconds)}`,
    headers: { 'retry-after': String(seconds), 'retry-after-ms': String(Math.max(retryAfterMs, 1)) },
  });
}

interface GrantState {
  readonly acquisition: Acquisition;
  readonly hold: Hold | null;
  readonly ceiling: UsageCeiling;
  /** The maximum tokens that count toward limits. 0 without token limits. */
  readonly most: number;
}

class ActiveGrant implements Grant {
  readonly #gateway: Gateway;
  readonly #call: RequestContext;
  readonly #granted: GrantState;
  readonly isMeasured: boolean;
  readonly outputLimit: number | null;
  readonly #settled = Promise.withResolvers<void>();
  readonly settled = this.#settled.promise;
  #ending: Promise<Settled | null> | null = null;

  constructor(gateway: Gateway, call: RequestContext, granted: GrantState) {
    this.#gateway = gateway;
    this.#call = call;
    this.#granted = granted;
    this.outputLimit = granted.hold?.outputLimit ?? null;
    this.isMeasured = granted.hold !== null || countsTokens(granted.acquisition);
  }

  settle(evidence: UsageEvidence | null, outcome: string): Promise<Settled | null> {
    this.#ending ??= this.#end(evidence, outcome).finally(() => this.#settled.resolve());
    return this.#ending;
  }

  /** Sets the charge on the outcome before `settled` resolves, because the request log waits for `settled`. */
  async #end(evidence: UsageEvidence | null, outcome: string): Promise<Settled | null> {
    if (!evidence || !this.isMeasured) return await this.#release(outcome);
    const settled = await this.#charge(evidence, outcome);
    this.#call.outcome.setSettled(settled);
    return settled;
  }

  async #charge(evidence: UsageEvidence, outcome: string): Promise<Settled | null> {
    const { hold, most } = this.#granted;
    const measured = await this.#measure(evidence);
    const { input, cachedInput, cacheWrite, output } = measured.metered;
    // The limiter never rejects and uses another store than the ledger, so both run concurrently.
    const finishing = this.#finish(Math.min(input + cachedInput + cacheWrite + output, most));
    try {
      return hold && (await this.#settleHold(hold, measured, outcome));
    } finally {
      await finishing;
    }
  }

  async #settleHold(hold: Hold, measured: MeasuredUsage, outcome: string): Promise<Settled> {
    const { idempotentRequest, outcome: known } = this.#call;
    const response = idempotentRequest?.getResponseToStore();
    const settled = await hold.settle({ measured, outcome, attempts: known.attempts, isInSession: known.session !== null, response });
    if (settled.isResponseStored) idempotentRequest?.markStored();
    return settled;
  }

  /** If measuring fails, charges nothing and releases slots and money, which would otherwise stay taken until the process exits. */
  async #measure(evidence: UsageEvidence): Promise<MeasuredUsage> {
    try {
      return await measureUsage(evidence, this.#gateway.estimator, this.#granted.ceiling);
    } catch (fault) {
      await this.#release('unsettled');
      throw fault;
    }
  }

  /** The request counts, because the upstream was called. Its tokens and money are released. */
  async #release(outcome: string): Promise<null> {
    await this.#finish(0);
    await this.#granted.hold?.release({ outcome, attempts: this.#call.outcome.attempts });
    return null;
  }

  async #finish(tokens: number): Promise<void> {
    this.#call.outcome.setWindows(await this.#gateway.limits.finish(this.#granted.acquisition, tokens));
  }
}
