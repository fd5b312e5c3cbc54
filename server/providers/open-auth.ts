/** Opens the authentication of an upstream: a pool of keys, or one credential that is fetched. */

import type { AuthSettings } from '../config/auth-settings.ts';
import type { HttpUpstreamConfig } from '../config/config.ts';
import { getKeyHeaders } from '../config/key-headers.ts';
import { type Credential, type Credentials, openCredentials } from './credentials.ts';
import type { KeyState } from './upstream.ts';

export interface OpenAuth {
  /** The configured keys, in configuration order. */
  readonly keys: readonly string[];
  readonly credentials: Credentials;
  close(): Promise<void>;
}

const keyAuthTypes = new Set(['none', 'bearer', 'header']);

export function openAuth(config: HttpUpstreamConfig, openers: AuthOpeners): OpenAuth {
  const { auth } = config;
  if (auth === undefined || keyAuthTypes.has(auth.type)) {
    const keys = config.apiKeys ?? (config.apiKey === undefined ? [] : [config.apiKey]);
    const lines = keys.map((key) => Object.entries(getKeyHeaders(config, key)).flat());
    return { keys, credentials: openCredentials(lines), close: async () => {} };
  }
  const open = openers[auth.type];
  if (!open) throw new TypeError(`no module is loaded for auth of type ${auth.type}`);
  const credential = open(config);
  return { keys: [], credentials: createSingleCredential(credential), close: () => credential.close() };
}

const readyState: KeyState = { state: 'ready', restMs: 0 };

const createSingleCredential = (credential: FetchedCredential): Credentials => ({
  pick: () => credential,
  hasReady: () => false,
  getStates: () => [readyState],
  reset: () => 0,
});

/** Facts about a credential, for `modelgate doctor`. */
export interface CredentialFacts {
  /** Headers for a request that costs nothing. Never displayed. */
  readonly headers: Readonly<Record<string, string>>;
  /** Source, owner and expiry, without any secret. */
  readonly facts: readonly string[];
  /** How far the issuer's clock is ahead of ours, in milliseconds. Set only if the difference is too large. */
  readonly skewMs?: number;
}

/** The only credential of an upstream. It fetches tokens or signs requests. */
export interface FetchedCredential extends Credential {
  /** Fetches a new token. Rejects with a reason that contains no secret. */
  describe?(): Promise<CredentialFacts>;
  close(): Promise<void>;
}

export type AuthType = AuthSettings['type'];

export type AuthOpener = (upstream: HttpUpstreamConfig) => FetchedCredential;

export type AuthOpeners = Readonly<Partial<Record<AuthType, AuthOpener>>>;
