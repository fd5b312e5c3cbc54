/** The secret that key hashes are made with: a file beside the database, so that a stolen database alone tests no key. */
import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '../storage/errors.ts';

const pepperLength = 32;

export function hasPepper(folder: string): boolean {
  return existsSync(pepperFile(folder));
}

/** Reads the pepper of the data folder and makes it at the first start; two processes that start at once get the same one. */
export function openPepper(folder: string): Buffer {
  const file = pepperFile(folder);
  if (!hasPepper(folder)) createPepper(folder, file);
  const pepper = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
  if (pepper.length === pepperLength) return pepper;
  throw new StorageError(`${file} is damaged. Restore it from a backup; without it no key can be recognised.`);
}

function pepperFile(folder: string): string {
  return join(folder, 'pepper');
}

/** Written under another name and linked when it is whole: nobody reads half a pepper, and the first link wins. */
function createPepper(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.pepper-${randomUUID()}`);
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeSync(descriptor, `${randomBytes(pepperLength).toString('hex')}\n`);
    fsyncSync(descriptor);
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    closeSync(descriptor);
    rmSync(draft);
  }
}
