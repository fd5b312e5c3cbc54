/** Global set-up of the lanes that need them: one PostgreSQL and one Redis for the whole run, from the programs of this machine. */
import type { TestProject } from 'vitest/node';
import { makeTemplate } from './databases.ts';
import { type PrivateServer, postgresMissing, redisMissing, startPostgres, startRedis } from './servers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Addresses of the servers of this run; null where the machine lacks the program. */
    readonly postgresUrl: string | null;
    readonly redisUrl: string | null;
  }
}

interface SharedServers {
  readonly postgres: PrivateServer | null;
  readonly redis: PrivateServer | null;
}

/** Vitest loads this file once for each project of a run, so the servers are kept where every copy finds them. */
interface Shared {
  starting: Promise<SharedServers> | null;
  users: number;
}

const place = Symbol.for('modelgate.test.shared-servers');
// `as`: the global object has no type for a symbol of ours.
const globals = globalThis as { [place]?: Shared };

/** More numbered databases than a run opens gateways. */
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

/** Each database of a test is a copy of one that has today's tables. */
async function startTemplated(): Promise<PrivateServer> {
  const postgres = await startPostgres();
  await makeTemplate(postgres.url);
  return postgres;
}
