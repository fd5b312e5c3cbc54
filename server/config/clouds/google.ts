/** Google Vertex AI: its addresses by location, and the access tokens of Google where there is no key. */
import type { AuthSettings } from './auth-schema.ts';
import { type HttpSettings, hasKeys, type Place } from './place.ts';

const vendors: Readonly<Record<string, string>> = { gemini: '/publishers/google', anthropic: '/publishers/anthropic' };

const tokens: AuthSettings = { type: 'google', scopes: ['https://www.googleapis.com/auth/cloud-platform'] };

export const google: Place = {
  kinds: ['gemini', 'anthropic', 'openai-compatible'],
  address(upstream) {
    const { kind, google: place } = upstream;
    const path = vendors[kind] ?? '/endpoints/openapi';
    if (hasKeys(upstream)) return `https://aiplatform.googleapis.com/v1${path}`;
    const location = place?.location ?? 'global';
    return `https://${hostOf(location)}/v1/projects/${place?.project ?? ''}/locations/${location}${path}`;
  },
  auth: (upstream: HttpSettings) => (hasKeys(upstream) ? undefined : tokens),
  faults: () => [{ path: ['google'], message: 'is not supported yet', remedy: 'Use baseUrl, and apiKey with a key of express mode.' }],
};

function hostOf(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  return location === 'us' || location === 'eu' ? `aiplatform.${location}.rep.googleapis.com` : `${location}-aiplatform.googleapis.com`;
}
