/** Access tokens of Google, for Vertex AI: with a service account, workload identity federation, or the account of the machine. */

import { Agent, request } from 'undici';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { collectBodyStart } from '../collect.ts';
import type { FetchedCredential } from '../open-auth.ts';
import { fetchGoogleToken, type SendRequest } from './fetch-google-token.ts';
import { type Environment, findGoogleSource, type GoogleSource } from './google-source.ts';
import { type GoogleToken, MAX_CLOCK_SKEW_MS } from './google-token.ts';
import { type FetchToken, type ReportRenewal, TokenCache } from './token-cache.ts';

const MAX_TOKEN_RESPONSE_BYTES = 64 * 1024;
const FETCH_TIMEOUT_MS = 5_000;

export function openGoogle(
  { auth, google }: HttpUpstreamConfig,
  env: Environment = process.env,
  report?: ReportRenewal,
): FetchedCredential {
  if (auth?.type !== 'google') throw new TypeError('the upstream has no auth of type google');
  const agent = new Agent({ connections: 1, connect: { timeout: FETCH_TIMEOUT_MS } });
  const fetchToken = async (signal: AbortSignal): Promise<FetchedToken> => {
    const sendRequest: SendRequest = async ({ url, ...requestOptions }) => {
      const { statusCode: status, headers, body } = await request(url, { ...requestOptions, signal, dispatcher: agent });
      return { status, headers, date: toSingle(headers.date), body: await collectBodyStart(body, MAX_TOKEN_RESPONSE_BYTES) };
    };
    const source = await findGoogleSource(auth, env);
    const token = await fetchGoogleToken(source, auth.scopes, sendRequest);
    return { source, token, headers: createHeaders(token, source, env) };
  };
  const fetchLines: FetchToken = async (signal) => {
    const { token, headers } = await fetchToken(signal);
    return { lines: Object.entries(headers).flat(), endsAt: token.endsAt };
  };
  const tokenCache = new TokenCache(fetchLines, report && { report });
  return {
    getLines: () => tokenCache.getLines(),
    renew: ({ status }, lines) => status === 401 && tokenCache.invalidate(lines),
    // The upstream has only this credential, so a failure doesn't start a cooldown.
    recordStatus: () => {},
    describe: async () => describeToken(await fetchToken(AbortSignal.timeout(FETCH_TIMEOUT_MS)), google?.project),
    close: () => agent.close(),
  };
}

interface FetchedToken {
  readonly source: GoogleSource;
  readonly token: GoogleToken;
  readonly headers: Readonly<Record<string, string>>;
}

/** `x-goog-user-project` names the project that pays for the quota, if the credentials or the environment set one. */
function createHeaders({ accessToken }: GoogleToken, source: GoogleSource, env: Environment): Record<string, string> {
  const credentialsProject = source.kind === 'credentials' ? source.credentials.quota_project_id : undefined;
  const project = env.GOOGLE_CLOUD_QUOTA_PROJECT || credentialsProject;
  return { authorization: `Bearer ${accessToken}`, ...(project !== undefined && { 'x-goog-user-project': project }) };
}

function describeToken({ source, token, headers }: FetchedToken, project: string | undefined) {
  const { endsAt, aheadMs: clockSkewMs } = token;
  const quotaProject = headers['x-goog-user-project'];
  return {
    headers,
    facts: [
      ...describeSource(source),
      ...(project === undefined ? [] : [`project ${project}`]),
      ...(quotaProject === undefined ? [] : [`quota project ${quotaProject}`]),
      `until ${new Date(endsAt).toISOString()}`,
    ],
    ...(clockSkewMs !== null && Math.abs(clockSkewMs) > MAX_CLOCK_SKEW_MS && { skewMs: clockSkewMs }),
  };
}

/** Describes the credentials, with their account if known. */
function describeSource(source: GoogleSource): string[] {
  if (source.kind === 'metadata') return ["token from the machine's service account"];
  const { credentials } = source;
  switch (credentials.type) {
    case 'service_account':
      return ['token from a service account', `account ${credentials.client_email}`];
    case 'authorized_user':
      return ['token from a user login'];
    case 'external_account':
      return ['token from workload identity federation', ...describeAccount(credentials.service_account_impersonation_url)];
    case 'impersonated_service_account':
      return ['token from impersonation', ...describeAccount(credentials.service_account_impersonation_url)];
  }
}

function describeAccount(url: string | undefined): string[] {
  const account = /\/serviceAccounts\/([^/:]+):/.exec(url ?? '')?.[1];
  return account === undefined ? [] : [`account ${account}`];
}

const toSingle = (value: string | string[] | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
