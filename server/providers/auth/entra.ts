/** Access tokens of Microsoft Entra, for Azure: with a client secret, a workload identity, or the managed identity of the machine. */

import { readFile } from 'node:fs/promises';
import { Agent, request } from 'undici';
import type { AuthByType } from '../../config/auth-settings.ts';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { isFields } from '../../primitives/fields.ts';
import { collectBodyStart } from '../collect.ts';
import type { FetchedCredential } from '../open-auth.ts';
import { type FetchToken, type ReportRenewal, TokenCache } from './token-cache.ts';

const MAX_TOKEN_RESPONSE_BYTES = 64 * 1024;
const FETCH_TIMEOUT_MS = 5_000;
/** The clock difference to report. Clocks synchronized by NTP differ less. */
const MAX_CLOCK_SKEW_MS = 240_000;

export function openEntra({ auth }: HttpUpstreamConfig, env: Environment = process.env, report?: ReportRenewal): FetchedCredential {
  if (auth?.type !== 'entra') throw new TypeError('the upstream has no auth of type entra');
  const agent = new Agent({ connections: 1, connect: { timeout: FETCH_TIMEOUT_MS } });
  const fetchToken = async (signal: AbortSignal): Promise<EntraToken> => {
    const { url, ...requestOptions } = await createTokenRequest(auth, env);
    const { statusCode, body } = await request(url, { ...requestOptions, signal, dispatcher: agent });
    return readEntraToken(statusCode, await collectBodyStart(body, MAX_TOKEN_RESPONSE_BYTES), Date.now());
  };
  const fetchLines: FetchToken = async (signal) => {
    const { accessToken, endsAt } = await fetchToken(signal);
    return { lines: ['authorization', `Bearer ${accessToken}`], endsAt };
  };
  const tokenCache = new TokenCache(fetchLines, report && { report });
  return {
    getLines: () => tokenCache.getLines(),
    // A missing role is a 401 too, so a new token is replaced at most once per minute.
    renew: ({ status }, lines) => status === 401 && tokenCache.invalidate(lines),
    // The upstream has only this credential, so a failure doesn't start a cooldown.
    recordStatus: () => {},
    describe: async () => describeToken(auth, env, await fetchToken(AbortSignal.timeout(FETCH_TIMEOUT_MS))),
    close: () => agent.close(),
  };
}

function describeToken(auth: AuthByType<'entra'>, env: Environment, { accessToken, endsAt }: EntraToken) {
  const { aud, tid, appid, azp, exp } = parseClaims(accessToken);
  const facts = { tenant: tid ?? auth.tenantId, client: appid ?? azp ?? auth.clientId, audience: aud };
  const details = Object.entries(facts).flatMap(([name, value]) => (typeof value === 'string' ? [`${name} ${value}`] : []));
  const skewMs = typeof exp === 'number' ? exp * 1_000 - endsAt : 0;
  return {
    headers: { authorization: `Bearer ${accessToken}` },
    facts: [`token from ${describeSource(auth, env)}`, ...details, `until ${new Date(endsAt).toISOString()}`],
    ...(Math.abs(skewMs) > MAX_CLOCK_SKEW_MS && { skewMs }),
  };
}

type EntraAuth = AuthByType<'entra'>;
export type Environment = Readonly<Record<string, string | undefined>>;

interface TokenRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Returns a description of the credential, for `modelgate doctor`. */
export function describeSource(auth: EntraAuth, env: Environment): string {
  if (auth.clientSecret !== undefined) return 'client secret';
  if (auth.federatedTokenFile !== undefined) return 'workload identity';
  return hasServiceIdentity(env) ? "service's managed identity" : "machine's managed identity";
}

