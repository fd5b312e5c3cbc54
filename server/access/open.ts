/** The store of keys together with the pepper that its hashes were made with. */
import type { Database } from '../storage/database.ts';
import { StorageError } from '../storage/errors.ts';
import { hasPepper, openPepper } from './pepper.ts';
import { openSqliteStore } from './sqlite.ts';
import type { AccessStore } from './store.ts';

export interface Access {
  readonly store: AccessStore;
  readonly pepper: Buffer;
}

export async function openAccess(folder: string, database: Database): Promise<Access> {
  const store = openSqliteStore(database);
  // Keys first: a process that starts at the same time makes the pepper before its first key.
  if ((await store.hasKeys()) && !hasPepper(folder)) {
    throw new StorageError(
      `${folder} holds keys but no pepper, so none of them can be recognised. Restore the file "pepper" from a backup.`,
    );
  }
  return { store, pepper: openPepper(folder) };
}
