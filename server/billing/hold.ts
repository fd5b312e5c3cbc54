/** The money of one request: holds its highest possible cost, then posts its charge exactly once, to the ledger or to the outbox (promises G1 to G4). */
import type { Principal } from '../access/store.ts';
import { type CallName, type ErrorOf, GatewayError, shown, storeFailed } from '../errors.ts';
import {
  type Bounds,
  canPrice,
  costOf,
  type Extra,
  formatDollars,
  missedOf,
  outputFor,
  parseMultiplier,
  rangeFor,
  unpricedOf,
} from '../ledger/charge.ts';
import { type PricedVersion, STANDARD } from '../ledger/price-book.ts';
import type { HoldOrder, HoldResult, Posting, SettleResult } from '../ledger/store.ts';
import type { RequestContext } from '../request/context.ts';
import { within } from '../storage/errors.ts';
import type { Measured } from './metering.ts';
import { type Money, reportSettled } from './recovery.ts';

export interface HoldRequest {
  readonly model: string;
  readonly operation: string;
  readonly bounds: Bounds;
  readonly principal: Principal;
  /** The price multiplier of the group, a decimal text. */
  readonly multiplier: string;
}

export interface Hold {
  /** The most output tokens that it pays for, when the model may write more; null if no limit must be set. */
  readonly outputLimit: number | null;
  /** Posts the charge: it is on disk when this resolves. Rejects with `overloaded` when neither the store nor the outbox could take it. */
  post(measured: Measured, outcome: string): Promise<void>;
  /** Gives back the whole hold. */
  release(outcome: string): Promise<void>;
}

/** Holds the highest possible cost. Throws 403 when cap, subscription or balance is too low, or the model has no price; 400 for a tool or tier without one. */
export async function openHold(money: Money, call: RequestContext, request: HoldRequest): Promise<Hold> {
  const ordered = await orderFor(money, call.id, request);
  const terms = termsOf(ordered, request, await reserve(money, { ...ordered.order, claim: call.once?.claim }));
  return new OpenHold(money, call, terms);
}

/** Returns what `openHold` would hold, without holding it. Throws like `openHold`. */
export async function estimateHold(money: Money, request: HoldRequest): Promise<HoldEstimate> {
  // No request has an empty ID, so the store finds no hold of an earlier attempt.
  const ordered = await orderFor(money, '', request);
  const { held, outputLimit } = termsOf(ordered, request, await money.ledger.dryRunHold(ordered.order).catch(storeFailed));
  return { most: held, outputLimit };
}

export interface HoldEstimate {
  /** The most that the call can cost, in micro-dollars. */
  readonly most: bigint;
  readonly outputLimit: number | null;
}

interface Ordered {
  readonly price: PricedVersion;
  readonly order: HoldOrder & { readonly least: bigint };
}

async function orderFor(
  money: Money,
  requestId: string,
  { model, operation, bounds, principal, multiplier }: HoldRequest,
): Promise<Ordered> {
  const { accountId, keyId, cap, capOwner } = principal;
  const price = await findPrice(money, accountId, model);
  if (!price) throw notPriced(model);
  if (!canPrice(price.prices, bounds)) throw wrongPrice(price, bounds);
  const unpriced = unpricedOf(price.prices, bounds.extras);
  if (unpriced) throw noPrice(unpriced, model);
  const factor = parseMultiplier(multiplier);
  const { amount, least } = rangeFor(price.prices, bounds, factor);
  const order = {
    requestId,
    accountId,
    keyId,
    cap: cap && { ...cap, owner: capOwner },
    model,
    operation,
    priceVersion: price.version,
    multiplier: factor,
    amount,
    least,
    node: money.node,
    at: money.now(),
  };
  return { price, order };
}

