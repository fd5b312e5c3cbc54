/** Opens the upstreams of a configuration, over HTTP or inside this process, and shares unchanged ones across reloads. */

import { isDeepStrictEqual } from 'node:util';
import type { Config, UpstreamConfig } from '../config/config.ts';
import { type CallCode, GatewayError } from '../primitives/errors.ts';
import { loadAuthOpeners, type ReportRenewals } from './auth-openers.ts';
import type { openHttpUpstream } from './http-upstream.ts';
import type { AuthOpeners } from './open-auth.ts';
import { openSimulator } from './simulator/simulator.ts';
import type { Upstream } from './upstream.ts';

/** The functions that open the upstreams of one configuration. */
export interface Openers {
  /** Null if every upstream is a simulator, so that the HTTP client isn't loaded. */
  readonly http: typeof openHttpUpstream | null;
  /** Openers of credentials that fetch tokens or sign requests. */
  readonly auth?: AuthOpeners;
}

/** `report` is called when token renewals fail or recover. */
export async function loadOpeners({ upstreams }: Pick<Config, 'upstreams'>, report?: ReportRenewals): Promise<Openers> {
  const areAllSimulators = Object.values(upstreams).every(({ kind }) => kind === 'simulator');
  const auth = await loadAuthOpeners(upstreams, report);
  return {
    http: areAllSimulators ? null : (await import('./http-upstream.ts')).openHttpUpstream,
    ...(Object.keys(auth).length > 0 && { auth }),
  };
}

function openUpstream(config: UpstreamConfig, { http, auth }: Openers): Upstream {
  if (config.kind === 'simulator') return openSimulator(config);
  if (http === null) throw new TypeError(`no module is loaded for upstream ${config.name}`);
  return http(config, auth);
}

export interface Upstreams {
  find(name: string): Upstream;
  /** Call it when this set sends no more requests. An upstream shared with no other set finishes its running requests, then closes its connections (F60). */
  close(): Promise<void>;
}

/** An upstream that several sets share as long as its settings are equal. */
interface SharedUpstream {
  readonly settings: UpstreamConfig;
  readonly upstream: Upstream;
  /** The number of sets that share the upstream. */
  uses: number;
}

/** Opens the upstreams. Upstreams of `before` with equal settings are shared, including their open connections. */
export function openUpstreams({ upstreams }: Pick<Config, 'upstreams'>, openers: Openers, previous?: Upstreams): Upstreams {
  const previousUpstreams = previous instanceof UpstreamSet ? previous.shared : new Map<string, SharedUpstream>();
  const upstreamsByName = new Map<string, SharedUpstream>();
  const set = new UpstreamSet(upstreamsByName);
  try {
    for (const [name, settings] of Object.entries(upstreams))
      upstreamsByName.set(name, acquireUpstream(previousUpstreams.get(name), settings, openers));
  } catch (error) {
    void set.close();
    throw error;
  }
  return set;
}

function acquireUpstream(previous: SharedUpstream | undefined, settings: UpstreamConfig, openers: Openers): SharedUpstream {
  const isSame = previous !== undefined && isDeepStrictEqual(previous.settings, settings);
  const sharedUpstream = isSame ? previous : { settings, upstream: openUpstream(settings, openers), uses: 0 };
  sharedUpstream.uses += 1;
  return sharedUpstream;
}

class UpstreamSet implements Upstreams {
  readonly shared: ReadonlyMap<string, SharedUpstream>;
  #closing: Promise<unknown> | null = null;

  constructor(shared: ReadonlyMap<string, SharedUpstream>) {
    this.shared = shared;
  }

  find(name: string): Upstream {
    const sharedUpstream = this.shared.get(name);
    if (!sharedUpstream)
      throw new GatewayError<CallCode>('no_upstream_available', { headers: { 'retry-after': '30' }, cause: `no upstream named ${name}` });
    return sharedUpstream.upstream;
  }

  async close(): Promise<void> {
    this.#closing ??= Promise.allSettled([...this.shared.values()].map(releaseUpstream));
    await this.#closing;
  }
}

async function releaseUpstream(shared: SharedUpstream): Promise<void> {
  shared.uses -= 1;
  if (shared.uses === 0) await shared.upstream.close();
}
