/** The PostgreSQL and the Redis of the run for a cluster that leaves them alone: a database of its own on each. */
import { copyTemplate, dropDatabase } from './databases.ts';
import { sharedPostgresUrl } from './postgres.ts';
import { nextRedis } from './redis.ts';
import type { PrivateServer } from './servers.ts';

export async function borrowServers(): Promise<{ readonly postgres: PrivateServer; readonly redis: PrivateServer }> {
  const serverUrl = sharedPostgresUrl();
  const url = await copyTemplate(serverUrl);
  return { postgres: borrowed(url, () => dropDatabase(url, serverUrl)), redis: borrowed(await nextRedis(), async () => undefined) };
}

/** Others work on the same server at this moment. */
function borrowed(url: string, close: () => Promise<void>): PrivateServer {
  const refuse = (): never => {
    throw new Error('this server is that of the run: a test that stops it starts one of its own');
  };
  return { url, close, pause: refuse, resume: refuse, stop: refuse, restart: refuse };
}