/** Rejects if the workload identity's token file can't be read. */
async function createTokenRequest(auth: EntraAuth, env: Environment): Promise<TokenRequest> {
  if (auth.managedIdentity) return hasServiceIdentity(env) ? createServiceRequest(auth, env) : createMachineRequest(auth, env);
  const form = {
    grant_type: 'client_credentials',
    client_id: auth.clientId ?? '',
    ...(await readClientCredentials(auth)),
    scope: auth.scope,
  };
  return {
    method: 'POST',
    url: `${auth.authority}/${encodeURIComponent(auth.tenantId ?? '')}/oauth2/v2.0/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
  };
}

const JWT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

async function readClientCredentials({ clientSecret, federatedTokenFile = '' }: EntraAuth): Promise<Readonly<Record<string, string>>> {
  if (clientSecret !== undefined) return { client_secret: clientSecret };
  // The file is replaced before its token expires, so it's read for each fetch.
  return { client_assertion_type: JWT_ASSERTION_TYPE, client_assertion: (await readFile(federatedTokenFile, 'utf8')).trim() };
}

/** App Service, Functions and Container Apps set both variables. */
const hasServiceIdentity = ({ IDENTITY_ENDPOINT, IDENTITY_HEADER }: Environment): boolean => Boolean(IDENTITY_ENDPOINT && IDENTITY_HEADER);

function createServiceRequest(auth: EntraAuth, { IDENTITY_ENDPOINT = '', IDENTITY_HEADER = '' }: Environment): TokenRequest {
  const url = new URL(IDENTITY_ENDPOINT);
  url.search = createTokenQuery(auth, '2019-08-01');
  return { method: 'GET', url: url.href, headers: { 'x-identity-header': IDENTITY_HEADER, accept: 'application/json' } };
}

/** The metadata service has the same address on every virtual machine. */
const METADATA_ORIGIN = 'http://169.254.169.254';

function createMachineRequest(auth: EntraAuth, { AZURE_POD_IDENTITY_AUTHORITY_HOST = METADATA_ORIGIN }: Environment): TokenRequest {
  const url = new URL('/metadata/identity/oauth2/token', AZURE_POD_IDENTITY_AUTHORITY_HOST);
  url.search = createTokenQuery(auth, '2018-02-01');
  return { method: 'GET', url: url.href, headers: { metadata: 'true', accept: 'application/json' } };
}

/** These two endpoints expect the resource, which is the scope without `/.default`. */
function createTokenQuery({ scope, clientId }: EntraAuth, version: string): string {
  const resource = scope.replace(/\/\.default$/, '');
  return new URLSearchParams({ 'api-version': version, resource, ...(clientId !== undefined && { client_id: clientId }) }).toString();
}

interface EntraToken {
  readonly accessToken: string;
  /** Milliseconds since 1970, by the local clock. */
  readonly endsAt: number;
}

export function readEntraToken(status: number, body: string, now: number): EntraToken {
  const fields = parse(body);
  if (status !== 200) throw new Error(`the token endpoint returned ${[`status ${status}`, ...findErrorCodes(fields)].join(', ')}`);
  const { access_token, expires_in, expires_on } = fields;
  if (typeof access_token !== 'string' || !/^[\x21-\x7e]+$/.test(access_token)) throw new Error('the token endpoint returned no token');
  // Managed identities send numbers as text. A duration is preferred, because the local clock doesn't matter.
  const lifetimeMs = Number(expires_in) * 1_000;
  const endsAt = lifetimeMs > 0 ? now + lifetimeMs : Number(expires_on) * 1_000;
  if (!(endsAt > now)) throw new Error("the token endpoint returned an expired token; check this machine's clock");
  return { accessToken: access_token, endsAt };
}

/** Returns the error codes, such as `invalid_client` and `AADSTS7000215`. Their meaning is public. */
function findErrorCodes({ error, error_description, error_codes }: Readonly<Record<string, unknown>>): string[] {
  const errorCode = typeof error === 'string' ? /^\w{1,64}$/.exec(error)?.[0] : undefined;
  const listedCode = Array.isArray(error_codes) && typeof error_codes[0] === 'number' ? `AADSTS${error_codes[0]}` : undefined;
  const aadstsCode = listedCode ?? (typeof error_description === 'string' ? /AADSTS\d+/.exec(error_description)?.[0] : undefined);
  return [errorCode, aadstsCode].filter((code) => code !== undefined);
}

/** Returns the claims of a token, or nothing if it isn't a JWT. The claims are only displayed, so they aren't verified. */
const parseClaims = (token: string): Readonly<Record<string, unknown>> =>
  parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    // An HTML page from a proxy: only the status is reported.
    return {};
  }
}
