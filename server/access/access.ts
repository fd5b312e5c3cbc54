/** Opens the store of accounts and keys together with its pepper. */

import type { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../store/errors.ts';
import { runInline, type StepRunner, type Steps } from '../store/sqlite/database.ts';
import { checkPepper, type Environment, hasPepper, openPepper, type Pepper } from './pepper.ts';
import { accessStoreDefinition } from './plans.ts';
import type { AccessStore } from './store.ts';

export interface Access {
  readonly store: AccessStore;
  readonly pepper: Pepper;
}

interface AccessDatabase {
  /** The connection for reads. */
  readonly connection: DatabaseSync;
  /** The writer. Defaults to the same connection, synchronously. */
  readonly steps?: Pick<StepRunner<Steps>, 'run'>;
  /** Defaults to the process environment. */
  readonly env?: Environment | undefined;
}

export async function openAccess(folder: string, { connection, steps, env }: AccessDatabase): Promise<Access> {
  return await openAccessOn(
    folder,
    accessStoreDefinition.onSqlite({ connection, steps: steps ?? runInline(connection, accessStoreDefinition.steps) }),
    env,
  );
}

/** Throws StorageError if keys exist but their pepper is missing or different. */
export async function openAccessOn(folder: string, store: AccessStore, env?: Environment): Promise<Access> {
  // Reads the keys first: another starting process creates the pepper before its first key.
  if ((await store.hasKeys()) && !hasPepper(folder, env)) {
    throw new StorageError(
      `${folder} has keys but no pepper, so none of them can be recognized. Restore the file "pepper" from a backup, or set MODELGATE_PEPPER.`,
    );
  }
  const access = { store, pepper: openPepper(folder, env) };
  await checkPepper(access);
  return access;
}
