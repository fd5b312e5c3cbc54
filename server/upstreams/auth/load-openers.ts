/** Loads the modules for the credential types that the upstreams of a configuration use. */
import type { Config } from '../../config/config.ts';
import type { AuthOpener, AuthOpeners, AuthType } from './openers.ts';

/** Modules by type of `auth`. Other types send keys of the configuration. */
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
