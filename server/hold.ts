/** The money of one call: its highest possible cost is held, what it cost is posted, once, to the ledger or to the spool (promises G1 to G4). */
import type { Principal } from './access/principal.ts';
import type { Call } from './call.ts';
import { GatewayError } from './errors.ts';
import { type Bounds, costOf, holdFor } from './ledger/charge.ts';
import { formatDollars, parseMultiplier } from './ledger/money.ts';
import { type PricedVersion, STANDARD } from './ledger/price-book.ts';
import type { HoldResult, Posting, SettleResult } from './ledger/store.ts';
import type { Measured } from './meter.ts';
import type { Money } from './money.ts';

export interface HoldRequest {
  readonly model: string;
  readonly operation: string;
  readonly bounds: Bounds;
  readonly principal: Principal;
  /** Of the group, as it is written. */
  readonly multiplier: string;
}

export interface Hold {
  /** On disk when it resolves. Rejects with `overloaded` where neither the store nor the spool could take it. */
  post(measured: Measured, outcome: string): Promise<void>;
  /** Gives it all back. */
  release(outcome: string): Promise<void>;
}

/** Throws 403 where the cap, the subscription or the balance does not reach. */
export async function openHold(money: Money, call: Call, { model, operation, bounds, principal, multiplier }: HoldRequest): Promise<Hold> {
  const { ledger, now } = money;
  const { accountId, keyId, cap, capOwner } = principal;
  const subscription = await ledger.activeSubscription(accountId, now()).catch(storeFailed);
  const price = money.prices.find(subscription?.priceList ?? STANDARD, model);
  if (!price)
    throw new GatewayError('permission_denied', { param: 'model', message: `'${model}' has no price yet, so it cannot be called.` });
  const factor = parseMultiplier(multiplier);
  const order = {
    ...{ requestId: call.id, accountId, keyId, cap: cap && { ...cap, owner: capOwner }, model, operation, node: money.node, at: now() },
    ...{ priceVersion: price.version, multiplier: factor, amount: holdFor(price.prices, bounds, factor) },
  };
  const held = await ledger.reserve(order).catch(storeFailed);
  if (held.kind === 'refused') throw refusal(held, order.amount);
  return new OpenHold(money, call, { price, factor });
}

/** A good caller must not be told to pay because the store is down. */
function storeFailed(cause: unknown): never {
  throw new GatewayError('overloaded', { headers: { 'retry-after': '1' }, cause });
}

function refusal({ by, available }: Extract<HoldResult, { kind: 'refused' }>, amount: bigint): GatewayError {
  const sum = `This request may cost up to ${formatDollars(amount)} dollars, and ${formatDollars(available)} are free`;
  switch (by) {
    case 'cap':
      return new GatewayError('insufficient_balance', { message: `The spending cap of this key is too low. ${sum} under it.` });
    case 'subscription':
      return new GatewayError('subscription_inactive', { message: `The subscription of the account does not reach. ${sum} in it.` });
    case 'balance':
      return new GatewayError('insufficient_balance', {
        message: `The balance of the account is too low. ${sum}. Top it up, or ask for less output.`,
      });
    case 'duplicate':
      return new GatewayError('internal_error', { cause: new Error('a request id came twice') });
  }
}

class OpenHold implements Hold {
  readonly #money: Money;
  readonly #call: Call;
  readonly #price: PricedVersion;
  readonly #factor: number;

  constructor(money: Money, call: Call, { price, factor }: { readonly price: PricedVersion; readonly factor: number }) {
    this.#money = money;
    this.#call = call;
    this.#price = price;
    this.#factor = factor;
  }

  async post({ metered, isEstimated }: Measured, outcome: string): Promise<void> {
    const { now, log } = this.#money;
    const cost = costOf(this.#price.prices, metered, this.#factor);
    const posting: Posting = { requestId: this.#call.id, cost, metered, isEstimated, outcome, at: now() };
    const result = await this.#keep(posting);
    this.#call.cost = result?.kind === 'settled' ? result.charged : cost;
    if (result?.kind === 'settled' && result.overrun > 0n)
      log.warn({ id: this.#call.id, overrun: formatDollars(result.overrun) }, 'the upstream used more than was held');
    if (result?.kind === 'earlier') log.error({ id: this.#call.id, state: result.state }, 'settled a second time');
  }

  async release(outcome: string): Promise<void> {
    const { ledger, spool, now, log } = this.#money;
    const release = { requestId: this.#call.id, at: now(), outcome };
    await ledger.void(release.requestId, release.at, outcome).catch(async (cause: unknown) => {
      log.error({ id: this.#call.id, err: cause }, 'the ledger is down; the release goes to the spool');
      // If that fails too, the hold ends as an orphan of this process.
      await spool.append({ kind: 'void', ...release }).catch(() => {});
    });
  }

  /** Null: it is in the spool, and will be posted when the store is back. */
  async #keep(posting: Posting): Promise<SettleResult | null> {
    const { ledger, spool, log } = this.#money;
    try {
      return await ledger.post(posting);
    } catch (cause) {
      log.error({ id: posting.requestId, err: cause }, 'the ledger is down; the charge goes to the spool');
      await spool.append({ kind: 'post', posting }).catch(storeFailed);
      return null;
    }
  }
}
