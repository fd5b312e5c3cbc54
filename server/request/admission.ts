/** Admission control: holds money and takes limits before an upstream is asked, and settles both exactly once (promises G2 to G4, G11). */
import type { SharedCode } from '../../contract/operation-errors.ts';
import type { Principal } from '../access/store.ts';
import { type Ceiling, tokensToTake } from '../billing/cost-ceiling.ts';
import { type Hold, type HoldRequest, openHold } from '../billing/hold.ts';
import { type Evidence, type Measured, measure } from '../billing/metering.ts';
import type { Config, Model } from '../config/config.ts';
import { type CallCode, type CallName, type ErrorOf, GatewayError, type KeyedName, tryAgainIn } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { limitUseOf } from '../limits/in-use.ts';
import { type Limit, limitsOf, type Quantity, type Take, type Taken, withParts } from '../limits/limiter.ts';
import type { Entered, RequestContext } from './context.ts';

export interface GrantOrder {
  readonly model: Model;
  readonly operation: string;
  /** Whether the request is free, so that no money is held. */
  readonly isFree?: boolean;
  /** The most that the request can use. */
  readonly ceiling: Ceiling;
}

export interface Grant {
  /** Whether usage must be measured: money or a token limit depends on it. */
  readonly isMeasured: boolean;
  /** The most output tokens that the held money pays for; null if no limit must be set. */
  readonly outputLimit: number | null;
  /** Charges what was used: the charge is on disk when this resolves. Rejects with `overloaded` when it could not be stored. Only the first `settle` or `release` counts. */
  settle(evidence: Evidence, outcome: string): Promise<void>;
  /** Gives back money and token limits: nothing was used, or what was used isn't measured. */
  release(outcome: string): Promise<void>;
}

const RATE_ONLY: readonly Quantity[] = ['requests'];
const ALL_QUANTITIES: readonly Quantity[] = ['requests', 'tokens', 'concurrency'];

/**
 * How one caller comes in, in two halves: the request rate of the key at the door, before the body is read; then, for a model and a body, the money and
 * all limits. A call that ends without the second half is counted, or the amount taken is released.
 */
export class Admission implements Entered {
  readonly principal: Principal;
  readonly #gateway: Gateway;
  readonly #call: RequestContext;
  /** Provisional take from the key's request rate. Null once it's final or was released. */
  #provisional: Take | null = null;
  settled: Promise<void> | null = null;

  constructor(gateway: Gateway, call: RequestContext, principal: Principal) {
    this.#gateway = gateway;
    this.#call = call;
    this.principal = principal;
  }

  get isProvisional(): boolean {
    return this.#provisional !== null;
  }

