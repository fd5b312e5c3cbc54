/** Loads what opens the fetched credentials of a configuration, each only where an upstream uses it. */
import type { AuthSettings } from '../../config/clouds/auth-schema.ts';
import type { Config, HttpUpstreamConfig } from '../../config/config.ts';
import type { Credential } from '../credentials.ts';

/** The one credential of an upstream, that fetches or signs. */
export interface FetchedCredential extends Credential {
  /** Closes its connections. */
  close(): Promise<void>;
}

export type AuthType = AuthSettings['type'];
export type AuthOpener = (upstream: HttpUpstreamConfig) => FetchedCredential;
export type AuthOpeners = Readonly<Partial<Record<AuthType, AuthOpener>>>;

/** By type of `auth`; the others send keys of the configuration. */
const loaders: Readonly<Partial<Record<AuthType, () => Promise<AuthOpener>>>> = {};

export async function loadAuthOpeners(upstreams: Config['upstreams']): Promise<AuthOpeners> {
  const types = Object.values(upstreams).flatMap((upstream) => (upstream.kind === 'simulator' ? [] : (upstream.auth?.type ?? [])));
  const loaded = [...new Set(types)].map(async (type) => [type, await loaders[type]?.()] as const);
  return Object.fromEntries((await Promise.all(loaded)).filter(([, opener]) => opener !== undefined));
}
