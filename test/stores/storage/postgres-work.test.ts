/** Steps on PostgreSQL that may carry much: they get more time where the server lives, and not where it hangs (F52). */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { StorageError } from '../../../server/storage/errors.ts';
import { postgresName, usePrivatePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const place = usePrivatePostgres();

  test('a step that waited for a connection so long that its own time ran out is done all the same', async () => {
    const { postgres } = await place.fresh({ connections: 2 });
    // The step begins when most of its time is over, and needs more than the rest.
    const busy = [0.3, 0.3].map((seconds) => postgres.transaction('write', ({ query }) => query({ text: `SELECT pg_sleep(${seconds})` })));
    await wait(20);
    const asked = { text: "SELECT 'done' AS word FROM pg_sleep(0.28)" };
    await expect(postgres.query(asked)).rejects.toThrow(/did not answer within/);
    await Promise.all(busy);
    const again = [0.3, 0.3].map((seconds) => postgres.transaction('write', ({ query }) => query({ text: `SELECT pg_sleep(${seconds})` })));
    await wait(20);
    expect(await postgres.work(asked)).toEqual([{ word: 'done' }]);
    await Promise.all(again);
  });

  test('a step that PostgreSQL itself ended for its length is done with more time', async () => {
    const { postgres } = await place.fresh();
    const asked = { text: "SELECT 'done' AS word FROM pg_sleep(0.6)" };
    await expect(postgres.query(asked)).rejects.toThrow(/statement timeout/);
    expect(await postgres.work(asked)).toEqual([{ word: 'done' }]);
  });

  test('of a server that hangs the caller hears within half a second also where the step may carry much', async () => {
    const { postgres } = await place.fresh();
    await postgres.work({ text: 'SELECT 1' });
    place.server.pause();
    try {
      for (const _round of [1, 2, 3]) {
        const startedAt = performance.now();
        await expect(postgres.work({ text: 'SELECT 1' })).rejects.toBeInstanceOf(StorageError);
        // 480 ms, and the slack of a busy machine; a second full wait would make it 840.
        expect(performance.now() - startedAt).toBeLessThan(750);
      }
    } finally {
      place.server.resume();
    }
  });
});
