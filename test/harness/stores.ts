/** Chooses the stores of a test's gateways: SQLite and memory or, in the lane `stores`, PostgreSQL and Redis. */
import { inject } from 'vitest';
import { copyTemplate, nextRedisDatabase } from './databases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set in the lane that runs suites named `*.both-stores.test.ts` again, on PostgreSQL and Redis. */
    readonly overSharedStores: boolean;
  }
}

/** For suites that read a store directly, or are slow on PostgreSQL and Redis. */
export const onSharedStores = (): boolean => inject('overSharedStores');

/** Settings of new empty stores for one gateway, as in modelgate.yaml. They are deleted with the servers of the run. */
export async function freshStores(): Promise<Readonly<Record<string, unknown>>> {
  const [postgresUrl, redisUrl] = onSharedStores() ? [inject('postgresUrl'), inject('redisUrl')] : [null, null];
  if (postgresUrl === null || redisUrl === null) return {};
  // A busy machine is no outage.
  const timeoutMs = 30_000;
  return {
    database: { url: await copyTemplate(postgresUrl), timeoutMs },
    redis: { url: await nextRedisDatabase(redisUrl), timeoutMs },
  };
}
