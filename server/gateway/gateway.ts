/** The composition root: opens every part of a gateway once, from its Config, and closes them in reverse order. */

import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { WebSocket } from 'ws';
import type { Access } from '../access/access.ts';
import type { Authenticator } from '../access/authenticate.ts';
import type { Environment } from '../access/pepper.ts';
import type { SessionStore } from '../access/sessions/store.ts';
import { openProtocolChoice, type ProtocolChoice } from '../call/protocol-choice.ts';
import { openRejectedFields, type RejectedFields } from '../call/rejected-fields.ts';
import { type Config, isStoreShared } from '../config/config.ts';
import type { ModelCatalog } from '../config/model-catalog.ts';
import { MEBIBYTE } from '../config/schema-upstreams.ts';
import { type History, type HistoryBounds, openHistory } from '../history/history.ts';
import { recoverOrphans } from '../history/recover-orphans.ts';
import { ResponseRuns } from '../history/response-runs.ts';
import { SummarySeal } from '../history/summary-seal.ts';
import { LimitUse } from '../limits/limit-use.ts';
import { describeState, type Limiter, type LimitsState, openMemoryLimits } from '../limits/limiter.ts';
import { type LimitsChannel, openRemoteLimits } from '../limits/remote-limits.ts';
import { type Estimator, openEstimator } from '../money/estimator.ts';
import { type Heartbeat, openHeartbeat } from '../money/heartbeat.ts';
import type { IdempotencyStore } from '../money/idempotency.ts';
import { type Money, openMoney } from '../money/money.ts';
import type { PriceView } from '../money/price-book.ts';
import { createHeartbeatReporter, HEARTBEAT_INTERVAL_MS, startHeartbeat } from '../money/recovery.ts';
import { type CallCode, GatewayError } from '../primitives/errors.ts';
import { SwapList } from '../primitives/swap-list.ts';
import { type CircuitBreakers, openCircuitBreakers } from '../providers/circuit-breaker.ts';
import { DrainingResponses } from '../providers/draining-responses.ts';
import { openRecordings } from '../providers/recordings/player.ts';
import type { RelayStream } from '../providers/relay-stream.ts';
import type { Upstreams } from '../providers/upstreams.ts';
import { Alerts } from '../records/alerts/alerts.ts';
import { RequestLog } from '../records/request-log.ts';
import type { Log } from '../telemetry/log.ts';
import { openSnapshots, type Snapshot, type SnapshotContent, type Snapshots } from './snapshots.ts';
import { startHourlySweep } from './stores/hourly-sweep.ts';
import { openStores } from './stores/open.ts';
import type { Stores } from './stores/stores.ts';

/**
 * All parts of a running gateway. A reload can replace configuration-dependent parts at any time. A call that needs them to stay the same
 * uses `acquire`.
 */