/** Throws 403 for what the ledger rejected. */
function termsOf({ price, order }: Ordered, { bounds }: HoldRequest, held: HoldResult): Terms {
  const { accountId, amount, multiplier: factor } = order;
  if (held.kind === 'rejected') throw refusal(held, order.least);
  const { granted } = held;
  const outputLimit = granted === undefined ? null : outputFor(price.prices, bounds, { amount: granted, multiplier: factor });
  return { accountId, price, factor, held: granted ?? amount, outputLimit };
}

const notPriced = (model: string): ErrorOf<CallName, 403> =>
  new GatewayError('permission_denied', {
    param: 'model',
    message: `'${model}' can't be called because it has no price. Ask your gateway administrator to set one.`,
  });

/** The prices that an account pays for a model now; undefined if the model has none. Throws `overloaded` when the store is down. */
export async function findPrice({ ledger, prices, now }: Money, accountId: string, model: string): Promise<PricedVersion | undefined> {
  const subscription = await ledger.activeSubscription(accountId, now()).catch(storeFailed);
  return prices.find(subscription?.priceList ?? STANDARD, model);
}

/** Reserves the money. When the store is too slow or fails, the request is rejected, and a hold that was made after all is given back. */
async function reserve(money: Money, order: HoldOrder): Promise<HoldResult> {
  const { requestId } = order;
  const giveBack = () => money.giveBack({ requestId, at: money.now(), outcome: 'rejected' });
  const reserving = money.ledger.reserve(order);
  try {
    return await within(reserving, money.waitMs);
  } catch (cause) {
    void reserving.then((late) => (late.kind === 'held' ? giveBack() : undefined), giveBack);
    return storeFailed(cause);
  }
}

/** A stored price list that charges another unit than the request uses. Prices of the configuration can't: they are validated against the model. */
function wrongPrice({ priceList, model }: PricedVersion, { images }: Bounds): ErrorOf<CallName, 403> {
  const [priced, produced] = images > 0 ? ['token', 'images'] : ['image', 'tokens'];
  const message = `'${model}' is priced per ${priced} in price list '${priceList}', but this call produces ${produced}. Ask your gateway administrator to fix the price.`;
  return new GatewayError('permission_denied', { param: 'model', message });
}

/** A tool or service tier without a price is rejected: the provider would bill it, and we could not charge it. */
function noPrice({ kind, name, path }: Extra, model: string): ErrorOf<CallName, 400> {
  const what = kind === 'tier' ? `Service tier '${name}'` : `The tool at '${path}', priced as '${name}',`;
  const remedy = kind === 'tier' ? "Send 'default' or omit it." : 'Omit it or ask your gateway administrator to set a price.';
  return new GatewayError('unsupported_value', { param: path, message: `${what} has no price for '${shown(model)}'. ${remedy}` });
}

/** Another request with this idempotency key is running. */
export const stillRunning = (): ErrorOf<CallName, 409> => new GatewayError('idempotency_conflict', { headers: { 'retry-after': '1' } });

type Rejected = Extract<HoldResult, { kind: 'rejected' }>;

function refusal({ by, available }: Rejected, amount: bigint): ErrorOf<CallName, 403 | 409 | 500> {
  const needed = `This request can cost up to $${formatDollars(amount)}, but only $${formatDollars(available)} is available`;
  switch (by) {
    case 'cap':
      return new GatewayError('insufficient_balance', { message: `This key's spending cap is too low. ${needed} under it.` });
    case 'subscription':
      return new GatewayError('subscription_inactive', {
        message: `The account's subscription doesn't cover this request. ${needed} in it.`,
      });
    case 'balance':
      return new GatewayError('insufficient_balance', {
        message: `The account's balance is too low. ${needed}. Top up the account or request less output.`,
      });
    case 'key':
      return stillRunning();
    case 'duplicate':
      return new GatewayError('internal_error', { cause: new Error('two requests have the same ID') });
  }
}

interface Terms {
  readonly accountId: string;
  readonly price: PricedVersion;
  readonly factor: number;
  readonly held: bigint;
  readonly outputLimit: number | null;
}

