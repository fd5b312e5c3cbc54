/** Opens the store of keys together with the pepper of their hashes. */
import type { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../storage/errors.ts';
import { runHere, type StepRunner } from '../storage/sqlite/write-operations.ts';
import { checkPepper } from './fingerprint.ts';
import { type Environment, hasPepper, openPepper, type Pepper } from './pepper.ts';
import { openSqliteStore } from './sqlite.ts';
import type { AccessStore } from './store.ts';
import { type AccessSteps, openAccessSteps } from './write-steps.ts';

export interface Access {
  readonly store: AccessStore;
  readonly pepper: Pepper;
}

export interface AccessPlace {
  /** For reads. */
  readonly connection: DatabaseSync;
  /** The writer; by default the same connection, synchronously. */
  readonly steps?: Pick<StepRunner<AccessSteps>, 'run'>;
  /** By default that of the process. */
  readonly env?: Environment | undefined;
}

export async function openAccess(folder: string, { connection, steps, env }: AccessPlace): Promise<Access> {
  return await openAccessOn(folder, openSqliteStore({ connection, steps: steps ?? runHere(connection, openAccessSteps) }), env);
}

/** Throws StorageError when there are keys, but their pepper is missing or different. */
export async function openAccessOn(folder: string, store: AccessStore, env?: Environment): Promise<Access> {
  // Read the keys first: a process that starts at the same time creates the pepper before its first key.
  if ((await store.hasKeys()) && !hasPepper(folder, env)) {
    throw new StorageError(
      `${folder} has keys but no pepper, so none of them can be recognised. Restore the file "pepper" from a backup, or set MODELGATE_PEPPER.`,
    );
  }
  const access = { store, pepper: openPepper(folder, env) };
  await checkPepper(access);
  return access;
}
