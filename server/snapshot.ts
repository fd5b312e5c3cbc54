/** Everything that depends on the configuration: built beside the snapshot in use, swapped in one step, closed when its last call has ended (promise G10, F60). */
import { isDeepStrictEqual } from 'node:util';
import { type Authenticator, openAuthenticator } from './access/authenticate.ts';
import type { Access } from './access/open.ts';
import { type Catalog, openCatalog } from './config/catalog.ts';
import type { Config } from './config/config.ts';
import type { Log } from './telemetry/log.ts';
import type { TellRenewals } from './upstreams/auth/load-openers.ts';
import { loadOpeners, type Openers, openUpstreams, type Upstreams } from './upstreams/kinds.ts';

export interface Snapshot {
  readonly config: Config;
  readonly catalog: Catalog;
  readonly upstreams: Upstreams;
  readonly authenticator: Authenticator;
  /** Called when a call begins; the call uses this snapshot to its end. */
  enter(): void;
  leave(): void;
}

export interface Snapshots {
  readonly current: Snapshot;
  /** Builds a snapshot that is not in use yet. */
  prepare(config: Config): Promise<Snapshot>;
  swap(next: Snapshot): void;
  /** Closes a prepared snapshot that will not be used. */
  discard(prepared: Snapshot): Promise<void>;
  close(): Promise<void>;
}

export async function openSnapshots(config: Config, access: Access, log: Pick<Log, 'warn' | 'info'>): Promise<Snapshots> {
  /** The current snapshot, and older ones that calls still use. */
  const open = new Set<OpenSnapshot>();
  const make = async (next: Config, before: () => OpenSnapshot | null): Promise<OpenSnapshot> => {
    const openers = await loadOpeners(next, tellRenewals(log));
    const made = new OpenSnapshot(partsOf({ config: next, access, openers }, before()), (closed) => open.delete(closed));
    open.add(made);
    return made;
  };
  let current = await make(config, () => null);
  return {
    get current() {
      return current;
    },
    prepare: (next) => make(next, () => current),
    swap(next) {
      const before = current;
      // Every snapshot was made here.
      current = next as OpenSnapshot;
      before.retire();
    },
    discard: (prepared) => (prepared as OpenSnapshot).close(),
    async close() {
      await Promise.all([...open].map((one) => one.close()));
    },
  };
}

/** While the token still serves, nothing else shows that it cannot be renewed. */
const tellRenewals =
  (log: Pick<Log, 'warn' | 'info'>): TellRenewals =>
  (upstream, news) => {
    if (news.kind === 'renewed') return void log.info({ upstream }, 'the credentials of an upstream are renewed again');
    const validUntil = news.endsAt === null ? null : new Date(news.endsAt).toISOString();
    log.warn({ upstream, validUntil, err: news.cause }, 'the credentials of an upstream could not be renewed; they are tried again');
  };

type Parts = Pick<Snapshot, 'config' | 'catalog' | 'upstreams' | 'authenticator'>;

interface SnapshotParts {
  readonly config: Config;
  readonly access: Access;
  readonly openers: Openers;
}

function partsOf({ config, access, openers }: SnapshotParts, before: Parts | null): Parts {
  const { trustedProxies } = config.server;
  // It caches the keys that it has seen: a new one would read all of them from the store at once.
  const keepsProxies = before !== null && isDeepStrictEqual(before.config.server.trustedProxies, trustedProxies);
  return {
    config,
    catalog: openCatalog(config),
    authenticator: keepsProxies ? before.authenticator : openAuthenticator({ ...access, now: Date.now, trustedProxies }),
    upstreams: openUpstreams(config, openers, before?.upstreams),
  };
}

class OpenSnapshot implements Snapshot {
  readonly config: Config;
  readonly catalog: Catalog;
  readonly upstreams: Upstreams;
  readonly authenticator: Authenticator;
  readonly #closed: (snapshot: OpenSnapshot) => void;
  #calls = 0;
  #isRetired = false;

  constructor({ config, catalog, upstreams, authenticator }: Parts, closed: (snapshot: OpenSnapshot) => void) {
    this.config = config;
    this.catalog = catalog;
    this.upstreams = upstreams;
    this.authenticator = authenticator;
    this.#closed = closed;
  }

  enter(): void {
    this.#calls += 1;
  }

  leave(): void {
    this.#calls -= 1;
    this.#closeIfUnused();
  }

  /** No new call uses it. */
  retire(): void {
    this.#isRetired = true;
    this.#closeIfUnused();
  }

  async close(): Promise<void> {
    await this.upstreams.close();
    this.#closed(this);
  }

  #closeIfUnused(): void {
    if (this.#isRetired && this.#calls === 0) void this.close();
  }
}
