/** How long callers wait where something is wrong: what tests prove by order and state alone is told here by the clock. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { getDatabasePath } from '../../../server/store/sqlite/database.ts';
import { startPostgres, startRedis } from '../../harness/servers.ts';
import { type RunningModelgate, type StoreVariables, startModelgate } from './modelgate.ts';
import { smallChat } from './payloads.ts';
import { type Run, say } from './rounds.ts';
import { chatPath } from './scenarios.ts';

export interface Wait {
  readonly what: string;
  /** Milliseconds, of each that waited. */
  readonly waits: readonly number[];
  /** The most that is promised; null where nothing is. */
  readonly promised: number | null;
}

/** How many are looked at for each row. */
const samplesOf = ({ options }: Run): number => options.rounds * 4;

/** On SQLite, and on PostgreSQL and Redis where the machine has them. */
export async function measureWaits(run: Run, hasStores: boolean): Promise<Wait[]> {
  return [...(await measureAlone(run)), ...(hasStores ? await measureShared(run) : [])];
}

function start({ ground: { vendorOrigin, profile } }: Run, more: { readonly hasAdmin?: boolean; readonly stores?: StoreVariables } = {}) {
  return startModelgate({ vendorUrl: `${vendorOrigin}/v1`, isGoverned: true, core: undefined, profile, takesAll: true, ...more });
}

async function measureAlone(run: Run): Promise<Wait[]> {
  const gateway = await start(run);
  try {
    const { key } = gateway;
    await ask(gateway, key, 200);
    const crowd = await besideCrowd(gateway, async () => repeat(samplesOf(run), () => ask(gateway, key, 200)));
    const rejected = await whileLocked(gateway, () => repeat(samplesOf(run), () => ask(gateway, key, 503)));
    return [
      { what: 'a call beside 1,000 connections that say nothing', waits: crowd, promised: null },
      { what: 'a call that is rejected while another process keeps SQLite to itself', waits: rejected, promised: 2_000 },
    ];
  } finally {
    await gateway.stop();
  }
}

async function measureShared(run: Run): Promise<Wait[]> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  const stores = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, MODELGATE_PEPPER: '5e'.repeat(32) };
  const gateways: RunningModelgate[] = [];
  try {
    const first = await start(run, { hasAdmin: true, stores });
    gateways.push(first);
    const second = await start(run, { stores });
    gateways.push(second);
    const seen = await repeat(samplesOf(run), await revoking(first, second));
    await ask(second, first.key, 200);
    redis.pause();
    const without = await repeat(samplesOf(run), () => ask(second, first.key, 200)).finally(() => redis.resume());
    postgres.pause();
    const hung = await repeat(samplesOf(run), () => ask(second, first.key, 503)).finally(() => postgres.resume());
    return [
      { what: 'until another gateway refuses a key that was revoked', waits: seen, promised: 2_000 },
      { what: 'a call while Redis hangs', waits: without, promised: null },
      { what: 'a call that is rejected while PostgreSQL hangs', waits: hung, promised: null },
    ];
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await Promise.all([postgres.close(), redis.close()]);
  }
}

async function repeat(times: number, work: () => Promise<number>): Promise<number[]> {
  const waits: number[] = [];
  while (waits.length < times) waits.push(await work());
  return waits;
}

/** Milliseconds until the answer is whole; another status than the one that is right is an error. */
async function ask({ origin }: RunningModelgate, key: string, right: number): Promise<number> {
  const from = performance.now();
  const status = await statusOf(origin, key);
  if (status !== right) throw new Error(`a call was answered by ${status}, not by ${right}`);
  return performance.now() - from;
}

async function statusOf(origin: string, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { statusCode, body } = await request(`${origin}${chatPath}`, { method: 'POST', headers, body: JSON.stringify(smallChat) });
  await body.dump();
  return statusCode;
}

async function besideCrowd<T>({ origin }: RunningModelgate, work: () => Promise<T>): Promise<T> {
  say('waits: a crowd that says nothing');
  const { port, hostname } = new URL(origin);
  const sockets = Array.from({ length: 1_000 }, () => connect({ port: Number(port), host: hostname }).on('error', () => undefined));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return work().finally(() => {
    for (const socket of sockets) socket.destroy();
  });
}

async function whileLocked<T>({ data }: RunningModelgate, work: () => Promise<T>): Promise<T> {
  say('waits: SQLite is locked');
  const database = new DatabaseSync(getDatabasePath(data), { timeout: 30_000 });
  database.exec('BEGIN EXCLUSIVE');
  return work().finally(() => {
    database.exec('ROLLBACK');
    database.close();
  });
}

/** One key after the other is revoked at the one gateway, in use at the other. */
async function revoking(first: RunningModelgate, second: RunningModelgate): Promise<() => Promise<number>> {
  say('waits: keys are revoked');
  const adminKey = await first.command('admin-key', 'create', '--name', 'bench');
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await fetch(`${first.adminOrigin}/admin/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    // `as`: the admin API answers with objects.
    return (await answer.json()) as Readonly<Record<string, unknown>>;
  };
  return async () => {
    const { key, id } = await post('/keys', { account: 'default', name: 'bench' });
    await ask(second, String(key), 200);
    await post(`/keys/${id}/revoke`, {});
    const from = performance.now();
    while ((await statusOf(second.origin, String(key))) === 200) await pause(5);
    return performance.now() - from;
  };
}
