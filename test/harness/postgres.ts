/** PostgreSQL for a test file: for each test a database of its own with today's tables, on the server of the run or on a private one. */
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { openPostgres, type Postgres, type PostgresOptions } from '../../server/storage/postgres/pool.ts';
import { copyTemplate, createEmpty, dropDatabase, makeTemplate } from './databases.ts';
import { type PostgresSettings, type PrivateServer, postgresMissing, startPostgres } from './servers.ts';

export interface FreshDatabase {
  readonly url: string;
  readonly postgres: Postgres;
}

export interface TestPostgres {
  /** Closed and dropped when the test is over. */
  fresh(options?: Omit<PostgresOptions, 'url'>): Promise<FreshDatabase>;
}

export interface PrivatePostgres extends TestPostgres {
  readonly server: PrivateServer;
}

/** The name of a group of tests that need it; where it is missing the name says why they are left out. */
export const postgresName = postgresMissing === null ? 'postgres' : `postgres, LEFT OUT: ${postgresMissing}`;

/** On the server that all test files share: it may be neither stopped nor set up otherwise. */
export function usePostgres(): TestPostgres {
  return { fresh: (options = {}) => openFresh(sharedPostgresUrl(), options) };
}

export function sharedPostgresUrl(): string {
  const url = inject('postgresUrl');
  if (url === null) throw new Error(postgresMissing ?? 'there is no PostgreSQL');
  return url;
}

/** The address of a database without tables on the server of the run; dropped when the test is over. */
export async function emptyPostgres(): Promise<string> {
  const serverUrl = sharedPostgresUrl();
  const url = await createEmpty(serverUrl);
  onTestFinished(() => dropDatabase(url, serverUrl));
  return url;
}

/** On a server that this group of tests may stop, pause or set up as it likes. To be called in the group, once. */
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
