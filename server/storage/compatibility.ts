/** Which versions of the program may work on which tables: two of them share a database while gateways are renewed one after the other. */
import { StorageError } from './errors.ts';

/** One numbered step of the schema. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /**
   * The oldest schema whose program may go on, and start, on the tables that this step leaves. Said by every step from 8 on, which makes the
   * column for it; the programs of the steps before look at no such thing, so there is nobody to tell.
   */
  readonly worksWith?: number;
}

/** What a database says of its tables. */
export interface FoundSchema {
  /** Of the last step that was taken; 0 where there was none. */
  readonly version: number;
  /** The oldest schema whose program may work on them. */
  readonly worksWith: number;
}

/** Every column of the table, whichever it has: one from before step 8 has no `works_with`. */
export const READ_STEPS = 'SELECT * FROM migrations';

export function asFound(rows: readonly Readonly<Record<string, unknown>>[]): FoundSchema {
  const steps = rows.map(({ version, works_with }) => ({ version: Number(version), worksWith: Number(works_with ?? version) }));
  return {
    version: Math.max(0, ...steps.map(({ version }) => version)),
    // One step that breaks is not mended by a later one.
    worksWith: Math.max(0, ...steps.map(({ worksWith }) => worksWith)),
  };
}

export const newestOf = (steps: readonly Migration[]): number => steps.at(-1)?.version ?? 0;

/** What an operator is told who starts a program on tables that it must not touch; null where it may, also where they are newer. */
export function whyUnusable(found: FoundSchema, known: number): { readonly fact: string; readonly remedy: string } | null {
  if (known >= found.version || known >= found.worksWith) return null;
  return {
    fact: `written by a newer Modelgate (schema ${found.version}, this one knows ${known})`,
    remedy: `Start the newer version, or one that knows schema ${found.worksWith} at least`,
  };
}

/** `elsewhere`: how another database is named. */
export function refuseUnusable(found: FoundSchema, known: number, elsewhere: string): void {
  const why = whyUnusable(found, known);
  if (why) throw new StorageError(`The database was ${why.fact}. ${why.remedy}; or ${elsewhere}.`);
}

/** What an operator is told whose program is older than the tables and may work on them; null where it is not. */
export function describeNewer(found: FoundSchema, known: number): string | null {
  if (found.version <= known) return null;
  return `schema ${found.version}, of a newer Modelgate; this one knows ${known} and may work on it`;
}

/** Whoever copies has to know every table and column: what it does not know would be left behind without a word. */
export function refuseToCopy(found: FoundSchema, known: number): void {
  if (found.version <= known) return;
  throw new StorageError(
    `The database was written by a newer Modelgate (schema ${found.version}, this one knows ${known}), and only who knows all of it can copy it. Run "modelgate db copy" of the newer version.`,
  );
}
