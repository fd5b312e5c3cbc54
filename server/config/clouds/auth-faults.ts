/** Settings of `auth` that contradict each other, or the rest of their upstream: such a file is refused (G10). */
import { isPrivate } from '../values.ts';
import type { AuthOf, AuthSettings } from './auth-schema.ts';
import { isJson, readGoogleCredentials } from './google-credentials.ts';
import { type Fault, type HttpSettings, hasKeys } from './place.ts';

/** An upstream with its address. */
export type Addressed = HttpSettings & { readonly baseUrl: string };

type Said = readonly [message: string, remedy: string];
const at = (field: string, [message, remedy]: Said): Fault => ({ path: ['auth', field], message, remedy });

export function authFaults(upstream: Addressed, auth: AuthSettings): readonly Fault[] {
  return [...ofKeys(upstream, auth), ...ofHeaders(upstream, auth), ...ofType(upstream, auth), ...ofTransport(upstream, auth)];
}

const needsKey = (auth: AuthSettings): boolean => auth.type === 'bearer' || auth.type === 'header';

function ofKeys(upstream: HttpSettings, auth: AuthSettings): Fault[] {
  const key = upstream.apiKeys === undefined ? 'apiKey' : 'apiKeys';
  if (needsKey(auth) && !hasKeys(upstream))
    return [at('type', [`is ${auth.type}, which needs a key`, 'Set apiKey, from the environment.'])];
  if (needsKey(auth) || !hasKeys(upstream)) return [];
  return [{ path: [key], message: `is set beside auth of the type ${auth.type}`, remedy: `Remove ${key}, or auth.` }];
}

/** A credential in `headers` beside another one: which of them counts would be the vendor's choice. */
function ofHeaders({ headers }: HttpSettings, auth: AuthSettings): Fault[] {
  const own = auth.type === 'header' ? [auth.name.toLowerCase()] : auth.type === 'none' ? [] : ['api-key', 'x-api-key', 'x-goog-api-key'];
  return Object.keys(headers)
    .filter((name) => own.includes(name.toLowerCase()) || (auth.type === 'sigv4' && name.toLowerCase().startsWith('x-amz-')))
    .map((name) => ({ path: ['headers', name], message: 'is a credential beside auth', remedy: 'Remove it.' }));
}

function ofType(upstream: Addressed, auth: AuthSettings): readonly Fault[] {
  if (auth.type === 'entra') return ofEntra(auth);
  if (auth.type === 'sigv4') return ofSigv4(upstream, auth);
  if (auth.type === 'google') return ofGoogle(auth);
  return [];
}

/** A file is read when a token is fetched: it may come later than the gateway. */
function ofGoogle({ credentials }: AuthOf<'google'>): Fault[] {
  if (credentials === undefined || !isJson(credentials)) return [];
  const found = readGoogleCredentials(credentials);
  return typeof found === 'string' ? [at('credentials', [found, 'Set the path of a key file, or its whole JSON.'])] : [];
}

const entraSources = ['clientSecret', 'federatedTokenFile', 'managedIdentity'] as const;

function ofEntra(auth: AuthOf<'entra'>): Fault[] {
  const [first, second] = entraSources.filter((name) => auth[name] !== undefined);
  if (first === undefined) return [at('type', ['entra has no credential', `Set one of ${entraSources.join(', ')}.`])];
  if (second !== undefined) return [at(second, [`is set beside ${first}`, 'Keep one of them.'])];
  if (first === 'managedIdentity')
    return auth.tenantId === undefined ? [] : [at('tenantId', ['is not used with managedIdentity', 'Remove it.'])];
  const missing = (['tenantId', 'clientId'] as const).filter((name) => auth[name] === undefined);
  return [
    ...missing.map((name) => at(name, ['is missing', `It goes with ${first}.`])),
    ...(isPrivate(auth.authority) ? [] : [at('authority', ['must start with https://', 'Secrets are sent there.'])]),
  ];
}

function ofSigv4(upstream: Addressed, auth: AuthOf<'sigv4'>): readonly Fault[] {
  const { aws, protocols } = upstream;
  const served: readonly string[] = protocols;
  const region = auth.region ?? aws?.region;
  const addressed = /\bbedrock-(?:runtime|runtime-fips|mantle)\.([a-z0-9-]+)\./.exec(upstream.baseUrl)?.[1];
  return [
    ...ofPair(auth),
    ...(region === undefined ? [at('region', ['is missing', 'Set it, or aws.region.'])] : []),
    ...(auth.service === undefined && aws === undefined
      ? [at('service', ['is missing', 'Set it to bedrock or bedrock-mantle, or set aws.'])]
      : []),
    ...(region !== undefined && addressed !== undefined && region !== addressed
      ? [at('region', ['is not the Region of the address', 'A signature holds in one Region: make both the same.'])]
      : []),
    ...(served.includes('images')
      ? [{ path: ['protocols'], message: 'has images, whose forms cannot be signed', remedy: 'Set protocols without images.' }]
      : []),
  ];
}

function ofPair({ accessKeyId, secretAccessKey, sessionToken, profile }: AuthOf<'sigv4'>): Fault[] {
  const hasPair = accessKeyId !== undefined && secretAccessKey !== undefined;
  if (accessKeyId !== undefined && !hasPair) return [at('secretAccessKey', ['is missing', 'It goes with accessKeyId.'])];
  if (secretAccessKey !== undefined && !hasPair) return [at('accessKeyId', ['is missing', 'It goes with secretAccessKey.'])];
  if (sessionToken !== undefined && !hasPair) return [at('sessionToken', ['is set without keys', 'Set accessKeyId and secretAccessKey.'])];
  return hasPair && profile !== undefined ? [at('profile', ['is set beside accessKeyId', 'Keep one of them.'])] : [];
}

/** Tokens and signatures are good for whoever reads them. */
function ofTransport({ baseUrl }: Addressed, { type }: AuthSettings): Fault[] {
  const isFetched = type === 'sigv4' || type === 'google' || type === 'entra';
  if (!isFetched || isPrivate(baseUrl)) return [];
  return [{ path: ['baseUrl'], message: 'must start with https://, except for an address of this machine', remedy: `auth is ${type}.` }];
}
