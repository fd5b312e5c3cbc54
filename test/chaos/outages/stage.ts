/** Gateways on one PostgreSQL and one Redis with a vendor behind them, for tests that break one of these in the middle of the work (F52, G1 to G4, G11). */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createClient } from '@redis/client';
import { Client } from 'pg';
import { Agent } from 'undici';
import type { Access } from '../../../server/access/access.ts';
import { issueKey } from '../../../server/access/issue-key.ts';
import { accessStoreDefinition } from '../../../server/access/plans.ts';
import type { KeySettings } from '../../../server/access/store.ts';
import { openPostgresLedger } from '../../../server/money/postgres.ts';
import type { LedgerStore } from '../../../server/money/store.ts';
import { openPostgres, type Postgres } from '../../../server/store/postgres/postgres.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { hangLimitMs } from '../../harness/hang-limit.ts';
import { postgresMissing, redisMissing } from '../../harness/servers.ts';
import { type Cluster, type Servers, startCluster } from '../../programs/cluster/cluster.ts';

const missing = [postgresMissing, redisMissing].filter((reason) => reason !== null);
export const isLeftOut = missing.length > 0;
/** The name of a group of tests, with the reason if they are left out. */
export const named = (name: string): string => `${name}${missing.map((reason) => `, LEFT OUT: ${reason}`).join('')}`;

export const model = 'm';
/** No load shedding on a busy machine: it has tests of its own. */
const server = { trustedProxies: ['127.0.0.1/32'], overload: { loopDelayMs: 0 } };
/** Only output has a price, so that the hold and the charge of a call are known. */
const prices = { input: '0', output: '4' };
export const maxTokens = 100;
/** Of one call, in millionths. */
export const hold = 400n;

export interface Holder {
  readonly key: string;
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
}

export interface Stage {
  readonly fake: Fake;
  readonly cluster: Cluster;
  /** Of each gateway, past the balancer. */
  readonly origins: readonly string[];
  readonly agent: Agent;
  readonly postgres: Postgres;
  readonly access: Access;
  readonly ledger: LedgerStore;
  /** An account with so much to spend, and a key of it. */
  open(balance: bigint, settings?: Partial<KeySettings>): Promise<Holder>;
  /** Another key of the account, which no gateway has seen. */
  another(holder: Holder): Promise<string>;
  /** Runs statements on a connection of its own; gives the rows of the last one. */
  sql(...texts: readonly string[]): Promise<readonly unknown[]>;
  /** Sends a command to Redis and gives its answer. */
  redis(...words: readonly string[]): Promise<unknown>;
  /** Lines with this message that the gateway has written so far. */
  logged(gateway: number, message: string): readonly Record<string, unknown>[];
  close(): Promise<void>;
}

/** Without `servers` it has a PostgreSQL and a Redis of its own, which a test may break. */
export async function openStage(
  gateways: number,
  config: Readonly<Record<string, unknown>> = {},
  servers?: () => Promise<Servers>,
): Promise<Stage> {
  const fake = await openFake();
  const upstreams = { vendor: { kind: 'openai', baseUrl: fake.url } };
  const cluster = await startCluster({
    gateways,
    config: { server, admin: { enabled: false }, upstreams, models: [{ id: model, kind: 'text', prices }], ...config },
    ...(servers && { servers }),
  });
  const postgres = openPostgres({ url: cluster.postgres.url, timeoutMs: hangLimitMs });
  const access = { store: accessStoreDefinition.onPostgres(postgres), pepper: cluster.pepper };
  const ledger = openPostgresLedger(postgres);
  const agent = new Agent({ connections: 400 });
  return {
    fake,
    cluster,
    agent,
    postgres,
    access,
    ledger,
    origins: cluster.gateways.map(({ origin }) => origin),
    async open(balance, settings = {}) {
      const accountName = randomUUID();
      const issued = await issueKey({ accountName, name: 'test', ...settings }, { ...access, now: Date.now });
      const { accountId } = issued;
      await ledger.adjust({ accountId, transfer: `opening of ${accountId}`, kind: 'top_up', amount: balance, note: null, at: Date.now() });
      return { ...issued, accountName };
    },
    another: async ({ accountName }) => (await issueKey({ accountName, name: 'another' }, { ...access, now: Date.now })).key,
    sql: (...texts) =>
      withClient(cluster, async (client) => {
        let rows: readonly unknown[] = [];
        for (const text of texts) ({ rows } = await client.query(text));
        return rows;
      }),
    async redis(...words) {
      const client = await createClient({ url: cluster.redis.url }).connect();
      return client.sendCommand([...words]).finally(() => client.destroy());
    },
    logged: (gateway, message) => linesOf(cluster, gateway).filter((line) => line.msg === message),
    async close() {
      await agent.destroy();
      await postgres.close();
      await cluster.stop('SIGKILL');
      await fake.close();
    },
  };
}

async function withClient<T>({ postgres }: Cluster, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  return work(client).finally(() => client.end());
}

function linesOf({ gateways }: Cluster, index: number): Record<string, unknown>[] {
  const text = readFileSync(gateways[index]?.logFile ?? '', 'utf8');
  // The last one may be half written.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}
