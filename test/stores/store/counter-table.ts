/** Steps for the tests: some increase the counter of an account, and some fail. */
import type { DatabaseSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';

export const openCounterSteps = (connection: DatabaseSync) => {
  connection.exec(`
    CREATE TABLE IF NOT EXISTS counters (id TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL CHECK (value >= 0)) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS changes (id INTEGER PRIMARY KEY, counter TEXT NOT NULL, amount INTEGER NOT NULL, note TEXT) STRICT;
    CREATE TABLE IF NOT EXISTS late (id TEXT REFERENCES counters (id) DEFERRABLE INITIALLY DEFERRED) STRICT;
    INSERT OR IGNORE INTO counters VALUES ('one', 0);
  `);
  const update = connection.prepare('UPDATE counters SET value = value + ? WHERE id = ? RETURNING value');
  update.setReadBigInts(true);
  const insert = connection.prepare('INSERT INTO changes (counter, amount, note) VALUES (?, ?, CAST(? AS TEXT))');
  return {
    /** The value after the change. */
    add({ id, amount, note = null }: { id: string; amount: bigint; note?: string | Uint8Array | null }): bigint {
      insert.run(id, amount, note);
      // The column is an integer, and read as a bigint.
      return update.get(amount, id)?.value as bigint;
    },
    refer: (id: string) => Number(connection.prepare('INSERT INTO late VALUES (?)').run(id).changes),
    exec: (sql: string) => connection.exec(sql),
    read: (sql: string) => connection.prepare(sql).all(),
    isOnEventLoop: () => isMainThread,
    die: () => process.exit(3),
    /** Uncaught, outside of any step. */
    fail: (message: string) => {
      process.nextTick(() => {
        throw new Error(message);
      });
    },
  };
};

export type CounterSteps = ReturnType<typeof openCounterSteps>;
