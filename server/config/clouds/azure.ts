/** Azure: base URLs, credentials, and mistakes in their settings. `providers/clouds/azure.ts` adds the path of a deployment. */
import { type Cloud, type Fault, type HttpSettings, hasKeys } from './cloud.ts';

export const azure: Cloud = {
  kinds: ['openai', 'openai-compatible', 'anthropic'],
  address({ kind, azure: settings }) {
    const resource = `https://${settings?.resource ?? ''}`;
    if (kind === 'anthropic') return `${resource}.services.ai.azure.com/anthropic/v1`;
    return `${resource}.openai.azure.com/openai${settings?.apiVersion === undefined ? '/v1' : ''}`;
  },
  // Claude in Azure uses its own header.
  auth: ({ kind }) => (kind === 'anthropic' ? undefined : { type: 'header', name: 'api-key' }),
  models({ kind, azure: settings }) {
    if (kind === 'anthropic') return null;
    return settings?.apiVersion === undefined ? '/models' : `/models?api-version=${settings.apiVersion}`;
  },
  faults: (upstream) => [...findVersionFaults(upstream), ...findKeyFaults(upstream)],
};

function findVersionFaults({ kind, azure: settings, protocols }: HttpSettings): Fault[] {
  if (settings?.apiVersion === undefined) return [];
  const path = ['azure', 'apiVersion'];
  if (kind === 'anthropic') return [{ path, message: "isn't supported for kind anthropic", remedy: 'Remove it.' }];
  const servedProtocols: readonly string[] = protocols;
  if (!servedProtocols.includes('responses')) return [];
  return [{ path, message: "can't be combined with the protocol responses", remedy: 'Remove it, or set protocols: [chat, images].' }];
}

function findKeyFaults(upstream: HttpSettings): Fault[] {
  if (upstream.auth !== undefined || hasKeys(upstream)) return [];
  return [
    {
      path: ['azure'],
      message: 'requires apiKey or auth',
      remedy: 'Set apiKey, or for example auth: { type: entra, managedIdentity: true }.',
    },
  ];
}
