/** Fills in the base URL and the credentials of an upstream from its cloud, and finds mistakes in them. */
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

/** Returns the publisher of the models of this kind. Undefined for the OpenAI-compatible endpoint, which serves models of many publishers. */
export const publisherOf = (kind: string): string | undefined => publishers[kind];
const publishers: Readonly<Record<string, string>> = { gemini: 'google', anthropic: 'anthropic' };

const tokens: AuthSettings = { type: 'google', scopes: ['https://www.googleapis.com/auth/cloud-platform'] };

const google: Place = {
  kinds: ['gemini', 'anthropic', 'openai-compatible'],
  // The rest of the URL depends on the model. `envelopes/vertex.ts` adds it.
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
  // Chat has no field for the signatures of tool calls, and Gemini 3 rejects the next request without them.
  model: ({ kind }, upstreamModel) => (publisherOf(kind) === undefined && /^google\/gemini-[3-9]/.test(upstreamModel) ? signed : null),
  // Models are listed per publisher at another URL, and the list doesn't show which ones a project can use.
  models: () => null,
};

const signed = {
  message: 'is a model whose tool calls need signatures, which chat has no field for',
  remedy: 'Serve it over an upstream of kind gemini.',
};

function hostOf(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  return location === 'us' || location === 'eu' ? `aiplatform.${location}.rep.googleapis.com` : `${location}-aiplatform.googleapis.com`;
}

