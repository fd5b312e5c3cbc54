/** Entries of the configuration for public models, as text to paste: prices, bounds and abilities of the catalog. */
import { Document } from 'yaml';
import type { UpstreamConfig } from '../config.ts';
import { findPublicModel, type PublicModel, type PublicModels, vendorOf } from './read.ts';

/** A model of the catalog that was asked for, and the upstream of the configuration that serves it, if one does. */
export interface Suggestion {
  readonly name: string;
  readonly vendor: string;
  readonly upstream?: string;
  readonly model: PublicModel;
}

interface Places {
  /** Upstreams of the configuration, in the order in which they are tried. */
  readonly upstreams: readonly UpstreamConfig[];
  /** A vendor of the catalog, in place of the upstreams. */
  readonly vendor?: string | undefined;
}

/** A model by its name at a vendor: at the upstreams first, then, without any that has it, wherever the catalog has it. */
export function suggestModel(name: string, { upstreams, vendor: only }: Places, catalog: PublicModels): Suggestion | undefined {
  const served = upstreams.flatMap((upstream) => {
    const vendor = vendorOf(upstream, catalog);
    return vendor === undefined ? [] : [{ vendor, upstream: upstream.name }];
  });
  const others = Object.keys(catalog.vendors).map((vendor) => ({ vendor }));
  for (const place of only === undefined ? [...served, ...others] : [{ vendor: only }]) {
    const model = findPublicModel(place.vendor, name, catalog);
    if (model) return { name, ...place, model };
  }
  return undefined;
}

/** All models of a place that are not retired. */
export function suggestAll({ upstreams, vendor: only }: Places, catalog: PublicModels): Suggestion[] {
  const vendors = only === undefined ? upstreams.map((upstream) => vendorOf(upstream, catalog)) : [only];
  const names = new Set(
    vendors.flatMap((vendor = '') =>
      Object.entries(catalog.vendors[vendor]?.models ?? {}).flatMap(([name, { isRetired }]) => (isRetired ? [] : [name])),
    ),
  );
  return [...names].flatMap((name) => suggestModel(name, { upstreams, vendor: only }, catalog) ?? []);
}

/** Names of the catalog that contain a text, for one that it does not have. */
export function namesLike(text: string, { vendors }: PublicModels, most = 5): string[] {
  const all = Object.values(vendors).flatMap(({ models }) => Object.keys(models).filter((name) => !models[name]?.isRetired));
  return [...new Set(all)].filter((name) => name.includes(text.toLowerCase())).slice(0, most);
}

export function writeSuggestions(suggestions: readonly Suggestion[], { source, date }: PublicModels): string {
  const document = new Document({ models: suggestions.map(entryOf) });
  document.commentBefore = ` List prices and bounds of ${date}, from ${source}. Compare each price with your\n contract: what stands here is what callers are charged.`;
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

function remarkOf({ vendor, upstream, model: { prices, higherAbove, abilities, isRetired } }: Suggestion): string {
  return [
    ...(upstream === undefined ? [`At ${vendor}: add the upstream that reaches it.`] : []),
    ...(abilities ? [`Has ${abilities.join(', ')}.`] : []),
    ...(prices ? [] : ['No price per token is listed: write its prices.']),
    ...(higherAbove ? [`The vendor charges more for requests above ${higherAbove} input tokens.`] : []),
    ...(isRetired ? ['Its vendor has retired it, or has said when it will.'] : []),
  ].join(' ');
}
