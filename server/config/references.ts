/** Replaces references in the configuration file: `${NAME}` by an environment variable, `${file:PATH}` by the content of a file. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Matches a reference, or an escaped `$${`. */
const REFERENCE = /\$(\$\{)|\$\{([^}]*)\}/g;

/** A path can't contain a brace or a line break. */
const FILE_REFERENCE = /^file:(.+)$/;

/** Returns the path that a reference names, or null if it names a variable. */
export const getReferencedFile = (reference: string): string | null => FILE_REFERENCE.exec(reference)?.[1] ?? null;

export const findReferences = (text: string): string[] =>
  [...text.matchAll(REFERENCE)].flatMap(([, escaped, reference]) => (escaped === undefined && reference ? [reference] : []));

interface ReferenceSources {
  readonly env: Environment;
  /** Relative paths start here. */
  readonly folder: string;
}

/** Neither text contains a value. */
type Report = (message: string, remedy: string) => void;

/** `$${` becomes a plain `${`. A variable or a file that is empty counts as missing. */
export const resolveReferences = (text: string, sources: ReferenceSources, report: Report): string =>
  text.replaceAll(REFERENCE, (_, escaped: string | undefined, reference: string | undefined) => {
    if (escaped !== undefined) return escaped;
    const path = getReferencedFile(reference ?? '');
    if (path !== null) return readReferencedFile(path, sources.folder, report);
    if (reference !== undefined && /^[A-Za-z_][A-Za-z0-9_]*$/.test(reference)) return readVariable(reference, sources.env, report);
    report(`contains a reference that isn't in the form \${NAME} or \${file:PATH}`, `To write a literal \${, use $\${.`);
    return '';
  });

function readVariable(name: string, env: Environment, report: Report): string {
  const value = env[name] ?? '';
  if (value === '')
    report(`needs the environment variable ${name}, which isn't set`, `Set ${name}, or replace the reference with a value.`);
  return value;
}

/** Editors and `echo` end a file with a line break, which isn't part of the value. */
function readReferencedFile(path: string, folder: string, report: Report): string {
  const file = resolve(folder, path);
  try {
    const value = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    if (value === '') report(`needs the content of ${file}, which is empty`, 'Write the value to that file.');
    return value;
  } catch (error) {
    report(`needs the content of ${file}, which ${describeReadFailure(error)}`, 'Check the path and the permissions of that file.');
    return '';
  }
}

function describeReadFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return "doesn't exist";
  return code === 'EISDIR' ? 'is a folder' : `can't be read (${String(code)})`;
}
