/** Gives a test cluster its own database on the shared PostgreSQL and on the shared Redis. Stopping or pausing these servers throws. */
import { copyTemplate, dropDatabase } from './databases.ts';
import { sharedPostgresUrl } from './postgres.ts';
import { nextRedis } from './redis.ts';
import type { PrivateServer } from './servers.ts';

export async function openSharedServerDatabases(): Promise<{ readonly postgres: PrivateServer; readonly redis: PrivateServer }> {
  const serverUrl = sharedPostgresUrl();
  const url = await copyTemplate(serverUrl);
  return { postgres: borrowed(url, () => dropDatabase(url, serverUrl)), redis: borrowed(await nextRedis(), async () => undefined) };
}

/** Other tests use the same server at the same time, so no test may stop it. */
function borrowed(url: string, close: () => Promise<void>): PrivateServer {
  const refuse = (): never => {
    throw new Error('this server is that of the run: a test that stops it starts one of its own');
  };
  return { url, close, pause: refuse, resume: refuse, stop: refuse, restart: refuse };
}
