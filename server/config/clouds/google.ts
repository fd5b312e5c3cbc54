/** Google Vertex AI: its addresses by location, and the access tokens of Google where there is no key. */
import type { AuthSettings } from './auth-schema.ts';
import { type Fault, type HttpSettings, hasKeys, type Place } from './place.ts';

/** Whose models an upstream of this kind has; undefined for the OpenAI-shaped endpoint, which has those of many. */
export const publisherOf = (kind: string): string | undefined => publishers[kind];
const publishers: Readonly<Record<string, string>> = { gemini: 'google', anthropic: 'anthropic' };

const tokens: AuthSettings = { type: 'google', scopes: ['https://www.googleapis.com/auth/cloud-platform'] };

export const google: Place = {
  kinds: ['gemini', 'anthropic', 'openai-compatible'],
  // What follows depends on the model: `envelopes/vertex.ts` writes it.
  address(upstream) {
    const { kind, google: place } = upstream;
    if (hasKeys(upstream)) return 'https://aiplatform.googleapis.com/v1';
    const location = place?.location ?? 'global';
    const path = `/v1/projects/${place?.project ?? ''}/locations/${location}`;
    return `https://${hostOf(location)}${path}${publisherOf(kind) === undefined ? '/endpoints/openapi' : ''}`;
  },
  auth: (upstream: HttpSettings) => (hasKeys(upstream) ? undefined : tokens),
  faults: (upstream) => (hasKeys(upstream) && upstream.auth === undefined ? ofExpress(upstream) : ofProject(upstream)),
  inlineOnly: ({ kind }) => publisherOf(kind) === 'anthropic',
  // Chat has no field for the signatures of its calls, without which the next request is refused.
  model: ({ kind }, upstreamModel) => (publisherOf(kind) === undefined && /^google\/gemini-[3-9]/.test(upstreamModel) ? signed : null),
  // Models of publishers are listed per publisher, at another address, and not those that a project may use.
  models: () => null,
};

const signed = { message: 'is a model whose calls of tools get lost there', remedy: 'Serve it over an upstream of kind gemini.' };

function hostOf(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  return location === 'us' || location === 'eu' ? `aiplatform.${location}.rep.googleapis.com` : `${location}-aiplatform.googleapis.com`;
}

/** A key is one of express mode, which has neither a project nor a location. */
function ofExpress({ kind, google: place }: HttpSettings): Fault[] {
  if (kind !== 'gemini')
    return [{ path: ['google'], message: 'takes a key for Gemini alone', remedy: 'Remove apiKey: access tokens are fetched then.' }];
  return (['project', 'location'] as const)
    .filter((name) => place?.[name] !== undefined)
    .map((name) => ({
      path: ['google', name],
      message: 'does not go with a key of express mode',
      remedy: `Remove ${name}, or apiKey: access tokens are fetched then.`,
    }));
}

function ofProject({ google: place }: HttpSettings): Fault[] {
  if (place?.project !== undefined) return [];
  return [{ path: ['google', 'project'], message: 'is missing', remedy: 'For example project: my-project' }];
}