  /** Takes the key's request rate, provisionally: the first check after authentication. Throws 429. */
  enter(): void | Promise<void> {
    const call = this.#call;
    const limits = callerLimits(this.#gateway, this.principal);
    if (limits.length === 0) return;
    const isAskedAgain = needsGrant(call);
    const take: Take = { requestId: call.id, limits, tokens: 0, quantities: RATE_ONLY, scopes: ['key'], isProvisional: true, isAskedAgain };
    const taking = this.#gateway.limits.take(take);
    if (!(taking instanceof Promise)) return this.#entered(take, taking);
    return taking.then((taken) => {
      this.#entered(take, taken);
      // The caller may have disconnected in the meantime; the close event has fired already, so count the request here.
      if (call.isGone) this.leave();
    });
  }

  #entered(take: Take, taken: Taken): void {
    this.#call.outcome.counted(taken.windows);
    if (taken.kind === 'rejected') {
      limitUseOf(this.#gateway.limits).rejected(taken.limit, this.principal.accountId);
      throw tooMuch(this.#call, taken);
    }
    this.#provisional = take;
  }

  /** `gateway`: the snapshot that serves the request. */
  async open(gateway: Gateway, order: GrantOrder): Promise<Grant> {
    const [call, { money }, { ceiling }] = [this.#call, gateway, order];
    const hold = money && order.isFree !== true ? await openHold(money, call, holdRequestOf(gateway, call, order)) : null;
    if (!hold) await call.once?.claimAlone();
    try {
      const taken = await this.#takeLimits(gateway, order);
      return this.#grant(gateway, { ...taken, hold, ceiling });
    } catch (rejected) {
      await hold?.release(call.isGone ? 'client_disconnected' : 'rejected');
      throw rejected;
    }
  }

  #grant(gateway: Gateway, granted: Granted): Grant {
    const grant = new OpenGrant(gateway, this.#call, granted);
    this.settled = grant.settled;
    this.#call.outcome.granted(grant.outputLimit);
    return grant;
  }

  /** Takes the limits. Throws 429. What was taken at the door counts from here on. */
  async #takeLimits(gateway: Gateway, { model, ceiling }: GrantOrder): Promise<Pick<Granted, 'take' | 'most'>> {
    const call = this.#call;
    const provisional = this.#provisional;
    // The request was counted when its caller disconnected.
    if (call.isGone) throw new GatewayError<CallCode>('upstream_error', { cause: new Error('the client disconnected') });
    const limits = limitsForCall(gateway, this.principal, model);
    const { tokens, reserve, most } = limits.some(isOnTokens) ? tokensToTake(ceiling) : NO_TOKENS;
    const take: Take = { requestId: call.id, limits, tokens, reserve, quantities: ALL_QUANTITIES, replaces: provisional };
    this.#provisional = null;
    this.#note(gateway, take, await gateway.limits.take(take));
    return { take, most };
  }

  /** Throws 429 when the limits reject; what was taken at the door stays. */
  #note(gateway: Gateway, { limits, replaces = null }: Take, taken: Taken): void {
    const call = this.#call;
    const { accountId } = this.principal;
    call.outcome.counted(taken.windows);
    if (limits.length === 0) return;
    const use = limitUseOf(gateway.limits);
    use.note(limits);
    if (taken.kind === 'rejected') {
      use.rejected(taken.limit, accountId);
      this.#provisional = replaces;
      throw tooMuch(call, taken);
    }
    for (const limit of taken.observed) use.rejected(limit, accountId);
    for (const limit of taken.observed) gateway.log.info({ id: call.id, limit }, 'limit exceeded in observe mode');
  }

  /** The request is rejected, and a rejected request uses up nothing: gives back what was taken at the door. */
  giveBack(): void | Promise<void> {
    const provisional = this.#provisional;
    if (!provisional) return;
    this.#provisional = null;
    const windows = this.#gateway.limits.giveBack(provisional);
    if (!(windows instanceof Promise)) return this.#call.outcome.counted(windows);
    return windows.then((late) => this.#call.outcome.counted(late));
  }

  /** The request has ended: what was taken at the door counts, unless a grant has replaced it or it was given back. */
  leave(): void {
    const provisional = this.#provisional;
    if (!provisional) return;
    this.#provisional = null;
    const { id } = this.#call;
    const { limits, log } = this.#gateway;
    const counting = limits.take({ ...provisional, isProvisional: false, replaces: provisional });
    if (counting instanceof Promise)
      counting.catch((error: unknown) => log.warn({ id, err: error }, 'request not counted against its rate limit'));
  }
}

/** Hold that a call requests from the ledger. */
export function holdRequestOf({ config }: Gateway, { principal }: RequestContext, { model, operation, ceiling }: GrantOrder): HoldRequest {
  if (principal === null) throw new GatewayError<CallCode>('invalid_api_key');
  const multiplier = config.groups[principal.group]?.multiplier ?? '1';
  return { model: model.id, operation, bounds: ceiling.bounds, principal, multiplier };
}

/** Holds the money (403), then takes tokens, concurrency and all request rates (429). Gives the money back when a limit rejects. */
export function openGrant(gateway: Gateway, { admission }: RequestContext, order: GrantOrder): Promise<Grant> {
  if (admission instanceof Admission) return admission.open(gateway, order);
  throw new GatewayError<CallCode>('internal_error', { cause: new Error('the call has no admission') });
}

/** Whether a grant will certainly follow. Every POST needs an upstream, except when an idempotency key finds a kept response. */
const needsGrant = (call: RequestContext): boolean => call.method === 'POST' && call.header('idempotency-key') === undefined;

const NO_TOKENS = { tokens: 0, reserve: 0, most: 0 };
const isOnTokens = ({ quantity }: Limit): boolean => quantity === 'tokens';
const countsTokens = ({ limits }: Take): boolean => limits.some(isOnTokens);

/** The error code of each limit. Every operation with a key can answer the first: the entrance checks the request rate. */
const codes = {
  requests: 'rate_limit_exceeded',
  tokens: 'token_limit_exceeded',
  concurrency: 'concurrency_limit_exceeded',
} as const satisfies Record<Quantity, SharedCode<CallName>> & { readonly requests: SharedCode<KeyedName> };

export function tooMuch(
  call: RequestContext,
  { limit, retryAfterMs }: Pick<Extract<Taken, { kind: 'rejected' }>, 'limit' | 'retryAfterMs'>,
): ErrorOf<CallName, 429> {
  call.outcome.exceeded(limit);
  const { scope, quantity, most } = limit;
  const seconds = Math.max(Math.ceil(retryAfterMs / 1000), 1);
  const what = quantity === 'concurrency' ? `${most} concurrent requests` : `${most} ${quantity} per minute`;
  return new GatewayError(codes[quantity], {
    message: `Limit reached for this ${scope}: ${what}. ${tryAgainIn(seconds)}`,
    headers: { 'retry-after': String(seconds), 'retry-after-ms': String(Math.max(retryAfterMs, 1)) },
  });
}

interface Granted {
  readonly take: Take;
  readonly hold: Hold | null;
  readonly ceiling: Ceiling;
  /** The most tokens that count towards limits; 0 without token limits. */
  readonly most: number;
}

class OpenGrant implements Grant {
  readonly #gateway: Gateway;
  readonly #call: RequestContext;
  readonly #granted: Granted;
  readonly isMeasured: boolean;
  readonly outputLimit: number | null;
  readonly #settled = Promise.withResolvers<void>();
  readonly settled = this.#settled.promise;
  #ending: Promise<void> | null = null;

  constructor(gateway: Gateway, call: RequestContext, granted: Granted) {
    this.#gateway = gateway;
    this.#call = call;
    this.#granted = granted;
    this.outputLimit = granted.hold?.outputLimit ?? null;
    this.isMeasured = granted.hold !== null || countsTokens(granted.take);
  }

  settle(evidence: Evidence, outcome: string): Promise<void> {
    this.#ending ??= this.#settle(evidence, outcome);
    return this.#ending;
  }

  release(outcome: string): Promise<void> {
    this.#ending ??= this.#release(outcome);
    return this.#ending;
  }

  async #settle(evidence: Evidence, outcome: string): Promise<void> {
    const { hold, most } = this.#granted;
    let finishing: Promise<void> | null = null;
    try {
      const measured = this.isMeasured ? await this.#measure(evidence) : null;
      const { input = 0, cachedInput = 0, cacheWrite = 0, output = 0 } = measured?.metered ?? {};
      // The limiter never rejects, and is another store than the ledger: both run at the same time.
      finishing = this.#finish(Math.min(input + cachedInput + cacheWrite + output, most));
      if (measured && hold) await hold.post(measured, outcome);
    } finally {
      await finishing;
      this.#settled.resolve();
    }
  }

  /** When measuring fails, nothing is charged, and slots and money are released: they must not stay taken as long as the process lives. */
  async #measure(evidence: Evidence): Promise<Measured> {
    try {
      return await measure(evidence, this.#gateway.estimator, this.#granted.ceiling);
    } catch (fault) {
      await this.#release('unsettled');
      throw fault;
    }
  }

  /** The request counts, since the upstream was asked; its tokens and its money are given back. */
  async #release(outcome: string): Promise<void> {
    const { hold } = this.#granted;
    try {
      await this.#finish(0);
      if (hold) await hold.release(outcome);
    } finally {
      this.#settled.resolve();
    }
  }

