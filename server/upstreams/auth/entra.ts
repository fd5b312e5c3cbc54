/** Access tokens of Microsoft Entra, for Azure: with a client secret, a workload identity, or the managed identity of the machine. */

import { readFile } from 'node:fs/promises';
import { Agent, request } from 'undici';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import type { AuthOf } from '../../config/values.ts';
import { isFields } from '../../primitives/fields.ts';
import type { FetchedCredential } from '../credentials.ts';
import { collectStart } from '../http-exchange.ts';
import { type FetchToken, type ReportRenewal, TokenKeeper } from './token-keeper.ts';

const MAX_BYTES = 64 * 1024;
const FETCH_MS = 5_000;
/** Clock difference that is reported. Clocks that are set by a time server differ less. */
const SKEW_MS = 240_000;

export function openEntra({ auth }: HttpUpstreamConfig, env: Environment = process.env, report?: ReportRenewal): FetchedCredential {
  if (auth?.type !== 'entra') throw new TypeError('the upstream has no auth of type entra');
  const agent = new Agent({ connections: 1, connect: { timeout: FETCH_MS } });
  const fetchToken = async (signal: AbortSignal): Promise<EntraToken> => {
    const { url, ...order } = await tokenOrder(auth, env);
    const { statusCode, body } = await request(url, { ...order, signal, dispatcher: agent });
    return readToken(statusCode, await collectStart(body, MAX_BYTES), Date.now());
  };
  const next: FetchToken = async (signal) => {
    const { accessToken, endsAt } = await fetchToken(signal);
    return { lines: ['authorization', `Bearer ${accessToken}`], endsAt };
  };
  const keeper = new TokenKeeper(next, report && { report: report });
  return {
    lines: () => keeper.lines(),
    // A missing role is 401, too, so a new token is replaced at most once a minute.
    renew: ({ status }, lines) => status === 401 && keeper.replace(lines),
    // The upstream has only this credential, so a failure doesn't make it rest.
    note: () => {},
    describe: async () => describeToken(auth, env, await fetchToken(AbortSignal.timeout(FETCH_MS))),
    close: () => agent.close(),
  };
}

function describeToken(auth: AuthOf<'entra'>, env: Environment, { accessToken, endsAt }: EntraToken) {
  const { aud, tid, appid, azp, exp } = claimsIn(accessToken);
  const facts = { tenant: tid ?? auth.tenantId, client: appid ?? azp ?? auth.clientId, audience: aud };
  const told = Object.entries(facts).flatMap(([name, value]) => (typeof value === 'string' ? [`${name} ${value}`] : []));
  const skewMs = typeof exp === 'number' ? exp * 1_000 - endsAt : 0;
  return {
    headers: { authorization: `Bearer ${accessToken}` },
    facts: [`token from ${sourceOf(auth, env)}`, ...told, `until ${new Date(endsAt).toISOString()}`],
    ...(Math.abs(skewMs) > SKEW_MS && { skewMs }),
  };
}

type Entra = AuthOf<'entra'>;
export type Environment = Readonly<Record<string, string | undefined>>;

