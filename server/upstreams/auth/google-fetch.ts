/** Fetches a Google access token: by one request, or by two for an impersonation. */
import { readFile } from 'node:fs/promises';
import { isFields } from '../../../contract/rule.ts';
import type { GoogleCredentials, GoogleCredentialsOf } from '../../config/clouds/google-credentials.ts';
import { type GoogleToken, readOk, readToken, type Told } from './google-answer.ts';
import {
  accountOrder,
  exchangeOrder,
  type Impersonation,
  impersonationOrder,
  metadataOrder,
  type TokenOrder,
  userOrder,
} from './google-order.ts';
import type { GoogleSource } from './google-source.ts';

export interface Answered extends Told {
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
    throw new Error('no credentials of Google: GOOGLE_APPLICATION_CREDENTIALS is not set, and no metadata server answers');
  });
  // Another host in the network may have this name.
  if (answer.headers['metadata-flavor'] !== 'Google') throw new Error('the metadata server is none of Google');
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
  if (typeof token !== 'string') throw new Error('the source of the federated token has no such field');
  return token;
}

const readSubject = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`the file of the federated token cannot be read: ${cause.code ?? 'unknown reason'}`);
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
