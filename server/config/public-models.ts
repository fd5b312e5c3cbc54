/** Writes configuration entries for public models, with their prices, limits, and capabilities, as text to paste. */

import { readFileSync } from 'node:fs';
import { Document } from 'yaml';
import type { Config, UpstreamConfig } from './config.ts';
import type { Prices } from './schema-models.ts';

/** A requested model of the catalog, and the configured upstream that serves it, if any. */
export interface Suggestion {
  readonly name: string;
  readonly provider: string;
  readonly upstream?: string;
  readonly model: PublicModel;
}

interface Places {
  /** Configured upstreams, in the order in which they are searched. */
  readonly upstreams: readonly UpstreamConfig[];
  /** A provider of the catalog to search instead of the upstreams. */
  readonly provider?: string | undefined;
}

/** Finds a model by name: first at the configured upstreams, then at any provider of the catalog. */
export function suggestModel(name: string, { upstreams, provider: only }: Places, catalog: PublicModels): Suggestion | undefined {
  const served = upstreams.flatMap((upstream) => {
    const provider = providerOf(upstream, catalog);
    return provider === undefined ? [] : [{ provider, upstream: upstream.name }];
  });
  const others = Object.keys(catalog.providers).map((provider) => ({ provider }));
  for (const place of only === undefined ? [...served, ...others] : [{ provider: only }]) {
    const model = findPublicModel(place.provider, name, catalog);
    if (model) return { name, ...place, model };
  }
  return undefined;
}

/** Returns all models of the upstreams or the provider that aren't retired. */
export function suggestAll({ upstreams, provider: only }: Places, catalog: PublicModels): Suggestion[] {
  const providers = only === undefined ? upstreams.map((upstream) => providerOf(upstream, catalog)) : [only];
  const names = new Set(
    providers.flatMap((provider = '') =>
      Object.entries(catalog.providers[provider]?.models ?? {}).flatMap(([name, { isRetired }]) => (isRetired ? [] : [name])),
    ),
  );
  return [...names].flatMap((name) => suggestModel(name, { upstreams, provider: only }, catalog) ?? []);
}

/** Returns names in the catalog that contain the text, as suggestions for an unknown name. */
export function namesLike(text: string, { providers }: PublicModels, most = 5): string[] {
  const all = Object.values(providers).flatMap(({ models }) => Object.keys(models).filter((name) => !models[name]?.isRetired));
  return [...new Set(all)].filter((name) => name.includes(text.toLowerCase())).slice(0, most);
}

export function writeSuggestions(suggestions: readonly Suggestion[], { source, date }: PublicModels): string {
  const document = new Document({ models: suggestions.map(entryOf) });
  document.commentBefore = ` List prices and limits as of ${date}, from ${source}. Compare each price with your\n contract: callers are charged the prices in this file.`;
  for (const [index, suggestion] of suggestions.entries()) {
    const entry = document.getIn(['models', index], true);
    const remark = remarkOf(suggestion);
    if (remark !== '' && isCommentable(entry)) entry.commentBefore = ` ${remark}`;
  }
  return document.toString({ lineWidth: 0 });
}

const isCommentable = (node: unknown): node is { commentBefore?: string | null } => typeof node === 'object' && node !== null;

const entryOf = ({ name, upstream, model: { kind, prices, contextWindow, maxOutputTokens } }: Suggestion) => ({
  id: name,
  kind,
  ...(upstream !== undefined && { upstream }),
  ...(prices && { prices }),
  ...(contextWindow !== undefined && contextWindow >= 1024 && { contextWindow }),
  ...(maxOutputTokens !== undefined && { maxOutputTokens }),
});

function remarkOf({ provider, upstream, model: { prices, higherAbove, abilities, isRetired } }: Suggestion): string {
  return [
    ...(upstream === undefined ? [`Served by ${provider}: add an upstream for it.`] : []),
    ...(abilities ? [`Supports ${abilities.join(', ')}.`] : []),
    ...(prices ? [] : ['No price per token is listed. Set its prices.']),
    ...(higherAbove ? [`The provider charges more for requests above ${higherAbove} input tokens.`] : []),
    ...(isRetired ? ['Its provider has retired it or announced its retirement.'] : []),
  ].join(' ');
}

