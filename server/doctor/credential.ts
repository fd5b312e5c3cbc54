/** The credential that an upstream fetches, for `modelgate doctor`: fetched once, which is free, and described without the secret. */
import type { HttpUpstreamConfig } from '../config/config.ts';
import { loadAuthOpeners } from '../upstreams/auth/load-openers.ts';
import type { CredentialFacts } from '../upstreams/auth/openers.ts';

/** Null where the upstream sends keys of the configuration. Rejects with the reason why there is no credential. */
export async function fetchCredential(upstream: HttpUpstreamConfig): Promise<CredentialFacts | null> {
  const { auth, name } = upstream;
  if (auth === undefined) return null;
  const credential = (await loadAuthOpeners({ [name]: upstream }))[auth.type]?.(upstream);
  if (!credential) return null;
  try {
    return (await credential.describe?.()) ?? null;
  } finally {
    await credential.close();
  }
}
