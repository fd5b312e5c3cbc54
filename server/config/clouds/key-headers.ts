/** The headers with which an upstream gets a key of the configuration. */
import type { HttpUpstreamConfig } from '../config.ts';
import { bearer, vendors } from '../vendors.ts';

type Headers = Readonly<Record<string, string>>;

/** Those of its `auth`, otherwise those of its kind. */
export function keyHeadersOf({ kind, auth }: Pick<HttpUpstreamConfig, 'kind' | 'auth'>, key: string): Headers {
  if (auth?.type === 'header') return { [auth.name]: key };
  return auth?.type === 'bearer' ? bearer(key) : vendors[kind].keyHeaders(key);
}

/** The headers of every request of its kind where it has a credential, without those that the configuration sets. */
export function kindHeadersOf({ kind, auth, apiKey, apiKeys, headers }: HttpUpstreamConfig): Headers {
  if (auth === undefined && apiKey === undefined && apiKeys === undefined) return {};
  const written = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(vendors[kind].headers).filter(([name]) => !written.has(name)));
}
