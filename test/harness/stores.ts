/** Which stores the gateways of a test stand on: the embedded database and this process's memory or, in the lane `stores`, PostgreSQL and Redis. */
import { inject } from 'vitest';
import { copyTemplate, nextRedisDatabase } from './databases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set for the lane in which suites named `*.both-stores.test.ts` run once more, over PostgreSQL and Redis. */
    readonly overSharedStores: boolean;
  }
}

/** For suites that look into a store themselves, or take their time on the second one. */
export const onSharedStores = (): boolean => inject('overSharedStores');

/** Settings of the next gateway's stores, as in modelgate.yaml: nobody else's, and empty. They go with the servers of the run. */
export async function freshStores(): Promise<Readonly<Record<string, unknown>>> {
  const [postgresUrl, redisUrl] = onSharedStores() ? [inject('postgresUrl'), inject('redisUrl')] : [null, null];
  if (postgresUrl === null || redisUrl === null) return {};
  return { database: { url: await copyTemplate(postgresUrl) }, redis: { url: await nextRedisDatabase(redisUrl) } };
}
