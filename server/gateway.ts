/** The composition root: Config → Gateway. Opens every part once and closes them in reverse order. */
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { type Authenticator, openAuthenticator } from './access/authenticate.ts';
import type { Access, Environment } from './access/pepper.ts';
import { type Activity, openActivity } from './activity/activity.ts';
import { type Alerts, openAlerts } from './alerts/alerts.ts';
import { type Estimator, openEstimator } from './billing/metering.ts';
import { BEAT_MS, type Money, openMoney, openPulse, openReporting } from './billing/recovery.ts';
import { type Catalog, type Config, isStoreShared, openCatalog } from './config/config.ts';
import { MEBIBYTE } from './config/schema-upstreams.ts';
import { type CallCode, GatewayError } from './errors.ts';
import { type History, type HistoryBounds, openHistory } from './history/history.ts';
import type { IdempotencyStore } from './ledger/idempotency.ts';
import { type Heartbeat, openHeartbeat } from './ledger/nodes.ts';
import type { PriceView } from './ledger/price-book.ts';
import { type LimitsChannel, openAskedLimits } from './limits/asked.ts';
import { describeState, type LimitStore, type LimitsState, openMemoryLimits } from './limits/limiter.ts';
import { SwapList } from './primitives/shared-timeout.ts';
import { openRecordings } from './recordings/player.ts';
import { openProtocolChoice, type ProtocolChoice } from './request/transcoder.ts';
import type { SessionStore } from './sessions/sessions.ts';
import { type Stores, sweepHourly } from './stores/stores.ts';
import { openStores } from './stores.ts';
import type { Log } from './telemetry/log.ts';
import { type CircuitBreakers, openCircuitBreakers } from './upstreams/circuit-breaker.ts';
import { loadOpeners, type Openers, openUpstreams, type ReportRenewals, type Upstreams } from './upstreams/kinds.ts';
import { DrainingAnswers, type RelayStream } from './upstreams/stream-to-caller.ts';

/** All parts of a running gateway. A reload can replace what depends on the configuration at any time; a call that needs it to stay the same uses `enter`. */
export interface Gateway {
  readonly config: Config;
  readonly log: Log;
  readonly catalog: Catalog;
  readonly access: Access;
  readonly authenticator: Authenticator;
  readonly upstreams: Upstreams;
  /** The circuit breakers of upstreams and their models; a reload keeps them. */
  readonly health: CircuitBreakers;
  readonly protocols: ProtocolChoice;
  readonly history: History;
  readonly idempotency: IdempotencyStore;
  /** The request log: calls that ended, rejected ones included. */
  readonly activity: Activity;
  /** Alerts for operators. */
  readonly alerts: Alerts;
  /** Browser sessions of the console and the portal. */
  readonly sessions: SessionStore;
  /** This process, among those on one database. */
  readonly node: string;
  readonly limits: LimitStore & { state?(): LimitsState };
  /** Null when calls are neither recorded nor replayed. */
  readonly recordings: ReturnType<typeof openRecordings>;
  /** Null when `billing` is off: calls cost nothing. */
  readonly money: Money | null;
  readonly estimator: Estimator;
  /** Streams that callers are reading now. */
  readonly streams: SwapList<RelayStream>;
  /** Answers that are read to the end after their callers disconnected. */
  readonly draining: DrainingAnswers;
  /** Returns the gateway with its current configuration, upstreams, and prices for one call, regardless of later reloads. The call must `leave` it. */
  enter(): EnteredGateway;
  /** Replaces the configuration as a whole. When it rejects, nothing has changed. */
  adopt(config: Config): Promise<void>;
  /** Whether the process is stopping; load balancers must send it no more calls. */
  readonly isStopping: boolean;
  /** Calls the listener with each configuration that a reload brings. */
  onAdopt(listener: (config: Config) => void): void;
  announceStop(): void;
  /** From now on each heartbeat tells operators what `write` returns. */
  reportBy(write: () => string): void;
  /** Whether calls can be served: the store answers. */
  isReady(): Promise<boolean>;
  /** Problems for `/readyz` that don't stop the gateway from serving calls. */
  details(): readonly string[];
  /** Ends every open stream with an error event, so that none looks complete, and stops reading the answers of callers who disconnected; for the end of the drain time. */
  endStreams(): void;
  close(): Promise<void>;
}

export interface EnteredGateway extends Gateway {
  /** The call sends nothing more to upstreams. */
  leave(): void;
}

