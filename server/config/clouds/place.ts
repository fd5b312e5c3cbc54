/** Fills in the address and the credentials of an upstream from its cloud, and names what is wrong with them. */
import type { AuthSettings } from '../values.ts';
import {
  type Addressed,
  authFaults,
  type Fault,
  type HttpSettings,
  hasKeys,
  type Place,
  type Placed,
  type PlaceName,
  placeNames,
} from './auth.ts';

/** Whose models an upstream of this kind has; undefined for the OpenAI-shaped endpoint, which has those of many. */
export const publisherOf = (kind: string): string | undefined => publishers[kind];
const publishers: Readonly<Record<string, string>> = { gemini: 'google', anthropic: 'anthropic' };

const tokens: AuthSettings = { type: 'google', scopes: ['https://www.googleapis.com/auth/cloud-platform'] };

const google: Place = {
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
  // Chat has no field for the signatures of its calls, without which the next request is rejected.
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

const azure: Place = {
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

/** What requests are signed for: not the name of the host. */
export const serviceOf = (place: { readonly endpoint: 'runtime' | 'mantle' } | undefined): string =>
  place?.endpoint === 'mantle' ? 'bedrock-mantle' : 'bedrock';

/** Whether Claude is asked by InvokeModel, and not at an address of its provider's shape. */
export const invokesModels = ({ kind, aws: place }: Placed): boolean => kind === 'anthropic' && place?.endpoint === 'runtime';

const onlyRuntime = {
  path: ['aws', 'endpoint'],
  message: 'is mantle, which has no Converse',
  remedy: 'Remove it: kind converse is served by the runtime.',
};

const aws: Place = {
  kinds: ['openai', 'openai-compatible', 'anthropic', 'converse'],
  address({ kind, aws: place }) {
    const { region = '', endpoint = 'runtime' } = place ?? {};
    if (endpoint === 'mantle') return `https://bedrock-mantle.${region}.api.aws${kind === 'anthropic' ? '/anthropic' : ''}/v1`;
    return `https://bedrock-runtime.${region}.amazonaws.com${kind === 'anthropic' || kind === 'converse' ? '' : '/openai/v1'}`;
  },
  // The kind puts `/v1` behind an address without a version, which InvokeModel does not have.
  ownAddress: (upstream) => (invokesModels(upstream) ? upstream.baseUrl?.replace(/\/v1$/, '') : upstream.baseUrl),
  auth: (upstream) => (hasKeys(upstream) ? { type: 'bearer' } : { type: 'sigv4' }),
  faults: ({ kind, aws: place }) => (kind === 'converse' && place?.endpoint === 'mantle' ? [onlyRuntime] : []),
  // InvokeModel rejects images and documents by address.
  inlineOnly: invokesModels,
  // Mantle lists its models as OpenAI does; the runtime has no list.
  models: ({ aws: place }) => (place?.endpoint === 'mantle' ? '/models' : null),
};

const places: Readonly<Record<PlaceName, Place>> = { azure, aws, google };

interface Settled {
  readonly upstream: Addressed;
  readonly faults: readonly Fault[];
}

/** `hasAddress`: whether the file itself has `baseUrl`, which replaces the address of the cloud. */
export function settleCloud(written: HttpSettings, hasAddress: boolean): Settled {
  const [name, second] = placeNames.filter((place) => written[place] !== undefined);
  const place = name && places[name];
  const baseUrl = (place ? addressAt(place, written, hasAddress) : written.baseUrl) ?? '';
  const auth = written.auth ?? place?.auth(written);
  const upstream: Addressed = { ...written, baseUrl, ...(auth !== undefined && { auth }) };
  const faults = baseUrl === '' ? [noAddress] : [...addressFaults(upstream), ...(auth === undefined ? [] : authFaults(upstream, auth))];
  if (!place) return { upstream, faults };
  if (second !== undefined)
    return { upstream, faults: [{ path: [second], message: `is set beside ${name}`, remedy: 'An upstream has one place: keep one.' }] };
  if (!place.kinds.includes(written.kind)) return { upstream, faults: [wrongKind(name ?? '', place)] };
  const own = place.faults(written);
  return { upstream, faults: own.length > 0 ? own : faults };
}

function addressAt(place: Place, written: HttpSettings, hasAddress: boolean): string | undefined {
  if (!hasAddress) return place.address(written);
  return place.ownAddress ? place.ownAddress(written) : written.baseUrl;
}

/** The address of the list of models; null where its place has none. */
export function modelListOf(upstream: Placed & Pick<Addressed, 'baseUrl'>): string | null {
  const name = placeNames.find((place) => upstream[place] !== undefined);
  const path = name && places[name].models ? places[name].models(upstream) : '/models';
  return path === null ? null : `${upstream.baseUrl}${path}`;
}

/** Whether images and files must be in the request itself there. */
export function isInlineOnly(upstream: Placed | { readonly kind: 'simulator' }): boolean {
  if (upstream.kind === 'simulator') return false;
  const name = placeNames.find((place) => upstream[place] !== undefined);
  return (name && places[name].inlineOnly?.(upstream)) ?? false;
}

/** What is wrong with a model at the place of its upstream; null where nothing is, and for a simulator. */
export function modelFault(upstream: Placed | { readonly kind: 'simulator' }, upstreamModel: string): Omit<Fault, 'path'> | null {
  if (upstream.kind === 'simulator') return null;
  const name = placeNames.find((place) => upstream[place] !== undefined);
  return (name && places[name].model?.(upstream, upstreamModel)) ?? null;
}

const noAddress: Fault = { path: ['baseUrl'], message: 'is missing', remedy: 'For example baseUrl: http://127.0.0.1:11434/v1' };

const wrongKind = (name: string, { kinds }: Place): Fault => ({
  path: [name],
  message: 'does not go with this kind',
  remedy: `It goes with ${kinds.join(', ')}.`,
});

/** Hosts that hand out credentials of the machine: only the gateway itself asks them. */
const metadata: ReadonlySet<string> = new Set(['169.254.169.254', '169.254.170.2', '169.254.170.23', 'metadata.google.internal']);

function addressFaults({ baseUrl }: Addressed): Fault[] {
  if (!metadata.has(new URL(baseUrl).hostname)) return [];
  return [{ path: ['baseUrl'], message: 'is an address that hands out credentials', remedy: 'Set the address of a model server.' }];
}
