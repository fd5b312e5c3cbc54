/** The money of one request: holds its highest possible cost, then posts its charge exactly once, to the ledger or to the outbox (promises G1 to G4). */

import type { Principal } from '../access/principal.ts';
import { type CallName, GatewayError, type OperationError, throwStoreDown, toPrintable } from '../primitives/errors.ts';
import type { AttemptRecord } from '../providers/attempt-record.ts';
import { withStoreTimeout } from '../store/errors.ts';
import { computeCacheMissCost, computeCost } from './cost.ts';
import { formatDollars, parseMultiplier } from './dollars.ts';
import { findPrice } from './find-price.ts';
import { canPrice, computeHoldRange, computeOutputLimit, findUnpricedOption, type PricedOption, type UsageBounds } from './hold-range.ts';
import { addImageTokens, type MeasuredUsage } from './measured-usage.ts';
import type { Money } from './money.ts';
import { getNextPeriodStart } from './period.ts';
import type { PricedVersion } from './price-book.ts';
import { logSettlement } from './recovery.ts';
import { describeCap, type OwnedCap } from './spending-cap.ts';
import type { HoldOrder, HoldResult, MeteredUsage, Posting, SettleResult } from './store.ts';

export interface HoldRequest {
  readonly requestId: string;
  /** The idempotency key that is claimed with the hold. */
  readonly claim?: HoldOrder['claim'];
  readonly model: string;
  readonly operation: string;
  readonly bounds: UsageBounds;
  readonly principal: Principal;
  /** The group's price multiplier, as decimal text. */
  readonly multiplier: string;
}

export interface Hold {
  /** The output tokens that the hold covers, if fewer than the model can produce. Null if no limit needs to be set. */
  readonly outputLimit: number | null;
  /** Posts the charge, which is on disk when this resolves. Rejects with `overloaded` if neither the store nor the outbox can store it. */
  settle(settlement: Settlement): Promise<Settled>;
  /** Releases the full hold. */
  release(end: CallEnd): Promise<void>;
}

/** How a call ended, for its receipt. */
export interface CallEnd {
  readonly outcome: string;
  readonly attempts: readonly AttemptRecord[];
}

export interface Settlement extends CallEnd {
  readonly measured: MeasuredUsage;
  /** Whether the call belongs to a session, so that a cache could have its input. */
  readonly isInSession: boolean;
  /** The response to store with the charge, for its idempotency key. */
  readonly response?: Posting['keep'];
}

/** What a call was charged. */
export interface Settled {
  /** In micro-dollars. */
  readonly cost: bigint;
  /** The charge that the ledger received, or will receive from the outbox. Null if the call had been charged before. */
  readonly charge: PostedCharge | null;
  /** Whether the response was stored with the charge. */
  readonly isResponseStored: boolean;
}

export interface PostedCharge {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** In micro-dollars. */
  readonly charged: bigint;
  readonly metered: MeteredUsage;
  /** In micro-dollars; see `computeCacheMissCost`. Null for a call without a session, which repeats no earlier input. */
  readonly missed: bigint | null;
}

/**
 * Holds the maximum cost. Throws 403 if the cap, subscription, or balance is too low, or the model has no price. Throws 400 for a tool or
 * tier without a price.
 */
export async function openHold(money: Money, request: HoldRequest): Promise<Hold> {
  const pricedOrder = await createHoldOrder(money, request);
  const terms = toHoldTerms(pricedOrder, request, await reserveHold(money, pricedOrder.order));
  return new ActiveHold(money, terms);
}

/** Returns what `openHold` would hold, without holding it. Throws like `openHold`. */
export async function estimateHold(money: Money, request: HoldRequest): Promise<HoldEstimate> {
  // No request has an empty ID, so the store can't find a hold of an earlier attempt.
  const ordered = await createHoldOrder(money, { ...request, requestId: '' });
  const { held, outputLimit } = toHoldTerms(ordered, request, await money.ledger.dryRunHold(ordered.order).catch(throwStoreDown));
  return { most: held, outputLimit };
}

export interface HoldEstimate {
  /** The maximum cost of the call, in micro-dollars. */
  readonly most: bigint;
  readonly outputLimit: number | null;
}

interface PricedOrder {
  readonly price: PricedVersion;
  readonly order: HoldOrder & { readonly least: bigint };
}

