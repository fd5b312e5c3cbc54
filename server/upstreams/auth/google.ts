/** Access tokens of Google, for Vertex AI: with a service account, workload identity federation, or the account of the machine. */
import { Agent, request } from 'undici';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { collectStart } from '../read-body.ts';
import { type GoogleToken, SKEW_MS } from './google-answer.ts';
import { type Ask, fetchToken } from './google-fetch.ts';
import { type Environment, findSource, type GoogleSource } from './google-source.ts';
import type { FetchedCredential } from './openers.ts';
import { type FetchToken, type TellRenewal, TokenKeeper } from './token-keeper.ts';

const MOST_BYTES = 64 * 1024;
const FETCH_MS = 5_000;

export function openGoogle({ auth, google }: HttpUpstreamConfig, env: Environment = process.env, tell?: TellRenewal): FetchedCredential {
  if (auth?.type !== 'google') throw new TypeError('an upstream without auth of the type google');
  const agent = new Agent({ connections: 1, connect: { timeout: FETCH_MS } });
  const take = async (signal: AbortSignal): Promise<Taken> => {
    const ask: Ask = async ({ url, ...order }) => {
      const { statusCode: status, headers, body } = await request(url, { ...order, signal, dispatcher: agent });
      return { status, headers, date: one(headers.date), body: await collectStart(body, MOST_BYTES) };
    };
    const source = await findSource(auth, env);
    const token = await fetchToken({ source, scopes: auth.scopes, ask });
    return { source, token, headers: headersOf(token, source, env) };
  };
  const next: FetchToken = async (signal) => {
    const { token, headers } = await take(signal);
    return { lines: Object.entries(headers).flat(), endsAt: token.endsAt };
  };
  const keeper = new TokenKeeper(next, tell && { tell });
  return {
    lines: () => keeper.lines(),
    renew: ({ status }, lines) => status === 401 && keeper.replace(lines),
    // The upstream has only this credential, so a failure does not make it rest.
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
      ...(payer === undefined ? [] : [`quota of ${payer}`]),
      `until ${new Date(endsAt).toISOString()}`,
    ],
    ...(aheadMs !== null && Math.abs(aheadMs) > SKEW_MS && { skewMs: aheadMs }),
  };
}

/** Description of the credentials, with their account if it is known. */
function tellSource(source: GoogleSource): string[] {
  if (source.kind === 'metadata') return ['token by the account of the machine'];
  const { credentials } = source;
  switch (credentials.type) {
    case 'service_account':
      return ['token by a service account', `account ${credentials.client_email}`];
    case 'authorized_user':
      return ['token by the login of a user'];
    case 'external_account':
      return ['token by workload identity federation', ...accountIn(credentials.service_account_impersonation_url)];
    case 'impersonated_service_account':
      return ['token by impersonation', ...accountIn(credentials.service_account_impersonation_url)];
  }
}

function accountIn(url: string | undefined): string[] {
  const account = /\/serviceAccounts\/([^/:]+):/.exec(url ?? '')?.[1];
  return account === undefined ? [] : [`account ${account}`];
}

const one = (value: string | string[] | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