class OpenHold implements Hold {
  readonly #money: Money;
  readonly #call: RequestContext;
  readonly #terms: Terms;

  constructor(money: Money, call: RequestContext, terms: Terms) {
    this.#money = money;
    this.#call = call;
    this.#terms = terms;
    money.open.add(call.id);
  }

  get outputLimit(): number | null {
    return this.#terms.outputLimit;
  }

  async post({ metered: used, isEstimated }: Measured, outcome: string): Promise<void> {
    const { accountId, price, factor, held, outputLimit } = this.#terms;
    const cost = costOf(price.prices, used, factor);
    const metered = outputLimit === null ? used : { ...used, outputLimit };
    const attempts = attemptsToKeep(this.#call);
    const posting: Posting = {
      requestId: this.#call.id,
      accountId,
      cost,
      metered,
      isEstimated,
      outcome,
      at: this.#money.now(),
      attempts,
      key: this.#call.once?.claim.key,
      keep: this.#call.once?.toKeep(),
    };
    const result = await this.#post(posting).finally(() => this.#money.open.delete(this.#call.id));
    if (result) reportSettled(posting, result, this.#money.log);
    if (result?.kind === 'settled') this.#call.once?.noteKept(posting.keep);
    const charged = result?.kind === 'settled' ? result.charged : lesser(cost, held);
    // What was settled before isn't charged now.
    const isNew = result?.kind === 'settled' || result === null;
    const { outcome: known } = this.#call;
    // A call that belongs to no session repeats nothing that a cache could have.
    const missed = known.session === null ? null : missedOf(price.prices, metered, factor);
    known.charged(charged, isNew ? { at: posting.at, charged, metered, missed } : null);
  }

  async release(outcome: string): Promise<void> {
    const { id } = this.#call;
    await this.#money.giveBack({ requestId: id, at: this.#money.now(), outcome, attempts: attemptsToKeep(this.#call) });
    this.#money.open.delete(id);
  }

  /** Posts the charge. Null if it went to the outbox, which posts it later and doesn't keep the response. */
  async #post(posting: Posting): Promise<SettleResult | null> {
    const { ledger, outbox, log, waitMs } = this.#money;
    const posted = ledger.post(posting);
    try {
      return await within(posted, waitMs);
    } catch (cause) {
      // The timed-out charge may still be posted. Then the copy in the outbox finds it and changes nothing.
      log.error({ id: posting.requestId, err: cause }, 'ledger unavailable; charge written to the outbox');
      return await outbox.append({ ...posting, keep: undefined }).then(
        () => null,
        (full: unknown) => this.#abandonCharge(posting, posted, full),
      );
    }
  }

  /** The outbox didn't take the charge: the hold is voided, and the request fails. But a timed-out charge may be posted before that, and then it counts. */
  async #abandonCharge({ requestId, cost, at }: Posting, posted: Promise<SettleResult>, cause: unknown): Promise<SettleResult> {
    const { giveBack, log, waitMs } = this.#money;
    const voided = await giveBack({ requestId, at, outcome: 'unsettled' });
    if (voided?.kind === 'earlier' && voided.state === 'posted') return await within(posted, waitMs).catch(storeFailed);
    const found = voided ? 'charge not stored; giving up' : 'charge not stored; the ledger may still post it';
    log.error({ id: requestId, cost: formatDollars(cost), err: cause }, found);
    return storeFailed(cause);
  }
}

/** The attempts for the receipt; undefined for a single successful one in the protocol of the caller, which is the usual case and adds nothing to the charge. */
const attemptsToKeep = ({ outcome: { attempts } }: RequestContext): Posting['attempts'] =>
  attempts.length > 1 || (attempts[0] !== undefined && (attempts[0].code !== null || attempts[0].protocol !== undefined))
    ? attempts.map(({ said: _, ...attempt }) => attempt)
    : undefined;

const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other);
