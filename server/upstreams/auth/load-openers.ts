/** Loads the modules for the credential types that the upstreams of a configuration use. */
import type { Config, HttpUpstreamConfig } from '../../config/config.ts';
import type { AuthOpener, AuthOpeners, AuthType, FetchedCredential } from './openers.ts';
import type { RenewalNews, TellRenewal } from './token-keeper.ts';

/** Hears how renewals of an upstream's tokens go, by the name of the upstream. */
export type TellRenewals = (upstream: string, news: RenewalNews) => void;

type TellingOpener = (upstream: HttpUpstreamConfig, tell: TellRenewal) => FetchedCredential;

/** Modules by type of `auth`. Other types send keys of the configuration. */
const loaders: Readonly<Partial<Record<AuthType, () => Promise<TellingOpener>>>> = {
  sigv4: async () => {
    const [{ openAws }, { openChain }] = await Promise.all([import('./aws.ts'), import('./aws-chain.ts')]);
    return (upstream, tell) => openAws(upstream, openChain, { tell });
  },
  entra: async () => {
    const { openEntra } = await import('./entra.ts');
    return (upstream, tell) => openEntra(upstream, process.env, tell);
  },
  google: async () => {
    const { openGoogle } = await import('./google.ts');
    return (upstream, tell) => openGoogle(upstream, process.env, tell);
  },
};

export async function loadAuthOpeners(upstreams: Config['upstreams'], tell: TellRenewals = () => {}): Promise<AuthOpeners> {
  const types = Object.values(upstreams).flatMap((upstream) => (upstream.kind === 'simulator' ? [] : (upstream.auth?.type ?? [])));
  const loaded = [...new Set(types)].map(async (type) => [type, await loaders[type]?.()] as const);
  return Object.fromEntries((await Promise.all(loaded)).flatMap(([type, open]) => (open ? [[type, telling(open, tell)]] : [])));
}

const telling =
  (open: TellingOpener, tell: TellRenewals): AuthOpener =>
  (upstream) =>
    open(upstream, (news) => tell(upstream.name, news));
