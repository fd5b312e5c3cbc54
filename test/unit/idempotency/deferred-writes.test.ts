/** Writes of idempotency keys that are repeated after an outage; one that the store refuses is given up and delays no other (F40, F52). */
import { expect, onTestFinished, test } from 'vitest';
import { idempotencyRoom } from '../../../server/idempotency/plans.ts';
import { type Claim, deferWrites } from '../../../server/idempotency/store.ts';
import { StorageError } from '../../../server/storage/errors.ts';
import { openDatabase, runHere } from '../../../server/storage/sqlite/database.ts';
import { temporaryFolder } from '../../harness/folder.ts';

const claimOf = (key: string, requestId = `req_${key}`): Claim => ({
  accountId: 'ada',
  key,
  fingerprint: 'f',
  requestId,
  node: 'node_1',
  at: 1_000,
});

/** A real store that can refuse the release of some keys, and counts the tries for each. */
function openStore() {
  const { connection, close } = openDatabase({ folder: temporaryFolder(), durability: 'relaxed' });
  onTestFinished(close);
  const store = idempotencyRoom.onSqlite({ connection, steps: runHere(connection, idempotencyRoom.steps) });
  const tries = new Map<string, number>();
  const refuse = (condition: string): void =>
    connection.exec(`DROP TRIGGER IF EXISTS refused;
      CREATE TRIGGER refused BEFORE DELETE ON idempotency WHEN ${condition} BEGIN SELECT RAISE(ABORT, 'refused'); END`);
  const counted: typeof store = {
    ...store,
    release(owner) {
      tries.set(owner.key, (tries.get(owner.key) ?? 0) + 1);
      return store.release(owner);
    },
  };
  return { store, counted, refuse, triesOf: (key: string) => tries.get(key) ?? 0 };
}

test('a key that the store will not release delays no other, and is given up after ten more tries', async () => {
  const { store, counted, refuse, triesOf } = openStore();
  const deferred = deferWrites(counted, 5);
  const keys = ['odd', 'one', 'two', 'three'];
  for (const key of keys) await deferred.claim(claimOf(key));
  refuse('TRUE');
  for (const key of keys) await deferred.release(claimOf(key));
  refuse("OLD.idempotency_key = 'odd'");
  for (const key of keys.slice(1)) {
    await expect.poll(async () => (await store.claim(claimOf(key, 'req_other'))).kind).toBe('claimed');
  }
  await expect.poll(() => triesOf('odd')).toBe(11);
  // Another key is tried in rounds that would have tried the first one again.
  refuse("OLD.idempotency_key IN ('odd', 'late')");
  await deferred.claim(claimOf('late'));
  await deferred.release(claimOf('late'));
  await expect.poll(() => triesOf('late')).toBe(11);
  expect(triesOf('odd')).toBe(11);
});

test('a release that finds the store down is tried until it is back', async () => {
  const { store } = openStore();
  let tries = 0;
  const deferred = deferWrites(
    {
      ...store,
      async release(owner) {
        if (++tries <= 40) throw new StorageError('down');
        return store.release(owner);
      },
    },
    1,
  );
  await deferred.claim(claimOf('k'));
  await deferred.release(claimOf('k'));
  await expect.poll(async () => (await store.claim(claimOf('k', 'req_other'))).kind).toBe('claimed');
  expect(tries).toBe(41);
});
