/** Checks which versions of Modelgate can work on which schema. Two versions share a database during a rolling upgrade. */
import { SchemaError } from './errors.ts';

/** One numbered migration of the schema. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** The oldest schema whose version can still run and start after this migration. If omitted, older versions are incompatible. */
  readonly worksWith?: number;
}

/** The schema of a database. */
export interface DatabaseSchema {
  /** The last applied migration. 0 if none. */
  readonly version: number;
  /** The oldest schema whose version can use this database. */
  readonly worksWith: number;
  /** Whether a pre-release version with different tables created the database. */
  readonly isPreRelease?: boolean;
}

export const FIRST_MIGRATION_NAME = 'tables of the first release';
/** The first migration of the pre-release versions. */
const FIRST_PRE_RELEASE_MIGRATION_NAME = 'accounts and keys';

/** Reads every column, because early pre-release versions had no `works_with`. */
export const READ_MIGRATIONS = 'SELECT * FROM migrations';

export function toDatabaseSchema(rows: readonly Readonly<Record<string, unknown>>[]): DatabaseSchema {
  const appliedMigrations = rows.map(({ version, works_with }) => ({ version: Number(version), worksWith: Number(works_with ?? version) }));
  return {
    version: Math.max(0, ...appliedMigrations.map(({ version }) => version)),
    // A later migration doesn't undo an incompatible one.
    worksWith: Math.max(0, ...appliedMigrations.map(({ worksWith }) => worksWith)),
    ...(rows.some(({ name }) => name === FIRST_PRE_RELEASE_MIGRATION_NAME) && { isPreRelease: true }),
  };
}

export const getNewestVersion = (steps: readonly Migration[]): number => steps.at(-1)?.version ?? 0;

/** Explains to the operator why this version can't use a database. Null if it can, even if the schema is newer. */
export function findIncompatibility(
  schema: DatabaseSchema,
  supportedVersion: number,
): { readonly fact: string; readonly remedy: string } | null {
  if (schema.isPreRelease) {
    return {
      fact: "created by a pre-release version of Modelgate, whose tables this version can't read",
      remedy: 'Start with an empty database: remove this one, or keep it for the version that created it',
    };
  }
  if (supportedVersion >= schema.version || supportedVersion >= schema.worksWith) return null;
  return {
    fact: `written by a newer Modelgate (schema ${schema.version}; this version supports schema ${supportedVersion})`,
    remedy: `Start the newer version, or one that supports at least schema ${schema.worksWith}`,
  };
}

/** `otherDatabase`: how to specify another database, for the operator. */
export function checkSchemaCompatibility(schema: DatabaseSchema, supportedVersion: number, otherDatabase: string): void {
  const incompatibility = findIncompatibility(schema, supportedVersion);
  if (incompatibility) throw new SchemaError(`The database was ${incompatibility.fact}. ${incompatibility.remedy}, or ${otherDatabase}.`);
}

/** Returns a note for the operator if this version is older than the schema but can still use it, or null if it isn't older. */
export function describeNewer(schema: DatabaseSchema, supportedVersion: number): string | null {
  if (schema.version <= supportedVersion) return null;
  return `schema ${schema.version}, written by a newer Modelgate; this version supports schema ${supportedVersion} and can use the database`;
}

/** A copy must know every table and column, because unknown ones would be skipped silently. */
export function assertCopyable(schema: DatabaseSchema, supportedVersion: number): void {
  if (schema.version <= supportedVersion) return;
  throw new SchemaError(
    `The database was written by a newer Modelgate (schema ${schema.version}; this version supports schema ${supportedVersion}). This version could copy only part of it. Run "modelgate db copy" from the newer version.`,
  );
}
