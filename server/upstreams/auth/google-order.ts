/** Builds the requests for Google tokens, for each kind of credentials. */
import { sign } from 'node:crypto';
import type { GoogleCredentialsOf } from '../../config/clouds/google-credentials.ts';

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
    throw new Error('private_key of the credentials is no RSA key');
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