  async #finish(tokens: number): Promise<void> {
    this.#call.outcome.counted(await this.#gateway.limits.finish(this.#granted.take, tokens));
  }
}

interface CallerLimits {
  readonly config: Config;
  readonly limits: readonly Limit[];
  /** The same limits and those of a model, by the model's ID. */
  readonly withModel: Map<string, readonly Limit[]>;
}

/** Limits by principal: each request needs them twice, and the authenticator returns the same object for a second. */
const known = new WeakMap<Principal, CallerLimits>();

/** The limits that are known before the model is. */
export const callerLimits = (gateway: Gateway, principal: Principal): readonly Limit[] => limitsOfCaller(gateway, principal).limits;

/** The limits of a request. */
export function limitsForCall(gateway: Gateway, principal: Principal, { id, limits: own }: Model): readonly Limit[] {
  const { limits, withModel } = limitsOfCaller(gateway, principal);
  const last = withModel.get(id);
  if (last) return last;
  const ofModel = withParts(limitsOf([{ scope: 'model', id, own }]), principal.accountId);
  const all = ofModel.length > 0 ? [...limits, ...ofModel] : limits;
  withModel.set(id, all);
  return all;
}

function limitsOfCaller({ config }: Gateway, principal: Principal): CallerLimits {
  const last = known.get(principal);
  if (last?.config === config) return last;
  const { keyId, accountId, group, limits: own } = principal;
  const limits = limitsOf([
    { scope: 'key', id: keyId, own: own.key, otherwise: config.limits.perKey },
    { scope: 'account', id: accountId, own: own.account, otherwise: config.limits.perAccount },
  ]);
  const ofGroup = limitsOf([{ scope: 'group', id: group, own: config.groups[group]?.limits ?? NO_LIMITS }]);
  const found = { config, limits: [...limits, ...withParts(ofGroup, accountId)], withModel: new Map() };
  known.set(principal, found);
  return found;
}
const NO_LIMITS = {};
