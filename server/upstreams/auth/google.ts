/** Access tokens of Google, for Vertex AI: with a service account, workload identity federation, or the account of the machine. */

import { sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { type GoogleCredentials, type GoogleCredentialsOf, isJson, readGoogleCredentials } from '../../config/clouds/auth.ts';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import type { AuthOf } from '../../config/values.ts';
import { isFields } from '../../primitives/fields.ts';
import type { FetchedCredential } from '../credentials.ts';
import { collectStart } from '../http-exchange.ts';
import { type FetchToken, type ReportRenewal, TokenKeeper } from './token-keeper.ts';

const MAX_BYTES = 64 * 1024;
const FETCH_MS = 5_000;

export function openGoogle(
  { auth, google }: HttpUpstreamConfig,
  env: Environment = process.env,
  report?: ReportRenewal,
): FetchedCredential {
  if (auth?.type !== 'google') throw new TypeError('the upstream has no auth of type google');
  const agent = new Agent({ connections: 1, connect: { timeout: FETCH_MS } });
  const take = async (signal: AbortSignal): Promise<Taken> => {
    const ask: Ask = async ({ url, ...order }) => {
      const { statusCode: status, headers, body } = await request(url, { ...order, signal, dispatcher: agent });
      return { status, headers, date: one(headers.date), body: await collectStart(body, MAX_BYTES) };
    };
    const source = await findSource(auth, env);
    const token = await fetchToken({ source, scopes: auth.scopes, ask });
    return { source, token, headers: headersOf(token, source, env) };
  };
  const next: FetchToken = async (signal) => {
    const { token, headers } = await take(signal);
    return { lines: Object.entries(headers).flat(), endsAt: token.endsAt };
  };
  const keeper = new TokenKeeper(next, report && { report: report });
  return {
    lines: () => keeper.lines(),
    renew: ({ status }, lines) => status === 401 && keeper.replace(lines),
    // The upstream has only this credential, so a failure doesn't make it rest.
    note: () => {},
    describe: async () => describe(await take(AbortSignal.timeout(FETCH_MS)), google?.project),
    close: () => agent.close(),
  };
}

interface Taken {
  readonly source: GoogleSource;
  readonly token: GoogleToken;
  readonly headers: Readonly<Record<string, string>>;
}

/** `x-goog-user-project`: who pays for the quota, where the credentials or the machine say so. */
function headersOf({ accessToken }: GoogleToken, source: GoogleSource, env: Environment): Record<string, string> {
  const own = source.kind === 'credentials' ? source.credentials.quota_project_id : undefined;
  const project = env.GOOGLE_CLOUD_QUOTA_PROJECT || own;
  return { authorization: `Bearer ${accessToken}`, ...(project !== undefined && { 'x-goog-user-project': project }) };
}

function describe({ source, token, headers }: Taken, project: string | undefined) {
  const { endsAt, aheadMs } = token;
  const payer = headers['x-goog-user-project'];
  return {
    headers,
    facts: [
      ...tellSource(source),
      ...(project === undefined ? [] : [`project ${project}`]),
      ...(payer === undefined ? [] : [`quota project ${payer}`]),
      `until ${new Date(endsAt).toISOString()}`,
    ],
    ...(aheadMs !== null && Math.abs(aheadMs) > SKEW_MS && { skewMs: aheadMs }),
  };
}

/** Description of the credentials, with their account if it is known. */
function tellSource(source: GoogleSource): string[] {
  if (source.kind === 'metadata') return ["token from the machine's service account"];
  const { credentials } = source;
  switch (credentials.type) {
    case 'service_account':
      return ['token from a service account', `account ${credentials.client_email}`];
    case 'authorized_user':
      return ['token from a user login'];
    case 'external_account':
      return ['token from workload identity federation', ...accountIn(credentials.service_account_impersonation_url)];
    case 'impersonated_service_account':
      return ['token from impersonation', ...accountIn(credentials.service_account_impersonation_url)];
  }
}

function accountIn(url: string | undefined): string[] {
  const account = /\/serviceAccounts\/([^/:]+):/.exec(url ?? '')?.[1];
  return account === undefined ? [] : [`account ${account}`];
}

const one = (value: string | string[] | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

export interface Answered extends TokenError {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}
/** Sends one request. */
export type Ask = (order: TokenOrder) => Promise<Answered>;

export interface TokenFetch {
  readonly source: GoogleSource;
  readonly scopes: readonly string[];
  readonly ask: Ask;
}

export function fetchToken({ source, scopes, ask }: TokenFetch): Promise<GoogleToken> {
  return source.kind === 'metadata' ? fromMachine(source.host, scopes, ask) : fromCredentials(source.credentials, scopes, ask);
}

async function fromMachine(host: string, scopes: readonly string[], ask: Ask): Promise<GoogleToken> {
  const path = `instance/service-accounts/default/token?scopes=${encodeURIComponent(scopes.join(','))}`;
  const answer = await ask(metadataOrder(host, path)).catch(() => {
    throw new Error("no Google credentials: GOOGLE_APPLICATION_CREDENTIALS isn't set, and no metadata server responds");
  });
  // Another host in the network may have this name.
  if (answer.headers['metadata-flavor'] !== 'Google') throw new Error("the metadata server isn't Google's");
  return readToken(answer, Date.now());
}

/** The scope that is needed to impersonate an account. */
const PLATFORM = ['https://www.googleapis.com/auth/cloud-platform'];

async function fromCredentials(credentials: GoogleCredentials, scopes: readonly string[], ask: Ask): Promise<GoogleToken> {
  const take = async (order: TokenOrder): Promise<GoogleToken> => readToken(await ask(order), Date.now());
  const actAs = (impersonation: Impersonation): Promise<GoogleToken> => take(impersonationOrder(impersonation));
  switch (credentials.type) {
    case 'service_account':
      return take(accountOrder(credentials, scopes, Date.now()));
    case 'authorized_user':
      return take(userOrder(credentials));
    case 'external_account': {
      const { service_account_impersonation_url: url, service_account_impersonation: how } = credentials;
      const subject = await subjectToken(credentials, ask);
      const own = await take(exchangeOrder(credentials, url === undefined ? scopes : PLATFORM, subject));
      if (url === undefined) return own;
      return actAs({ url, accessToken: own.accessToken, scopes, lifeSeconds: how?.token_lifetime_seconds });
    }
    case 'impersonated_service_account': {
      const { accessToken } = await fromCredentials(credentials.source_credentials, PLATFORM, ask);
      return actAs({ url: credentials.service_account_impersonation_url, accessToken, scopes, delegates: credentials.delegates });
    }
  }
}

/** The token of the other platform. Its file is replaced before the token expires, so it is read for each fetch. */
async function subjectToken({ credential_source: source }: GoogleCredentialsOf<'external_account'>, ask: Ask): Promise<string> {
  const text = 'file' in source ? await readSubject(source.file) : await askSubject(source, ask);
  if (source.format.type === 'text') return text.trim();
  const token = fieldOf(text, source.format.subject_token_field_name ?? '');
  if (typeof token !== 'string') throw new Error('the source of the federated token has no field with this name');
  return token;
}

const readSubject = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`can't read the federated token file: ${cause.code ?? 'unknown reason'}`);
  });

