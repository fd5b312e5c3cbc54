/** PostgreSQL for a test file: one private server, and for each test a database of its own with today's tables. */
import { Client } from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { openPostgres, type Postgres, type PostgresOptions } from '../../server/storage/postgres/pool.ts';
import { migratePostgres } from '../../server/storage/postgres/schema.ts';
import { type PostgresSettings, type PrivateServer, postgresMissing, startPostgres } from './servers.ts';

export interface FreshDatabase {
  readonly url: string;
  readonly postgres: Postgres;
}

export interface TestPostgres {
  readonly server: PrivateServer;
  /** Closed when the test is over. */
  fresh(options?: Omit<PostgresOptions, 'url'>): Promise<FreshDatabase>;
}

/** The name of a group of tests that need it; where it is missing the name says why they are left out. */
export const postgresName = postgresMissing === null ? 'postgres' : `postgres, LEFT OUT: ${postgresMissing}`;

const template = 'tables';

/** To be called in a group of tests, once. */
export function usePostgres(settings: PostgresSettings = {}): TestPostgres {
  let started: PrivateServer | null = null;
  let databases = 0;
  const server = (): PrivateServer => {
    if (!started) throw new Error('the server starts before the first test');
    return started;
  };
  const command = async (sql: string): Promise<void> => {
    const client = new Client({ connectionString: server().url });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  beforeAll(async () => {
    started = await startPostgres(settings);
    await command(`CREATE DATABASE ${template}`);
    const postgres = openPostgres({ url: urlOf(server(), template) });
    await migratePostgres(postgres).finally(() => postgres.close());
  });
  afterAll(() => started?.close());
  return {
    get server() {
      return server();
    },
    async fresh(options = {}) {
      const name = `test_${++databases}`;
      await command(`CREATE DATABASE ${name} TEMPLATE ${template}`);
      const url = urlOf(server(), name);
      const postgres = openPostgres({ url, ...options });
      onTestFinished(() => postgres.close());
      return { url, postgres };
    },
  };
}

function urlOf({ url }: PrivateServer, database: string): string {
  const at = new URL(url);
  at.pathname = `/${database}`;
  return at.href;
}
