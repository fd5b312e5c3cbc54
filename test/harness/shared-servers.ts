/** Global setup for lanes with PostgreSQL and Redis: starts one of each for the whole run, with the programs of this machine. */
import type { TestProject } from 'vitest/node';
import { makeTemplate } from './databases.ts';
import { type PrivateServer, postgresMissing, redisMissing, startPostgres, startRedis } from './servers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URLs of the servers of this run; null when the program is not installed. */
    readonly postgresUrl: string | null;
    readonly redisUrl: string | null;
  }
}

interface SharedServers {
  readonly postgres: PrivateServer | null;
  readonly redis: PrivateServer | null;
}

/** Holds the servers in the global object, because Vitest loads this file once for each project of a run. */
interface Shared {
  starting: Promise<SharedServers> | null;
  users: number;
}

const place = Symbol.for('modelgate.test.shared-servers');
// `as`: the global object has no type for this symbol.
const globals = globalThis as { [place]?: Shared };

/** Number of Redis databases: more than the gateways of a run. */
const redisDatabases = 10_000;

export async function setup(project: TestProject): Promise<void> {
  globals[place] ??= { starting: null, users: 0 };
  const shared = globals[place];
  shared.users++;
  shared.starting ??= startAll();
  const { postgres, redis } = await shared.starting;
  project.provide('postgresUrl', postgres?.url ?? null);
  project.provide('redisUrl', redis?.url ?? null);
}

export async function teardown(): Promise<void> {
  const shared = globals[place];
  if (!shared || --shared.users > 0) return;
  const { starting } = shared;
  shared.starting = null;
  const servers = await starting;
  await Promise.all([servers?.postgres?.close(), servers?.redis?.close()]);
}

async function startAll(): Promise<SharedServers> {
  for (const reason of [postgresMissing, redisMissing]) if (reason !== null) console.warn(`LEFT OUT: ${reason}`);
  const [postgres, redis] = await Promise.all([
    postgresMissing === null ? startTemplated() : null,
    redisMissing === null ? startRedis({ databases: redisDatabases }) : null,
  ]);
  return { postgres, redis };
}

/** Creates the template that the databases of tests are copied from. */
async function startTemplated(): Promise<PrivateServer> {
  const postgres = await startPostgres();
  await makeTemplate(postgres.url);
  return postgres;
}
