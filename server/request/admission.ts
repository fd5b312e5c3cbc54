/** Permission to spend: money is held and limits are taken before an upstream is asked; both are settled exactly once (promises G2 to G4, G11). */
import type { SharedCode } from '../../contract/operation-errors.ts';
import type { Principal } from '../access/principal.ts';
import { type Hold, openHold } from '../billing/hold.ts';
import { type Evidence, type Measured, measure } from '../billing/metering.ts';
import type { Model } from '../config/catalog.ts';
import type { Config } from '../config/config.ts';
import { type CallName, type ErrorOf, GatewayError, type KeyedName } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import type { Bounds } from '../ledger/charge.ts';
import type { Limit, Quantity, Take, Taken, Windows } from '../limits/limiter.ts';
import { limitsOf, withParts } from '../limits/resolve.ts';
import type { RequestContext } from './context.ts';

export interface GrantOrder {
  readonly model: Model;
  readonly operation: string;
  /** Whether it costs nothing, so that no money is held for it. */
  readonly isFree?: boolean;
  /** Asked only where something is held or limited by it: it reads all of the body. */
  readonly bounds: () => Bounds;
  /** Tokens taken from limits on tokens until the true number is known. */
  readonly tokens: () => number;
}

export interface Grant {
  /** Whether money or a limit on tokens depends on what is used. */
  readonly isMeasured: boolean;
  /** The most tokens of an answer that are paid for; null where no limit has to be set. */
  readonly outputLimit: number | null;
  /** Charges what was used: on disk when it resolves. Rejects with `overloaded` where it could be kept nowhere. Only the first ending counts. */
  settle(evidence: Evidence, outcome: string): Promise<void>;
  /** Nothing was used: money and limits go back. */
  release(outcome: string): Promise<void>;
}

const DOOR: readonly Quantity[] = ['requests'];
const INSIDE: readonly Quantity[] = ['requests', 'tokens', 'concurrency'];

/** The request rate of the key: what is asked first of a caller who is known. Throws 429. */
export function passDoor(gateway: Gateway, call: RequestContext, principal: Principal): void | Promise<void> {
  const limits = callerLimits(gateway, principal);
  if (limits.length === 0) return;
  const isAskedAgain = needsGrant(call);
  const take: Take = { requestId: call.id, limits, tokens: 0, quantities: DOOR, scopes: ['key'], isProvisional: true, isAskedAgain };
  const enter = (taken: Taken): void => {
    call.windows = taken.windows;
    if (taken.kind === 'refused') throw tooMuch(call, taken);
    call.atDoor = take;
  };
  const taking = gateway.limits.take(take);
  if (!(taking instanceof Promise)) return enter(taking);
  return taking.then((taken) => {
    enter(taken);
    // Whoever left meanwhile was seen leaving when there was nothing to count yet.
    if (call.isGone) countAtDoor(gateway, call);
  });
}

/** Every POST asks an upstream; only an answer that was kept for another try is given without. */
const needsGrant = (call: RequestContext): boolean => call.method === 'POST' && call.header('idempotency-key') === undefined;

/** A call that is refused later on gives back what it took at the door: a refused call burns nothing. */
export function leaveDoor({ limits }: Gateway, call: RequestContext): void | Promise<void> {
  const { atDoor } = call;
  call.atDoor = null;
  const tell = (windows: Windows): void => {
    call.windows = windows;
  };
  if (!atDoor) return;
  const windows = limits.giveBack(atDoor);
  return windows instanceof Promise ? windows.then(tell) : tell(windows);
}

/** A call that nobody refused has ended without a grant: it counts. */
export function countAtDoor({ limits, log }: Gateway, call: RequestContext): void {
  const { atDoor } = call;
  call.atDoor = null;
  const counting = atDoor && limits.take({ ...atDoor, isProvisional: false, replaces: atDoor });
  if (counting instanceof Promise) counting.catch((error: unknown) => log.warn({ id: call.id, err: error }, 'a call was not counted'));
}

/** 403 balance or subscription → 429 tokens, concurrency, and the rates of account, group and model. */
export async function openGrant(gateway: Gateway, call: RequestContext, order: GrantOrder): Promise<Grant> {
  const { principal } = call;
  if (!principal) throw new GatewayError('internal_error', { cause: new Error('a call without its principal') });
  const { model, operation, isFree = false } = order;
  const multiplier = gateway.config.groups[principal.group]?.multiplier ?? '1';
  const hold =
    gateway.money && !isFree
      ? await openHold(gateway.money, call, { model: model.id, operation, bounds: order.bounds(), principal, multiplier })
      : null;
  try {
    const { take, most } = await enter(gateway, call, principal, order);
    return new OpenGrant(gateway, call, { take, hold, bounds: order.bounds, most });
  } catch (refused) {
    await hold?.release(call.isGone ? 'client_gone' : 'refused');
    throw refused;
  }
}

/** Throws 429. What was taken at the door counts from here on. */
async function enter(
  gateway: Gateway,
  call: RequestContext,
  principal: Principal,
  order: GrantOrder,
): Promise<Pick<Granted, 'take' | 'most'>> {
  const { atDoor } = call;
  // Whoever has left was counted when they did.
  if (call.isGone) throw new GatewayError('upstream_error', { cause: new Error('the caller has left') });
  const limits = callLimits(gateway, principal, order.model);
  const { tokens, reserve, most } = limits.some(isOnTokens) ? tokensOf(order) : NO_TOKENS;
  const take: Take = { requestId: call.id, limits, tokens, reserve, quantities: INSIDE, replaces: atDoor };
  call.atDoor = null;
  const taken = await gateway.limits.take(take);
  call.windows = taken.windows;
  if (taken.kind === 'refused') {
    call.atDoor = atDoor;
    throw tooMuch(call, taken);
  }
  for (const limit of taken.observed) gateway.log.info({ id: call.id, limit }, 'over a limit that is only observed');
  return { take, most };
}

