/** Runs work in one transaction: all of it or nothing. */
import type { DatabaseSync } from 'node:sqlite';

/** Takes the write lock at the start: a transaction that reads first could be refused when it begins to write. */
export function inTransaction<T>(connection: DatabaseSync, work: () => T): T {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite ends the transaction itself when the disk is full.
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}
