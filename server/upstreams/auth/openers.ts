/** Loads what opens the fetched credentials of a configuration, each only where an upstream uses it. */
import type { AuthSettings } from '../../config/clouds/auth-schema.ts';
import type { Config, HttpUpstreamConfig } from '../../config/config.ts';
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

/** By type of `auth`; the others send keys of the configuration. */
const loaders: Readonly<Partial<Record<AuthType, () => Promise<AuthOpener>>>> = {
  entra: async () => (await import('./entra.ts')).openEntra,
};

export async function loadAuthOpeners(upstreams: Config['upstreams']): Promise<AuthOpeners> {
  const types = Object.values(upstreams).flatMap((upstream) => (upstream.kind === 'simulator' ? [] : (upstream.auth?.type ?? [])));
  const loaded = [...new Set(types)].map(async (type) => [type, await loaders[type]?.()] as const);
  return Object.fromEntries((await Promise.all(loaded)).filter(([, opener]) => opener !== undefined));
}