export interface Gateway {
  readonly config: Config;
  readonly log: Log;
  readonly catalog: ModelCatalog;
  readonly access: Access;
  readonly authenticator: Authenticator;
  readonly upstreams: Upstreams;
  /** The circuit breakers of upstreams and their models. A reload keeps them. */
  readonly health: CircuitBreakers;
  readonly protocols: ProtocolChoice;
  readonly rejectedFields: RejectedFields;
  readonly history: History;
  /** Seals and opens the summaries of compacted conversations. */
  readonly summarySeal: SummarySeal;
  /** Responses under way, and the events of those that ended recently. */
  readonly runs: ResponseRuns;
  readonly idempotency: IdempotencyStore;
  /** The request log: ended calls, including rejected ones. */
  readonly activity: RequestLog;
  /** Alerts for operators. */
  readonly alerts: Alerts;
  /** Browser sessions of the console and the portal. */
  readonly sessions: SessionStore;
  /** The name of this process, among all processes on one database. */
  readonly node: string;
  readonly limits: Limiter & { getState?(): LimitsState };
  /** The limits that calls met in this process. */
  readonly limitUse: LimitUse;
  /** Null if calls are neither recorded nor replayed. */
  readonly recordings: ReturnType<typeof openRecordings>;
  /** Null if `billing` is off. Calls cost nothing. */
  readonly money: Money | null;
  readonly estimator: Estimator;
  /** Streams that callers are reading now. */
  readonly streams: SwapList<RelayStream>;
  /** WebSockets that are open, idle ones included. */
  readonly webSockets: Set<WebSocket>;
  /** Responses that are read to the end after their callers disconnected. */
  readonly draining: DrainingResponses;
  /**
   * Returns the gateway with its current configuration, upstreams, and prices for one call, regardless of later reloads. The call must
   * `release` it.
   */
  acquire(): AcquiredGateway;
  /** Replaces the complete configuration. If it rejects, nothing has changed. */
  adopt(config: Config): Promise<void>;
  /** Whether the process is stopping. Load balancers must send it no more calls. */
  readonly isStopping: boolean;
  /** Calls the listener with each configuration applied by a reload. */
  onAdopt(listener: (config: Config) => void): void;
  announceStop(): void;
  /** Sets the source of the report that each heartbeat sends to operators. */
  setReport(write: () => string): void;
  /** Resolves if the gateway can't write to its store until a restart. */
  readonly storeLost: Promise<Error>;
  /** Whether calls can be served, because the store responds. */
  isReady(): Promise<boolean>;
  /** Problems for `/readyz` that don't stop the gateway from serving calls. */
  details(): readonly string[];
  /**
   * At the end of the drain time, ends every open stream with an error event, so that none looks complete. Also stops reading the
   * responses of disconnected callers.
   */
  endStreams(): void;
  close(): Promise<void>;
}

interface AcquiredGateway extends Gateway {
  /** Called when the call sends nothing more to upstreams. */
  release(): void;
}

/** Closes parts before the parts they depend on. */
async function closeInOrder(parts: readonly ({ close(): unknown } | null)[]): Promise<void> {
  for (const part of parts) await part?.close();
}

/**
 * `env`: defaults to the process's environment. `counter`: the channel to the process that counts limits without Redis. If omitted, this
 * process counts them.
 */
export async function openGateway(config: Config, log: Log, env?: Environment, counter?: LimitsChannel): Promise<Gateway> {
  const recordings = openRecordings(config);
  const callState = { isEver: false };
  const hasBeenCalled = () => callState.isEver;
  const stores = await openStores(config, { env, isCalled: hasBeenCalled, changed: (isHung) => logHangChange(isHung, log) });
  const { access, ledger } = stores;
  if (stores.note !== null) log.warn(stores.note);
  const heartbeatReporter = createHeartbeatReporter(log);
  const shared = { ledger, log, isShared: isStoreShared(config), report: heartbeatReporter.logFailure };
  const money = config.billing === 'off' ? null : await openMoney({ config, ...shared });
  const node = money?.node ?? randomBytes(9).toString('hex');
  const ledgerHeartbeat = money ? null : await startHeartbeat({ node, ...shared });
  const heartbeat = openGatewayHeartbeat(config, node, log, hasBeenCalled);
  const limits = await openLimits(config, { node, log, counter });
  const snapshots = await openSnapshots(config, access, log);
  const configEvents: ConfigEvents = new EventEmitter();
  const records = openRecords(stores, config, log, configEvents);
  const sweeper = startHourlySweep({
    ...shared,
    stores,
    activity: records.activity,
    node,
    days: () => snapshots.current.config.history.days,
  });
  const runs = openRuns(stores, { node, log, isAlone: !shared.isShared });
  const routing = openRouting(() => snapshots.current.config);
  const alertSources = { config: () => snapshots.current.config, places: () => routing.health.getStates(), isCalled: hasBeenCalled };
  const alerts = openGatewayAlerts(stores, { ...alertSources, node, log });
  const gateway: { -readonly [Name in keyof Gateway]: Gateway[Name] } = {
    ...getSnapshotFields(snapshots.current),
    ...routing,
    log,
    access,
    ...records,
    runs,
    alerts,
    sessions: stores.sessions,
    node,
    limits,
    limitUse: new LimitUse(limits),
    recordings,
    money,
    estimator: openEstimator(),
    ...createConnections(),
    acquire: createAcquire(() => gateway, snapshots, callState),
    adopt: (next) => adopt(next, { gateway, snapshots, configEvents }),
    onAdopt: (listener) => void configEvents.on('config', listener),
    isStopping: false,
    announceStop() {
      gateway.isStopping = true;
    },
    setReport: heartbeatReporter.setWriter,
    storeLost: stores.lost,
    isReady: () => stores.isReady(),
    details: () => (limits.getState ? [describeState(limits.getState())] : []),
    endStreams: () => cutStreams(gateway.streams, gateway.draining),
    async close() {
      gateway.draining.cut();
      await gateway.draining.waitUntilSettled();
      await closeInOrder([alerts, snapshots, limits, gateway.estimator, heartbeat]);
      await closeInOrder([runs, money, ledgerHeartbeat, sweeper, records.activity, stores]);
    },
  };
  return gateway;
}

