/** Reads the bundled list of public models, and finds the entry of a model at a provider. */
import { readFileSync } from 'node:fs';
import type { UpstreamConfig } from './config.ts';

interface ListPrices {
  readonly input: string;
  readonly cachedInput?: string;
  readonly cacheWrite?: string;
  readonly output: string;
}

export interface PublicModel {
  readonly kind: 'text' | 'image';
  /** Dollars per million tokens, as in the configuration. Omitted for images, and if the list has no price. */
  readonly prices?: ListPrices & { readonly longContext?: Readonly<Record<string, ListPrices>> };
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly abilities?: readonly string[];
  /** Set if the provider has retired the model or announced its retirement. */
  readonly isRetired?: true;
}

export interface PublicModels {
  readonly source: string;
  readonly licence: string;
  /** Date of the list, such as 2026-07-02. */
  readonly date: string;
  readonly providers: Readonly<Record<string, { hosts: readonly string[]; models: Readonly<Record<string, PublicModel>> }>>;
}

/** Reads the file at each call, so that only commands that need it pay for it. */
export const readPublicModels = (): PublicModels =>
  JSON.parse(readFileSync(new URL('../../docs/generated/public-models.json', import.meta.url), 'utf8'));

/** Returns the catalog's provider of an upstream. Undefined for the simulator and for unknown addresses. */
export function findProvider(upstream: UpstreamConfig, { providers }: PublicModels): string | undefined {
  if (upstream.kind === 'simulator') return undefined;
  if (upstream.azure) return 'azure';
  if (upstream.aws) return 'amazon-bedrock';
  if (upstream.google) return upstream.kind === 'anthropic' ? 'google-vertex-anthropic' : 'google-vertex';
  const host = URL.canParse(upstream.baseUrl) ? new URL(upstream.baseUrl).hostname : '';
  return Object.keys(providers).find((name) => providers[name]?.hosts.includes(host));
}

/** Finds the entry of a model at a provider. A regional Amazon Bedrock name without an entry uses the entry without the region. */
export function findPublicModel(provider: string, name: string, { providers }: PublicModels): PublicModel | undefined {
  const models = providers[provider]?.models ?? {};
  const knownName = [name, name.replace(/^(?:us|eu|apac|jp|au|ca|us-gov|global)\./, '')].find((one) => Object.hasOwn(models, one));
  return knownName === undefined ? undefined : models[knownName];
}
