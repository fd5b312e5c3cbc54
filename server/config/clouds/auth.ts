/** Finds settings of `auth` that contradict each other or the rest of the upstream. Such a file is rejected (G10). */

import { z } from 'zod';
import type { Path, Problem } from '../document.ts';
import type { FileSettings } from '../schema.ts';
import { type AuthOf, type AuthSettings, isPrivate } from '../values.ts';

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
    return [at('type', [`is '${auth.type}', which requires a key`, 'Set apiKey to an environment variable.'])];
  if (needsKey(auth) || !hasKeys(upstream)) return [];
  return [{ path: [key], message: `can't be combined with auth.type '${auth.type}'`, remedy: `Remove ${key} or auth.` }];
}

/** A credential in `headers` isn't allowed in addition to another one, because the provider would choose which one counts. */
function ofHeaders({ headers }: HttpSettings, auth: AuthSettings): Fault[] {
  const own = auth.type === 'header' ? [auth.name.toLowerCase()] : auth.type === 'none' ? [] : ['api-key', 'x-api-key', 'x-goog-api-key'];
  return Object.keys(headers)
    .filter((name) => own.includes(name.toLowerCase()) || (auth.type === 'sigv4' && name.toLowerCase().startsWith('x-amz-')))
    .map((name) => ({ path: ['headers', name], message: "is a credential, which can't be combined with auth", remedy: 'Remove it.' }));
}

function ofType(upstream: Addressed, auth: AuthSettings): readonly Fault[] {
  if (auth.type === 'entra') return ofEntra(auth);
  if (auth.type === 'sigv4') return ofSigv4(upstream, auth);
  if (auth.type === 'google') return ofGoogle(auth);
  return [];
}

/** Checks only inline JSON. A file is read when a token is fetched, because it may be created after the gateway starts. */
function ofGoogle({ credentials }: AuthOf<'google'>): Fault[] {
  if (credentials === undefined || !isJson(credentials)) return [];
  const found = readGoogleCredentials(credentials);
  return typeof found === 'string' ? [at('credentials', [found, 'Set the path of a key file, or its complete JSON.'])] : [];
}

const entraSources = ['clientSecret', 'federatedTokenFile', 'managedIdentity'] as const;

function ofEntra(auth: AuthOf<'entra'>): Fault[] {
  const [first, second] = entraSources.filter((name) => auth[name] !== undefined);
  if (first === undefined) return [at('type', ["is 'entra', which requires a credential", `Set one of ${entraSources.join(', ')}.`])];
  if (second !== undefined) return [at(second, [`can't be combined with ${first}`, 'Remove one of them.'])];
  if (first === 'managedIdentity')
    return auth.tenantId === undefined ? [] : [at('tenantId', ["can't be combined with managedIdentity", 'Remove it.'])];
  const missing = (['tenantId', 'clientId'] as const).filter((name) => auth[name] === undefined);
  return [
    ...missing.map((name) => at(name, ['is missing', `${first} requires it.`])),
    ...(isPrivate(auth.authority) ? [] : [at('authority', ['must start with https://', 'Secrets are sent to it.'])]),
  ];
}

function ofSigv4(upstream: Addressed, auth: AuthOf<'sigv4'>): readonly Fault[] {
  const { aws, protocols } = upstream;
  const served: readonly string[] = protocols;
  const region = auth.region ?? aws?.region;
  const addressed = /\bbedrock-(?:runtime|runtime-fips|mantle)\.([a-z0-9-]+)\./.exec(upstream.baseUrl)?.[1];
  return [
    ...ofPair(auth),
    ...(region === undefined ? [at('region', ['is missing', 'Set it, or set aws.region.'])] : []),
    ...(auth.service === undefined && aws === undefined
      ? [at('service', ['is missing', 'Set it to bedrock or bedrock-mantle, or set aws.'])]
      : []),
    ...(region !== undefined && addressed !== undefined && region !== addressed
      ? [at('region', ['differs from the Region in baseUrl', 'Use the same Region: a signature is valid in only one.'])]
      : []),
    ...(served.includes('images')
      ? [{ path: ['protocols'], message: "can't contain images, because multipart requests can't be signed", remedy: 'Remove images.' }]
      : []),
  ];
}

function ofPair({ accessKeyId, secretAccessKey, sessionToken, profile }: AuthOf<'sigv4'>): Fault[] {
  const hasPair = accessKeyId !== undefined && secretAccessKey !== undefined;
  if (accessKeyId !== undefined && !hasPair) return [at('secretAccessKey', ['is missing', 'accessKeyId requires it.'])];
  if (secretAccessKey !== undefined && !hasPair) return [at('accessKeyId', ['is missing', 'secretAccessKey requires it.'])];
  if (sessionToken !== undefined && !hasPair)
    return [at('sessionToken', ['requires accessKeyId and secretAccessKey', 'Set both, or remove it.'])];
  return hasPair && profile !== undefined ? [at('profile', ["can't be combined with accessKeyId", 'Remove one of them.'])] : [];
}