const createConnections = (): Pick<Gateway, 'streams' | 'webSockets' | 'draining'> => ({
  streams: new SwapList<RelayStream>(),
  webSockets: new Set<WebSocket>(),
  draining: new DrainingResponses(),
});

function openRuns(
  { runs: store, responses }: Stores,
  process: { readonly node: string; readonly log: Log; readonly isAlone: boolean },
): ResponseRuns {
  const runs = new ResponseRuns({ store, ...process });
  void recoverOrphans({ runs, responses, log: process.log });
  return runs;
}

const openRouting = (getConfig: () => Config): Pick<Gateway, 'health' | 'protocols' | 'rejectedFields'> => ({
  health: openCircuitBreakers({ settings: () => getConfig().routing.breaker }),
  protocols: openProtocolChoice(),
  rejectedFields: openRejectedFields(),
});

function openGatewayHeartbeat({ data: folder, durability, database }: Config, node: string, log: Log, isWanted: () => boolean): Heartbeat {
  const onError = (err: unknown): void => log.error({ err }, 'heartbeat thread ended');
  return openHeartbeat({
    node,
    location: { folder, durability, url: database.url },
    everyMs: HEARTBEAT_INTERVAL_MS,
    isWanted,
    failed: onError,
  });
}

function cutStreams(streams: SwapList<RelayStream>, draining: DrainingResponses): void {
  draining.cut();
  for (const stream of streams)
    stream.end(new GatewayError<CallCode>('overloaded', { message: 'The gateway is stopping.' }), { isFinal: true });
}

function logHangChange(isHung: boolean, log: Log): void {
  if (isHung) log.error("PostgreSQL doesn't respond; rejecting calls that need it until it does");
  else log.info('PostgreSQL responds again');
}

/** All calls between two changes share one acquired gateway, so acquiring it costs two comparisons. */
function createAcquire(getGateway: () => Gateway, snapshots: Snapshots, callState: { isEver: boolean }): () => AcquiredGateway {
  let lastAcquired: { snapshot: Snapshot; prices: PriceView | undefined; gateway: AcquiredGateway } | null = null;
  return () => {
    callState.isEver = true;
    const { current: snapshot } = snapshots;
    const prices = getGateway().money?.prices.now;
    if (lastAcquired?.snapshot !== snapshot || lastAcquired.prices !== prices)
      lastAcquired = { snapshot, prices, gateway: toAcquiredGateway(getGateway(), snapshot, prices) };
    snapshot.acquire();
    return lastAcquired.gateway;
  };
}

/** The spread copies the current values of the live gateway. */
function toAcquiredGateway(gateway: Gateway, snapshot: Snapshot, prices: PriceView | undefined): AcquiredGateway {
  const { money } = gateway;
  const fixedMoney = money && prices ? { ...money, prices: toFixedPrices(money.prices, prices) } : money;
  return { ...gateway, money: fixedMoney, release: () => snapshot.release() };
}

const toFixedPrices = (priceBook: Money['prices'], prices: PriceView): Money['prices'] => ({
  now: prices,
  find: prices.find,
  refresh: () => priceBook.refresh(),
  change: (...order) => priceBook.change(...order),
  close: () => priceBook.close(),
});

/** The fields of the gateway that a reload replaces. */
const getSnapshotFields = ({ config, catalog, authenticator, upstreams }: Snapshot): SnapshotContent => ({
  config,
  catalog,
  authenticator,
  upstreams,
});

