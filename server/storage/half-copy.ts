/** A database that a copy was begun into and not finished: nobody may be served from it, or write to it. */
import { StorageError } from './errors.ts';
import type { Queries } from './postgres/pool.ts';

/** The table of a copy's own notes, which goes when the copy is whole and verified. */
export const COPY_NOTES = 'copy_progress';

export async function refuseHalfCopy(queries: Queries): Promise<void> {
  const [row] = await queries.query({ text: `SELECT to_regclass('${COPY_NOTES}') IS NOT NULL AS exists` });
  if (row?.exists === true) throw halfCopy();
}

export function halfCopy(): StorageError {
  return new StorageError(
    'The database holds a copy that is not finished. Run the same "modelgate db copy" again to finish it, or name another database.',
  );
}
