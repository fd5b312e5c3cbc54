/** An identity provider: its discovery document, the address a browser is sent to, and the checked ID token for the code it comes back with. */
import type { Configuration, ServerMetadata } from 'openid-client';
import type { Claims } from './oidc-claims.ts';
import type { Flow } from './oidc-flow.ts';

type Library = typeof import('openid-client');

/** Loaded with the first sign-in: a gateway without single sign-on never has it in memory. */
const load = (): Promise<Library> => import('openid-client');

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
}

export interface Provider {
  /** The discovery document. Rejects where the provider does not answer, or names itself otherwise than it is configured. */
  metadata(): Promise<ServerMetadata>;
  addressFor(flow: Flow, callback: string): Promise<URL>;
  /** `returned`: the callback with its query. Rejects unless state, issuer, code, nonce, audience, times and signature are right. */
  claimsFor(flow: Flow, returned: URL): Promise<Claims>;
}

/** For each request to the provider. */
const TIMEOUT_S = 5;
const KEPT_MS = 5 * 60_000;

export function openProvider(settings: ProviderSettings, now: () => number): Provider {
  const kept = keepFor(KEPT_MS, now, () => discover(settings));
  return {
    metadata: kept,
    async addressFor({ state, nonce, verifier }, callback) {
      const [library, metadata] = await Promise.all([load(), kept()]);
      return library.buildAuthorizationUrl(configure(library, settings, metadata), {
        redirect_uri: callback,
        response_type: 'code',
        scope: [...new Set(['openid', ...settings.scopes])].join(' '),
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },
    async claimsFor({ state, nonce, verifier }, returned) {
      const [library, metadata] = await Promise.all([load(), kept()]);
      const tokens = await library.authorizationCodeGrant(configure(library, settings, metadata), returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      return tokens.claims() ?? {};
    },
  };
}

async function discover(settings: ProviderSettings): Promise<ServerMetadata> {
  const library = await load();
  const { issuer, clientId, clientSecret } = settings;
  const found = await library.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: TIMEOUT_S,
    ...(isPlain(issuer) && { execute: [library.allowInsecureRequests] }),
  });
  const metadata = found.serverMetadata();
  // The library lets some large providers name themselves otherwise, for any of their customers.
  if (metadata.issuer !== issuer)
    throw new Error(`The provider calls itself ${metadata.issuer.slice(0, 200)}: admin.oidc.issuer must be the same.`);
  return structuredClone({ ...metadata });
}

/** Anew for each sign-in: what the library remembers of the provider's keys would outlive their change. */
function configure(library: Library, settings: ProviderSettings, metadata: ServerMetadata): Configuration {
  const { clientId, clientSecret, issuer } = settings;
  // In the body where it may be: not every provider decodes the header as RFC 6749, 2.3.1 has it. Basic is what all take who say nothing.
  const takesBody = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true;
  const prove = takesBody ? library.ClientSecretPost(clientSecret) : library.ClientSecretBasic(clientSecret);
  const configuration = new library.Configuration(structuredClone(metadata), clientId, undefined, prove);
  configuration.timeout = TIMEOUT_S;
  // Without it the library trusts TLS for a token that comes from the provider itself.
  library.enableNonRepudiationChecks(configuration);
  if (isPlain(issuer)) library.allowInsecureRequests(configuration);
  return configuration;
}

/** The configuration allows it on this machine alone. */
const isPlain = (issuer: string): boolean => issuer.startsWith('http:');

/** Those who ask at the same time wait for the same answer; a failure is not kept. */
function keepFor<T>(keptMs: number, now: () => number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (last && now() - last.at < keptMs && now() >= last.at) return last.value;
    const asked = { at: now(), value: read() };
    last = asked;
    asked.value.catch(() => {
      if (last === asked) last = undefined;
    });
    return asked.value;
  };
}
