/** Builds the headers that carry an upstream's API key, and the headers that its kind always needs. */
import type { HttpUpstreamConfig } from './config.ts';
import { providers, toBearerHeader } from './providers.ts';

type Headers = Readonly<Record<string, string>>;

/** Returns the headers for the upstream's `auth`, otherwise for its kind. */
export function getKeyHeaders({ kind, auth }: Pick<HttpUpstreamConfig, 'kind' | 'auth'>, key: string): Headers {
  if (auth?.type === 'header') return { [auth.name]: key };
  return auth?.type === 'bearer' ? toBearerHeader(key) : providers[kind].keyHeaders(key);
}

/** Returns the headers that the kind adds to requests with a credential. Headers set in the configuration take precedence. */
export function getKindHeaders({ kind, auth, apiKey, apiKeys, headers }: HttpUpstreamConfig): Headers {
  if (auth === undefined && apiKey === undefined && apiKeys === undefined) return {};
  const configuredNames = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(providers[kind].headers).filter(([name]) => !configuredNames.has(name)));
}
