/** Which versions of Modelgate may work on which schema: two versions share a database during a rolling upgrade. */

import { closeSync, fsyncSync, openSync } from 'node:fs';
import { SchemaError, StorageError } from './errors.ts';
import type { Queries } from './postgres/pool.ts';

/** One numbered migration of the schema. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** The oldest schema whose program may still run, and start, after this migration. Absent: none but its own. */
  readonly worksWith?: number;
}

/** The schema of a database. */
export interface FoundSchema {
  /** The last migration that was applied; 0: none. */
  readonly version: number;
  /** The oldest schema whose program may work on this database. */
  readonly worksWith: number;
  /** Made by a version from before the first release, whose tables were others. */
  readonly isPreRelease?: boolean;
}

export const FIRST = 'tables of the first release';
/** The first migration of the versions before it. */
const FIRST_OF_PRE_RELEASES = 'accounts and keys';

/** Reads every column, because early pre-release versions had no `works_with`. */
export const READ_STEPS = 'SELECT * FROM migrations';

export function asFound(rows: readonly Readonly<Record<string, unknown>>[]): FoundSchema {
  const steps = rows.map(({ version, works_with }) => ({ version: Number(version), worksWith: Number(works_with ?? version) }));
  return {
    version: Math.max(0, ...steps.map(({ version }) => version)),
    // A later migration does not undo an incompatible one.
    worksWith: Math.max(0, ...steps.map(({ worksWith }) => worksWith)),
    ...(rows.some(({ name }) => name === FIRST_OF_PRE_RELEASES) && { isPreRelease: true }),
  };
}

export const newestOf = (steps: readonly Migration[]): number => steps.at(-1)?.version ?? 0;

/** Why this program must not work on a database, for the operator; null when it may, even if the schema is newer. */
export function whyUnusable(found: FoundSchema, known: number): { readonly fact: string; readonly remedy: string } | null {
  if (found.isPreRelease) {
    return {
      fact: "created by a pre-release version of Modelgate, whose tables this version can't read",
      remedy: 'Start with an empty database: remove this one, or keep it for the version that created it',
    };
  }
  if (known >= found.version || known >= found.worksWith) return null;
  return {
    fact: `written by a newer Modelgate (schema ${found.version}; this version supports schema ${known})`,
    remedy: `Start the newer version, or one that supports at least schema ${found.worksWith}`,
  };
}

/** `otherDatabase`: tells the operator how to name another database. */
export function rejectUnusable(found: FoundSchema, known: number, otherDatabase: string): void {
  const why = whyUnusable(found, known);
  if (why) throw new SchemaError(`The database was ${why.fact}. ${why.remedy}, or ${otherDatabase}.`);
}

/** Note for the operator if this program is older than the schema but can still use it. Null if it isn't older. */
export function describeNewer(found: FoundSchema, known: number): string | null {
  if (found.version <= known) return null;
  return `schema ${found.version}, written by a newer Modelgate; this version supports schema ${known} and can use the database`;
}

/** A copy must know every table and column: unknown ones would silently be omitted. */
export function assertCopyable(found: FoundSchema, known: number): void {
  if (found.version <= known) return;
  throw new SchemaError(
    `The database was written by a newer Modelgate (schema ${found.version}; this version supports schema ${known}). This version could copy only part of it. Run "modelgate db copy" from the newer version.`,
  );
}

/** The table with the progress of a copy; dropped when the copy is complete and verified. */
export const COPY_NOTES = 'copy_progress';

export async function rejectHalfCopy(queries: Queries): Promise<void> {
  const [row] = await queries.query({ text: `SELECT to_regclass('${COPY_NOTES}') IS NOT NULL AS exists` });
  if (row?.exists === true) throw halfCopy();
}

export function halfCopy(): StorageError {
  return new StorageError(
    'The database holds an unfinished copy. Run the same "modelgate db copy" again to finish it, or specify another database.',
  );
}

export function syncFolder(folder: string): void {
  // Windows cannot sync a folder.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
