/** Where shared stores end: pairs of reserve and post a second on one balance and on many, and of take and finish in Redis. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Acquisition, type Limit, openMemoryLimits } from '../../../server/limits/limiter.ts';
import { openRedisLimits } from '../../../server/limits/redis/redis-limits.ts';
import { openPostgresLedger } from '../../../server/money/postgres.ts';
import type { LedgerStore } from '../../../server/money/store.ts';
import { openPostgres, type Postgres } from '../../../server/store/postgres/postgres.ts';
import { migratePostgres } from '../../../server/store/postgres/schema.ts';
import { type Run, say } from './servers.ts';
import { dividePerUnit, type SharedStores, type StoreNote, startStores } from './stores.ts';

export interface Wall extends StoreNote {
  /** A pair is what one governed call does: reserve and post, or take and finish. */
  readonly store: 'postgres' | 'redis';
  readonly accounts: number;
  /** Pools of connections, as of so many processes. */
  readonly pools: number;
  readonly parallel: number;
  readonly pairsPerSecond: number;
  /** On the loopback interface of the whole machine, packets and their headers, by pair. */
  readonly wireBytes: number;
}

type Order = Pick<Wall, 'store' | 'accounts' | 'pools' | 'parallel'>;
type Pair = (order: Order, lane: number) => Promise<void>;

const many = 200;
const orders: readonly Order[] = [
  { store: 'postgres', accounts: 1, pools: 1, parallel: 1 },
  { store: 'postgres', accounts: 1, pools: 1, parallel: many },
  { store: 'postgres', accounts: 1, pools: 3, parallel: many },
  { store: 'postgres', accounts: many, pools: 1, parallel: many },
  { store: 'postgres', accounts: many, pools: 3, parallel: many },
  // Nobody to share a script with.
  { store: 'redis', accounts: 1, pools: 1, parallel: 1 },
  { store: 'redis', accounts: 1, pools: 1, parallel: many },
  { store: 'redis', accounts: many, pools: 1, parallel: many },
];

export async function measureWalls({ ground, isQuick }: Run): Promise<{ readonly walls: Wall[]; readonly bytesOfCharge: number }> {
  const stores = await startStores(ground.cores);
  const walls: Wall[] = [];
  const opened = { postgres: await openLedgers(stores.variables.DATABASE_URL), redis: await openLimits(stores.variables.REDIS_URL) };
  const watchMs = isQuick ? 1_200 : 3_000;
  try {
    for (const order of orders) walls.push(await measureWall(order, opened[order.store].pair, { stores, watchMs }));
    return { walls, bytesOfCharge: await stores.bytesOfCharge() };
  } finally {
    await Promise.all([opened.postgres.close(), opened.redis.close()]);
    await stores.close();
  }
}

async function measureWall(order: Order, pair: Pair, { stores, watchMs }: { stores: SharedStores; watchMs: number }): Promise<Wall> {
  const { store, accounts, pools, parallel } = order;
  say(`wall: ${store}, ${accounts} accounts, ${pools} pools, ${parallel} at a time`);
  await loop(order, pair, watchMs / 3);
  const before = { ...(await stores.note()), wire: wireBytes() };
  const startedAt = performance.now();
  const pairs = await loop(order, pair, watchMs);
  const seconds = (performance.now() - startedAt) / 1_000;
  const wire = (wireBytes() - before.wire) / pairs;
  return { ...order, pairsPerSecond: pairs / seconds, wireBytes: wire, ...dividePerUnit(await stores.note(), before, pairs) };
}

async function loop(order: Order, pair: Pair, ms: number): Promise<number> {
  const until = Date.now() + ms;
  let pairs = 0;
  const work = async (_: unknown, lane: number): Promise<void> => {
    for (; Date.now() < until; pairs++) await pair(order, lane);
  };
  await Promise.all(Array.from({ length: order.parallel }, work));
  return pairs;
}

function wireBytes(): number {
  try {
    return Number(readFileSync('/sys/class/net/lo/statistics/tx_bytes', 'utf8'));
  } catch {
    return Number.NaN;
  }
}

interface Opened {
  readonly pair: Pair;
  close(): Promise<void>;
}

const accountOf = (lane: number, accounts: number): string => `acct_${lane % accounts}`;

async function openLedgers(url: string): Promise<Opened> {
  const pools: Postgres[] = Array.from({ length: 3 }, () => openPostgres({ url }));
  const ledgers: LedgerStore[] = pools.map(openPostgresLedger);
  await makeAccounts(pools[0], ledgers[0]);
  return {
    async pair({ accounts, pools: count }, lane) {
      const ledger = ledgers[Math.floor(Math.random() * count)];
      const [requestId, at] = [randomUUID(), Date.now()];
      const asked = { model: 'gpt-5.4', operation: 'createChatCompletion', priceVersion: 1, multiplier: 1_000_000 };
      const about = { keyId: 'key_1', caps: [], ...asked };
      const held = await ledger?.reserve({ requestId, accountId: accountOf(lane, accounts), ...about, amount: 400n, node: 'bench', at });
      if (held?.kind !== 'held') throw new Error(`the ledger rejected: ${held?.kind}`);
      const metered = { input: 40, cachedInput: 0, cacheWrite: 0, output: 200, reasoning: 0, images: {} };
      await ledger?.post({ requestId, cost: 5n, metered, isEstimated: false, outcome: 'completed', at });
    },
    async close() {
      await Promise.all(pools.map((postgres) => postgres.close()));
    },
  };
}

async function makeAccounts(postgres: Postgres | undefined, ledger: LedgerStore | undefined): Promise<void> {
  if (!postgres || !ledger) return;
  await migratePostgres(postgres);
  const ids = Array.from({ length: many }, (_, lane) => accountOf(lane, many));
  await postgres.query({ text: 'INSERT INTO accounts (id, name, created_at) SELECT a, a, 0 FROM unnest($1::TEXT[]) AS a' }, [ids]);
  for (const accountId of ids)
    await ledger.adjust({ accountId, transfer: accountId, kind: 'top_up', amount: 1_000_000_000n, note: null, at: Date.now() });
}

const quantities = ['requests', 'tokens', 'concurrency'] as const satisfies Acquisition['quantities'];

/** The limits of a governed call in this benchmark: those of its key and of its account. */
function limitsOf(account: string): Limit[] {
  return (['key', 'account'] as const).flatMap((scope) =>
    quantities.map((quantity) => ({ scope, subject: account, quantity, most: 100_000_000, mode: 'enforce' })),
  );
}

async function openLimits(url: string): Promise<Opened> {
  const log = { warn: (_: object, message: string) => say(message), info: () => undefined };
  const limits = await openRedisLimits({ url, node: 'bench', log, fallback: openMemoryLimits(Date.now), waitMs: 10_000 });
  return {
    async pair({ accounts }, lane) {
      const take = { requestId: randomUUID(), limits: limitsOf(accountOf(lane, accounts)), tokens: 400, quantities };
      const taken = await limits.acquire(take);
      if (taken.kind !== 'taken') throw new Error('the limits rejected');
      await limits.finish(take, 240);
    },
    close: () => limits.close(),
  };
}
