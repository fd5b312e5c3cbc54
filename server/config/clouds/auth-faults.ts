/** Finds `auth` settings that contradict each other or the remaining upstream. The configuration is then rejected (promise G10). */

import type { AuthByType, AuthSettings } from '../auth-settings.ts';
import { isHttpsOrLoopback } from '../values.ts';
import { type Fault, type HttpSettings, hasKeys, type ResolvedHttpSettings } from './cloud.ts';
import { isJson, readGoogleCredentials } from './google-credentials.ts';

type FaultText = readonly [message: string, remedy: string];
const toAuthFault = (field: string, [message, remedy]: FaultText): Fault => ({ path: ['auth', field], message, remedy });

export function findAuthFaults(upstream: ResolvedHttpSettings, auth: AuthSettings): readonly Fault[] {
  return [
    ...findKeyFaults(upstream, auth),
    ...findHeaderFaults(upstream, auth),
    ...findTypeFaults(upstream, auth),
    ...findTransportFaults(upstream, auth),
  ];
}

const needsKey = (auth: AuthSettings): boolean => auth.type === 'bearer' || auth.type === 'header';

function findKeyFaults(upstream: HttpSettings, auth: AuthSettings): Fault[] {
  const key = upstream.apiKeys === undefined ? 'apiKey' : 'apiKeys';
  if (needsKey(auth) && !hasKeys(upstream))
    return [toAuthFault('type', [`is '${auth.type}', which requires a key`, 'Set apiKey to an environment variable.'])];
  if (needsKey(auth) || !hasKeys(upstream)) return [];
  return [{ path: [key], message: `can't be combined with auth.type '${auth.type}'`, remedy: `Remove ${key} or auth.` }];
}

/** A credential in `headers` isn't allowed in addition to another one, because the provider would choose which one counts. */
function findHeaderFaults({ headers }: HttpSettings, auth: AuthSettings): Fault[] {
  const credentialHeaders =
    auth.type === 'header' ? [auth.name.toLowerCase()] : auth.type === 'none' ? [] : ['api-key', 'x-api-key', 'x-goog-api-key'];
  return Object.keys(headers)
    .filter((name) => credentialHeaders.includes(name.toLowerCase()) || (auth.type === 'sigv4' && name.toLowerCase().startsWith('x-amz-')))
    .map((name) => ({ path: ['headers', name], message: "is a credential, which can't be combined with auth", remedy: 'Remove it.' }));
}

function findTypeFaults(upstream: ResolvedHttpSettings, auth: AuthSettings): readonly Fault[] {
  if (auth.type === 'entra') return findEntraFaults(auth);
  if (auth.type === 'sigv4') return findSigv4Faults(upstream, auth);
  if (auth.type === 'google') return findGoogleFaults(auth);
  return [];
}

/** Checks only inline JSON. A file is read when a token is fetched, because it may be created after the gateway starts. */
function findGoogleFaults({ credentials }: AuthByType<'google'>): Fault[] {
  if (credentials === undefined || !isJson(credentials)) return [];
  const result = readGoogleCredentials(credentials);
  return typeof result === 'string' ? [toAuthFault('credentials', [result, 'Set the path of a key file, or its complete JSON.'])] : [];
}

const entraSources = ['clientSecret', 'federatedTokenFile', 'managedIdentity'] as const;

function findEntraFaults(auth: AuthByType<'entra'>): Fault[] {
  const [first, second] = entraSources.filter((name) => auth[name] !== undefined);
  if (first === undefined)
    return [toAuthFault('type', ["is 'entra', which requires a credential", `Set one of ${entraSources.join(', ')}.`])];
  if (second !== undefined) return [toAuthFault(second, [`can't be combined with ${first}`, 'Remove one of them.'])];
  if (first === 'managedIdentity')
    return auth.tenantId === undefined ? [] : [toAuthFault('tenantId', ["can't be combined with managedIdentity", 'Remove it.'])];
  const missing = (['tenantId', 'clientId'] as const).filter((name) => auth[name] === undefined);
  return [
    ...missing.map((name) => toAuthFault(name, ['is missing', `${first} requires it.`])),
    ...(isHttpsOrLoopback(auth.authority) ? [] : [toAuthFault('authority', ['must start with https://', 'Secrets are sent to it.'])]),
  ];
}

function findSigv4Faults(upstream: ResolvedHttpSettings, auth: AuthByType<'sigv4'>): readonly Fault[] {
  const { aws, protocols } = upstream;
  const servedProtocols: readonly string[] = protocols;
  const region = auth.region ?? aws?.region;
  const addressRegion = /\bbedrock-(?:runtime|runtime-fips|mantle)\.([a-z0-9-]+)\./.exec(upstream.baseUrl)?.[1];
  return [
    ...findKeyPairFaults(auth),
    ...(region === undefined ? [toAuthFault('region', ['is missing', 'Set it, or set aws.region.'])] : []),
    ...(auth.service === undefined && aws === undefined
      ? [toAuthFault('service', ['is missing', 'Set it to bedrock or bedrock-mantle, or set aws.'])]
      : []),
    ...(region !== undefined && addressRegion !== undefined && region !== addressRegion
      ? [toAuthFault('region', ['differs from the Region in baseUrl', 'Use the same Region: a signature is valid in only one.'])]
      : []),
    ...(servedProtocols.includes('images')
      ? [{ path: ['protocols'], message: "can't contain images, because multipart requests can't be signed", remedy: 'Remove images.' }]
      : []),
  ];
}

function findKeyPairFaults({ accessKeyId, secretAccessKey, sessionToken, profile }: AuthByType<'sigv4'>): Fault[] {
  const hasPair = accessKeyId !== undefined && secretAccessKey !== undefined;
  if (accessKeyId !== undefined && !hasPair) return [toAuthFault('secretAccessKey', ['is missing', 'accessKeyId requires it.'])];
  if (secretAccessKey !== undefined && !hasPair) return [toAuthFault('accessKeyId', ['is missing', 'secretAccessKey requires it.'])];
  if (sessionToken !== undefined && !hasPair)
    return [toAuthFault('sessionToken', ['requires accessKeyId and secretAccessKey', 'Set both, or remove it.'])];
  return hasPair && profile !== undefined ? [toAuthFault('profile', ["can't be combined with accessKeyId", 'Remove one of them.'])] : [];
}

/** Requires TLS, because anyone who reads a token or signature can use it. */
function findTransportFaults({ baseUrl }: ResolvedHttpSettings, { type }: AuthSettings): Fault[] {
  const needsHttps = type === 'sigv4' || type === 'google' || type === 'entra';
  if (!needsHttps || isHttpsOrLoopback(baseUrl)) return [];
  return [
    {
      path: ['baseUrl'],
      message: "must start with https://, unless it's an address of this machine",
      remedy: `auth.type '${type}' requires it.`,
    },
  ];
}