/** `env`: by default that of the process. `counter`: the way to the process that counts the limits where there is no Redis; omitted: this one counts. */
export async function openGateway(config: Config, log: Log, env?: Environment, counter?: LimitsChannel): Promise<Gateway> {
  const recordings = openRecordings(config);
  const called = { isEver: false };
  const isCalled = () => called.isEver;
  const stores = await openStores(config, { env, isCalled, changed: (isHung) => logHangChange(isHung, log) });
  const { access, ledger, idempotency } = stores;
  if (stores.note !== null) log.warn(stores.note);
  const reporting = openReporting(log);
  const shared = { ledger, log, isShared: isStoreShared(config), report: reporting.logFailure };
  const money = config.billing === 'off' ? null : await openMoney({ config, ...shared });
  const node = money?.node ?? randomBytes(9).toString('hex');
  const pulse = money ? null : await openPulse({ node, ...shared });
  const heartbeat = openHeartbeatOf(config, { node, log, isWanted: isCalled });
  const limits = await openLimits(config, { node, log, counter });
  const snapshots = await openSnapshots(config, access, log);
  const adopted: Adopted = new EventEmitter();
  const records = openRecords(stores, { config, log, adopted });
  const sweeper = sweepHourly({ ...shared, stores, activity: records.activity, node, days: () => snapshots.current.config.history.days });
  const routing = openRouting(() => snapshots.current.config);
  let isStopping = false;
  const enter = openEntrance(() => gateway, snapshots, called);
  const gateway: Gateway = {
    get config() {
      return snapshots.current.config;
    },
    get catalog() {
      return snapshots.current.catalog;
    },
    get authenticator() {
      return snapshots.current.authenticator;
    },
    get upstreams() {
      return snapshots.current.upstreams;
    },
    ...routing,
    log,
    access,
    ...records,
    idempotency,
    alerts: openAlertsOf(stores, { config: () => snapshots.current.config, places: () => routing.health.states(), isCalled, node, log }),
    sessions: stores.sessions,
    node,
    limits,
    recordings,
    money,
    estimator: openEstimator(),
    streams: new SwapList<RelayStream>(),
    draining: new DrainingAnswers(),
    enter,
    adopt: (next) => adopt(next, { snapshots, money, health: routing.health, log, adopted }),
    onAdopt: (listener) => void adopted.on('config', listener),
    get isStopping() {
      return isStopping;
    },
    announceStop() {
      isStopping = true;
    },
    reportBy: reporting.by,
    isReady: () => stores.isReady(),
    details: () => (limits.state ? [describeState(limits.state())] : []),
    endStreams: () => cutAll(gateway.streams, gateway.draining),
    async close() {
      gateway.draining.cut();
      await gateway.draining.settled();
      // Whatever leans on another is closed before it.
      for (const part of [gateway.alerts, snapshots, limits, gateway.estimator, heartbeat, money, pulse, sweeper, records.activity, stores])
        await part?.close();
    },
  };
  return gateway;
}

const openRouting = (config: () => Config): Pick<Gateway, 'health' | 'protocols'> => ({
  health: openCircuitBreakers({ settings: () => config().routing.breaker }),
  protocols: openProtocolChoice(),
});

interface HeartbeatSetup {
  readonly node: string;
  readonly log: Log;
  readonly isWanted: () => boolean;
}

function openHeartbeatOf({ data: folder, durability, database }: Config, { node, log, isWanted }: HeartbeatSetup): Heartbeat {
  const failed = (err: unknown): void => log.error({ err }, 'heartbeat thread ended');
  return openHeartbeat({ node, location: { folder, durability, url: database.url }, everyMs: BEAT_MS, isWanted, failed });
}

function cutAll(streams: SwapList<RelayStream>, draining: DrainingAnswers): void {
  draining.cut();
  for (const stream of streams)
    stream.end(new GatewayError<CallCode>('overloaded', { message: 'The gateway is stopping.' }), { isFinal: true });
}

function logHangChange(isHung: boolean, log: Log): void {
  if (isHung) log.error("PostgreSQL doesn't respond; rejecting calls that need it until it does");
  else log.info('PostgreSQL responds again');
}

interface Entered {
  readonly snapshot: Snapshot;
  readonly prices: PriceView | undefined;
  readonly gateway: EnteredGateway;
}

/** All calls between two changes share one entered gateway, so entering costs two comparisons. */
function openEntrance(live: () => Gateway, snapshots: Snapshots, called: { isEver: boolean }): () => EnteredGateway {
  let last: Entered | null = null;
  return () => {
    called.isEver = true;
    const { current: snapshot } = snapshots;
    const prices = live().money?.prices.now;
    if (last?.snapshot !== snapshot || last.prices !== prices) last = { snapshot, prices, gateway: enteredAt(live(), snapshot, prices) };
    snapshot.enter();
    return last.gateway;
  };
}

