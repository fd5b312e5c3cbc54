/** Which stores the gateways of a test file stand on: the embedded database and this process's memory, or, where the file says so, a PostgreSQL and a Redis of their own. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { openPostgres } from '../../server/storage/postgres/pool.ts';
import { migratePostgres } from '../../server/storage/postgres/schema.ts';
import { type PrivateServer, postgresMissing, redisMissing, startPostgres, startRedis } from './servers.ts';

interface Servers {
  readonly postgres: PrivateServer;
  readonly redis: PrivateServer;
}

const missing = [postgresMissing, redisMissing].filter((reason) => reason !== null);
const template = 'tables';
let areShared = false;
let servers: Servers | null = null;
let opened = 0;

/** For suites that look into a store themselves, or take their time on the second one. */
export const onSharedStores = (): boolean => areShared;

/** Settings of the next gateway's stores, as in modelgate.yaml: nobody else's, and empty. */
export async function freshStores(): Promise<Record<string, unknown>> {
  if (!areShared) return {};
  if (!servers) throw new Error('PostgreSQL and Redis start before the first test');
  const number = ++opened;
  await command(servers.postgres, `CREATE DATABASE test_${number} TEMPLATE ${template}`);
  return { database: { url: at(servers.postgres, `test_${number}`) }, redis: { url: at(servers.redis, String(number)) } };
}

/** The tests of other files once more, over PostgreSQL and Redis. To be called before any of those files is loaded: each by an `import` of its own. */
export function overSharedStores(suites: Readonly<Record<string, () => Promise<unknown>>>): void {
  areShared = true;
  const reasons = missing.map((reason) => `, LEFT OUT: ${reason}`).join('');
  describe.skipIf(missing.length > 0)(`over PostgreSQL and Redis${reasons}`, () => {
    beforeAll(async () => {
      servers = await startServers();
    });
    afterAll(async () => {
      await servers?.postgres.close();
      await servers?.redis.close();
    });
    for (const [name, load] of Object.entries(suites)) describe(name, async () => void (await load()));
  });
}

async function startServers(): Promise<Servers> {
  const postgres = await startPostgres();
  await command(postgres, `CREATE DATABASE ${template}`);
  const tables = openPostgres({ url: at(postgres, template) });
  await migratePostgres(tables).finally(() => tables.close());
  return { postgres, redis: await startRedis({ databases: 1_000 }) };
}

async function command({ url }: PrivateServer, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

function at({ url }: PrivateServer, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}