async function askSubject({ url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> }, ask: Ask) {
  const answer = await ask({ method: 'GET', url, headers });
  if (answer.status !== 200) readOk(answer, Date.now());
  return answer.body;
}

function fieldOf(text: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value[name] : undefined;
  } catch {
    return undefined;
  }
}

export interface TokenOrder {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const postForm = (url: string, form: Readonly<Record<string, string>>): TokenOrder => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  body: new URLSearchParams(form).toString(),
});

const LIFE_SECONDS = 3_600;
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** RFC 7523: an assertion signed with the key of the account. */
export function accountOrder(account: GoogleCredentialsOf<'service_account'>, scopes: readonly string[], now: number): TokenOrder {
  const { client_email: iss, private_key_id: kid, token_uri: aud } = account;
  const iat = Math.floor(now / 1_000);
  const header = { alg: 'RS256', typ: 'JWT', ...(kid !== undefined && { kid }) };
  const signed = `${encode(header)}.${encode({ iss, scope: scopes.join(' '), aud, iat, exp: iat + LIFE_SECONDS })}`;
  const assertion = `${signed}.${signWith(account.private_key, signed)}`;
  return postForm(aud, { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
}

function signWith(key: string, text: string): string {
  try {
    return sign('RSA-SHA256', Buffer.from(text), key).toString('base64url');
  } catch {
    // The library's message may quote the key.
    throw new Error("private_key in the credentials isn't an RSA key");
  }
}

export function userOrder(user: GoogleCredentialsOf<'authorized_user'>): TokenOrder {
  const { client_id, client_secret, refresh_token, token_uri } = user;
  return postForm(token_uri, { grant_type: 'refresh_token', client_id, client_secret, refresh_token });
}

type Federation = GoogleCredentialsOf<'external_account'>;

/** RFC 8693: exchanges the token of another platform for a Google token. */
export function exchangeOrder(federation: Federation, scopes: readonly string[], subjectToken: string): TokenOrder {
  const { audience, token_url, subject_token_type, workforce_pool_user_project: userProject } = federation;
  return postForm(token_url, {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    audience,
    scope: scopes.join(' '),
    requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    subject_token: subjectToken,
    subject_token_type,
    ...(userProject !== undefined && { options: JSON.stringify({ userProject }) }),
  });
}

export interface Impersonation {
  readonly url: string;
  /** Token of the principal that may impersonate the account. */
  readonly accessToken: string;
  readonly scopes: readonly string[];
  readonly delegates?: readonly string[] | undefined;
  readonly lifeSeconds?: number | undefined;
}

export function impersonationOrder({ url, accessToken, scopes, delegates, lifeSeconds = LIFE_SECONDS }: Impersonation): TokenOrder {
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ scope: scopes, lifetime: `${lifeSeconds}s`, ...(delegates && { delegates }) }),
  };
}

