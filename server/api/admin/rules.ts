/** Admin API handlers for groups, prices, and configured rate limits. */

import type { AdminContract } from '../../../contract/admin/index.ts';
import type { ruleRoutes } from '../../../contract/admin/rules.ts';
import { formatDollars, parseDollars } from '../../money/dollars.ts';
import { STANDARD_PRICE_LIST } from '../../money/price-book.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { writeLimits } from './limit-settings.ts';
import { type Operations, requireLedger, toAuditEntry } from './operations.ts';
import { writeAll } from './page.ts';
import { checkPrice, listCurrentPrices, readPrices, storeConfiguredPrice, writePrice } from './prices.ts';

/** Formats with six decimal places, like dollars. */
export const writeMultiplier = (multiplier: string): string => formatDollars(parseDollars(multiplier));

export function createRuleHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof ruleRoutes> {
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
      requireLedger(operations);
      return ok(writeAll(await listCurrentPrices(operations), ({ price_list: list, model }) => `${list}/${model}`));
    },

    async createPrice({ request, body, ok }) {
      const ledger = requireLedger(operations);
      checkPrice(operations, body);
      const { price_list: priceList = STANDARD_PRICE_LIST, model } = body;
      await storeConfiguredPrice(operations, priceList, model);
      const prices = JSON.stringify(readPrices(body.prices));
      const previousPrice = (await listCurrentPrices(operations)).find((one) => one.price_list === priceList && one.model === model);
      const details = { ...body, before: { prices: previousPrice?.prices ?? null } };
      const audit = toAuditEntry(operations, request, { action: 'price.set', target: `${priceList}/${model}`, details });
      const record = await ledger.addPrice({ priceList, model, source: 'admin', prices, createdAt: audit.at }, audit);
      // The price is stored, so a store failure now has no effect. Prices are reread every second anyway.
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
