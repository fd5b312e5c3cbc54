/** Refuses a database that holds an unfinished copy: no gateway may serve from it or write to it. */
import { StorageError } from './errors.ts';
import type { Queries } from './postgres/pool.ts';

/** The table with the progress of a copy; dropped when the copy is complete and verified. */
export const COPY_NOTES = 'copy_progress';

export async function refuseHalfCopy(queries: Queries): Promise<void> {
  const [row] = await queries.query({ text: `SELECT to_regclass('${COPY_NOTES}') IS NOT NULL AS exists` });
  if (row?.exists === true) throw halfCopy();
}

export function halfCopy(): StorageError {
  return new StorageError(
    'The database holds an unfinished copy. Run the same "modelgate db copy" again to finish it, or name another database.',
  );
}
