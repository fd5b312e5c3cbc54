/** Handler for GET /catalog: every model with prices, bounds, and abilities, without a key. */

import type { CatalogList, CatalogModel } from '../../../contract/catalog.ts';
import { type JsonText, writeJson } from '../../call/forwarded-response.ts';
import type { Model } from '../../config/config.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { formatDollars, parseMultiplier } from '../../money/dollars.ts';
import { type PriceView, STANDARD_PRICE_LIST } from '../../money/price-book.ts';
import { GatewayError, type OperationError, toPrintable } from '../../primitives/errors.ts';
import type { Handlers } from '../http/ts-rest.ts';
import { getAbilities, toTokenLimits } from './abilities.ts';
import { writeCatalogPrices } from './catalog-prices.ts';

/** Caches the catalog by group, because it may be long and is public. Written again only if the configuration or a price changes. */
interface CachedTexts {
  readonly config: Gateway['config'];
  readonly prices: PriceView | undefined;
  readonly texts: Map<string | undefined, JsonText<CatalogList>>;
}

export function createCatalogHandlers(gateway: Gateway): Handlers<'getCatalog'> {
  let cache: CachedTexts | null = null;
  const getCachedTexts = (): CachedTexts['texts'] => {
    const { config, money } = gateway;
    const prices = money?.prices.now;
    if (cache?.config !== config || cache.prices !== prices) cache = { config, prices, texts: new Map() };
    return cache.texts;
  };
  const getCatalogText = (group: string | undefined): JsonText<CatalogList> => {
    const texts = getCachedTexts();
    const text = texts.get(group) ?? writeJson<CatalogList>(writeCatalog(gateway, group));
    texts.set(group, text);
    return text;
  };
  return {
    async getCatalog({ reply, query: { group }, okJson }) {
      if (group !== undefined) checkGroup(gateway, group);
      reply.header('cache-control', 'public, max-age=60');
      return okJson(reply, getCatalogText(group));
    },
  };
}

/** Rejects unknown groups before the cache stores anything under their names. */
function checkGroup({ config }: Gateway, group: string): void {
  if (Object.hasOwn(config.groups, group)) return;
  throw createUnknownGroupError(`Group '${toPrintable(group)}' not found. Available groups: ${Object.keys(config.groups).join(', ')}.`);
}

const createUnknownGroupError = (message: string): OperationError<'getCatalog', 400> =>
  new GatewayError('invalid_value', { param: 'group', message });

function writeCatalog(gateway: Gateway, group: string | undefined): CatalogList {
  const models = gateway.catalog.list().filter(({ groups }) => group === undefined || groups.includes(group));
  return { object: 'list', data: models.map((model) => writeCatalogModel(gateway, model)) };
}

export function writeCatalogModel({ config, money }: Gateway, model: Model): CatalogModel {
  const version = money?.prices.find(STANDARD_PRICE_LIST, model.id);
  return {
    id: model.id,
    object: 'model',
    owned_by: model.ownedBy,
    kind: model.kind,
    groups: model.groups.map((name) => ({ name, multiplier: formatMultiplier(config.groups[name]?.multiplier ?? '1') })),
    prices: version ? writeCatalogPrices(version.prices) : null,
    ...toTokenLimits(model),
    protocols: model.kind === 'image' ? ['images'] : ['chat', 'responses'],
    abilities: getAbilities(model),
  };
}

export const formatMultiplier = (multiplier: string): string => formatDollars(BigInt(parseMultiplier(multiplier)));
