/** The catalog as the holder of a key sees it: prices of his group and plan, and the rule where the key may not call a model. */
import type { PortalContract } from '../../contract/portal.ts';
import type { PortalModel } from '../../contract/portal-reads.ts';
import { denialOf } from '../access/permissions.ts';
import type { KeyRecord } from '../access/store.ts';
import { type Funds, readFunds } from '../admin/funds.ts';
import { denials, principalOf } from '../admin/verdict.ts';
import type { Model } from '../config/catalog.ts';
import { storeFailed } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { decimal, writeModel, writePrices } from '../http/routes/catalog.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { parseMultiplier } from '../ledger/money.ts';
import { STANDARD } from '../ledger/price-book.ts';
import type { Prices } from '../ledger/prices.ts';
import { holderOf } from './holder.ts';

export function modelHandlers(gateway: Gateway): HandlersOf<PortalContract, 'listModels'> {
  return {
    async listModels({ request, ok }) {
      const { key } = holderOf(request);
      const { money } = gateway;
      const funds = money ? await readFunds(money.ledger, key, Date.now()).catch(storeFailed) : null;
      return ok({ object: 'list', data: gateway.catalog.list().map((model) => writeFor(gateway, model, { key, funds })) });
    },
  };
}

interface Buyer {
  readonly key: KeyRecord;
  /** Null when billing is off. */
  readonly funds: Funds | null;
}

function writeFor(gateway: Gateway, model: Model, { key, funds }: Buyer): PortalModel {
  const { groups: _, ...shown } = writeModel(gateway, model);
  const list = funds?.ruling && !funds.ruling.isOver ? funds.ruling.record.priceList : STANDARD;
  const prices = gateway.money?.prices.find(list, model.id)?.prices;
  const multiplier = gateway.config.groups[key.account.group]?.multiplier ?? '1';
  const refusal = refusalOf(model, prices, { key, funds });
  return {
    ...shown,
    prices: prices ? writePrices(prices) : null,
    multiplier: decimal(multiplier),
    effective: prices ? writePrices(timesMultiplier(prices, BigInt(parseMultiplier(multiplier)))) : null,
    callable: refusal === null,
    rule: refusal?.rule ?? null,
    reason: refusal?.reason ?? null,
  };
}

interface Refusal {
  readonly rule: string;
  readonly reason: string;
}

/** The order of a call: permissions, price, cap, plan, balance (docs/lifecycle.md). Limits of rate pass within a minute and are left out. */
function refusalOf(model: Model, prices: Prices | undefined, { key, funds }: Buyer): Refusal | null {
  const denial = denialOf(principalOf(key), model);
  if (denial !== null) return { rule: denial === 'model' ? 'models' : denial, reason: denials[denial] };
  if (!funds) return null;
  if (!prices || (prices.kind !== 'free' && (prices.kind === 'images') !== (model.kind === 'image')))
    return { rule: 'no_price', reason: 'The model has no price, so it is not for sale.' };
  return prices.kind === 'free' ? null : shortOfMoney(funds);
}

function shortOfMoney({ capLeft, ruling, balance }: Funds): Refusal | null {
  if (capLeft !== null && capLeft <= 0n) return { rule: 'spending_cap', reason: 'The spending cap of the key is used up.' };
  const isPlanSpent = ruling !== null && ruling.left <= 0n;
  if (ruling && !isPlanSpent) return null;
  if (ruling && ruling.record.onExhaustion !== 'balance')
    return { rule: 'subscription', reason: 'The subscription is used up or has ended, and does not continue on the balance.' };
  return balance.balance - balance.held > 0n ? null : { rule: 'balance', reason: 'The balance of the account is used up.' };
}

const MILLION = 1_000_000n;

/** Rounded up, as a charge is. */
function timesMultiplier(prices: Prices, multiplier: bigint): Prices {
  const times = (amount: bigint): bigint => (amount * multiplier + MILLION - 1n) / MILLION;
  const timesEach = (amounts: Readonly<Record<string, bigint>>) =>
    Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, times(amount)]));
  if (prices.kind === 'free') return prices;
  if (prices.kind === 'images') return { ...prices, byKind: timesEach(prices.byKind) };
  const { input, cachedInput, cacheWrite, output, tools } = prices;
  return {
    kind: 'tokens',
    input: times(input),
    cachedInput: times(cachedInput),
    cacheWrite: times(cacheWrite),
    output: times(output),
    tools: timesEach(tools),
  };
}
