/** One step on the database: all of it or nothing. */
import type { DatabaseSync } from 'node:sqlite';

/** Takes the write lock at once: a transaction that reads first and writes later could be refused in its middle. */
export function inTransaction<T>(connection: DatabaseSync, work: () => T): T {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk has ended the transaction already.
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}
