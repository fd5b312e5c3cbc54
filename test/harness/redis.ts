/** Redis for a test: a numbered database of its own on the server of the run. */
import { inject } from 'vitest';
import { nextRedisDatabase } from './databases.ts';
import { redisMissing } from './servers.ts';

/** The address of an empty database that nobody else is given. */
export async function nextRedis(): Promise<string> {
  const url = inject('redisUrl');
  if (url === null) throw new Error(redisMissing ?? 'there is no Redis');
  return nextRedisDatabase(url);
}
