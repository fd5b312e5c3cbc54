/** Databases of their own on a server that tests share: copies of a template on PostgreSQL, numbers on Redis. */
import { randomUUID } from 'node:crypto';
import { createClient } from '@redis/client';
import { Client } from 'pg';
import { openPostgres } from '../../server/storage/postgres/pool.ts';
import { migratePostgres } from '../../server/storage/postgres/schema.ts';

/** A database with today's tables and nothing in them. */
const templateName = 'tables';

/** The address of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

/** To be called once for a server, before any copy. */
export async function makeTemplate(url: string): Promise<void> {
  await onServer(url, (client) => client.query(`CREATE DATABASE ${templateName}`));
  const tables = openPostgres({ url: withDatabase(url, templateName) });
  await migratePostgres(tables).finally(() => tables.close());
}

/** The address of a new database without tables. */
export async function createEmpty(serverUrl: string): Promise<string> {
  const name = newName();
  await onServer(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  return withDatabase(serverUrl, name);
}

const newName = (): string => `test_${randomUUID().replaceAll('-', '')}`;

/** The address of a new database with today's tables. */
export async function copyTemplate(serverUrl: string): Promise<string> {
  const name = newName();
  await onServer(serverUrl, async (client) => {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${templateName}${await strategyOf(client)}`);
  });
  return withDatabase(serverUrl, name);
}

/** Ends the connections that are left to it. */
export async function dropDatabase(url: string, serverUrl: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await onServer(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

/** Copying files takes 30 ms here; the standard way since version 15 writes every page to the log and takes 250 ms. */
async function strategyOf(client: Client): Promise<string> {
  const { rows } = await client.query("SELECT current_setting('server_version_num')::INT >= 150000 AS can_choose");
  return rows[0]?.can_choose === true ? ' STRATEGY FILE_COPY' : '';
}

async function onServer(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}

/** The address of a Redis database that nobody used before; database 0 holds the count. */
export async function nextRedisDatabase(serverUrl: string): Promise<string> {
  const client = await createClient({ url: serverUrl }).connect();
  const number = await client.incr('databases-taken').finally(() => client.destroy());
  return withDatabase(serverUrl, String(number));
}
