/** Azure OpenAI and Foundry: their addresses, and the header of their keys. */
import { type Fault, type HttpSettings, hasKeys, type Place } from './place.ts';

export const azure: Place = {
  kinds: ['openai', 'openai-compatible', 'anthropic'],
  address({ kind, azure: place }) {
    const resource = `https://${place?.resource ?? ''}`;
    if (kind === 'anthropic') return `${resource}.services.ai.azure.com/anthropic/v1`;
    return `${resource}.openai.azure.com/openai${place?.apiVersion === undefined ? '/v1' : ''}`;
  },
  // Claude takes its own header there.
  auth: ({ kind }) => (kind === 'anthropic' ? undefined : { type: 'header', name: 'api-key' }),
  models({ kind, azure: place }) {
    if (kind === 'anthropic') return null;
    return place?.apiVersion === undefined ? '/models' : `/models?api-version=${place.apiVersion}`;
  },
  faults: (upstream) => [...versionFaults(upstream), ...keyFaults(upstream)],
};

function versionFaults({ kind, azure: place, protocols }: HttpSettings): Fault[] {
  if (place?.apiVersion === undefined) return [];
  const path = ['azure', 'apiVersion'];
  if (kind === 'anthropic')
    return [{ path, message: 'does not go with kind anthropic', remedy: 'Remove it: Claude has no such versions.' }];
  const served: readonly string[] = protocols;
  if (!served.includes('responses')) return [];
  return [{ path, message: 'does not go with responses', remedy: 'Remove it, or set protocols: [chat, images].' }];
}

function keyFaults(upstream: HttpSettings): Fault[] {
  if (upstream.auth !== undefined || hasKeys(upstream)) return [];
  return [
    {
      path: ['azure'],
      message: 'has neither a key nor auth',
      remedy: `Set apiKey, or for example auth: { type: entra, managedIdentity: true }.`,
    },
  ];
}
