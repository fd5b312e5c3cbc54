/** What a credential is that is fetched or signs, and what opens one. */
import type { AuthSettings } from '../../config/clouds/auth-schema.ts';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import type { Credential } from '../credentials.ts';

/** A credential as `modelgate doctor` tells it. */
export interface CredentialFacts {
  /** For a request that costs nothing; they are never shown. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where it came from, whose it is and when it ends, without any secret. */
  readonly facts: readonly string[];
  /** What the issuer's clock is ahead of ours, where that is too much. */
  readonly skewMs?: number;
}

/** The one credential of an upstream, that fetches or signs. */
export interface FetchedCredential extends Credential {
  /** Fetches it anew. Rejects with the reason, which contains no secret. */
  describe?(): Promise<CredentialFacts>;
  /** Closes its connections. */
  close(): Promise<void>;
}

export type AuthType = AuthSettings['type'];
export type AuthOpener = (upstream: HttpUpstreamConfig) => FetchedCredential;
export type AuthOpeners = Readonly<Partial<Record<AuthType, AuthOpener>>>;
