/** The composition root: Config → Gateway. Every room is built once, here, and closed in reverse. */
import { randomBytes } from 'node:crypto';
import { type Authenticator, openAuthenticator } from './access/authenticate.ts';
import type { Access } from './access/open.ts';
import { type Catalog, openCatalog } from './catalog.ts';
import type { Config } from './config.ts';
import { GatewayError } from './errors.ts';
import { type History, openHistory } from './history/history.ts';
import type { HistoryStore } from './history/store.ts';
import type { IdempotencyStore } from './idempotency/store.ts';
import { type Estimator, openEstimator } from './ledger/estimator.ts';
import type { LimitStore } from './limits/limits.ts';
import { openMemoryLimits } from './limits/memory.ts';
import { describeState, type LimitsState, openRedisLimits } from './limits/redis.ts';
import { type Money, openMoney } from './money.ts';
import { openStores } from './stores.ts';
import type { Log } from './telemetry/log.ts';
import { openUpstreams, type Upstreams } from './upstreams/providers.ts';
import type { RelayStream } from './upstreams/relay-stream.ts';

export interface Gateway {
  readonly config: Config;
  readonly log: Log;
  readonly catalog: Catalog;
  readonly access: Access;
  readonly authenticator: Authenticator;
  readonly upstreams: Upstreams;
  readonly history: History;
  readonly idempotency: IdempotencyStore;
  /** This process, among those on one database. */
  readonly node: string;
  readonly limits: LimitStore;
  /** Null where `billing` is off: calls cost nothing. */
  readonly money: Money | null;
  readonly estimator: Estimator;
  /** Streams that callers are reading now. */
  readonly streams: Set<RelayStream>;
  /** Whether work can be done: the store answers. */
  isReady(): Promise<boolean>;
  /** For people who look at the readiness: what is not as it should be, though work goes on. */
  details(): readonly string[];
  /** Ends every open stream with an error event, so that none looks complete; for the end of the drain time. */
  endStreams(): void;
  close(): Promise<void>;
}

export async function openGateway(config: Config, log: Log): Promise<Gateway> {
  const stores = await openStores(config);
  const { access, ledger, responses, idempotency } = stores;
  const money = config.billing === 'off' ? null : await openMoney({ config, ledger, log });
  const node = money?.node ?? randomBytes(9).toString('hex');
  const limits = await openLimits(config, node, log);
  const estimator = openEstimator();
  const upstreams = openUpstreams(config);
  const sweeper = await sweepHourly({ responses, idempotency, days: config.history.days, log });
  const streams = new Set<RelayStream>();
  return {
    config,
    log,
    catalog: openCatalog(config),
    access,
    authenticator: openAuthenticator({ ...access, now: Date.now, trustedProxies: config.server.trustedProxies }),
    upstreams,
    history: openHistory(responses),
    idempotency,
    node,
    limits,
    money,
    estimator,
    streams,
    isReady: () => stores.isReady(),
    details: () => (limits.state ? [describeState(limits.state())] : []),
    endStreams() {
      for (const stream of streams) stream.end(new GatewayError('overloaded', { message: 'The gateway is stopping.' }));
    },
    async close() {
      clearInterval(sweeper);
      await upstreams.close();
      await limits.close();
      await estimator.close();
      await money?.close();
      await stores.close();
    },
  };
}

/** In Redis where one is configured, else in this process. */
async function openLimits({ redis }: Config, node: string, log: Log): Promise<LimitStore & { state?(): LimitsState }> {
  const here = openMemoryLimits(() => performance.now());
  return redis.url === undefined ? here : await openRedisLimits({ url: redis.url, node, log, fallback: here });
}

const DAY_SECONDS = 86_400;
const HOUR_MS = 3_600_000;

interface Swept {
  readonly responses: HistoryStore;
  readonly idempotency: IdempotencyStore;
  readonly days: number;
  readonly log: Log;
}

/** Deletes stored responses and answers by idempotency key past their time: now, and every hour. */
async function sweepHourly({ responses, idempotency, days, log }: Swept): Promise<NodeJS.Timeout> {
  const sweep = async (): Promise<void> => {
    try {
      await responses.sweep(Math.floor(Date.now() / 1000) - days * DAY_SECONDS);
      await idempotency.sweep(Date.now() - DAY_SECONDS * 1000);
    } catch (error) {
      log.error({ err: error }, 'what is past its time could not be swept');
    }
  };
  await sweep();
  return setInterval(sweep, HOUR_MS).unref();
}
