/** PostgreSQL for a test file: each test gets its own database with the present tables, on the shared server of the run or on a private one. */
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { openPostgres, type Postgres, type PostgresOptions } from '../../server/store/postgres/postgres.ts';
import { copyTemplate, createEmpty, dropDatabase, makeTemplate } from './databases.ts';
import { type PostgresSettings, type PrivateServer, postgresMissing, startPostgres } from './servers.ts';

export interface FreshDatabase {
  readonly url: string;
  readonly postgres: Postgres;
}

export interface TestPostgres {
  /** Opens a new database; it is closed and dropped after the test. */
  fresh(options?: Omit<PostgresOptions, 'url'>): Promise<FreshDatabase>;
}

export interface PrivatePostgres extends TestPostgres {
  readonly server: PrivateServer;
}

/** The name of a group of tests that need PostgreSQL. Without PostgreSQL the name says why they are skipped. */
export const postgresName = postgresMissing === null ? 'postgres' : `postgres, LEFT OUT: ${postgresMissing}`;

/** Databases on the server that all test files share. Tests must not stop it or change its settings. */
export function usePostgres(): TestPostgres {
  return { fresh: (options = {}) => openFresh(sharedPostgresUrl(), options) };
}

export function sharedPostgresUrl(): string {
  const url = inject('postgresUrl');
  if (url === null) throw new Error(postgresMissing ?? 'there is no PostgreSQL');
  return url;
}

/** The URL of a new database without tables on the shared server; it is dropped after the test. */
export async function emptyPostgres(): Promise<string> {
  const serverUrl = sharedPostgresUrl();
  const url = await createEmpty(serverUrl);
  onTestFinished(() => dropDatabase(url, serverUrl));
  return url;
}

/** Databases on a private server, which the group of tests may stop, pause and configure. Call it once, inside the group. */
export function usePrivatePostgres(settings: PostgresSettings = {}): PrivatePostgres {
  let started: PrivateServer | null = null;
  const server = (): PrivateServer => {
    if (!started) throw new Error('the server starts before the first test');
    return started;
  };
  beforeAll(async () => {
    started = await startPostgres(settings);
    await makeTemplate(started.url);
  });
  afterAll(() => started?.close());
  return {
    get server() {
      return server();
    },
    fresh: (options = {}) => openFresh(server().url, options),
  };
}

async function openFresh(serverUrl: string, options: Omit<PostgresOptions, 'url'>): Promise<FreshDatabase> {
  const url = await copyTemplate(serverUrl);
  const postgres = openPostgres({ url, ...options });
  onTestFinished(async () => {
    await postgres.close();
    await dropDatabase(url, serverUrl);
  });
  return { url, postgres };
}