export interface TokenOrder {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Description of the credential, for `modelgate doctor`. */
export function sourceOf(auth: Entra, env: Environment): string {
  if (auth.clientSecret !== undefined) return 'client secret';
  if (auth.federatedTokenFile !== undefined) return 'workload identity';
  return isService(env) ? "service's managed identity" : "machine's managed identity";
}

/** Rejects when the file of a workload identity can't be read. */
export async function tokenOrder(auth: Entra, env: Environment): Promise<TokenOrder> {
  if (auth.managedIdentity) return isService(env) ? serviceOrder(auth, env) : machineOrder(auth, env);
  const form = { grant_type: 'client_credentials', client_id: auth.clientId ?? '', ...(await proofOf(auth)), scope: auth.scope };
  return {
    method: 'POST',
    url: `${auth.authority}/${encodeURIComponent(auth.tenantId ?? '')}/oauth2/v2.0/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
  };
}

const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

async function proofOf({ clientSecret, federatedTokenFile = '' }: Entra): Promise<Readonly<Record<string, string>>> {
  if (clientSecret !== undefined) return { client_secret: clientSecret };
  // The file is replaced before its token expires, so it is read for each fetch.
  return { client_assertion_type: ASSERTION, client_assertion: (await readFile(federatedTokenFile, 'utf8')).trim() };
}

/** App Service, Functions and Container Apps set both variables. */
const isService = ({ IDENTITY_ENDPOINT, IDENTITY_HEADER }: Environment): boolean => Boolean(IDENTITY_ENDPOINT && IDENTITY_HEADER);

function serviceOrder(auth: Entra, { IDENTITY_ENDPOINT = '', IDENTITY_HEADER = '' }: Environment): TokenOrder {
  const url = new URL(IDENTITY_ENDPOINT);
  url.search = queryOf(auth, '2019-08-01');
  return { method: 'GET', url: url.href, headers: { 'x-identity-header': IDENTITY_HEADER, accept: 'application/json' } };
}

/** The metadata service has the same address on every virtual machine. */
const MACHINE = 'http://169.254.169.254';

function machineOrder(auth: Entra, { AZURE_POD_IDENTITY_AUTHORITY_HOST = MACHINE }: Environment): TokenOrder {
  const url = new URL('/metadata/identity/oauth2/token', AZURE_POD_IDENTITY_AUTHORITY_HOST);
  url.search = queryOf(auth, '2018-02-01');
  return { method: 'GET', url: url.href, headers: { metadata: 'true', accept: 'application/json' } };
}

/** These two endpoints expect the resource: the scope without `/.default`. */
function queryOf({ scope, clientId }: Entra, version: string): string {
  const resource = scope.replace(/\/\.default$/, '');
  return new URLSearchParams({ 'api-version': version, resource, ...(clientId !== undefined && { client_id: clientId }) }).toString();
}

export interface EntraToken {
  readonly accessToken: string;
  /** In milliseconds since 1970, by the clock of this machine. */
  readonly endsAt: number;
}

export function readToken(status: number, body: string, now: number): EntraToken {
  const said = parse(body);
  if (status !== 200) throw new Error(`the token endpoint returned ${[`status ${status}`, ...codesIn(said)].join(', ')}`);
  const { access_token, expires_in, expires_on } = said;
  if (typeof access_token !== 'string' || !/^[\x21-\x7e]+$/.test(access_token)) throw new Error('the token endpoint returned no token');
  // Managed identities send numbers as text. A duration is preferred, because it doesn't depend on the local clock.
  const lifeMs = Number(expires_in) * 1_000;
  const endsAt = lifeMs > 0 ? now + lifeMs : Number(expires_on) * 1_000;
  if (!(endsAt > now)) throw new Error("the token endpoint returned an expired token; check this machine's clock");
  return { accessToken: access_token, endsAt };
}

/** The error codes, such as `invalid_client` and `AADSTS7000215`, whose meaning is public. */
function codesIn({ error, error_description, error_codes }: Readonly<Record<string, unknown>>): string[] {
  const word = typeof error === 'string' ? /^\w{1,64}$/.exec(error)?.[0] : undefined;
  const listed = Array.isArray(error_codes) && typeof error_codes[0] === 'number' ? `AADSTS${error_codes[0]}` : undefined;
  const number = listed ?? (typeof error_description === 'string' ? /AADSTS\d+/.exec(error_description)?.[0] : undefined);
  return [word, number].filter((code) => code !== undefined);
}

/** The claims of a token; empty for a token that isn't a JWT. They aren't verified, and nothing here depends on that. */
export const claimsIn = (token: string): Readonly<Record<string, unknown>> =>
  parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    // The page of a proxy: only the status is reported.
    return {};
  }
}