async function createHoldOrder(
  money: Money,
  { requestId, model, operation, bounds, principal, multiplier, claim }: HoldRequest,
): Promise<PricedOrder> {
  const { accountId, keyId, caps } = principal;
  const price = await findPrice(money, accountId, model);
  if (!price) throw createNotPricedError(model);
  if (!canPrice(price.prices, bounds)) throw createPriceUnitError(price);
  const unpricedOption = findUnpricedOption(price.prices, bounds.extras);
  if (unpricedOption) throw createMissingPriceError(unpricedOption, model);
  const factor = parseMultiplier(multiplier);
  const { amount, least } = computeHoldRange(price.prices, bounds, factor);
  const order = {
    requestId,
    claim,
    accountId,
    keyId,
    caps,
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

/** Throws 403 if the ledger rejected the hold. */
function toHoldTerms({ price, order }: PricedOrder, { bounds }: HoldRequest, result: HoldResult): HoldTerms {
  const { requestId, claim, accountId, amount, multiplier: factor } = order;
  if (result.kind === 'rejected') throw createHoldError(result, order);
  const { granted } = result;
  const outputLimit = granted === undefined ? null : computeOutputLimit(price.prices, bounds, { amount: granted, multiplier: factor });
  return { requestId, key: claim?.key, accountId, price, factor, held: granted ?? amount, outputLimit };
}

const createNotPricedError = (model: string): OperationError<CallName, 403> =>
  new GatewayError('permission_denied', {
    param: 'model',
    message: `'${model}' can't be called because it has no price. Ask your gateway administrator to set one.`,
  });

/** Reserves the money. If the store is too slow or fails, rejects the request and releases any hold that was still made. */
async function reserveHold(money: Money, order: HoldOrder): Promise<HoldResult> {
  const { requestId } = order;
  const releaseHold = () => money.voidHold({ requestId, at: money.now(), outcome: 'rejected' });
  const reservation = money.ledger.reserve(order);
  try {
    return await withStoreTimeout(reservation, money.waitMs);
  } catch (cause) {
    void reservation.then((late) => (late.kind === 'held' ? releaseHold() : undefined), releaseHold);
    return throwStoreDown(cause);
  }
}

/** The stored price list uses a different unit than the request. Configured prices can't, because they're validated against the model. */
function createPriceUnitError({ priceList, model }: PricedVersion): OperationError<CallName, 403> {
  const message = `'${model}' is priced per image in price list '${priceList}', but this call produces tokens. Ask your gateway administrator to fix the price.`;
  return new GatewayError('permission_denied', { param: 'model', message });
}

/** Rejects a tool or service tier without a price, because the provider would bill it and the gateway couldn't charge it. */
function createMissingPriceError({ kind, name, path }: PricedOption, model: string): OperationError<CallName, 400> {
  const subject = kind === 'tier' ? `Service tier '${name}'` : `The tool at '${path}', priced as '${name}',`;
  const remedy = kind === 'tier' ? "Send 'default' or omit it." : 'Omit it or ask your gateway administrator to set a price.';
  return new GatewayError('unsupported_value', { param: path, message: `${subject} has no price for '${toPrintable(model)}'. ${remedy}` });
}

/** Another request with this idempotency key is in flight. */
export const createKeyInUseError = (): OperationError<CallName, 409> =>
  new GatewayError('idempotency_conflict', { headers: { 'retry-after': '1' } });

type HoldRejection = Extract<HoldResult, { kind: 'rejected' }>;

function createHoldError(rejection: HoldRejection, order: PricedOrder['order']): OperationError<CallName, 403 | 409 | 500> {
  const shortfall = `This request can cost up to $${formatDollars(order.least)}, but only $${formatDollars(rejection.available)} is available`;
  switch (rejection.by) {
    case 'cap':
      return new GatewayError('insufficient_balance', {
        message: `${describeCap(rejection.cap)} is too low. ${shortfall} under it.${formatReset(rejection.cap, order)}`,
      });
    case 'subscription':
      return new GatewayError('subscription_inactive', {
        message: `The account's subscription doesn't cover this request. ${shortfall} in it.`,
      });
    case 'balance':
      return new GatewayError('insufficient_balance', {
        message: `The account's balance is too low. ${shortfall}. Top up the account or request less output.`,
      });
    case 'key':
      return createKeyInUseError();
    case 'duplicate':
      return new GatewayError('internal_error', { cause: new Error('two requests have the same ID') });
  }
}

function formatReset({ period }: OwnedCap, { at }: Pick<HoldOrder, 'at'>): string {
  const start = getNextPeriodStart(period, at);
  return start === null ? '' : ` It resets at ${new Date(start).toISOString()}.`;
}

interface HoldTerms {
  readonly requestId: string;
  /** The idempotency key. */
  readonly key: string | undefined;
  readonly accountId: string;
  readonly price: PricedVersion;
  readonly factor: number;
  readonly held: bigint;
  readonly outputLimit: number | null;
}

class ActiveHold implements Hold {
  readonly #money: Money;
  readonly #terms: HoldTerms;

  constructor(money: Money, terms: HoldTerms) {
    this.#money = money;
    this.#terms = terms;
    money.open.add(terms.requestId);
  }

  get outputLimit(): number | null {
    return this.#terms.outputLimit;
  }

  async settle({ measured, outcome, attempts, isInSession, response }: Settlement): Promise<Settled> {
    const { requestId, key, accountId, price, factor, held, outputLimit } = this.#terms;
    const { metered: usage, isEstimated } = price.prices.kind === 'tokens' ? addImageTokens(measured) : measured;
    const cost = computeCost(price.prices, usage, factor);
    const metered = outputLimit === null ? usage : { ...usage, outputLimit };
    const at = this.#money.now();
    const toStore = getAttemptsToStore(attempts);
    const posting: Posting = { requestId, accountId, cost, metered, isEstimated, outcome, at, attempts: toStore, key, keep: response };
    const result = await this.#post(posting).finally(() => this.#money.open.delete(requestId));
    if (result) logSettlement(posting, result, this.#money.log);
    const isNew = result === null || result.kind === 'settled';
    const charged = result?.kind === 'settled' ? result.charged : getMinimum(cost, held);
    const cacheMissCost = isInSession ? computeCacheMissCost(price.prices, metered, factor) : null;
    return {
      cost: charged,
      charge: isNew ? { at, charged, metered, missed: cacheMissCost } : null,
      isResponseStored: result?.kind === 'settled' && response !== undefined,
    };
  }

  async release({ outcome, attempts }: CallEnd): Promise<void> {
    const { requestId } = this.#terms;
    await this.#money.voidHold({ requestId, at: this.#money.now(), outcome, attempts: getAttemptsToStore(attempts) });
    this.#money.open.delete(requestId);
  }

  /** Posts the charge. Null if it went to the outbox, which posts it later and doesn't keep the response. */
  async #post(posting: Posting): Promise<SettleResult | null> {
    const { ledger, outbox, log, waitMs } = this.#money;
    const settlement = ledger.post(posting);
    try {
      return await withStoreTimeout(settlement, waitMs);
    } catch (cause) {
      // The timed-out charge may still be posted. Then the copy in the outbox finds it and changes nothing.
      log.error({ id: posting.requestId, err: cause }, 'ledger unavailable; charge written to the outbox');
      return await outbox.append({ ...posting, keep: undefined }).then(
        () => null,
        (full: unknown) => this.#abandonCharge(posting, settlement, full),
      );
    }
  }

  /**
   * The outbox couldn't store the charge, so the hold is voided and the request fails. A timed-out charge that is posted before that
   * still counts.
   */
  async #abandonCharge({ requestId, cost, at }: Posting, settlement: Promise<SettleResult>, cause: unknown): Promise<SettleResult> {
    const { voidHold, log, waitMs } = this.#money;
    const voidResult = await voidHold({ requestId, at, outcome: 'unsettled' });
    if (voidResult?.kind === 'earlier' && voidResult.state === 'posted')
      return await withStoreTimeout(settlement, waitMs).catch(throwStoreDown);
    const message = voidResult ? 'charge not stored; giving up' : 'charge not stored; the ledger may still post it';
    log.error({ id: requestId, cost: formatDollars(cost), err: cause }, message);
    return throwStoreDown(cause);
  }
}

/**
 * Returns the attempts for the receipt. Undefined for a single successful attempt in the caller's protocol, which is the usual case and
 * adds nothing to the charge.
 */
const getAttemptsToStore = (attempts: readonly AttemptRecord[]): Posting['attempts'] =>
  attempts.length > 1 || (attempts[0] !== undefined && (attempts[0].code !== null || attempts[0].protocol !== undefined))
    ? attempts.map(({ providerError: _, ...attempt }) => attempt)
    : undefined;

const getMinimum = (one: bigint, other: bigint): bigint => (one < other ? one : other);
