/** Steps on PostgreSQL that may carry much: they get more time where the server lives, and not where it hangs (F52). */
import { describe, expect, test, vi } from 'vitest';
import { StorageError } from '../../../server/store/errors.ts';
import { PostgresHungError, PostgresTimeoutError } from '../../../server/store/postgres/deadlines.ts';
import { postgresName, usePrivatePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const place = usePrivatePostgres();

  test('completes a step that waited for a connection until its own time ran out', async () => {
    const { postgres } = await place.fresh({ connections: 2, timeoutMs: 2_000 });
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const busy = [1, 2].map(() => postgres.transaction('write', () => gate));
    const asked = { text: "SELECT 'done' AS word" };
    await expect(postgres.query(asked)).rejects.toBeInstanceOf(PostgresTimeoutError);
    const again = vi.spyOn(postgres, 'transaction');
    const done = postgres.work(asked);
    await vi.waitUntil(() => again.mock.calls.length > 0, { timeout: 30_000 });
    release();
    expect(await done).toEqual([{ word: 'done' }]);
    await Promise.all(busy);
  });

  test('completes a step that PostgreSQL ended for its length, with more time', async () => {
    const { postgres } = await place.fresh({ timeoutMs: 3_000 });
    const asked = { text: "SELECT 'done' AS word FROM pg_sleep(4)" };
    await expect(postgres.query(asked)).rejects.toThrow(/statement timeout/);
    expect(await postgres.work(asked)).toEqual([{ word: 'done' }]);
  });

  test('rejects work on a server that hangs within the time of a call, even if the step may take longer', async () => {
    const { postgres } = await place.fresh();
    await postgres.work({ text: 'SELECT 1' });
    const again = vi.spyOn(postgres, 'transaction');
    place.server.pause();
    try {
      await expect(postgres.work({ text: 'SELECT 1' })).rejects.toBeInstanceOf(PostgresHungError);
      // It was asked for once more, and rejected.
      await expect(again.mock.results[0]?.value).rejects.toBeInstanceOf(PostgresHungError);
      for (const _round of [1, 2, 3]) await expect(postgres.work({ text: 'SELECT 1' })).rejects.toBeInstanceOf(PostgresHungError);
      expect(again).toHaveBeenCalledTimes(1);
    } finally {
      place.server.resume();
    }
  });

  test('ends a step whose process stands still between reading and writing, and releases its locks', async () => {
    const { postgres } = await place.fresh({ timeoutMs: 1_000 });
    await postgres.query({ text: 'CREATE TABLE marks (n INT)' });
    const stopped = postgres.step([[{ text: 'SELECT pg_advisory_xact_lock(1)' }, []]], () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
      return { result: null, write: [{ text: 'INSERT INTO marks VALUES (1)' }, []] };
    });
    await expect(stopped).rejects.toBeInstanceOf(StorageError);
    const [found] = await postgres.query({ text: 'SELECT pg_try_advisory_lock(1) AS is_free, (SELECT count(*) FROM marks) AS marks' });
    expect(found).toEqual({ is_free: true, marks: 0n });
  });
});
