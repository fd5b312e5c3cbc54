/** The composition root: Config → Gateway. Opens every part once and closes them in reverse order. */
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Authenticator } from './access/authenticate.ts';
import type { Access } from './access/open.ts';
import type { Environment } from './access/pepper.ts';
import { type Activity, openActivity } from './activity/activity.ts';
import { type Alerts, openAlerts } from './alerts/alerts.ts';
import { type Money, openMoney } from './billing/billing.ts';
import { BEAT_MS, openPulse } from './billing/recovery.ts';
import { openReporting } from './billing/reporting.ts';
import { MEBIBYTE } from './config/bounds.ts';
import type { Catalog } from './config/catalog.ts';
import { type Config, isStoreShared } from './config/config.ts';
import { type CallCode, GatewayError } from './errors.ts';
import { type History, type HistoryBounds, openHistory } from './history/history.ts';
import type { IdempotencyStore } from './idempotency/store.ts';
import { type Estimator, openEstimator } from './ledger/estimator.ts';
import { type Heartbeat, openHeartbeat } from './ledger/heartbeat.ts';
import type { PriceView } from './ledger/price-book.ts';
import { openAskedLimits } from './limits/asked/limits.ts';
import type { LimitsChannel } from './limits/asked/messages.ts';
import type { LimitStore } from './limits/limiter.ts';
import { openMemoryLimits } from './limits/memory.ts';
import { describeState, type LimitsState } from './limits/state.ts';
import { SwapList } from './primitives/swap-list.ts';
import { isAnswer, isFault } from './request/failover.ts';
import type { SessionStore } from './sessions/store.ts';
import { openSnapshots, type Snapshot, type Snapshots } from './snapshot.ts';
import type { Stores } from './stores/stores.ts';
import { sweepHourly } from './stores/sweep.ts';
import { openStores } from './stores.ts';
import { openTape } from './tape/open.ts';
import type { Log } from './telemetry/log.ts';
import { type CircuitBreakers, openCircuitBreakers } from './upstreams/circuit-breaker.ts';
import { DrainingAnswers } from './upstreams/draining-answers.ts';
import type { Upstreams } from './upstreams/kinds.ts';
import type { RelayStream } from './upstreams/stream-to-caller.ts';

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
  readonly history: History;
  readonly idempotency: IdempotencyStore;
  /** The request log: calls that ended, refused ones included. */
  readonly activity: Activity;
  /** What operators are told about. */
  readonly alerts: Alerts;
  /** Of browsers, at the console and at the portal. */
  readonly sessions: SessionStore;
  /** This process, among those on one database. */
  readonly node: string;
  readonly limits: LimitStore & { state?(): LimitsState };
  /** Null when calls are neither recorded nor replayed. */
  readonly tape: ReturnType<typeof openTape>;
  /** Null when `billing` is off: calls cost nothing. */
  readonly money: Money | null;
  readonly estimator: Estimator;
  /** Streams that callers are reading now. */
  readonly streams: SwapList<RelayStream>;
  /** Answers that are read to the end after their callers disconnected. */
  readonly draining: DrainingAnswers;
  /** For one call: the gateway with its present configuration, upstreams and prices, whatever a reload changes meanwhile. The call must `leave` it. */
  enter(): EnteredGateway;
  /** Replaces the configuration as a whole. When it rejects, nothing has changed. */
  adopt(config: Config): Promise<void>;
  /** Whether the process is stopping; load balancers must send it no more calls. */
  readonly isStopping: boolean;
  announceStop(): void;
  /** From now on each heartbeat tells operators what `write` returns. */
  reportBy(write: () => string): void;
  /** Whether calls can be served: the store answers. */
  isReady(): Promise<boolean>;
  /** For `/readyz`: problems that do not stop the gateway from serving calls. */
  details(): readonly string[];
  /** Ends every open stream with an error event, so that none looks complete, and stops reading the answers of callers who disconnected; for the end of the drain time. */
  endStreams(): void;
  close(): Promise<void>;
}

export interface EnteredGateway extends Gateway {
  /** The call sends nothing more to upstreams. */
  leave(): void;
}

