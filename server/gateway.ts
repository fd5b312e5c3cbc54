/** The composition root: Config → Gateway. Every room is built once, here, and closed in reverse. */
import { type Authenticator, openAuthenticator } from './access/authenticate.ts';
import { openAccess } from './access/open.ts';
import { type Catalog, openCatalog } from './catalog.ts';
import type { Config } from './config.ts';
import { GatewayError } from './errors.ts';
import { type History, openHistory } from './history/history.ts';
import { type HistoryStore, openHistoryStore } from './history/store.ts';
import { type Database, openDatabase } from './storage/database.ts';
import type { Log } from './telemetry/log.ts';
import { openUpstreams, type Upstreams } from './upstreams/providers.ts';
import type { RelayStream } from './upstreams/relay-stream.ts';

export interface Gateway {
  readonly config: Config;
  readonly log: Log;
  readonly catalog: Catalog;
  readonly authenticator: Authenticator;
  readonly upstreams: Upstreams;
  readonly history: History;
  /** Streams that callers are reading now. */
  readonly streams: Set<RelayStream>;
  /** Whether work can be done: the store answers. */
  isReady(): boolean;
  /** Ends every open stream with an error event, so that none looks complete; for the end of the drain time. */
  endStreams(): void;
  close(): Promise<void>;
}

export async function openGateway(config: Config, log: Log): Promise<Gateway> {
  const database = openDatabase({ folder: config.data, durability: config.durability });
  const { store, pepper } = await openAccess(config.data, database);
  const upstreams = openUpstreams(config);
  const responses = openHistoryStore(database);
  const sweeper = sweepHourly(responses, config.history.days);
  const streams = new Set<RelayStream>();
  return {
    config,
    log,
    catalog: openCatalog(config),
    authenticator: openAuthenticator({ store, pepper, now: Date.now }),
    upstreams,
    history: openHistory(responses),
    streams,
    isReady: () => isHealthy(database),
    endStreams() {
      for (const stream of streams) stream.end(new GatewayError('overloaded', { message: 'The gateway is stopping.' }));
    },
    async close() {
      clearInterval(sweeper);
      await upstreams.close();
      database.close();
    },
  };
}

function isHealthy({ connection }: Database): boolean {
  try {
    return connection.prepare('SELECT 1').get() !== undefined;
  } catch {
    // What is wrong is in the log of the first request that needed the store.
    return false;
  }
}

const DAY_SECONDS = 86_400;
const HOUR_MS = 3_600_000;

/** Deletes stored responses past their time: now, and every hour. */
function sweepHourly(responses: HistoryStore, days: number): NodeJS.Timeout {
  const sweep = () => responses.sweep(Math.floor(Date.now() / 1000) - days * DAY_SECONDS);
  sweep();
  return setInterval(sweep, HOUR_MS).unref();
}
