/** Models of the configuration and all versions of their prices, in the operators' API. */
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { ConfiguredModel, modelRoutes } from '../../contract/admin/models.ts';
import type { PriceVersion } from '../../contract/admin/rules.ts';
import type { AdminContract } from '../../contract/admin.ts';
import { type ModelUse, readModelUse } from '../activity/model-use.ts';
import type { Model } from '../config/catalog.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars } from '../ledger/money.ts';
import { listVersions } from '../ledger/price-history.ts';
import { writeVendorSums } from './activity.ts';
import { ledgerOf, type Operations } from './operations.ts';
import { pricesNow, writePrice, writePrices } from './prices.ts';
import { invalid, writeAll, writePage, writeTime } from './values.ts';

const USE_MS = 30 * 86_400_000;

export function modelHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof modelRoutes> {
  return {
    async listModels({ ok }) {
      const { activity, config, ledger, now } = operations;
      const prices = ledger ? await pricesNow(operations) : [];
      const used = await readModelUse(activity.ask, now() - USE_MS);
      const data = config.models.map((model) => writeModel(model, prices, used.get(model.id)));
      return ok(writeAll(data, ({ id }) => id));
    },

    async listPriceVersions({ query, ok }) {
      ledgerOf(operations);
      const { limit = PAGE_LENGTH, after, model, price_list: priceList } = query;
      const before = readVersion(after);
      const versions = await listVersions(operations.activity.ask, { model, priceList, before, limit: limit + 1 });
      const page = writePage(versions, limit, ({ version }) => String(version));
      return ok({ ...page, data: page.data.map(writePrice) });
    },
  };
}

function readVersion(after: string | undefined): number | undefined {
  if (after === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(after)) return Number(after);
  throw invalid('after', "'after' must be the number of a version of this list.");
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
    vendor_30d: writeVendorSums(use?.vendor ?? { requests: 0, cost: 0n, charged: 0n }),
    last_used_at: use ? writeTime(use.lastHour) : null,
  };
}
