/** Builds Google access token requests, one per credential type. */

import { sign } from 'node:crypto';
import type { GoogleCredentialsByType } from '../../config/clouds/google-credentials.ts';

export interface GoogleTokenRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const createFormRequest = (url: string, form: Readonly<Record<string, string>>): GoogleTokenRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  body: new URLSearchParams(form).toString(),
});

const TOKEN_LIFETIME_SECONDS = 3_600;

const encodeBase64Json = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** RFC 7523: an assertion signed with the service account's key. */
export function createAccountRequest(
  account: GoogleCredentialsByType<'service_account'>,
  scopes: readonly string[],
  now: number,
): GoogleTokenRequest {
  const { client_email: iss, private_key_id: kid, token_uri: aud } = account;
  const iat = Math.floor(now / 1_000);
  const header = { alg: 'RS256', typ: 'JWT', ...(kid !== undefined && { kid }) };
  const signingInput = `${encodeBase64Json(header)}.${encodeBase64Json({ iss, scope: scopes.join(' '), aud, iat, exp: iat + TOKEN_LIFETIME_SECONDS })}`;
  const assertion = `${signingInput}.${signText(account.private_key, signingInput)}`;
  return createFormRequest(aud, { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
}

function signText(key: string, text: string): string {
  try {
    return sign('RSA-SHA256', Buffer.from(text), key).toString('base64url');
  } catch {
    // The library's message may quote the key.
    throw new Error("private_key in the credentials isn't an RSA key");
  }
}

export function createUserRequest(user: GoogleCredentialsByType<'authorized_user'>): GoogleTokenRequest {
  const { client_id, client_secret, refresh_token, token_uri } = user;
  return createFormRequest(token_uri, { grant_type: 'refresh_token', client_id, client_secret, refresh_token });
}

type Federation = GoogleCredentialsByType<'external_account'>;

/** RFC 8693: exchanges another platform's token for a Google token. */
export function createExchangeRequest(federation: Federation, scopes: readonly string[], subjectToken: string): GoogleTokenRequest {
  const { audience, token_url, subject_token_type, workforce_pool_user_project: userProject } = federation;
  return createFormRequest(token_url, {
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
  /** The token of the principal that impersonates the account. */
  readonly accessToken: string;
  readonly scopes: readonly string[];
  readonly delegates?: readonly string[] | undefined;
  readonly lifeSeconds?: number | undefined;
}

export function createImpersonationRequest({
  url,
  accessToken,
  scopes,
  delegates,
  lifeSeconds: lifetimeSeconds = TOKEN_LIFETIME_SECONDS,
}: Impersonation): GoogleTokenRequest {
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ scope: scopes, lifetime: `${lifetimeSeconds}s`, ...(delegates && { delegates }) }),
  };
}

/** Creates a request to the metadata server of a Google machine. */
export const createMetadataRequest = (host: string, path: string): GoogleTokenRequest => ({
  method: 'GET',
  url: `http://${host}/computeMetadata/v1/${path}`,
  headers: { 'metadata-flavor': 'Google' },
});
