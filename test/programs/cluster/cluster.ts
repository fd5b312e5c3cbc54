/** Many gateways on one PostgreSQL and one Redis behind a balancer, all of them private: for tests, and for `npm run cluster`. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { launch } from '../../harness/launch.ts';
import { calm } from '../../harness/one-attempt.ts';
import { type PrivateServer, postgresMissing, redisMissing, startPostgres, startRedis } from '../../harness/servers.ts';
import { type Balancer, openBalancer } from './balancer.ts';
import { type GatewayProcess, gatewayProcess } from './gateway-process.ts';

export interface Cluster {
  /** Of the balancer, without a path. */
  readonly origin: string;
  /** Made by the gateway that was the first; its account has something to spend. */
  readonly key: string;
  /** Of the keys in the database: the same for all gateways. */
  readonly pepper: Buffer;
  readonly gateways: readonly GatewayProcess[];
  readonly balancer: Balancer;
  readonly postgres: PrivateServer;
  readonly redis: PrivateServer;
  /** With the configuration, the logs, and the data folder of each gateway. */
  readonly folder: string;
  /** The command line on the stores of this cluster: what it prints. */
  command(...words: string[]): Promise<string>;
  /** Sends the signal to every gateway that runs, without waiting. */
  signal(signal: NodeJS.Signals): void;
  /** Ends the gateways, each as after `signal`, then everything else, and deletes all files. Again: waits for the same. */
  stop(signal?: NodeJS.Signals): Promise<Stopped>;
}

export interface Stopped {
  /** Of the gateways; null for one that a signal ended. */
  readonly exitCodes: readonly (number | null)[];
}

export interface ClusterOptions {
  /** How many. */
  readonly gateways?: number;
  /** As in modelgate.yaml. Left out: the simulator with the standard catalog. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** One data folder for all gateways; left out: one for each, as on machines of their own. */
  readonly data?: string;
  /** Of the balancer; 0 takes any free one. */
  readonly port?: number;
  /** Closed with the cluster. Left out: private ones, which may be stopped and paused. */
  readonly servers?: () => Promise<Servers>;
}

/** If a step fails, everything that was started before is ended and deleted. */
export async function startCluster({ gateways: count = 2, config = {}, data, port = 0, servers }: ClusterOptions = {}): Promise<Cluster> {
  requirePrograms();
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-cluster-'));
  const closers: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  try {
    const { postgres, redis } = await (servers ? takeServers(servers, closers) : startServers(closers));
    const pepper = randomBytes(32);
    const env = environment({ postgres, redis, pepper });
    const file = writeConfig(folder, config);
    const gateways = Array.from({ length: count }, (_, index) => {
      const name = `gateway-${index + 1}`;
      return gatewayProcess({ name, file, data: data ?? join(folder, name), folder, env });
    });
    closers.push(() => Promise.all(gateways.map((gateway) => gateway.stop('SIGKILL'))));
    await allOrFirstFailure(gateways.map((gateway) => gateway.start()));
    const balancer = await openBalancer({ port, targets: () => gateways.map(({ origin }) => origin) });
    closers.push(() => balancer.close());
    const key = gateways.map(({ firstKey }) => firstKey).find((found) => found !== undefined);
    if (key === undefined) throw new Error('no gateway made the first key');
    return {
      origin: balancer.origin,
      key,
      pepper,
      gateways,
      balancer,
      postgres,
      redis,
      folder,
      command: (...words) => runCommand(words, { file, data: data ?? join(folder, 'gateway-1'), env }),
      signal: (signal) => signalAll(gateways, signal),
      stop: stopOnce({ gateways, balancer, closers }),
    };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

function requirePrograms(): void {
  const wanting = [
    { reason: postgresMissing, found: 'postgresql' },
    { reason: redisMissing, found: 'redis-server' },
  ].filter(({ reason }) => reason !== null);
  if (wanting.length === 0) return;
  const names = wanting.map(({ found }) => found).join(' ');
  throw new MissingPrograms(`${wanting.map(({ reason }) => reason).join(' ')} On Debian: apt-get install ${names}`);
}

/** The machine lacks a server program; the message says which, and how to install it. */
export class MissingPrograms extends Error {
  override readonly name = 'MissingPrograms';
}

export interface Servers {
  readonly postgres: PrivateServer;
  readonly redis: PrivateServer;
}

async function takeServers(take: () => Promise<Servers>, closers: (() => Promise<unknown>)[]): Promise<Servers> {
  const { postgres, redis } = await take();
  closers.push(() => Promise.all([postgres.close(), redis.close()]));
  return { postgres, redis };
}

async function startServers(closers: (() => Promise<unknown>)[]): Promise<Servers> {
  const closedLater = async (starting: Promise<PrivateServer>): Promise<PrivateServer> => {
    const server = await starting;
    closers.push(() => server.close());
    return server;
  };
  const starting = [closedLater(startPostgres()), closedLater(startRedis())] as const;
  await allOrFirstFailure(starting);
  const [postgres, redis] = await Promise.all(starting);
  return { postgres, redis };
}

/** Waits for all before it throws a failure, since what starts later would never be closed. */
async function allOrFirstFailure(all: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(all);
  await Promise.all(all);
}

/** The environment of this process too, so that OPENAI_API_KEY and what modelgate.yaml refers to reach the gateways. */
function environment({ postgres, redis, pepper }: Servers & { readonly pepper: Buffer }): NodeJS.ProcessEnv {
  return { ...process.env, DATABASE_URL: postgres.url, REDIS_URL: redis.url, MODELGATE_PEPPER: pepper.toString('hex') };
}

/** The gateways trust the balancer for the address of the caller. */
function writeConfig(folder: string, config: Readonly<Record<string, unknown>>): string {
  const file = join(folder, 'modelgate.yaml');
  const standard = { server: { ...calm, trustedProxies: ['127.0.0.1/32'] }, admin: { port: 0 } };
  writeFileSync(file, stringify({ ...standard, ...config }), { mode: 0o600 });
  return file;
}

interface Place {
  readonly file: string;
  readonly data: string;
  readonly env: NodeJS.ProcessEnv;
}

async function runCommand(words: readonly string[], { file, data, env }: Place): Promise<string> {
  const args = [launch, ...words, '--config', file, '--data', data];
  return (await promisify(execFile)(process.execPath, args, { env })).stdout;
}

function signalAll(gateways: readonly GatewayProcess[], signal: NodeJS.Signals): void {
  for (const gateway of gateways) if (gateway.isRunning) process.kill(gateway.pid, signal);
}

interface Parts {
  readonly gateways: readonly GatewayProcess[];
  readonly balancer: Balancer;
  readonly closers: (() => Promise<unknown>)[];
}

/** Running streams pass through the balancer until their gateway has let them end. */
function stopOnce({ gateways, balancer, closers }: Parts): Cluster['stop'] {
  let stopping: Promise<Stopped> | undefined;
  const stop = async (signal: NodeJS.Signals): Promise<Stopped> => {
    balancer.refuse();
    const exitCodes = await Promise.all(gateways.map((gateway) => gateway.stop(signal)));
    await closeAll(closers);
    return { exitCodes };
  };
  return (signal = 'SIGTERM') => {
    stopping ??= stop(signal);
    return stopping;
  };
}

/** In reverse order; a failure does not stop the others. */
async function closeAll(closers: (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers.splice(0).reverse()) await close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, 'not all of the cluster could be ended');
}