/** `env`: by default that of the process. `counter`: the way to the process that counts the limits where there is no Redis; left out: this one counts. */
export async function openGateway(config: Config, log: Log, env?: Environment, counter?: LimitsChannel): Promise<Gateway> {
  const tape = openTape(config);
  const called = { isEver: false };
  const isCalled = () => called.isEver;
  const stores = await openStores(config, { env, isCalled, changed: (isHung) => logHangChange(isHung, log) });
  const { access, ledger, responses, idempotency } = stores;
  if (stores.note !== null) log.warn(stores.note);
  const reporting = openReporting(log);
  const shared = { ledger, log, isShared: isStoreShared(config), report: reporting.tell };
  const money = config.billing === 'off' ? null : await openMoney({ config, ...shared });
  const node = money?.node ?? randomBytes(9).toString('hex');
  const pulse = money ? null : await openPulse({ node, ...shared });
  const heartbeat = openHeartbeatOf(config, { node, log, isWanted: isCalled });
  const limits = await openLimits(config, { node, log, counter });
  const estimator = openEstimator();
  const snapshots = await openSnapshots(config, access, log);
  const activity = openRequestLog(stores, { log, config: () => snapshots.current.config });
  const sweeper = sweepHourly({ ...shared, stores, activity, node, days: () => snapshots.current.config.history.days });
  const health = openCircuitBreakers({ settings: () => snapshots.current.config.routing.breaker, isFault, isAnswer });
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
    health,
    log,
    access,
    history: openHistory(responses, config.database.timeoutMs, () => historyBounds(snapshots.current.config)),
    idempotency,
    activity,
    alerts: openAlertsOf(stores, { config: () => snapshots.current.config, places: () => health.states(), isCalled, node, log }),
    sessions: stores.sessions,
    node,
    limits,
    tape,
    money,
    estimator,
    streams: new SwapList<RelayStream>(),
    draining: new DrainingAnswers(),
    enter,
    adopt: (next) => adopt(next, { snapshots, money, health, log }),
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
      for (const part of [gateway.alerts, snapshots, limits, estimator, heartbeat, money, pulse, sweeper, activity, stores])
        await part?.close();
    },
  };
  return gateway;
}

interface HeartbeatSetup {
  readonly node: string;
  readonly log: Log;
  readonly isWanted: () => boolean;
}

function openHeartbeatOf({ data: folder, durability, database }: Config, { node, log, isWanted }: HeartbeatSetup): Heartbeat {
  const failed = (err: unknown): void => log.error({ err }, 'the heartbeat thread has ended');
  return openHeartbeat({ node, location: { folder, durability, url: database.url }, everyMs: BEAT_MS, isWanted, failed });
}

function cutAll(streams: SwapList<RelayStream>, draining: DrainingAnswers): void {
  draining.cut();
  for (const stream of streams)
    stream.end(new GatewayError<CallCode>('overloaded', { message: 'The gateway is stopping.' }), { isFinal: true });
}

function logHangChange(isHung: boolean, log: Log): void {
  if (isHung) log.error('PostgreSQL hangs; until it answers, calls that need it are refused at once');
  else log.info('PostgreSQL answers again');
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
  readonly snapshots: Snapshots;
  readonly money: Money | null;
  readonly health: CircuitBreakers;
  readonly log: Log;
}

async function adopt(config: Config, { snapshots, money, health, log }: AdoptParts): Promise<void> {
  const before = snapshots.current.config;
  const next = await snapshots.prepare(config);
  const swap = (): void => {
    snapshots.swap(next);
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

/** A request with all that it refers to is no longer than a body. */
const historyBounds = ({ server, history }: Config): HistoryBounds => ({
  mostBytes: server.bodyLimitBytes,
  accountBytes: history.accountMb * MEBIBYTE,
});

interface Logging {
  readonly log: Log;
  readonly config: () => Config;
}

const openRequestLog = ({ activity: store }: Stores, { log, config }: Logging): Activity =>
  openActivity({ store, log, bounds: () => activityBounds(config()), hasLedger: config().billing !== 'off' });

interface Alerting extends Logging {
  readonly isCalled: () => boolean;
  readonly places: () => ReturnType<CircuitBreakers['states']>;
  readonly node: string;
}

const openAlertsOf = ({ alerts: store, activity: { ask: read } }: Stores, { config, ...parts }: Alerting): Alerts =>
  openAlerts({ store, read, settings: () => config().alerts, hasLedger: config().billing !== 'off', ...parts });

/** Requests whose key was not recognised have bounds of their own: anybody can send them. */
const activityBounds = ({ activity, refusals }: Config) => ({
  days: activity.days,
  unknownDays: refusals.days,
  mostUnknown: refusals.most,
});

interface LimitsParts {
  readonly node: string;
  readonly log: Log;
  readonly counter?: LimitsChannel | undefined;
}

/** In Redis where one is configured, else by the supervisor of several workers, else in this process. */
export async function openLimits(
  { redis, database, server }: Pick<Config, 'redis' | 'database' | 'server'>,
  { node, log, counter }: LimitsParts,
): Promise<LimitStore & { state?(): LimitsState }> {
  const here = openMemoryLimits(() => performance.now());
  if (redis.url === undefined) {
    if (!counter) return here;
    return openAskedLimits({ channel: counter, log, fallback: here, processes: server.workers, waitMs: database.timeoutMs });
  }
  const { openRedisLimits } = await import('./limits/redis/limiter.ts');
  return await openRedisLimits({ url: redis.url, waitMs: redis.timeoutMs, node, log, fallback: here });
}
