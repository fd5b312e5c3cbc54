/** Google Cloud: base URLs, credentials, and mistakes in their settings. `providers/clouds/vertex.ts` adds the path of a model. */
import type { AuthSettings } from '../auth-settings.ts';
import { type Cloud, type Fault, type HttpSettings, hasKeys } from './cloud.ts';

/** Returns the publisher of the models of this kind. Undefined for the OpenAI-compatible endpoint, which serves models of many publishers. */
export const findPublisher = (kind: string): string | undefined => publishers[kind];

const publishers: Readonly<Record<string, string>> = { gemini: 'google', anthropic: 'anthropic' };

const googleAuth: AuthSettings = { type: 'google', scopes: ['https://www.googleapis.com/auth/cloud-platform'] };

export const google: Cloud = {
  kinds: ['gemini', 'anthropic', 'openai-compatible'],
  // The rest of the URL depends on the model. `providers/clouds/vertex.ts` adds it.
  address(upstream) {
    const { kind, google: settings } = upstream;
    if (hasKeys(upstream)) return 'https://aiplatform.googleapis.com/v1';
    const location = settings?.location ?? 'global';
    const path = `/v1/projects/${settings?.project ?? ''}/locations/${location}`;
    return `https://${getHost(location)}${path}${findPublisher(kind) === undefined ? '/endpoints/openapi' : ''}`;
  },
  auth: (upstream: HttpSettings) => (hasKeys(upstream) ? undefined : googleAuth),
  faults: (upstream) => (hasKeys(upstream) && upstream.auth === undefined ? findExpressFaults(upstream) : findProjectFaults(upstream)),
  inlineOnly: ({ kind }) => findPublisher(kind) === 'anthropic',
  // Chat has no field for the signatures of tool calls, and Gemini 3 rejects the next request without them.
  model: ({ kind }, upstreamModel) =>
    findPublisher(kind) === undefined && /^google\/gemini-[3-9]/.test(upstreamModel) ? signedToolCallsFault : null,
  // Models are listed per publisher at another URL, and the list doesn't show which ones a project can use.
  models: () => null,
};

const signedToolCallsFault = {
  message: "requires signed tool calls, which chat can't carry",
  remedy: 'Serve it over an upstream of kind gemini.',
};

function getHost(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  return location === 'us' || location === 'eu' ? `aiplatform.${location}.rep.googleapis.com` : `${location}-aiplatform.googleapis.com`;
}

/** Keys exist only in express mode, which has neither a project nor a location. */
function findExpressFaults({ kind, google: settings }: HttpSettings): Fault[] {
  if (kind !== 'gemini')
    return [{ path: ['google'], message: 'supports apiKey only for kind gemini', remedy: 'Remove apiKey to use access tokens.' }];
  return (['project', 'location'] as const)
    .filter((name) => settings?.[name] !== undefined)
    .map((name) => ({
      path: ['google', name],
      message: "can't be combined with apiKey (express mode)",
      remedy: `Remove ${name}, or remove apiKey to use access tokens.`,
    }));
}

function findProjectFaults({ google: settings }: HttpSettings): Fault[] {
  if (settings?.project !== undefined) return [];
  return [{ path: ['google', 'project'], message: 'is missing', remedy: 'For example project: my-project' }];
}