/** Keys exist only in express mode, which has neither a project nor a location. */
function ofExpress({ kind, google: place }: HttpSettings): Fault[] {
  if (kind !== 'gemini')
    return [{ path: ['google'], message: 'supports apiKey only for kind gemini', remedy: 'Remove apiKey to use access tokens.' }];
  return (['project', 'location'] as const)
    .filter((name) => place?.[name] !== undefined)
    .map((name) => ({
      path: ['google', name],
      message: "can't be combined with apiKey (express mode)",
      remedy: `Remove ${name}, or remove apiKey to use access tokens.`,
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
  // Claude in Azure uses its own header.
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
  if (kind === 'anthropic') return [{ path, message: "isn't supported for kind anthropic", remedy: 'Remove it.' }];
  const served: readonly string[] = protocols;
  if (!served.includes('responses')) return [];
  return [{ path, message: "can't be combined with the protocol responses", remedy: 'Remove it, or set protocols: [chat, images].' }];
}

function keyFaults(upstream: HttpSettings): Fault[] {
  if (upstream.auth !== undefined || hasKeys(upstream)) return [];
  return [
    {
      path: ['azure'],
      message: 'requires apiKey or auth',
      remedy: 'Set apiKey, or for example auth: { type: entra, managedIdentity: true }.',
    },
  ];
}

/** Service that requests are signed for. It differs from the host name. */
export const serviceOf = (place: { readonly endpoint: 'runtime' | 'mantle' } | undefined): string =>
  place?.endpoint === 'mantle' ? 'bedrock-mantle' : 'bedrock';

/** Whether Claude is called with InvokeModel instead of Anthropic's own paths. */
export const invokesModels = ({ kind, aws: place }: Placed): boolean => kind === 'anthropic' && place?.endpoint === 'runtime';

const onlyRuntime = {
  path: ['aws', 'endpoint'],
  message: "is mantle, which doesn't support kind converse",
  remedy: 'Remove it to use the runtime.',
};

const aws: Place = {
  kinds: ['openai', 'openai-compatible', 'anthropic', 'converse'],
  address({ kind, aws: place }) {
    const { region = '', endpoint = 'runtime' } = place ?? {};
    if (endpoint === 'mantle') return `https://bedrock-mantle.${region}.api.aws${kind === 'anthropic' ? '/anthropic' : ''}/v1`;
    return `https://bedrock-runtime.${region}.amazonaws.com${kind === 'anthropic' || kind === 'converse' ? '' : '/openai/v1'}`;
  },
  // The kind appends `/v1` to a URL without a version, but InvokeModel has none.
  ownAddress: (upstream) => (invokesModels(upstream) ? upstream.baseUrl?.replace(/\/v1$/, '') : upstream.baseUrl),
  auth: (upstream) => (hasKeys(upstream) ? { type: 'bearer' } : { type: 'sigv4' }),
  faults: ({ kind, aws: place }) => (kind === 'converse' && place?.endpoint === 'mantle' ? [onlyRuntime] : []),
  // InvokeModel rejects URLs of images and documents.
  inlineOnly: invokesModels,
  // Mantle lists its models like OpenAI. The runtime has no list.
  models: ({ aws: place }) => (place?.endpoint === 'mantle' ? '/models' : null),
};

const places: Readonly<Record<PlaceName, Place>> = { azure, aws, google };

interface Settled {
  readonly upstream: Addressed;
  readonly faults: readonly Fault[];
}

/** `hasAddress` says whether the file itself sets `baseUrl`, which overrides the URL of the cloud. */
export function settleCloud(written: HttpSettings, hasAddress: boolean): Settled {
  const [name, second] = placeNames.filter((place) => written[place] !== undefined);
  const place = name && places[name];
  const baseUrl = (place ? addressAt(place, written, hasAddress) : written.baseUrl) ?? '';
  const auth = written.auth ?? place?.auth(written);
  const upstream: Addressed = { ...written, baseUrl, ...(auth !== undefined && { auth }) };
  const faults = baseUrl === '' ? [noAddress] : [...addressFaults(upstream), ...(auth === undefined ? [] : authFaults(upstream, auth))];
  if (!place) return { upstream, faults };
  if (second !== undefined)
    return {
      upstream,
      faults: [
        { path: [second], message: `can't be combined with ${name}`, remedy: 'Remove one of them: an upstream belongs to one cloud.' },
      ],
    };
  if (!place.kinds.includes(written.kind)) return { upstream, faults: [wrongKind(name ?? '', place)] };
  const own = place.faults(written);
  return { upstream, faults: own.length > 0 ? own : faults };
}

function addressAt(place: Place, written: HttpSettings, hasAddress: boolean): string | undefined {
  if (!hasAddress) return place.address(written);
  return place.ownAddress ? place.ownAddress(written) : written.baseUrl;
}

/** Returns the URL of the model list, or null if the cloud has none. */
export function modelListOf(upstream: Placed & Pick<Addressed, 'baseUrl'>): string | null {
  const name = placeNames.find((place) => upstream[place] !== undefined);
  const path = name && places[name].models ? places[name].models(upstream) : '/models';
  return path === null ? null : `${upstream.baseUrl}${path}`;
}

/** Whether images and files must be inline in the request. */
export function isInlineOnly(upstream: Placed | { readonly kind: 'simulator' }): boolean {
  if (upstream.kind === 'simulator') return false;
  const name = placeNames.find((place) => upstream[place] !== undefined);
  return (name && places[name].inlineOnly?.(upstream)) ?? false;
}

/** Returns why the upstream's cloud can't serve the model, or null if it can. Simulators can serve every model. */
export function modelFault(upstream: Placed | { readonly kind: 'simulator' }, upstreamModel: string): Omit<Fault, 'path'> | null {
  if (upstream.kind === 'simulator') return null;
  const name = placeNames.find((place) => upstream[place] !== undefined);
  return (name && places[name].model?.(upstream, upstreamModel)) ?? null;
}

const noAddress: Fault = { path: ['baseUrl'], message: 'is missing', remedy: 'For example baseUrl: http://127.0.0.1:11434/v1' };

const wrongKind = (name: string, { kinds }: Place): Fault => ({
  path: [name],
  message: "isn't supported for this kind",
  remedy: `Supported kinds: ${kinds.join(', ')}.`,
});

/** Hosts that return credentials of the machine, so callers must never reach them. */
const metadata: ReadonlySet<string> = new Set(['169.254.169.254', '169.254.170.2', '169.254.170.23', 'metadata.google.internal']);

function addressFaults({ baseUrl }: Addressed): Fault[] {
  if (!metadata.has(new URL(baseUrl).hostname)) return [];
  return [
    {
      path: ['baseUrl'],
      message: 'is a metadata server, which returns credentials of the machine',
      remedy: 'Set the URL of a model server.',
    },
  ];
}
