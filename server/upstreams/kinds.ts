/** Opens the upstreams of a configuration: over HTTP, or inside this process. */
import { isDeepStrictEqual } from 'node:util';
import type { Config, HttpUpstreamConfig, UpstreamConfig } from '../config/config.ts';
import { type CallCode, GatewayError } from '../errors.ts';
import { openSimulator } from '../simulator/simulator.ts';
import type { RenewalNews, ReportRenewal } from './auth/token-keeper.ts';
import type { AuthOpener, AuthOpeners, AuthType, FetchedCredential } from './credentials.ts';
import type { openHttpUpstream } from './http-client.ts';
import type { Upstream } from './upstream.ts';

/** The functions that open the upstreams of one configuration. */
export interface Openers {
  /** Null if every upstream is a simulator: the HTTP client isn't loaded then. */
  readonly http: typeof openHttpUpstream | null;
  /** Those of credentials that are fetched or sign. */
  readonly auth?: AuthOpeners;
}

/** `tell` hears of tokens whose renewal fails. */
export async function loadOpeners({ upstreams }: Pick<Config, 'upstreams'>, report?: ReportRenewals): Promise<Openers> {
  const isAlone = Object.values(upstreams).every(({ kind }) => kind === 'simulator');
  const auth = await loadAuthOpeners(upstreams, report);
  return {
    http: isAlone ? null : (await import('./http-client.ts')).openHttpUpstream,
    ...(Object.keys(auth).length > 0 && { auth }),
  };
}

function open(config: UpstreamConfig, { http, auth }: Openers): Upstream {
  if (config.kind === 'simulator') return openSimulator(config);
  if (http === null) throw new TypeError(`no module is loaded for upstream ${config.name}`);
  return http(config, auth);
}

export interface Upstreams {
  find(name: string): Upstream;
  /** Call it when this set sends no more. An upstream that no other set shares waits for its running requests, then closes its connections (F60). */
  close(): Promise<void>;
}

/** An upstream that several sets share while its settings are equal. */
interface Shared {
  readonly settings: UpstreamConfig;
  readonly upstream: Upstream;
  /** The number of sets that have it. */
  uses: number;
}

/** Opens the upstreams. An upstream of `before` with equal settings is shared, with its open connections. */
export function openUpstreams({ upstreams }: Pick<Config, 'upstreams'>, openers: Openers, before?: Upstreams): Upstreams {
  const known = before instanceof UpstreamSet ? before.shared : new Map<string, Shared>();
  const byName = new Map<string, Shared>();
  const set = new UpstreamSet(byName);
  try {
    for (const [name, settings] of Object.entries(upstreams)) byName.set(name, share(known.get(name), settings, openers));
  } catch (error) {
    void set.close();
    throw error;
  }
  return set;
}

function share(known: Shared | undefined, settings: UpstreamConfig, openers: Openers): Shared {
  const isSame = known !== undefined && isDeepStrictEqual(known.settings, settings);
  const shared = isSame ? known : { settings, upstream: open(settings, openers), uses: 0 };
  shared.uses += 1;
  return shared;
}

class UpstreamSet implements Upstreams {
  readonly shared: ReadonlyMap<string, Shared>;
  #closing: Promise<unknown> | null = null;

  constructor(shared: ReadonlyMap<string, Shared>) {
    this.shared = shared;
  }

  find(name: string): Upstream {
    const found = this.shared.get(name);
    if (!found)
      throw new GatewayError<CallCode>('no_upstream_available', { headers: { 'retry-after': '30' }, cause: `no upstream named ${name}` });
    return found.upstream;
  }

  async close(): Promise<void> {
    this.#closing ??= Promise.allSettled([...this.shared.values()].map(leave));
    await this.#closing;
  }
}

async function leave(shared: Shared): Promise<void> {
  shared.uses -= 1;
  if (shared.uses === 0) await shared.upstream.close();
}

/** Hears how renewals of an upstream's tokens go, by the name of the upstream. */
export type ReportRenewals = (upstream: string, news: RenewalNews) => void;

type ReportingOpener = (upstream: HttpUpstreamConfig, report: ReportRenewal) => FetchedCredential;

/** Modules by type of `auth`. Other types send keys of the configuration. */
const loaders: Readonly<Partial<Record<AuthType, () => Promise<ReportingOpener>>>> = {
  sigv4: async () => {
    const [{ openAws }, { openChain }] = await Promise.all([import('./auth/aws.ts'), import('./auth/aws.ts')]);
    return (upstream, report) => openAws(upstream, openChain, { report: report });
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
  const loaded = [...new Set(types)].map(async (type) => [type, await loaders[type]?.()] as const);
  return Object.fromEntries((await Promise.all(loaded)).flatMap(([type, open]) => (open ? [[type, reporting(open, report)]] : [])));
}

const reporting =
  (open: ReportingOpener, report: ReportRenewals): AuthOpener =>
  (upstream) =>
    open(upstream, (news) => report(upstream.name, news));
