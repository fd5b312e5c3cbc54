/** Collects the upstreams of an import: one per URL and key, with a name and an environment variable for the key. */

import { type Fields, toText } from './fields.ts';
import type { Remarks } from './remarks.ts';

export interface ImportedUpstream {
  /** Provider name in the other gateway, from which the upstream's name is made. */
  readonly provider: string;
  readonly kind: 'openai' | 'openai-compatible' | 'anthropic' | 'gemini' | 'converse';
  readonly baseUrl?: string | undefined;
  readonly azure?: { readonly resource: string };
  /** Settings of the cloud and its authentication. */
  readonly cloud?: Readonly<Record<string, unknown>>;
  /** Names of the environment variables for its keys. Keys in the file are never copied. */
  readonly keys: readonly string[];
  readonly protocols?: readonly string[] | undefined;
}

/** Base URLs of providers that support chat completions. */
export const compatibleBaseUrls: Readonly<Record<string, string>> = {
  openrouter: 'https://openrouter.ai/api/v1',
  groq: 'https://api.groq.com/openai/v1',
  mistral: 'https://api.mistral.ai/v1',
  deepseek: 'https://api.deepseek.com/v1',
  together_ai: 'https://api.together.xyz/v1',
  fireworks_ai: 'https://api.fireworks.ai/inference/v1',
  xai: 'https://api.x.ai/v1',
  perplexity: 'https://api.perplexity.ai',
  cerebras: 'https://api.cerebras.ai/v1',
  sambanova: 'https://api.sambanova.ai/v1',
  deepinfra: 'https://api.deepinfra.com/v1/openai',
  nvidia_nim: 'https://integrate.api.nvidia.com/v1',
  moonshot: 'https://api.moonshot.ai/v1',
  dashscope: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
};

/** Makes the name of an environment variable from words. */
export const toVariableName = (...words: readonly string[]): string =>
  words
    .join('_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_');

/** Prefix of environment variables in LiteLLM's files. */
export const ENVIRONMENT = 'os.environ/';

export class ImportedUpstreams {
  readonly settings: Record<string, Readonly<Record<string, unknown>>> = {};
  readonly #names = new Map<string, string>();

  /** Returns the name of the upstream, which is the same for the same URL and keys. */
  getName(upstream: ImportedUpstream): string {
    const { provider, kind, baseUrl, azure, cloud, keys, protocols } = upstream;
    const identity = JSON.stringify([kind, baseUrl, azure, cloud, keys, protocols]);
    const existingName = this.#names.get(identity);
    if (existingName !== undefined) return existingName;
    const base =
      provider
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-+|-+$/g, '') || 'upstream';
    let name = base;
    for (let number = 2; Object.hasOwn(this.settings, name); number++) name = `${base}-${number}`;
    const variables = keys.map((variable) => `\${${variable}}`);
    this.settings[name] = {
      kind,
      ...(azure !== undefined && { azure }),
      ...cloud,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(variables.length === 1 && { apiKey: variables[0] }),
      ...(variables.length > 1 && { apiKeys: variables }),
      ...(protocols !== undefined && { protocols }),
    };
    this.#names.set(identity, name);
    return name;
  }
}

/** Returns the base URL without a trailing slash and without the operation that some files contain. */
export function toBaseUrl(address: string | undefined, where: string, remarks: Remarks): string | undefined {
  if (address === undefined) return undefined;
  if (address.startsWith(ENVIRONMENT)) return `\${${address.slice(ENVIRONMENT.length)}}`;
  const base = address.replace(/\/+$/, '').replace(/\/(?:chat\/completions|responses|messages)$/, '');
  if (URL.canParse(base) && /^https?:$/.test(new URL(base).protocol)) return base;
  remarks.add(where, "isn't an http or https URL. Set the upstream's 'baseUrl' yourself");
  return undefined;
}

interface AzureDeployment {
  readonly provider: 'azure' | 'azure_ai';
  readonly model: string;
  readonly params: Fields;
  readonly baseUrl: string | undefined;
  readonly keys: readonly string[];
}

const entraFields = ['azure_ad_token', 'tenant_id', 'client_id', 'client_secret'];

/** Returns a message if the deployment can't be imported. */
export function toAzureUpstream({
  provider,
  model,
  params,
  baseUrl,
  keys,
}: AzureDeployment): string | { readonly place: ImportedUpstream; readonly model: string } {
  if (entraFields.some((name) => toText(params[name]) !== undefined))
    return "uses Microsoft Entra tokens. Add the upstream and its 'auth' yourself (docs/guides/azure.md)";
  const host = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).host : '';
  const [, resource, suffix] = /^([a-z0-9-]+)\.(openai|services\.ai|cognitiveservices)\.azure\.com$/.exec(host) ?? [];
  if (resource === undefined) return 'uses Azure, but the URL has no resource name. Add the upstream yourself (docs/guides/azure.md)';
  const isClaude = provider === 'azure_ai' && model.startsWith('claude');
  const hasDefaultAddress = suffix === (isClaude ? 'services.ai' : 'openai');
  const address = hasDefaultAddress ? {} : { baseUrl: `https://${host}${isClaude ? '/anthropic/v1' : '/openai/v1'}` };
  const kind = isClaude ? 'anthropic' : provider === 'azure' ? 'openai' : 'openai-compatible';
  // LiteLLM's own prefixes for model families, before the deployment name.
  return { model: model.replace(/^(?:o_series|gpt5_series)\//, ''), place: { provider, kind, azure: { resource }, keys, ...address } };
}
