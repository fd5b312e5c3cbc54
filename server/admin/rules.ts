/** Groups, prices and limits of the operators' API. */
import type { ruleRoutes } from '../../contract/admin/rules.ts';
import type { AdminContract } from '../../contract/admin.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars, parseDollars } from '../ledger/money.ts';
import { STANDARD } from '../ledger/price-book.ts';
import { auditOf, ledgerOf, type Operations } from './operations.ts';
import { checkPrice, keepConfigured, pricesNow, readPrices, writePrice } from './prices.ts';
import { writeAll, writeLimits } from './values.ts';

/** Six decimal places, as for dollars. */
export const writeMultiplier = (multiplier: string): string => formatDollars(parseDollars(multiplier));

export function ruleHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof ruleRoutes> {
  return {
    async listGroups({ ok }) {
      const { groups, models } = operations.config;
      const data = Object.entries(groups).map(([name, { multiplier, limits }]) => ({
        object: 'group' as const,
        name,
        multiplier: writeMultiplier(multiplier),
        limits: writeLimits(limits),
        models: models.filter((model) => model.groups.includes(name)).map(({ id }) => id),
      }));
      return ok(writeAll(data, ({ name }) => name));
    },

    async listPrices({ ok }) {
      ledgerOf(operations);
      return ok(writeAll(await pricesNow(operations), ({ price_list: list, model }) => `${list}/${model}`));
    },

    async createPrice({ request, body, ok }) {
      const ledger = ledgerOf(operations);
      checkPrice(operations, body);
      const { price_list: priceList = STANDARD, model } = body;
      await keepConfigured(operations, priceList, model);
      const prices = JSON.stringify(readPrices(body.prices));
      const audit = auditOf(operations, request, { action: 'price.set', target: `${priceList}/${model}`, details: body });
      const record = await ledger.addPrice({ priceList, model, source: 'admin', prices, createdAt: audit.at }, audit);
      // The price is stored, so a store that fails now changes nothing. Prices are read again each second anyway.
      await operations.prices?.refresh().catch(() => undefined);
      return ok(writePrice(record));
    },

    async getLimits({ ok }) {
      const { limits, groups, models } = operations.config;
      return ok({
        object: 'limits',
        per_key: writeLimits(limits.perKey),
        per_account: writeLimits(limits.perAccount),
        groups: Object.entries(groups).map(([name, group]) => ({ name, limits: writeLimits(group.limits) })),
        models: models.map((model) => ({ id: model.id, limits: writeLimits(model.limits) })),
      });
    },
  };
}
