/** Suggests configuration entries for public models, with their prices, limits, and capabilities, as text to paste. */

import { Document } from 'yaml';
import type { UpstreamConfig } from './config.ts';
import { findProvider, findPublicModel, type PublicModel, type PublicModels } from './public-models.ts';

/** A requested model from the catalog, with the configured upstream that serves it, if any. */
export interface Suggestion {
  readonly name: string;
  readonly provider: string;
  readonly upstream?: string;
  readonly model: PublicModel;
}

interface SearchScope {
  /** Configured upstreams, in the order in which they're searched. */
  readonly upstreams: readonly UpstreamConfig[];
  /** A catalog provider to search instead of the upstreams. */
  readonly provider?: string | undefined;
}

/** Finds a model by name: first at the configured upstreams, then at any provider in the catalog. */
export function suggestModel(
  name: string,
  { upstreams, provider: onlyProvider }: SearchScope,
  catalog: PublicModels,
): Suggestion | undefined {
  const servedProviders = upstreams.flatMap((upstream) => {
    const provider = findProvider(upstream, catalog);
    return provider === undefined ? [] : [{ provider, upstream: upstream.name }];
  });
  const otherProviders = Object.keys(catalog.providers).map((provider) => ({ provider }));
  for (const candidate of onlyProvider === undefined ? [...servedProviders, ...otherProviders] : [{ provider: onlyProvider }]) {
    const model = findPublicModel(candidate.provider, name, catalog);
    if (model) return { name, ...candidate, model };
  }
  return undefined;
}

/** Returns all models of the upstreams or the provider that aren't retired. */
export function suggestAll({ upstreams, provider: onlyProvider }: SearchScope, catalog: PublicModels): Suggestion[] {
  const providers = onlyProvider === undefined ? upstreams.map((upstream) => findProvider(upstream, catalog)) : [onlyProvider];
  const names = new Set(
    providers.flatMap((provider = '') =>
      Object.entries(catalog.providers[provider]?.models ?? {}).flatMap(([name, { isRetired }]) => (isRetired ? [] : [name])),
    ),
  );
  return [...names].flatMap((name) => suggestModel(name, { upstreams, provider: onlyProvider }, catalog) ?? []);
}

/** Returns names in the catalog that contain the text, as suggestions for an unknown name. */
export function findSimilarNames(text: string, { providers }: PublicModels, limit = 5): string[] {
  const allNames = Object.values(providers).flatMap(({ models }) => Object.keys(models).filter((name) => !models[name]?.isRetired));
  return [...new Set(allNames)].filter((name) => name.includes(text.toLowerCase())).slice(0, limit);
}

export function formatSuggestions(suggestions: readonly Suggestion[], { source, date }: PublicModels): string {
  const document = new Document({ models: suggestions.map(toEntry) });
  document.commentBefore = ` List prices and limits as of ${date}, from ${source}. Compare each price with your\n contract: callers are charged the prices in this file.`;
  for (const [index, suggestion] of suggestions.entries()) {
    const entry = document.getIn(['models', index], true);
    const remark = formatRemark(suggestion);
    if (remark !== '' && isCommentable(entry)) entry.commentBefore = ` ${remark}`;
  }
  return document.toString({ lineWidth: 0 });
}

const isCommentable = (node: unknown): node is { commentBefore?: string | null } => typeof node === 'object' && node !== null;

export const toEntry = ({ name, upstream, model }: Suggestion) => {
  const { kind, prices, contextWindow, maxOutputTokens } = model;
  const capabilities = listMissing(model);
  return {
    id: name,
    kind,
    ...(upstream !== undefined && { upstream }),
    ...(prices && { prices }),
    ...(contextWindow !== undefined && contextWindow >= 1024 && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(Object.keys(capabilities).length > 0 && { capabilities }),
  };
};

/** Returns what a text model can't do. Empty if its capabilities are unknown. */
function listMissing({ kind, abilities }: PublicModel) {
  if (kind !== 'text' || !abilities) return {};
  return {
    ...(!abilities.includes('images') && { imageInput: false }),
    ...(!abilities.includes('reasoning') && { reasoningEffort: false }),
  };
}

function formatRemark({ provider, upstream, model: { prices, abilities, isRetired } }: Suggestion): string {
  return [
    ...(upstream === undefined ? [`Served by ${provider}: add an upstream for it.`] : []),
    ...(abilities ? [`Supports ${abilities.join(', ')}.`] : []),
    ...(prices ? [] : ['No price per token is listed. Set its prices.']),
    ...(isRetired ? ['Its provider has retired it or announced its retirement.'] : []),
  ].join(' ');
}