/** The spread copies the present values of the live gateway. */
function enteredAt(live: Gateway, snapshot: Snapshot, prices: PriceView | undefined): EnteredGateway {
  const { money } = live;
  const fixed = money && prices ? { ...money, prices: fixedBook(money.prices, prices) } : money;
  return { ...live, money: fixed, leave: () => snapshot.leave() };
}

const fixedBook = (book: Money['prices'], prices: PriceView): Money['prices'] => ({
  now: prices,
  find: prices.find,
  refresh: () => book.refresh(),
  change: (...order) => book.change(...order),
  close: () => book.close(),
});

interface AdoptParts {
  readonly adopted: Adopted;
  readonly snapshots: Snapshots;
  readonly money: Money | null;
  readonly health: CircuitBreakers;
  readonly log: Log;
}

async function adopt(config: Config, { snapshots, money, health, log, adopted }: AdoptParts): Promise<void> {
  const before = snapshots.current.config;
  const next = await snapshots.prepare(config);
  const swap = (): void => {
    snapshots.swap(next);
    adopted.emit('config', config);
    health.forget(changedUpstreams(before.upstreams, config.upstreams));
    if (config.log.level !== before.log.level) log.level = config.log.level;
  };
  try {
    if (money) await money.adopt(config, swap);
    else swap();
  } catch (error) {
    await snapshots.discard(next);
    throw error;
  }
}

/** The upstreams that were removed or have different settings now. */
function changedUpstreams(before: Config['upstreams'], after: Config['upstreams']): ReadonlySet<string> {
  return new Set(Object.keys(before).filter((name) => !isDeepStrictEqual(before[name], after[name])));
}

/** Emits each configuration that a reload has brought. */
type Adopted = EventEmitter<{ config: [Config] }>;

interface RecordParts {
  readonly config: Config;
  readonly log: Log;
  readonly adopted: Adopted;
}

/** The request log and stored responses, whose bounds a reload may change. */
function openRecords(
  { activity: store, responses }: Stores,
  { config, log, adopted }: RecordParts,
): { readonly activity: Activity; readonly history: History } {
  const activity = openActivity({ store, log, bounds: activityBounds(config), hasLedger: config.billing !== 'off' });
  const history = openHistory(responses, config.database.timeoutMs, historyBounds(config));
  adopted.on('config', (next) => {
    activity.adopt(activityBounds(next));
    history.adopt(historyBounds(next));
  });
  return { activity, history };
}

/** A request with all that it refers to is no longer than a body. */
const historyBounds = ({ server, history }: Config): HistoryBounds => ({
  maxBytes: server.bodyLimitBytes,
  accountBytes: history.accountMb * MEBIBYTE,
  days: history.days,
});

interface Logging {
  readonly log: Log;
  readonly config: () => Config;
}

interface Alerting extends Logging {
  readonly isCalled: () => boolean;
  readonly places: () => ReturnType<CircuitBreakers['states']>;
  readonly node: string;
}

const openAlertsOf = ({ alerts: store, activity: { ask: read } }: Stores, { config, ...parts }: Alerting): Alerts =>
  openAlerts({ store, read, settings: () => config().alerts, hasLedger: config().billing !== 'off', ...parts });

/** Requests whose key was not recognized have separate limits: anyone can send them. */
const activityBounds = ({ activity, refusals }: Config) => ({
  days: activity.days,
  unknownDays: refusals.days,
  maxUnknown: refusals.most,
});

interface LimitsParts {
  readonly node: string;
  readonly log: Log;
  readonly counter?: LimitsChannel | undefined;
}

/** Counts limits in Redis if it's configured, otherwise in the supervisor of several workers, otherwise in this process. */
export async function openLimits(
  { redis, database, server }: Pick<Config, 'redis' | 'database' | 'server'>,
  { node, log, counter }: LimitsParts,
): Promise<LimitStore & { state?(): LimitsState }> {
  const here = openMemoryLimits();
  if (redis.url === undefined) {
    if (!counter) return here;
    return openAskedLimits({ channel: counter, log, fallback: here, processes: server.workers, waitMs: database.timeoutMs });
  }
  const { openRedisLimits } = await import('./limits/redis/limiter.ts');
  return await openRedisLimits({ url: redis.url, waitMs: redis.timeoutMs, node, log, fallback: here });
}

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
  (log: Pick<Log, 'warn' | 'info'>): ReportRenewals =>
  (upstream, news) => {
    if (news.kind === 'renewed') return void log.info({ upstream }, 'upstream credentials renewed again');
    const validUntil = news.endsAt === null ? null : new Date(news.endsAt).toISOString();
    log.warn({ upstream, validUntil, err: news.cause }, 'renewing upstream credentials failed; retrying');
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