/** What a call takes of limits on tokens: its input, what it may put out, and no more than both in the end. */
function tokensOf(order: GrantOrder): { readonly tokens: number; readonly reserve: number; readonly most: number } {
  const tokens = order.tokens();
  const bounds = order.bounds();
  return {
    tokens,
    reserve: bounds.open ? Math.min(bounds.outputTokens, USUAL_OUTPUT * bounds.open.answers) : bounds.outputTokens,
    most: mostTokens(bounds),
  };
}
/** Of each answer whose length nobody limits: most are shorter, and what one has beyond it is owed. All that a model could say would leave room for one call at a time. */
const USUAL_OUTPUT = 4_096;
const NO_TOKENS = { tokens: 0, reserve: 0, most: 0 };

const isOnTokens = ({ quantity }: Limit): boolean => quantity === 'tokens';
const countsTokens = ({ limits }: Take): boolean => limits.some(isOnTokens);

interface CallerLimits {
  readonly config: Config;
  readonly limits: readonly Limit[];
  /** With those of a model, by its id. */
  readonly withModel: Map<string, readonly Limit[]>;
}

/** A caller is asked for them twice a call, and is remembered as the same one for a while. */
const known = new WeakMap<Principal, CallerLimits>();

/** Those that are known before the model is. */
export const callerLimits = (gateway: Gateway, principal: Principal): readonly Limit[] => limitsOfCaller(gateway, principal).limits;

/** One list for all calls of a caller to a model: stores know a list again. */
function callLimits(gateway: Gateway, principal: Principal, { id, limits: own }: Model): readonly Limit[] {
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

/** An upstream that lies about what it used must not shut its caller out for years. */
const mostTokens = ({ inputTokens, outputTokens, images }: Bounds): number => inputTokens + outputTokens + images * TOKENS_OF_IMAGE;
/** Far more than any picture takes. */
const TOKENS_OF_IMAGE = 100_000;

/** The rate of requests is asked at the door already, whatever the operation. */
const codes = {
  requests: 'rate_limit_exceeded',
  tokens: 'token_limit_exceeded',
  concurrency: 'concurrency_limit_exceeded',
} as const satisfies Record<Quantity, SharedCode<CallName>> & { readonly requests: SharedCode<KeyedName> };

export function tooMuch(
  call: RequestContext,
  { limit, retryAfterMs }: Pick<Extract<Taken, { kind: 'refused' }>, 'limit' | 'retryAfterMs'>,
): ErrorOf<CallName, 429> {
  call.refusedBy = limit;
  const { scope, quantity, most } = limit;
  const what = quantity === 'concurrency' ? `${most} requests at once` : `${most} ${quantity} a minute`;
  return new GatewayError(codes[quantity], {
    message: `The limit of this ${scope} is ${what}. Try again in ${Math.ceil(retryAfterMs / 1000)}s.`,
    headers: { 'retry-after': String(Math.max(Math.ceil(retryAfterMs / 1000), 1)), 'retry-after-ms': String(Math.max(retryAfterMs, 1)) },
  });
}

interface Granted {
  readonly take: Take;
  readonly hold: Hold | null;
  readonly bounds: () => Bounds;
  /** The most tokens that count towards limits; 0 where there are none on tokens. */
  readonly most: number;
}

class OpenGrant implements Grant {
  readonly #gateway: Gateway;
  readonly #call: RequestContext;
  readonly #granted: Granted;
  readonly isMeasured: boolean;
  readonly outputLimit: number | null;
  readonly #settled = Promise.withResolvers<void>();
  #ending: Promise<void> | null = null;

  constructor(gateway: Gateway, call: RequestContext, granted: Granted) {
    call.settled = this.#settled.promise;
    this.#gateway = gateway;
    this.#call = call;
    this.#granted = granted;
    this.outputLimit = granted.hold?.outputLimit ?? null;
    this.isMeasured = granted.hold !== null || countsTokens(granted.take);
  }

  settle(evidence: Evidence, outcome: string): Promise<void> {
    this.#ending ??= this.#settle(evidence, outcome).finally(this.#settled.resolve);
    return this.#ending;
  }

  release(outcome: string): Promise<void> {
    this.#ending ??= this.#release(outcome).finally(this.#settled.resolve);
    return this.#ending;
  }

  async #settle(evidence: Evidence, outcome: string): Promise<void> {
    const { hold, most } = this.#granted;
    const measured = this.isMeasured ? await this.#measure(evidence) : null;
    const { input = 0, cachedInput = 0, cacheWrite = 0, output = 0 } = measured?.metered ?? {};
    const finishing = this.#finish(Math.min(input + cachedInput + cacheWrite + output, most));
    try {
      if (measured) await hold?.post(measured, outcome);
    } finally {
      // It never rejects, and is asked of another store: neither waits for the other.
      await finishing;
    }
  }

  /** What cannot be measured is not charged, and must not hold slots and money for as long as the process lives. */
  async #measure(evidence: Evidence): Promise<Measured> {
    try {
      return await measure(evidence, this.#gateway.estimator, this.#granted.bounds);
    } catch (fault) {
      await this.#release('unsettled');
      throw fault;
    }
  }

  /** The upstream was asked: only the tokens come back, of which there were none. */
  async #release(outcome: string): Promise<void> {
    await this.#finish(0);
    await this.#granted.hold?.release(outcome);
  }

  async #finish(tokens: number): Promise<void> {
    this.#call.windows = await this.#gateway.limits.finish(this.#granted.take, tokens);
  }
}
