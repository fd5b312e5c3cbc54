/** Handlers for GET /v1/models and GET /v1/protocol: the models that a key can call, their prices for it, and what upstreams do with each field. */

import type { CatalogPrices, ModelPricing } from '../../../contract/catalog.ts';
import type { Model as ListedModel } from '../../../contract/models.ts';
import type { ModelProtocol } from '../../../contract/protocol.ts';
import { formatModelNotFound, hasPermission, listCallableModels } from '../../access/permissions.ts';
import type { Principal } from '../../access/principal.ts';
import { listFieldSupport } from '../../call/field-support.ts';
import type { Model } from '../../config/config.ts';
import type { ModelCatalog } from '../../config/model-catalog.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { formatDollars } from '../../money/dollars.ts';
import { STANDARD_PRICE_LIST } from '../../money/price-book.ts';
import { applyMultiplier, readTokenPrices } from '../../money/prices.ts';
import { GatewayError, type OperationError } from '../../primitives/errors.ts';
import { waitForTurn } from '../../primitives/wait-for-turn.ts';
import type { Handlers } from '../http/ts-rest.ts';
import { getAbilities, toTokenLimits } from './abilities.ts';
import { getCall } from './auth-hook.ts';
import { writeCatalogPrices, writeTokenPrices } from './catalog-prices.ts';
import { writeCodexModels } from './codex-models.ts';

export function createModelHandlers(gateway: Gateway): Handlers<'listModels' | 'getModel' | 'getProtocol'> {
  return {
    async listModels({ request, reply, query, ok }) {
      // Read for each request, because a reload may have replaced both.
      const { catalog, config } = gateway;
      const { principal } = getCall(request);
      const models = listCallableModels(principal, catalog);
      const findPrices = await createPriceFinder(gateway, principal);
      reply.header('cache-control', 'private, no-store');
      return ok({
        object: 'list',
        data: models.map((model) => writeListedModel(model, findPrices)),
        // Only Codex sends its version in the query.
        ...(config.codex.models && query.client_version !== undefined && { models: writeCodexModels(models, config.codex) }),
      });
    },
    async getModel({ request, reply, params, ok }) {
      const { principal } = getCall(request);
      const model = listCallableModels(principal, gateway.catalog).find(({ id }) => id === params.model);
      if (!model) throw createModelNotFoundError(formatModelNotFound(params.model, principal, gateway.catalog));
      reply.header('cache-control', 'private, no-store');
      return ok(writeListedModel(model, await createPriceFinder(gateway, principal)));
    },
    async getProtocol({ request, reply, query, ok }) {
      const { catalog } = gateway;
      const { principal } = getCall(request);
      const models = listCallableModels(principal, catalog).filter(({ id }) => query.model === undefined || id === query.model);
      if (query.model !== undefined && models.length === 0)
        throw createModelNotFoundError(formatModelNotFound(query.model, principal, catalog));
      const data: ModelProtocol[] = [];
      for (const model of models) data.push(await writeProtocol(catalog, model, principal));
      reply.header('cache-control', 'private, no-store');
      return ok({ object: 'list', data });
    },
  };
}

/** A model that only other keys can call gets the same error as one that doesn't exist. */
const createModelNotFoundError = (message: string): OperationError<'getModel' | 'getProtocol', 404> =>
  new GatewayError('model_not_found', { param: 'model', message });

/** Merges equal upstreams into one entry, so that callers don't see how many there are. */
async function writeProtocol(catalog: ModelCatalog, model: Model, principal: Principal): Promise<ModelProtocol> {
  const upstreams = new Map<string, ModelProtocol['upstreams'][number]>();
  for (const candidate of catalog.candidates(model)) {
    // The first call for a candidate translates hundreds of sample requests.
    await waitForTurn();
    const operations = listFieldSupport(candidate).filter(({ operation }) => hasPermission(principal, model, operation));
    const entry = { protocols: [...candidate.protocols], operations };
    upstreams.set(JSON.stringify(entry), entry);
  }
  return { id: model.id, object: 'model.protocol', upstreams: [...upstreams.values()] };
}

type FindPrices = (model: Model) => CatalogPrices | null;

/** Returns the current prices for a key. If the ledger is down, returns no prices, because the model list is needed anyway. */
async function createPriceFinder({ money, config }: Gateway, { accountId, group }: Principal): Promise<FindPrices> {
  if (!money) return () => null;
  const subscription = await money.ledger.findActiveSubscription(accountId, money.now()).catch(() => null);
  if (subscription === null) return () => null;
  const priceList = subscription?.priceList ?? STANDARD_PRICE_LIST;
  const multiplier = config.groups[group]?.multiplier ?? '1';
  return ({ id }) => {
    const version = money.prices.find(priceList, id);
    return version ? writeCatalogPrices(applyMultiplier(version.prices, multiplier)) : null;
  };
}

function writeListedModel(model: Model, findPrices: FindPrices): ListedModel {
  const { id, created, ownedBy } = model;
  return {
    id,
    object: 'model',
    created,
    owned_by: ownedBy,
    ...toTokenLimits(model),
    pricing: writePricing(model, findPrices(model)),
    capabilities: getAbilities(model),
  };
}

/** Clients read prices by name, even for a free model. */
function writePricing({ kind }: Model, prices: CatalogPrices | null): ModelPricing | null {
  if (prices !== 'free') return prices;
  const zero = formatDollars(0n);
  return kind === 'image' ? { images: { default: zero } } : writeTokenPrices(readTokenPrices({ input: zero, output: zero }));
}
