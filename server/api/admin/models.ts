/** Admin API handlers for configured models, their prices, and their usage. */

import { PAGE_LENGTH } from '../../../contract/admin/fields.ts';
import type { AdminContract } from '../../../contract/admin/index.ts';
import type { ConfiguredModel, modelRoutes } from '../../../contract/admin/models.ts';
import type { PriceVersion } from '../../../contract/admin/rules.ts';
import type { Model } from '../../config/config.ts';
import { formatDollars } from '../../money/dollars.ts';
import { getLastDaysStart } from '../../money/period.ts';
import { listPriceVersions } from '../../money/price-book.ts';
import { type ModelUse, readModelUse } from '../../records/model-use.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { writeProviderSums } from './activity.ts';
import { createInvalidValueError } from './errors.ts';
import { type Operations, requireLedger } from './operations.ts';
import { writeAll, writePage } from './page.ts';
import { listCurrentPrices, writePrice, writePrices } from './prices.ts';
import { writeTime } from './times.ts';

const USAGE_DAYS = 30;

export function createModelHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof modelRoutes> {
  return {
    async listModels({ ok }) {
      const { activity, config, ledger, now } = operations;
      const prices = ledger ? await listCurrentPrices(operations) : [];
      const useByModel = await readModelUse(activity.ask, getLastDaysStart(USAGE_DAYS, now()));
      const data = config.models.map((model) => writeModel(model, prices, useByModel.get(model.id)));
      return ok(writeAll(data, ({ id }) => id));
    },

    async listPriceVersions({ query, ok }) {
      requireLedger(operations);
      const { limit = PAGE_LENGTH, after, model, price_list: priceList } = query;
      const before = readVersion(after);
      const versions = await listPriceVersions(operations.activity.ask, { model, priceList, before, limit: limit + 1 });
      const page = writePage(versions, limit, ({ version }) => String(version));
      return ok({ ...page, data: page.data.map(writePrice) });
    },
  };
}

function readVersion(after: string | undefined): number | undefined {
  if (after === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(after)) return Number(after);
  throw createInvalidValueError('after', "'after' must be the number of a version in this list.");
}

function writeModel({ id, kind, groups, candidates }: Model, prices: readonly PriceVersion[], use: ModelUse | undefined): ConfiguredModel {
  return {
    id,
    object: 'configured_model',
    kind,
    groups: [...groups],
    candidates: candidates.map(({ upstream, upstreamModel, protocols, priority, weight, cost }) => ({
      upstream,
      upstream_model: upstreamModel,
      protocols: [...protocols],
      priority,
      weight,
      cost: cost === undefined ? null : writePrices(cost),
    })),
    prices: prices.filter(({ model }) => model === id),
    requests_30d: use?.requests ?? 0,
    charged_30d: formatDollars(use?.charged ?? 0n),
    provider_30d: writeProviderSums(use?.provider ?? { requests: 0, cost: 0n, charged: 0n }),
    last_used_at: use ? writeTime(use.lastHour) : null,
  };
}
