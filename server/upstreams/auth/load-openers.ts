/** Loads what opens the fetched credentials of a configuration, each only where an upstream uses it. */
import type { Config } from '../../config/config.ts';
import type { AuthOpener, AuthOpeners, AuthType } from './openers.ts';

/** By type of `auth`; the others send keys of the configuration. */
const loaders: Readonly<Partial<Record<AuthType, () => Promise<AuthOpener>>>> = {
  sigv4: async () => {
    const [{ openAws }, { openChain }] = await Promise.all([import('./aws.ts'), import('./aws-chain.ts')]);
    return (upstream) => openAws(upstream, openChain);
  },
  entra: async () => (await import('./entra.ts')).openEntra,
  google: async () => (await import('./google.ts')).openGoogle,
};

export async function loadAuthOpeners(upstreams: Config['upstreams']): Promise<AuthOpeners> {
  const types = Object.values(upstreams).flatMap((upstream) => (upstream.kind === 'simulator' ? [] : (upstream.auth?.type ?? [])));
  const loaded = [...new Set(types)].map(async (type) => [type, await loaders[type]?.()] as const);
  return Object.fromEntries((await Promise.all(loaded)).filter(([, opener]) => opener !== undefined));
}
