/** Opens an identity provider: reads its discovery document, builds the URL for the browser, and verifies the ID token behind the returned code. */
import type { Configuration, ServerMetadata } from 'openid-client';
import type { Claims } from './claims.ts';
import type { SignInFlow } from './sign-in-flow.ts';

type Library = typeof import('openid-client');

/** Loaded at the first sign-in, so that a gateway without single sign-on never has it in memory. */
const loadLibrary = (): Promise<Library> => import('openid-client');

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
}

export interface Provider {
  /** Returns the discovery document. Rejects if the provider doesn't respond, or its issuer differs from the configured one. */
  getMetadata(): Promise<ServerMetadata>;
  getAuthorizationUrl(flow: SignInFlow, callback: string): Promise<URL>;
  /** `callbackUrl`: the callback URL with its query. Rejects unless state, issuer, code, nonce, audience, times and signature are valid. */
  getClaims(flow: SignInFlow, callbackUrl: URL): Promise<Claims>;
}

/** The timeout of each request to the provider. */
const TIMEOUT_S = 5;
const METADATA_TTL_MS = 5 * 60_000;

export function openProvider(settings: ProviderSettings, now: () => number): Provider {
  const getCachedMetadata = cachePromise(METADATA_TTL_MS, now, () => discoverMetadata(settings));
  return {
    getMetadata: getCachedMetadata,
    async getAuthorizationUrl({ state, nonce, verifier }, callback) {
      const [library, metadata] = await Promise.all([loadLibrary(), getCachedMetadata()]);
      return library.buildAuthorizationUrl(createConfiguration(library, settings, metadata), {
        redirect_uri: callback,
        response_type: 'code',
        scope: [...new Set(['openid', ...settings.scopes])].join(' '),
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },
    async getClaims({ state, nonce, verifier }, callbackUrl) {
      const [library, metadata] = await Promise.all([loadLibrary(), getCachedMetadata()]);
      const tokens = await library.authorizationCodeGrant(createConfiguration(library, settings, metadata), callbackUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      return tokens.claims() ?? {};
    },
  };
}

async function discoverMetadata(settings: ProviderSettings): Promise<ServerMetadata> {
  const library = await loadLibrary();
  const { issuer, clientId, clientSecret } = settings;
  const configuration = await library.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: TIMEOUT_S,
    ...(isInsecure(issuer) && { execute: [library.allowInsecureRequests] }),
  });
  const metadata = configuration.serverMetadata();
  // For some large providers, the library accepts another issuer, which any of their customers could be.
  if (metadata.issuer !== issuer)
    throw new Error(`The provider's issuer is ${metadata.issuer.slice(0, 200)}. admin.oidc.issuer must be the same.`);
  return structuredClone({ ...metadata });
}

/** Created for each sign-in, because the library's cached provider keys would survive a key rotation. */
function createConfiguration(library: Library, settings: ProviderSettings, metadata: ServerMetadata): Configuration {
  const { clientId, clientSecret, issuer } = settings;
  // Sends the secret in the body if the provider supports it, because not every provider decodes the header as RFC 6749, 2.3.1 requires. Basic is the default
  // for providers that list no methods.
  const supportsBodySecret = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true;
  const clientAuth = supportsBodySecret ? library.ClientSecretPost(clientSecret) : library.ClientSecretBasic(clientSecret);
  const configuration = new library.Configuration(structuredClone(metadata), clientId, undefined, clientAuth);
  configuration.timeout = TIMEOUT_S;
  // Verifies the signature of the ID token. By default, the library skips this for tokens fetched from the provider over TLS.
  library.enableNonRepudiationChecks(configuration);
  if (isInsecure(issuer)) library.allowInsecureRequests(configuration);
  return configuration;
}

/** The configuration allows `http:` only for this machine. */
const isInsecure = (issuer: string): boolean => issuer.startsWith('http:');

/** Concurrent callers share one result. Failures aren't cached. */
function cachePromise<T>(ttlMs: number, now: () => number, load: () => Promise<T>): () => Promise<T> {
  let lastEntry: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (lastEntry && now() - lastEntry.at < ttlMs && now() >= lastEntry.at) return lastEntry.value;
    const entry = { at: now(), value: load() };
    lastEntry = entry;
    entry.value.catch(() => {
      if (lastEntry === entry) lastEntry = undefined;
    });
    return entry.value;
  };
}

const TIMEOUT_CODES: readonly unknown[] = ['OAUTH_TIMEOUT', 'OAUTH_ABORT'];

/** Whether there was no connection, no response in time, or a 5xx response. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isNoConnection = error instanceof TypeError && error.message === 'fetch failed';
  return isNoConnection || TIMEOUT_CODES.includes(getErrorCode(error)) || getStatus(error) >= 500;
}

const ERROR_WORD = /^[a-z_]{1,40}$/;

/** Returns the provider's error such as `access_denied`, or the failed check with its claim: `OAUTH_JWT_CLAIM_COMPARISON_FAILED aud`. */
export function describeRejection(error: unknown): string {
  const reason = getField(error, 'error');
  if (typeof reason === 'string') return ERROR_WORD.test(reason) ? reason : 'rejected';
  const claim = getField(getField(getField(error, 'cause'), 'cause'), 'claim');
  const code = getErrorCode(error);
  return [typeof code === 'string' ? code : 'unknown', ...(typeof claim === 'string' && ERROR_WORD.test(claim) ? [claim] : [])].join(' ');
}

const getErrorCode = (error: unknown): unknown => getField(error, 'code');

function getStatus(error: unknown): number {
  const response = getField(error, 'cause');
  return response instanceof Response ? response.status : 0;
}

function getField(value: unknown, name: string): unknown {
  // `as`: any object can be read by name.
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
