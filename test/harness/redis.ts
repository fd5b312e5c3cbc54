/** Redis for a test: a separate numbered database on the shared server of the run. */
import { inject } from 'vitest';
import { nextRedisDatabase } from './databases.ts';
import { redisMissing } from './servers.ts';

/** The URL of an empty database that no other test gets. */
export async function nextRedis(): Promise<string> {
  const url = inject('redisUrl');
  if (url === null) throw new Error(redisMissing ?? 'there is no Redis');
  return nextRedisDatabase(url);
}