interface AdoptParts {
  readonly gateway: Gateway;
  readonly snapshots: Snapshots;
  readonly configEvents: ConfigEvents;
}

async function adopt(config: Config, { gateway, snapshots, configEvents }: AdoptParts): Promise<void> {
  const { config: previousConfig, money, health, log } = gateway;
  const nextSnapshot = await snapshots.prepare(config);
  const swap = (): void => {
    snapshots.swap(nextSnapshot);
    Object.assign(gateway, getSnapshotFields(nextSnapshot));
    configEvents.emit('config', config);
    health.forget(listChangedUpstreams(previousConfig.upstreams, config.upstreams));
    if (config.log.level !== previousConfig.log.level) log.level = config.log.level;
  };
  try {
    if (money) await money.applyConfig(config, swap);
    else swap();
  } catch (error) {
    await snapshots.discard(nextSnapshot);
    throw error;
  }
}

/** Lists the upstreams that were removed or have changed settings. */
function listChangedUpstreams(before: Config['upstreams'], after: Config['upstreams']): ReadonlySet<string> {
  return new Set(Object.keys(before).filter((name) => !isDeepStrictEqual(before[name], after[name])));
}

/** Emits each configuration applied by a reload. */
type ConfigEvents = EventEmitter<{ config: [Config] }>;

/** Opens the records of calls: the request log and stored responses, whose bounds a reload can change, sealed summaries, and responses by idempotency key. */
function openRecords(
  { access, activity: store, responses, idempotency }: Stores,
  config: Config,
  log: Log,
  configEvents: ConfigEvents,
): Pick<Gateway, 'activity' | 'history' | 'summarySeal' | 'idempotency'> {
  const activity = new RequestLog({ store, log, bounds: getActivityBounds(config), hasLedger: config.billing !== 'off' });
  const history = openHistory(responses, config.database.timeoutMs, getHistoryBounds(config));
  configEvents.on('config', (next) => {
    activity.setBounds(getActivityBounds(next));
    history.setBounds(getHistoryBounds(next));
  });
  return { activity, history, summarySeal: new SummarySeal(access.pepper), idempotency };
}

/** A request including all stored content it references is limited to the size of a body. */
const getHistoryBounds = ({ server, history }: Config): HistoryBounds => ({
  maxBytes: server.bodyLimitBytes,
  accountBytes: history.accountMiB * MEBIBYTE,
  days: history.days,
});

interface LoggingParts {
  readonly log: Log;
  readonly config: () => Config;
}

interface AlertingParts extends LoggingParts {
  readonly isCalled: () => boolean;
  readonly places: () => ReturnType<CircuitBreakers['getStates']>;
  readonly node: string;
}

const openGatewayAlerts = ({ alerts: store, activity: { ask: read } }: Stores, { config: getConfig, ...parts }: AlertingParts): Alerts =>
  new Alerts({
    store,
    read,
    settings: () => getConfig().alerts,
    publicUrl: getConfig().admin.publicUrl,
    hasLedger: getConfig().billing !== 'off',
    ...parts,
  });

/** Log rows of unrecognized keys have their own retention, because anyone can create such rows. */
const getActivityBounds = ({ activity, unknownCallers }: Config) => ({
  days: activity.days,
  unknownDays: unknownCallers.days,
  maxUnknown: unknownCallers.maxRows,
});

/** Counts limits in Redis if it's configured. Otherwise in the supervisor if there are several workers, or in this process. */
export async function openLimits(
  { redis, database, server }: Pick<Config, 'redis' | 'database' | 'server'>,
  { node, log, counter }: { node: string; log: Log; counter?: LimitsChannel | undefined },
): Promise<Limiter & { getState?(): LimitsState }> {
  const localLimits = openMemoryLimits();
  if (redis.url === undefined) {
    if (!counter) return localLimits;
    return openRemoteLimits({ channel: counter, log, fallback: localLimits, processes: server.workers, waitMs: database.timeoutMs });
  }
  const { openRedisLimits } = await import('../limits/redis/redis-limits.ts');
  return await openRedisLimits({ url: redis.url, waitMs: redis.timeoutMs, node, log, fallback: localLimits });
}
