/** Where the configuration differs from the catalog of public models: prices, bounds, and models that are retired. */
import type { Config } from '../config.ts';
import type { Prices } from '../prices.ts';
import { findPublicModel, type PublicModel, type PublicModels, vendorOf } from './read.ts';

type Model = Config['models'][number];
type Candidate = Model['candidates'][number];

/** One sentence for each model at each upstream where something differs. */
export function* differencesIn({ models, upstreams }: Config, catalog: PublicModels): Generator<string> {
  for (const model of models) {
    for (const candidate of model.candidates) {
      const upstream = upstreams[candidate.upstream];
      const vendor = upstream && vendorOf(upstream, catalog);
      const known = vendor && findPublicModel(vendor, candidate.upstreamModel, catalog);
      if (!known) continue;
      const said = [...priceDifferences(model, candidate, known), ...boundDifferences(model, known)];
      if (known.isRetired) said.push('its vendor has retired it, or has said when it will');
      if (said.length > 0) yield `${model.id} at ${candidate.upstream}: ${said.join('; ')}.`;
    }
  }
}

/** Of what the vendor bills, where that is written; otherwise of what callers pay. */
function* priceDifferences({ prices }: Model, { cost }: Candidate, { prices: listed }: PublicModel): Generator<string> {
  const own = ratesOf(cost ?? prices);
  if (own === undefined || listed === undefined) return;
  const where = cost === undefined ? 'prices' : 'cost';
  for (const name of ['input', 'cachedInput', 'cacheWrite', 'output'] as const) {
    const [mine, theirs] = [own[name], listed[name]];
    if (mine !== undefined && theirs !== undefined && Number(mine) !== Number(theirs))
      yield `${where}.${name} is ${mine}, listed is ${theirs}`;
  }
}

/** Free models and prices of images are not compared: the list has neither. */
const ratesOf = (prices: Prices | undefined) => (prices === undefined || prices === 'free' || 'images' in prices ? undefined : prices);

function* boundDifferences(model: Model, known: PublicModel): Generator<string> {
  for (const name of ['maxOutputTokens', 'contextWindow'] as const) {
    const [mine, theirs] = [model[name], known[name]];
    if (mine !== undefined && theirs !== undefined && mine > theirs) yield `${name} is ${mine}, the model has at most ${theirs}`;
  }
}
