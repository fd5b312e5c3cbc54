/** Permission to spend: money is held and limits are taken before an upstream is asked; both are settled exactly once (promises G2 to G4, G11). */
import type { Principal } from './access/principal.ts';
import type { Call } from './call.ts';
import type { Model } from './catalog.ts';
import { GatewayError } from './errors.ts';
import type { Gateway } from './gateway.ts';
import { type Hold, openHold } from './hold.ts';
import type { Bounds } from './ledger/charge.ts';
import { limitsOf } from './limits/applicable.ts';
import type { Limit, Quantity, Take, Taken } from './limits/limits.ts';
import { type Evidence, measure } from './meter.ts';

export interface GrantOrder {
  readonly model: Model;
  readonly operation: string;
  readonly bounds: Bounds;
  /** Tokens taken from limits on tokens until the true number is known. */
  readonly tokens: number;
}

export interface Grant {
  /** Charges what was used: on disk when it resolves. Rejects with `overloaded` where it could be kept nowhere. Only the first ending counts. */
  settle(evidence: Evidence, outcome: string): Promise<void>;
  /** Nothing was used: money and limits go back. */
  release(outcome: string): Promise<void>;
}

const DOOR: readonly Quantity[] = ['requests'];
const INSIDE: readonly Quantity[] = ['requests', 'tokens', 'concurrency'];

/** The request rate of the key: what is asked first of a caller who is known. Throws 429. */
export function passDoor(gateway: Gateway, call: Call, principal: Principal): void | Promise<void> {
  const limits = keyLimits(gateway, principal).filter(({ quantity }) => quantity === 'requests');
  if (limits.length === 0) return;
  const take: Take = { requestId: call.id, limits, tokens: 0, quantities: DOOR };
  const enter = (taken: Taken): void => {
    call.windows = taken.windows;
    if (taken.kind === 'refused') throw tooMuch(taken);
    call.atDoor = take;
  };
  const taken = gateway.limits.take(take);
  return taken instanceof Promise ? taken.then(enter) : enter(taken);
}

/** A call that is refused later on gives back what it took at the door: a refused call burns nothing. */
export function leaveDoor(gateway: Gateway, call: Call): void {
  if (call.atDoor) void gateway.limits.giveBack(call.atDoor);
  call.atDoor = null;
}

/** 403 balance or subscription → 429 tokens, concurrency, and the rates of account, group and model. */
export async function openGrant(gateway: Gateway, call: Call, order: GrantOrder): Promise<Grant> {
  const { principal } = call;
  if (!principal) throw new GatewayError('internal_error', { cause: new Error('a call without its principal') });
  const hold = gateway.money
    ? await openHold(gateway.money, call, {
        ...{ model: order.model.id, operation: order.operation, bounds: order.bounds, principal },
        multiplier: gateway.config.groups[principal.group]?.multiplier ?? '1',
      })
    : null;
  const take: Take = {
    requestId: call.id,
    limits: insideLimits(gateway, principal, order.model),
    tokens: order.tokens,
    quantities: INSIDE,
  };
  const taken = await gateway.limits.take(take);
  call.windows = { requests: call.windows?.requests ?? taken.windows.requests, tokens: taken.windows.tokens };
  if (taken.kind === 'taken') {
    for (const limit of taken.observed) gateway.log.info({ id: call.id, limit }, 'over a limit that is only observed');
    return new OpenGrant(gateway, take, hold);
  }
  await hold?.release('refused');
  throw tooMuch(taken);
}

function keyLimits({ config }: Gateway, { keyId, limits }: Principal): Limit[] {
  return limitsOf([{ scope: 'key', id: keyId, own: limits.key, otherwise: config.limits.perKey }]);
}

/** The request rate of the key was taken at the door. */
function insideLimits(gateway: Gateway, principal: Principal, model: Model): Limit[] {
  const { config } = gateway;
  const { accountId, group, limits } = principal;
  return [
    ...keyLimits(gateway, principal).filter(({ quantity }) => quantity !== 'requests'),
    ...limitsOf([
      { scope: 'account', id: accountId, own: limits.account, otherwise: config.limits.perAccount },
      { scope: 'group', id: group, own: config.groups[group]?.limits ?? {} },
      { scope: 'model', id: model.id, own: model.limits },
    ]),
  ];
}

const codes = {
  requests: 'rate_limit_exceeded',
  tokens: 'token_limit_exceeded',
  concurrency: 'concurrency_limit_exceeded',
} as const satisfies Record<Quantity, string>;

function tooMuch({ limit, retryAfterMs }: Extract<Taken, { kind: 'refused' }>): GatewayError {
  const { scope, quantity, most } = limit;
  const what = quantity === 'concurrency' ? `${most} requests at once` : `${most} ${quantity} a minute`;
  return new GatewayError(codes[quantity], {
    message: `The limit of this ${scope} is ${what}. Try again in ${Math.ceil(retryAfterMs / 1000)}s.`,
    headers: { 'retry-after': String(Math.max(Math.ceil(retryAfterMs / 1000), 1)), 'retry-after-ms': String(Math.max(retryAfterMs, 1)) },
  });
}

class OpenGrant implements Grant {
  readonly #gateway: Gateway;
  readonly #take: Take;
  readonly #hold: Hold | null;
  #ending: Promise<void> | null = null;

  constructor(gateway: Gateway, take: Take, hold: Hold | null) {
    this.#gateway = gateway;
    this.#take = take;
    this.#hold = hold;
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
    const { limits, estimator } = this.#gateway;
    const measuring = this.#needsMeasure() ? await measure(evidence, estimator) : null;
    const { input = 0, cachedInput = 0, cacheWrite = 0, output = 0 } = measuring?.metered ?? {};
    void limits.finish(this.#take, input + cachedInput + cacheWrite + output);
    if (measuring) await this.#hold?.post(measuring, outcome);
  }

  async #release(outcome: string): Promise<void> {
    void this.#gateway.limits.giveBack(this.#take);
    await this.#hold?.release(outcome);
  }

  /** Without money and without limits on tokens nobody asks how many there were. */
  #needsMeasure(): boolean {
    return this.#hold !== null || this.#take.limits.some(({ quantity }) => quantity === 'tokens');
  }
}
