/** The private PostgreSQL and Redis of the benchmark, and what they have done and used since their start. */
import { randomBytes } from 'node:crypto';
import { createClient } from '@redis/client';
import { Client } from 'pg';
import { type PrivateServer, startPostgres, startRedis } from '../../harness/servers.ts';
import { type Cores, pin } from './child.ts';
import type { StoreVariables } from './modelgate.ts';
import { childrenNamed, cpuOf, pidsOf } from './process-tree.ts';

/** Sums since the start of both servers; of two notes the difference is what lies between them. */
export interface StoreNote {
  /** CPU of all processes of PostgreSQL, in microseconds. */
  readonly postgres: number;
  readonly redis: number;
  /** Transactions that wrote something. */
  readonly commits: number;
  /** Bytes that PostgreSQL wrote to its log, which is what goes to the disk and to replicas. */
  readonly log: number;
  /** Runs of scripts in Redis, each of which does what many calls asked for, and how long it was busy with them, in microseconds. */
  readonly scripts: number;
  readonly scriptMicros: number;
  /** Bytes between Redis and its clients, both ways. */
  readonly redisBytes: number;
}

export interface SharedStores {
  readonly variables: StoreVariables;
  note(): Promise<StoreNote>;
  /** Bytes on the disk that a charge with its entries takes in the end, indexes included. */
  bytesOfCharge(): Promise<number>;
  close(): Promise<void>;
}

/** What lies between two notes, by call or by pair. */
export function dividePerUnit(after: StoreNote, before: StoreNote, units: number): StoreNote {
  const share = (name: keyof StoreNote): number => (after[name] - before[name]) / units;
  return {
    postgres: share('postgres'),
    redis: share('redis'),
    commits: share('commits'),
    log: share('log'),
    scripts: share('scripts'),
    scriptMicros: share('scriptMicros'),
    redisBytes: share('redisBytes'),
  };
}

/** Commits wait for the disk, as they should where money is real. The servers run on any core. */
export async function startStores(cores: Cores | null): Promise<SharedStores> {
  const postgres = await started('postgres', () => startPostgres({ fsync: true, settings: { max_wal_size: '4GB' } }), cores);
  const redis = await started('redis-server', startRedis, cores);
  const database = new Client({ connectionString: postgres.server.url });
  const cache = createClient({ url: redis.server.url, RESP: 2 });
  await Promise.all([database.connect(), cache.connect()]);
  return {
    variables: { DATABASE_URL: postgres.server.url, REDIS_URL: redis.server.url, MODELGATE_PEPPER: randomBytes(32).toString('hex') },
    async note() {
      const [told, info] = await Promise.all([database.query(progress), cache.sendCommand<string>(['INFO', 'all'])]);
      return { ...readProgress(told.rows[0]), ...readInfo(info), postgres: cpuOf(postgres.pid), redis: cpuOf(redis.pid) };
    },
    async bytesOfCharge() {
      const { rows } = await database.query(sizes);
      return Number(rows[0]?.bytes);
    },
    async close() {
      await database.end();
      cache.destroy();
      await Promise.all([postgres.server.close(), redis.server.close()]);
    },
  };
}

/** Neither of them writes, so that looking adds nothing. */
const progress = "SELECT pg_snapshot_xmax(pg_current_snapshot())::TEXT AS transactions, pg_current_wal_lsn() - pg_lsn '0/0' AS log";
const sizes = `
  SELECT (pg_total_relation_size('charges') + pg_total_relation_size('entries')) / greatest(count(*), 1) AS bytes FROM charges`;

function readProgress(row: Readonly<Record<string, unknown>> | undefined): Pick<StoreNote, 'commits' | 'log'> {
  return { commits: Number(row?.transactions), log: Number(row?.log) };
}

function readInfo(info: string): Pick<StoreNote, 'scripts' | 'scriptMicros' | 'redisBytes'> {
  const script = /^cmdstat_evalsha:calls=(\d+),usec=(\d+)/m.exec(info);
  const bytes = [...info.matchAll(/^total_net_(?:in|out)put_bytes:(\d+)/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  return { scripts: Number(script?.[1] ?? 0), scriptMicros: Number(script?.[2] ?? 0), redisBytes: bytes };
}

interface Started {
  readonly server: PrivateServer;
  readonly pid: number;
}

async function started(name: string, start: () => Promise<PrivateServer>, cores: Cores | null): Promise<Started> {
  const before = new Set(childrenNamed(name));
  const server = await start();
  const pid = childrenNamed(name).find((one) => !before.has(one)) ?? 0;
  // What this process starts stays on its core otherwise.
  if (cores) for (const one of pidsOf(pid)) pin(one, cores.all);
  return { server, pid };
}
