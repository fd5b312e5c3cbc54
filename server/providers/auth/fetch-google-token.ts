/** Fetches an access token of Google, with as many requests as its credentials need. */

import { readFile } from 'node:fs/promises';
import type { GoogleCredentials, GoogleCredentialsByType } from '../../config/clouds/google-credentials.ts';
import { isFields } from '../../primitives/fields.ts';
import type { GoogleSource } from './google-source.ts';
import { type GoogleToken, readGoogleToken, readSuccessFields, type TokenResponse } from './google-token.ts';
import {
  createAccountRequest,
  createExchangeRequest,
  createImpersonationRequest,
  createMetadataRequest,
  createUserRequest,
  type GoogleTokenRequest,
  type Impersonation,
} from './google-token-request.ts';

export type SendRequest = (
  request: GoogleTokenRequest,
) => Promise<TokenResponse & { headers: Readonly<Record<string, string | string[] | undefined>> }>;

export function fetchGoogleToken(source: GoogleSource, scopes: readonly string[], sendRequest: SendRequest): Promise<GoogleToken> {
  return source.kind === 'metadata'
    ? fetchMachineToken(source.host, scopes, sendRequest)
    : fetchCredentialsToken(source.credentials, scopes, sendRequest);
}

async function fetchMachineToken(host: string, scopes: readonly string[], sendRequest: SendRequest): Promise<GoogleToken> {
  const path = `instance/service-accounts/default/token?scopes=${encodeURIComponent(scopes.join(','))}`;
  const response = await sendRequest(createMetadataRequest(host, path)).catch(() => {
    throw new Error("no Google credentials: GOOGLE_APPLICATION_CREDENTIALS isn't set, and no metadata server responds");
  });
  // Another host on the network may have this name.
  if (response.headers['metadata-flavor'] !== 'Google') throw new Error("the metadata server isn't Google's");
  return readGoogleToken(response, Date.now());
}

/** The scope required to impersonate an account. */
const CLOUD_PLATFORM_SCOPES = ['https://www.googleapis.com/auth/cloud-platform'];

async function fetchCredentialsToken(
  credentials: GoogleCredentials,
  scopes: readonly string[],
  sendRequest: SendRequest,
): Promise<GoogleToken> {
  const requestToken = async (request: GoogleTokenRequest): Promise<GoogleToken> => readGoogleToken(await sendRequest(request), Date.now());
  const impersonate = (impersonation: Impersonation): Promise<GoogleToken> => requestToken(createImpersonationRequest(impersonation));
  switch (credentials.type) {
    case 'service_account':
      return requestToken(createAccountRequest(credentials, scopes, Date.now()));
    case 'authorized_user':
      return requestToken(createUserRequest(credentials));
    case 'external_account': {
      const { service_account_impersonation_url: url, service_account_impersonation: impersonationSettings } = credentials;
      const subject = await getSubjectToken(credentials, sendRequest);
      const federatedToken = await requestToken(
        createExchangeRequest(credentials, url === undefined ? scopes : CLOUD_PLATFORM_SCOPES, subject),
      );
      if (url === undefined) return federatedToken;
      return impersonate({
        url,
        accessToken: federatedToken.accessToken,
        scopes,
        lifeSeconds: impersonationSettings?.token_lifetime_seconds,
      });
    }
    case 'impersonated_service_account': {
      const { accessToken } = await fetchCredentialsToken(credentials.source_credentials, CLOUD_PLATFORM_SCOPES, sendRequest);
      return impersonate({ url: credentials.service_account_impersonation_url, accessToken, scopes, delegates: credentials.delegates });
    }
  }
}

/** Returns the other platform's token. Its file is replaced before the token expires, so it's read for each fetch. */
async function getSubjectToken(
  { credential_source: source }: GoogleCredentialsByType<'external_account'>,
  sendRequest: SendRequest,
): Promise<string> {
  const text = 'file' in source ? await readSubjectToken(source.file) : await fetchSubjectToken(source, sendRequest);
  if (source.format.type === 'text') return text.trim();
  const token = readField(text, source.format.subject_token_field_name ?? '');
  if (typeof token !== 'string') throw new Error('the source of the federated token has no field with this name');
  return token;
}

const readSubjectToken = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`can't read the federated token file: ${cause.code ?? 'unknown reason'}`);
  });

async function fetchSubjectToken(
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  sendRequest: SendRequest,
) {
  const response = await sendRequest({ method: 'GET', url, headers });
  if (response.status !== 200) readSuccessFields(response, Date.now());
  return response.body;
}

function readField(text: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value[name] : undefined;
  } catch {
    return undefined;
  }
}