/** The metadata server of Google's machines. */
export const metadataOrder = (host: string, path: string): TokenOrder => ({
  method: 'GET',
  url: `http://${host}/computeMetadata/v1/${path}`,
  headers: { 'metadata-flavor': 'Google' },
});

export interface GoogleToken {
  readonly accessToken: string;
  /** In milliseconds since 1970, by the clock of this machine. */
  readonly endsAt: number;
  /** Milliseconds by which Google's clock is ahead of ours; null if the response has no date. */
  readonly aheadMs: number | null;
}

export interface TokenError {
  readonly status: number;
  readonly body: string;
  /** The `date` header. */
  readonly date: string | undefined;
}

/** Clock difference that is reported. Clocks that are set by a time server differ less. */
export const SKEW_MS = 240_000;

export function readToken(told: TokenError, now: number): GoogleToken {
  const said = readOk(told, now);
  const aheadMs = aheadOf(told.date, now);
  const accessToken = said.access_token ?? said.accessToken;
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) throw new Error('the token endpoint returned no token');
  // A duration doesn't depend on the local clock. The expiry of an impersonated token is a time by Google's clock.
  const lifeMs = Number(said.expires_in) * 1_000;
  const endsAt = lifeMs > 0 ? now + lifeMs : Date.parse(String(said.expireTime)) - (aheadMs ?? 0);
  if (!(endsAt > now)) throw new Error("the token endpoint returned an expired token; check this machine's clock");
  return { accessToken, endsAt, aheadMs };
}

/** The fields of a successful answer. Throws for any other. */
export function readOk({ status, body, date }: TokenError, now: number): Readonly<Record<string, unknown>> {
  const said = parse(body);
  if (status === 200) return said;
  const code = codeIn(said);
  throw new Error(`the token endpoint returned status ${status}${code === undefined ? '' : `, ${code}`}${clockWords(aheadOf(date, now))}`);
}

/** The error code, such as `invalid_grant` of the token endpoint or `PERMISSION_DENIED` of the others. */
function codeIn({ error }: Readonly<Record<string, unknown>>): string | undefined {
  const word = isFields(error) ? error.status : error;
  return typeof word === 'string' ? /^\w{1,64}$/.exec(word)?.[0] : undefined;
}

function aheadOf(date: string | undefined, now: number): number | null {
  const theirs = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(theirs) ? null : theirs - now;
}

/** An assertion has times by the local clock; a wrong clock is the usual reason for `invalid_grant`. */
function clockWords(aheadMs: number | null): string {
  if (aheadMs === null || Math.abs(aheadMs) < SKEW_MS) return '';
  return `; this machine's clock is ${Math.round(Math.abs(aheadMs) / 1_000)} seconds ${aheadMs > 0 ? 'behind' : 'ahead'}`;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    // The page of a proxy: only the status is reported.
    return {};
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a token comes from. */
export type GoogleSource = { readonly kind: 'credentials'; readonly credentials: GoogleCredentials } | MetadataServer;
interface MetadataServer {
  readonly kind: 'metadata';
  readonly host: string;
}

/** Reads the files for each token, since they may be replaced. Rejects when the named credentials can't be read. */
export async function findSource({ credentials }: Pick<AuthOf<'google'>, 'credentials'>, env: Environment): Promise<GoogleSource> {
  if (credentials !== undefined) return isJson(credentials) ? read(credentials, 'credentials') : readAt(credentials, 'credentials');
  const named = env.GOOGLE_APPLICATION_CREDENTIALS;
  if (named) return readAt(named, 'GOOGLE_APPLICATION_CREDENTIALS');
  const ofGcloud = await readFile(gcloudFile(env), 'utf8').catch(() => null);
  if (ofGcloud !== null) return read(ofGcloud, 'the gcloud application default credentials file');
  return { kind: 'metadata', host: env.GCE_METADATA_HOST || 'metadata.google.internal' };
}

/** Credentials that `gcloud auth application-default login` writes. */
function gcloudFile({ CLOUDSDK_CONFIG, APPDATA }: Environment): string {
  const base = process.platform === 'win32' && APPDATA ? join(APPDATA, 'gcloud') : join(homedir(), '.config', 'gcloud');
  return join(CLOUDSDK_CONFIG || base, 'application_default_credentials.json');
}

async function readAt(path: string, name: string): Promise<GoogleSource> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`can't read the file in ${name}: ${cause.code ?? 'unknown reason'}`);
  });
  return read(text, name);
}

function read(text: string, name: string): GoogleSource {
  const credentials = readGoogleCredentials(text);
  if (typeof credentials === 'string') throw new Error(`the content of ${name} ${credentials}`);
  return { kind: 'credentials', credentials };
}
