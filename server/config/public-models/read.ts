/** The catalog of public models: bounds, abilities and list prices as vendors publish them, with the date of that list. Suggestions only: nothing is charged by it. */
import { readFileSync } from 'node:fs';
import type { UpstreamConfig } from '../config.ts';

export interface PublicModel {
  readonly kind: 'text' | 'image';
  /** Dollars per million tokens, as the configuration writes them; absent where the list has none, and for images. */
  readonly prices?: { readonly input: string; readonly cachedInput?: string; readonly cacheWrite?: string; readonly output: string };
  /** Input tokens above which the vendor charges more. */
  readonly higherAbove?: number;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly abilities?: readonly string[];
  /** The vendor has ended it, or has said when it will. */
  readonly isRetired?: true;
}

interface Vendor {
  readonly hosts: readonly string[];
  readonly models: Readonly<Record<string, PublicModel>>;
}

export interface PublicModels {
  readonly source: string;
  readonly licence: string;
  /** The day of the list: 2026-07-02. */
  readonly date: string;
  readonly vendors: Readonly<Record<string, Vendor>>;
}

/** Reads the file at each call: only commands that need it pay for it. */
export const readPublicModels = (): PublicModels =>
  JSON.parse(readFileSync(new URL('../../../docs/public-models.json', import.meta.url), 'utf8'));

/** The vendor of the catalog behind an upstream; undefined for the simulator and for addresses that the catalog does not know. */
export function vendorOf(upstream: UpstreamConfig, { vendors }: PublicModels): string | undefined {
  if (upstream.kind === 'simulator') return undefined;
  if (upstream.azure) return 'azure';
  if (upstream.aws) return 'amazon-bedrock';
  if (upstream.google) return upstream.kind === 'anthropic' ? 'google-vertex-anthropic' : 'google-vertex';
  const host = URL.canParse(upstream.baseUrl) ? new URL(upstream.baseUrl).hostname : '';
  return Object.keys(vendors).find((name) => vendors[name]?.hosts.includes(host));
}

/** The entry of a model at a vendor. Regional names of Amazon Bedrock count as the model where they have no entry of their own. */
export function findPublicModel(vendor: string, name: string, { vendors }: PublicModels): PublicModel | undefined {
  const models = vendors[vendor]?.models ?? {};
  const known = [name, name.replace(/^(?:us|eu|apac|jp|au|ca|us-gov|global)\./, '')].find((one) => Object.hasOwn(models, one));
  return known === undefined ? undefined : models[known];
}
