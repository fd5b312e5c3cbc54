/** Loads only the authentication modules that a configuration uses: AWS, Entra, Google. */

import type { Config, HttpUpstreamConfig } from '../config/config.ts';
import type { RenewalEvent, ReportRenewal } from './auth/token-cache.ts';
import type { AuthOpener, AuthOpeners, AuthType, FetchedCredential } from './open-auth.ts';

/** Reports token renewals, by upstream name. */
export type ReportRenewals = (upstream: string, renewal: RenewalEvent) => void;

type ReportingAuthOpener = (upstream: HttpUpstreamConfig, report: ReportRenewal) => FetchedCredential;

/** Loaders by `auth` type. Other types send configured keys. */
const loaders: Readonly<Partial<Record<AuthType, () => Promise<ReportingAuthOpener>>>> = {
  sigv4: async () => {
    const [{ openAws }, { openChain }] = await Promise.all([import('./auth/aws.ts'), import('./auth/aws.ts')]);
    return (upstream, report) => openAws(upstream, openChain, { report });
  },
  entra: async () => {
    const { openEntra } = await import('./auth/entra.ts');
    return (upstream, report) => openEntra(upstream, process.env, report);
  },
  google: async () => {
    const { openGoogle } = await import('./auth/google.ts');
    return (upstream, report) => openGoogle(upstream, process.env, report);
  },
};

export async function loadAuthOpeners(upstreams: Config['upstreams'], report: ReportRenewals = () => {}): Promise<AuthOpeners> {
  const types = Object.values(upstreams).flatMap((upstream) => (upstream.kind === 'simulator' ? [] : (upstream.auth?.type ?? [])));
  const loadedOpeners = [...new Set(types)].map(async (type) => [type, await loaders[type]?.()] as const);
  return Object.fromEntries(
    (await Promise.all(loadedOpeners)).flatMap(([type, open]) => (open ? [[type, createReportingOpener(open, report)]] : [])),
  );
}

const createReportingOpener =
  (open: ReportingAuthOpener, report: ReportRenewals): AuthOpener =>
  (upstream) =>
    open(upstream, (renewal) => report(upstream.name, renewal));
