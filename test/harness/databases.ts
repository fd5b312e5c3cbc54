/** Creates separate databases on shared servers: copies of a template on PostgreSQL, numbered databases on Redis. */
import { randomUUID } from 'node:crypto';
import { createClient } from '@redis/client';
import { Client } from 'pg';
import { openPostgres } from '../../server/store/postgres/postgres.ts';
import { migratePostgres } from '../../server/store/postgres/schema.ts';

/** Name of the template: a database with the present tables, all empty. */
const templateName = 'tables';

/** The URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

/** Creates the template. Call it once for each server, before any copy. */
export async function makeTemplate(url: string): Promise<void> {
  await onServer(url, (client) => client.query(`CREATE DATABASE ${templateName}`));
  const tables = openPostgres({ url: withDatabase(url, templateName) });
  await migratePostgres(tables).finally(() => tables.close());
}

/** Creates a database without tables and returns its URL. */
export async function createEmpty(serverUrl: string): Promise<string> {
  const name = newName();
  await onServer(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  return withDatabase(serverUrl, name);
}

const newName = (): string => `test_${randomUUID().replaceAll('-', '')}`;

/** Creates a database with the present tables and returns its URL. */
export async function copyTemplate(serverUrl: string): Promise<string> {
  const name = newName();
  await onServer(serverUrl, async (client) => {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${templateName}${await strategyOf(client)}`);
  });
  return withDatabase(serverUrl, name);
}

/** Drops the database and ends its remaining connections. */
export async function dropDatabase(url: string, serverUrl: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await onServer(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

/** Copies files, which takes 30 ms. The default strategy since PostgreSQL 15 writes every page to the log and takes 250 ms. */
async function strategyOf(client: Client): Promise<string> {
  const { rows } = await client.query("SELECT current_setting('server_version_num')::INT >= 150000 AS can_choose");
  return rows[0]?.can_choose === true ? ' STRATEGY FILE_COPY' : '';
}

async function onServer(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}

/** The URL of an unused Redis database. Database 0 stores how many are in use. */
export async function nextRedisDatabase(serverUrl: string): Promise<string> {
  const client = await createClient({ url: serverUrl }).connect();
  const number = await client.incr('databases-taken').finally(() => client.destroy());
  return withDatabase(serverUrl, String(number));
}
