/** The secret that key hashes are made with: a file beside the database or a variable, so that a stolen database alone tests no key. */
import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '../storage/errors.ts';

const PEPPER_LENGTH = 32;
/** As the file holds it, so that one can be copied to the other. */
const written = /^[0-9a-f]{64}$/i;

/** For processes that share a database, but no folder. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function hasPepper(folder: string, env: Environment = process.env): boolean {
  return pepperOf(env) !== undefined || existsSync(pepperFile(folder));
}

/**
 * The pepper of the environment, where it has one; no file is read or made then. Else that of the data folder, made at the first start;
 * two processes that start at once get the same one.
 */
export function openPepper(folder: string, env: Environment = process.env): Buffer {
  const given = pepperOf(env);
  if (given !== undefined) return given;
  const file = pepperFile(folder);
  if (!existsSync(file)) createPepper(folder, file);
  const pepper = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
  if (pepper.length === PEPPER_LENGTH) return pepper;
  throw new StorageError(`${file} is damaged. Restore it from a backup; without it no key can be recognised.`);
}

/** A variable that is set but empty, as container tools leave it, says nothing. The message must not hold what was written. */
function pepperOf({ MODELGATE_PEPPER: text }: Environment): Buffer | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  if (written.test(text.trim())) return Buffer.from(text.trim(), 'hex');
  throw new StorageError(
    'MODELGATE_PEPPER must be 64 hexadecimal digits. Write what is in the file "pepper" of the data folder or, where there are no keys yet, the output of: openssl rand -hex 32',
  );
}

export function pepperFile(folder: string): string {
  return join(folder, 'pepper');
}

/** Written under another name and linked when it is whole: nobody reads half a pepper, and the first link wins. */
function createPepper(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.pepper-${randomUUID()}`);
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeSync(descriptor, `${randomBytes(PEPPER_LENGTH).toString('hex')}\n`);
    fsyncSync(descriptor);
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    closeSync(descriptor);
    rmSync(draft);
  }
}
