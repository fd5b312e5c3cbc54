/** Deployments of LiteLLM in Azure: the resource that their address names, over `/openai/v1` or as Claude. */
import type { Place } from './upstreams.ts';
import { type Fields, textOf } from './values.ts';

interface InAzure {
  readonly vendor: 'azure' | 'azure_ai';
  readonly model: string;
  readonly params: Fields;
  readonly baseUrl: string | undefined;
  readonly keys: readonly string[];
}

const tokens = ['azure_ad_token', 'tenant_id', 'client_id', 'client_secret'];

/** As text, why it cannot be taken over. */
export function azurePlace({ vendor, model, params, baseUrl, keys }: InAzure): string | { readonly place: Place; readonly model: string } {
  if (tokens.some((name) => textOf(params[name]) !== undefined))
    return 'has tokens of Microsoft Entra: write its auth by hand (docs/guides/azure.md)';
  const host = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).host : '';
  const [, resource, suffix] = /^([a-z0-9-]+)\.(openai|services\.ai|cognitiveservices)\.azure\.com$/.exec(host) ?? [];
  if (resource === undefined) return 'is in Azure at an address that names no resource: write it by hand (docs/guides/azure.md)';
  const isClaude = vendor === 'azure_ai' && model.startsWith('claude');
  const isFilledIn = suffix === (isClaude ? 'services.ai' : 'openai');
  const address = isFilledIn ? {} : { baseUrl: `https://${host}${isClaude ? '/anthropic/v1' : '/openai/v1'}` };
  const kind = isClaude ? 'anthropic' : vendor === 'azure' ? 'openai' : 'openai-compatible';
  // LiteLLM's own marks of a family of models, before the deployment.
  return { model: model.replace(/^(?:o_series|gpt5_series)\//, ''), place: { vendor, kind, azure: { resource }, keys, ...address } };
}
