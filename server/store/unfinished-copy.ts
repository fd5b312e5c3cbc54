/** Rejects a database that holds an unfinished copy. */

import { StorageError } from './errors.ts';
import type { Queries } from './postgres/postgres.ts';

/** The table with the progress of a copy. Dropped once the copy is complete and verified. */
export const COPY_NOTES_TABLE = 'copy_progress';

export async function assertNoUnfinishedCopy(queries: Queries): Promise<void> {
  if (await hasPostgresTable(queries, COPY_NOTES_TABLE)) throw createUnfinishedCopyError();
}

export async function hasPostgresTable(queries: Queries, name: string): Promise<boolean> {
  const [row] = await queries.query({ text: 'SELECT to_regclass($1) IS NOT NULL AS exists' }, [name]);
  return row?.exists === true;
}

export function createUnfinishedCopyError(): StorageError {
  return new StorageError(
    'The database holds an unfinished copy. Run the same "modelgate db copy" again to finish it, or specify another database.',
  );
}
