/** The store of keys together with the pepper that its hashes were made with. */
import type { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../storage/errors.ts';
import { runHere, type StepRunner } from '../storage/sqlite/write-operations.ts';
import { checkPepper } from './fingerprint.ts';
import { type Environment, hasPepper, openPepper } from './pepper.ts';
import { openSqliteStore } from './sqlite.ts';
import { type AccessSteps, openAccessSteps } from './steps.ts';
import type { AccessStore } from './store.ts';

export interface Access {
  readonly store: AccessStore;
  readonly pepper: Buffer;
}

export interface AccessPlace {
  /** For reads. */
  readonly connection: DatabaseSync;
  /** Who writes; left out, the same connection does, at once. */
  readonly steps?: Pick<StepRunner<AccessSteps>, 'run'>;
  /** Of the process where left out. */
  readonly env?: Environment | undefined;
}

export async function openAccess(folder: string, { connection, steps, env }: AccessPlace): Promise<Access> {
  return await openAccessOn(folder, openSqliteStore({ connection, steps: steps ?? runHere(connection, openAccessSteps) }), env);
}

/** Throws StorageError where there are keys, but not the pepper that they were hashed with: none, or another one. */
export async function openAccessOn(folder: string, store: AccessStore, env?: Environment): Promise<Access> {
  // Keys first: a process that starts at the same time makes the pepper before its first key.
  if ((await store.hasKeys()) && !hasPepper(folder, env)) {
    throw new StorageError(
      `${folder} holds keys but no pepper, so none of them can be recognised. Restore the file "pepper" from a backup, or set MODELGATE_PEPPER.`,
    );
  }
  const access = { store, pepper: openPepper(folder, env) };
  await checkPepper(access);
  return access;
}
