/** Compares the configured prices and limits of models with the public ones, and finds models that are sold below list price. */
import type { Config } from './config.ts';
import { findProvider, findPublicModel, type PublicModel, type PublicModels } from './public-models.ts';
import type { Prices } from './schema-models.ts';

type Model = Config['models'][number];

type Candidate = Model['candidates'][number];

/** Yields a sentence for each model and upstream that differ from the catalog. */
export function* findModelDifferences(config: Config, catalog: PublicModels): Generator<string> {
  for (const { model, candidate, known } of listKnownCandidates(config, catalog)) {
    const differences = [...findPriceDifferences(model, candidate, known), ...findBoundDifferences(model, known)];
    if (known.isRetired) differences.push('its provider has retired it or announced its retirement');
    if (differences.length > 0) yield `${model.id} at ${candidate.upstream}: ${differences.join('; ')}.`;
  }
}

/** Returns the IDs of the models that cost callers less than a list price of their providers. */
export function listModelsBelowListPrice(config: Config, catalog: PublicModels): readonly string[] {
  const underpricedModels = [...listKnownCandidates(config, catalog)].filter(({ model, known }) => {
    const ownRates = findRates(model.prices);
    return comparedRates.some((name) => Number(ownRates?.[name] ?? Number.POSITIVE_INFINITY) < Number(known.prices?.[name] ?? 0));
  });
  return [...new Set(underpricedModels.map(({ model }) => model.id))];
}

function* listKnownCandidates(
  { models, upstreams }: Config,
  catalog: PublicModels,
): Generator<{ model: Model; candidate: Candidate; known: PublicModel }> {
  for (const model of models) {
    for (const candidate of model.candidates) {
      const upstream = upstreams[candidate.upstream];
      const provider = upstream && findProvider(upstream, catalog);
      const known = provider && findPublicModel(provider, candidate.upstreamModel, catalog);
      if (known) yield { model, candidate, known };
    }
  }
}

const comparedRates = ['input', 'cachedInput', 'cacheWrite', 'output'] as const;

/** Compares the list prices with `cost` if it's set, otherwise with `prices`. */
function* findPriceDifferences({ prices }: Model, { cost }: Candidate, { prices: listPrices }: PublicModel): Generator<string> {
  const ownRates = findRates(cost ?? prices);
  if (ownRates === undefined || listPrices === undefined) return;
  const field = cost === undefined ? 'prices' : 'cost';
  for (const name of comparedRates) {
    const [ownRate, listRate] = [ownRates[name], listPrices[name]];
    if (ownRate !== undefined && listRate !== undefined && Number(ownRate) !== Number(listRate))
      yield `${field}.${name} is ${ownRate}, but the list price is ${listRate}`;
  }
  const [threshold] = Object.keys(listPrices.longContext ?? {});
  if (threshold !== undefined && ownRates.longContext === undefined)
    yield `${field}.longContext is missing, but the list prices are higher above ${threshold} input tokens`;
}

/** Returns token prices. Free models and image prices aren't compared, because the list has neither. */
const findRates = (prices: Prices | undefined) => (prices === undefined || prices === 'free' || 'images' in prices ? undefined : prices);

function* findBoundDifferences(model: Model, known: PublicModel): Generator<string> {
  for (const name of ['maxOutputTokens', 'contextWindow'] as const) {
    const [ownBound, listBound] = [model[name], known[name]];
    if (ownBound !== undefined && listBound !== undefined && ownBound > listBound)
      yield `${name} is ${ownBound}, but the model's maximum is ${listBound}`;
  }
}