export interface PublicModel {
  readonly kind: 'text' | 'image';
  /** Dollars per million tokens, as in the configuration. Absent for images, and if the list has no price. */
  readonly prices?: { readonly input: string; readonly cachedInput?: string; readonly cacheWrite?: string; readonly output: string };
  /** Input tokens above which the provider charges more. */
  readonly higherAbove?: number;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly abilities?: readonly string[];
  /** Set if the provider has retired the model or announced its retirement. */
  readonly isRetired?: true;
}

interface Provider {
  readonly hosts: readonly string[];
  readonly models: Readonly<Record<string, PublicModel>>;
}

export interface PublicModels {
  readonly source: string;
  readonly licence: string;
  /** Date of the list, such as 2026-07-02. */
  readonly date: string;
  readonly providers: Readonly<Record<string, Provider>>;
}

/** Reads the file at each call: only commands that need it pay for it. */
export const readPublicModels = (): PublicModels =>
  JSON.parse(readFileSync(new URL('../../docs/generated/public-models.json', import.meta.url), 'utf8'));

/** Returns the catalog's provider of an upstream. Undefined for the simulator and for unknown addresses. */
export function providerOf(upstream: UpstreamConfig, { providers }: PublicModels): string | undefined {
  if (upstream.kind === 'simulator') return undefined;
  if (upstream.azure) return 'azure';
  if (upstream.aws) return 'amazon-bedrock';
  if (upstream.google) return upstream.kind === 'anthropic' ? 'google-vertex-anthropic' : 'google-vertex';
  const host = URL.canParse(upstream.baseUrl) ? new URL(upstream.baseUrl).hostname : '';
  return Object.keys(providers).find((name) => providers[name]?.hosts.includes(host));
}

/** Finds the entry of a model at a provider. A regional Amazon Bedrock name without an entry uses that of the model without the region. */
export function findPublicModel(provider: string, name: string, { providers }: PublicModels): PublicModel | undefined {
  const models = providers[provider]?.models ?? {};
  const known = [name, name.replace(/^(?:us|eu|apac|jp|au|ca|us-gov|global)\./, '')].find((one) => Object.hasOwn(models, one));
  return known === undefined ? undefined : models[known];
}

type Model = Config['models'][number];
type Candidate = Model['candidates'][number];

/** Yields a sentence for each model and upstream that differ from the catalog. */
export function* differencesIn({ models, upstreams }: Config, catalog: PublicModels): Generator<string> {
  for (const model of models) {
    for (const candidate of model.candidates) {
      const upstream = upstreams[candidate.upstream];
      const provider = upstream && providerOf(upstream, catalog);
      const known = provider && findPublicModel(provider, candidate.upstreamModel, catalog);
      if (!known) continue;
      const said = [...priceDifferences(model, candidate, known), ...boundDifferences(model, known)];
      if (known.isRetired) said.push('its provider has retired it or announced its retirement');
      if (said.length > 0) yield `${model.id} at ${candidate.upstream}: ${said.join('; ')}.`;
    }
  }
}

/** Compares the list prices with `cost` if it's set, otherwise with `prices`. */
function* priceDifferences({ prices }: Model, { cost }: Candidate, { prices: listed }: PublicModel): Generator<string> {
  const own = ratesOf(cost ?? prices);
  if (own === undefined || listed === undefined) return;
  const where = cost === undefined ? 'prices' : 'cost';
  for (const name of ['input', 'cachedInput', 'cacheWrite', 'output'] as const) {
    const [mine, theirs] = [own[name], listed[name]];
    if (mine !== undefined && theirs !== undefined && Number(mine) !== Number(theirs))
      yield `${where}.${name} is ${mine}, but the list price is ${theirs}`;
  }
}

/** Returns token prices. Free models and image prices aren't compared, because the list has neither. */
const ratesOf = (prices: Prices | undefined) => (prices === undefined || prices === 'free' || 'images' in prices ? undefined : prices);

function* boundDifferences(model: Model, known: PublicModel): Generator<string> {
  for (const name of ['maxOutputTokens', 'contextWindow'] as const) {
    const [mine, theirs] = [model[name], known[name]];
    if (mine !== undefined && theirs !== undefined && mine > theirs) yield `${name} is ${mine}, but the model's maximum is ${theirs}`;
  }
}
