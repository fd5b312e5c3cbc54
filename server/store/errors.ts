/** A failure of the store. The message tells the operator what happened and what to do. */
import { openSharedTimeout } from '../primitives/shared-timeout.ts';

export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** The database has a schema that this version can't use. */
export class SchemaError extends StorageError {}

const withTimeout = openSharedTimeout(100);

/**
 * Rejects with a StorageError if the work takes longer than `waitMs` (`database.timeoutMs` in the configuration). The work itself
 * continues.
 */
export function withStoreTimeout<T>(work: Promise<T>, waitMs: number): Promise<T> {
  return withTimeout(
    work,
    waitMs,
    () => new StorageError(`The database didn't respond within ${waitMs} ms. Check its disk, its load, and other programs that lock it.`),
  );
}
