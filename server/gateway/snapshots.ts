/** Keeps snapshots of the configuration and its upstreams, so that a call keeps the one it started with. */

import { isDeepStrictEqual } from 'node:util';
import type { Access } from '../access/access.ts';
import { type Authenticator, openAuthenticator } from '../access/authenticate.ts';
import type { Config } from '../config/config.ts';
import { type ModelCatalog, openModelCatalog } from '../config/model-catalog.ts';
import type { ReportRenewals } from '../providers/auth-openers.ts';
import { loadOpeners, type Openers, openUpstreams, type Upstreams } from '../providers/upstreams.ts';
import type { Log } from '../telemetry/log.ts';

export interface Snapshot {
  readonly config: Config;
  readonly catalog: ModelCatalog;
  readonly upstreams: Upstreams;
  readonly authenticator: Authenticator;
  /** Called when a call starts. The call uses this snapshot until it ends. */
  acquire(): void;
  release(): void;
}

export interface Snapshots {
  readonly current: Snapshot;
  /** Builds a snapshot that isn't in use yet. */
  prepare(config: Config): Promise<Snapshot>;
  swap(next: Snapshot): void;
  /** Closes a prepared snapshot that won't be used. */
  discard(prepared: Snapshot): Promise<void>;
  close(): Promise<void>;
}

export async function openSnapshots(config: Config, access: Access, log: Pick<Log, 'warn' | 'info'>): Promise<Snapshots> {
  /** The current snapshot, and older ones that calls still use. */
  const liveSnapshots = new Set<OpenSnapshot>();
  const buildSnapshot = async (next: Config, getPrevious: () => OpenSnapshot | null): Promise<OpenSnapshot> => {
    const openers = await loadOpeners(next, logRenewals(log));
    const snapshot = new OpenSnapshot(buildSnapshotContent(next, access, openers, getPrevious()), (closed) => liveSnapshots.delete(closed));
    liveSnapshots.add(snapshot);
    return snapshot;
  };
  let current = await buildSnapshot(config, () => null);
  return {
    get current() {
      return current;
    },
    prepare: (next) => buildSnapshot(next, () => current),
    swap(next) {
      const previous = current;
      // `as`: every snapshot was created here.
      current = next as OpenSnapshot;
      previous.retire();
    },
    discard: (prepared) => (prepared as OpenSnapshot).close(),
    async close() {
      await Promise.all([...liveSnapshots].map((one) => one.close()));
    },
  };
}

/** Logged, because nothing else shows a failed renewal while the token is still valid. */
const logRenewals =
  (log: Pick<Log, 'warn' | 'info'>): ReportRenewals =>
  (upstream, news) => {
    if (news.kind === 'renewed') return void log.info({ upstream }, 'upstream credentials renewed again');
    const validUntil = news.endsAt === null ? null : new Date(news.endsAt).toISOString();
    log.warn({ upstream, validUntil, err: news.cause }, 'renewing upstream credentials failed; retrying');
  };

export type SnapshotContent = Pick<Snapshot, 'config' | 'catalog' | 'upstreams' | 'authenticator'>;

function buildSnapshotContent(config: Config, access: Access, openers: Openers, previous: SnapshotContent | null): SnapshotContent {
  const { trustedProxies } = config.server;
  // Keeps the authenticator if possible, because it caches keys. A new one would read all of them from the store at the same time.
  const hasSameProxies = previous !== null && isDeepStrictEqual(previous.config.server.trustedProxies, trustedProxies);
  return {
    config,
    catalog: openModelCatalog(config),
    authenticator: hasSameProxies ? previous.authenticator : openAuthenticator({ ...access, now: Date.now, trustedProxies }),
    upstreams: openUpstreams(config, openers, previous?.upstreams),
  };
}

class OpenSnapshot implements Snapshot {
  readonly config: Config;
  readonly catalog: ModelCatalog;
  readonly upstreams: Upstreams;
  readonly authenticator: Authenticator;
  readonly #onClosed: (snapshot: OpenSnapshot) => void;
  #callCount = 0;
  #isRetired = false;

  constructor({ config, catalog, upstreams, authenticator }: SnapshotContent, onClosed: (snapshot: OpenSnapshot) => void) {
    this.config = config;
    this.catalog = catalog;
    this.upstreams = upstreams;
    this.authenticator = authenticator;
    this.#onClosed = onClosed;
  }

  acquire(): void {
    this.#callCount += 1;
  }

  release(): void {
    this.#callCount -= 1;
    this.#closeIfUnused();
  }

  /** Called when no new call uses the snapshot. */
  retire(): void {
    this.#isRetired = true;
    this.#closeIfUnused();
  }

  async close(): Promise<void> {
    await this.upstreams.close();
    this.#onClosed(this);
  }

  #closeIfUnused(): void {
    if (this.#isRetired && this.#callCount === 0) void this.close();
  }
}
