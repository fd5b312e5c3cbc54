/** Types of credentials that are fetched or that sign requests, and of the functions that open them. */
import type { AuthSettings } from '../../config/clouds/auth-schema.ts';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import type { Credential } from '../credentials.ts';

/** A credential as `modelgate doctor` reports it. */
export interface CredentialFacts {
  /** Headers for a request that costs nothing. They are never shown. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its source, owner and expiry, without any secret. */
  readonly facts: readonly string[];
  /** Milliseconds by which the issuer's clock is ahead of ours, when that is too much. */
  readonly skewMs?: number;
}

/** The only credential of an upstream, which fetches tokens or signs requests. */
export interface FetchedCredential extends Credential {
  /** Fetches a new one. Rejects with the reason, which contains no secret. */
  describe?(): Promise<CredentialFacts>;
  /** Closes its connections. */
  close(): Promise<void>;
}

export type AuthType = AuthSettings['type'];
export type AuthOpener = (upstream: HttpUpstreamConfig) => FetchedCredential;
export type AuthOpeners = Readonly<Partial<Record<AuthType, AuthOpener>>>;