/** Requires TLS, because anyone who reads a token or signature can use it. */
function ofTransport({ baseUrl }: Addressed, { type }: AuthSettings): Fault[] {
  const isFetched = type === 'sigv4' || type === 'google' || type === 'entra';
  if (!isFetched || isPrivate(baseUrl)) return [];
  return [
    {
      path: ['baseUrl'],
      message: "must start with https://, unless it's an address of this machine",
      remedy: `auth.type '${type}' requires it.`,
    },
  ];
}

/** Whether the configured `credentials` are JSON, not the path of a file. */
export const isJson = (credentials: string): boolean => credentials.trimStart().startsWith('{');

/** Returns the credentials, or a message that says what's wrong. It names fields but contains no values. */
export function readGoogleCredentials(text: string): GoogleCredentials | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the text.
    return "isn't valid JSON";
  }
  built ??= build();
  const { success, data, error } = built.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  if (field === 'type') return "has a credential type that isn't supported";
  if (field.startsWith('credential_source')) return "has a credential_source that isn't supported; it must be a file or a url";
  return field === '' ? "isn't a Google credential" : `has a missing or invalid ${field}`;
}

export type GoogleCredentials = z.output<ReturnType<typeof build>>;
export type GoogleCredentialsOf<Type extends GoogleCredentials['type']> = Extract<GoogleCredentials, { type: Type }>;

/** Built when the first credentials are read, so that a gateway without Google doesn't pay for it. */
let built: ReturnType<typeof build> | undefined;

const TOKENS = 'https://oauth2.googleapis.com/token';

function parts() {
  const text = z.string().min(1);
  // Secrets are sent there.
  const endpoint = z.url().refine(isPrivate, 'must start with https://');
  const project = z
    .string()
    .regex(/^[\w.:-]+$/)
    .optional();
  return { text, endpoint, project };
}

function build() {
  const { text, endpoint, project } = parts();
  const account = z.object({
    type: z.literal('service_account'),
    client_email: text,
    private_key: text,
    private_key_id: text.optional(),
    token_uri: endpoint.default(TOKENS),
    quota_project_id: project,
  });
  const user = z.object({
    type: z.literal('authorized_user'),
    client_id: text,
    client_secret: text,
    refresh_token: text,
    token_uri: endpoint.default(TOKENS),
    quota_project_id: project,
  });
  const impersonated = z.object({
    type: z.literal('impersonated_service_account'),
    service_account_impersonation_url: endpoint,
    delegates: z.array(text).optional(),
    source_credentials: z.discriminatedUnion('type', [account, user]),
    quota_project_id: project,
  });
  return z.discriminatedUnion('type', [account, user, impersonated, buildFederation()]);
}

function buildFederation() {
  const { text, endpoint, project } = parts();
  const format = z.object({ type: z.enum(['text', 'json']).default('text'), subject_token_field_name: text.optional() }).prefault({});
  // The platform's metadata server, which some machines serve over plain HTTP. With `environment_id`, it's AWS's, which requires signed requests.
  const address = z.object({
    url: z.url(),
    headers: z.record(z.string(), z.string()).default({}),
    format,
    environment_id: z.never().optional(),
  });
  return z.object({
    type: z.literal('external_account'),
    audience: text,
    subject_token_type: text,
    token_url: endpoint,
    service_account_impersonation_url: endpoint.optional(),
    service_account_impersonation: z.object({ token_lifetime_seconds: z.int().min(600).max(43_200).optional() }).optional(),
    workforce_pool_user_project: text.optional(),
    credential_source: z.union([z.object({ file: text, format }), address]),
    quota_project_id: project,
  });
}

/** An HTTP upstream as written in the file. */
export type HttpSettings = Exclude<FileSettings['upstreams'][string], { kind: 'simulator' }>;

/** A mistake in an upstream, at a path within it. */
export interface Fault extends Pick<Problem, 'message' | 'remedy'> {
  readonly path: Path;
}

export const placeNames = ['azure', 'aws', 'google'] as const;
export type PlaceName = (typeof placeNames)[number];

/** The settings that identify the cloud of an upstream. */
export type Placed = Pick<HttpSettings, 'kind' | PlaceName>;

/** One cloud. Its functions get upstreams that have its part. */
export interface Place {
  /** The kinds of upstream that it serves. */
  readonly kinds: readonly HttpSettings['kind'][];
  /** Base URL of the operations, without a trailing slash. */
  address(upstream: HttpSettings): string;
  /** Adapts the file's `baseUrl` to this cloud. Absent if it's used unchanged. */
  ownAddress?(upstream: HttpSettings): string | undefined;
  /** Returns the authentication if `auth` is omitted. Undefined to send the key as usual for the kind. */
  auth(upstream: HttpSettings): AuthSettings | undefined;
  faults(upstream: HttpSettings): readonly Fault[];
  /** Whether images and files must be inline, because models don't fetch URLs. Absent if they do. */
  inlineOnly?(upstream: Placed): boolean;
  /** Returns why this cloud can't serve a model, or null. */
  model?(upstream: Placed, upstreamModel: string): Omit<Fault, 'path'> | null;
  /** Path of the free model list. Null if there isn't one. Absent for `/models`. */
  models?(upstream: Placed): string | null;
}

export const hasKeys = ({ apiKey, apiKeys }: HttpSettings): boolean => apiKey !== undefined || apiKeys !== undefined;
