/** Portal handler for models: which of them a key can call, and why it can't call the others. */

import type { PortalContract } from '../../../contract/portal/index.ts';
import type { ModelMeasures, PortalModel } from '../../../contract/portal/reads.ts';
import { findDenial } from '../../access/permissions.ts';
import type { KeyRecord } from '../../access/store.ts';
import type { Model } from '../../config/config.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { STANDARD_PRICE_LIST } from '../../money/price-book.ts';
import { applyMultiplier, type Prices } from '../../money/prices.ts';
import { describeCap } from '../../money/spending-cap.ts';
import { throwStoreDown } from '../../primitives/errors.ts';
import { queryActivity } from '../admin/activity.ts';
import { denialMessages, toPrincipalWithoutAddresses } from '../admin/evaluate-call.ts';
import { type Funds, fetchFunds } from '../admin/funds.ts';
import { isCoolingDown } from '../admin/node-report.ts';
import { listFailingModels } from '../admin/outages.ts';
import { writeTime } from '../admin/times.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { formatMultiplier, writeCatalogModel } from '../v1/catalog.ts';
import { writeCatalogPrices } from '../v1/catalog-prices.ts';
import { getPortalUser } from './portal-user.ts';

export function createModelHandlers(gateway: Gateway): ContractHandlers<PortalContract, 'listModels'> {
  return {
    async listModels({ request, ok }) {
      const { key } = getPortalUser(request);
      const { money } = gateway;
      const funds = money ? await fetchFunds(money.ledger, key, Date.now()).catch(throwStoreDown) : null;
      const measures = await readMeasures(gateway).catch(throwStoreDown);
      const models = gateway.catalog.list();
      const failing = new Set(listFailingModels(models, gateway.health.getStates().filter(isCoolingDown)));
      const write = (model: Model): PortalModel => ({
        ...writePortalModel(gateway, model, { key, funds }),
        failing: failing.has(model),
        measures: measures.get(model.id) ?? null,
      });
      return ok({ object: 'list', data: models.map(write) });
    },
  };
}

const WEEK_MS = 7 * 86_400_000;
/** Fewer calls would reveal another account's calls. */
const MIN_MEASURED_CALLS = 20;
/** Maximum number of series in a query. */
const MAX_MEASURED_MODELS = 100;

/** Returns latency and success rates over all accounts, for models with enough calls. */
async function readMeasures({ activity }: Gateway): Promise<ReadonlyMap<string, ModelMeasures>> {
  const query = { group_by: 'model', bucket: 'day', from: writeTime(Date.now() - WEEK_MS), top: MAX_MEASURED_MODELS } as const;
  const { series } = await queryActivity({ activity, ledger: null, now: Date.now }, query);
  return new Map(
    series.flatMap(({ key, total: { requests, rejected, errors, first_ms, total_ms } }) => {
      const calls = requests - rejected;
      if (key === null || calls < MIN_MEASURED_CALLS) return [];
      const success = Math.round((1 - errors / calls) * 1_000) / 1_000;
      return [[key, { first_ms: first_ms?.p50 ?? null, total_ms: total_ms?.p50 ?? null, success }] as const];
    }),
  );
}

interface KeyWithFunds {
  readonly key: KeyRecord;
  /** Null if billing is off. */
  readonly funds: Funds | null;
}

function writePortalModel(gateway: Gateway, model: Model, { key, funds }: KeyWithFunds): Omit<PortalModel, 'failing' | 'measures'> {
  const { groups: _, ...catalogModel } = writeCatalogModel(gateway, model);
  const priceList = funds?.subscription && !funds.subscription.isOver ? funds.subscription.record.priceList : STANDARD_PRICE_LIST;
  const prices = gateway.money?.prices.find(priceList, model.id)?.prices;
  const multiplier = gateway.config.groups[key.account.group]?.multiplier ?? '1';
  const rejection = findRejection(model, prices, { key, funds });
  return {
    ...catalogModel,
    prices: prices ? writeCatalogPrices(prices) : null,
    multiplier: formatMultiplier(multiplier),
    effective: prices ? writeCatalogPrices(applyMultiplier(prices, multiplier)) : null,
    callable: rejection === null,
    rule: rejection?.rule ?? null,
    reason: rejection?.reason ?? null,
  };
}

interface ModelRejection {
  readonly rule: string;
  readonly reason: string;
}

/** Checks in the order of a call: permissions, price, cap, plan, balance (docs/lifecycle.md). Omits rate limits, which reset within a minute. */
function findRejection(model: Model, prices: Prices | undefined, { key, funds }: KeyWithFunds): ModelRejection | null {
  const denial = findDenial(toPrincipalWithoutAddresses(key), model);
  if (denial !== null) return { rule: denial === 'model' ? 'models' : denial, reason: denialMessages[denial] };
  if (!funds) return null;
  if (!prices || (prices.kind === 'images' && model.kind !== 'image'))
    return { rule: 'no_price', reason: "The model has no price, so it can't be called." };
  return prices.kind === 'free' ? null : findFundsRejection(funds);
}

function findFundsRejection({ caps, subscription, balance }: Funds): ModelRejection | null {
  const usedCap = caps.find(({ left }) => left <= 0n);
  if (usedCap) return { rule: 'spending_cap', reason: `${describeCap(usedCap)} is used up.` };
  const isSubscriptionUsedUp = subscription !== null && subscription.left <= 0n;
  if (subscription && !isSubscriptionUsedUp) return null;
  if (subscription && subscription.record.onExhaustion !== 'balance')
    return { rule: 'subscription', reason: "The subscription is used up or has ended, and doesn't fall back to the balance." };
  return balance.balance - balance.held > 0n ? null : { rule: 'balance', reason: 'The balance of the account is used up.' };
}
