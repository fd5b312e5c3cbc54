/** The secret for the hashes of keys, from a file next to the database or a variable: keys can't be tested with a stolen database alone. */

import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../storage/errors.ts';
import { runHere, type StepRunner, type Steps } from '../storage/sqlite/database.ts';
import { accessRoom } from './plans.ts';
import type { AccessStore } from './store.ts';

/** A key object where many hashes are made with it: from bytes, each hash makes one again, which costs four times as much as the hash. */
export type Pepper = KeyObject | Buffer;

const PEPPER_LENGTH = 32;
/** The same format as the file, so that it can be copied. */
const written = /^[0-9a-f]{64}$/i;

/** Used by processes that share a database but no folder. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function hasPepper(folder: string, env: Environment = process.env): boolean {
  return pepperOf(env) !== undefined || existsSync(pepperFile(folder));
}

/**
 * The pepper of the environment, if set; then no file is read or created. Else that of the data folder, created at the first start;
 * two processes that start at the same time get the same one.
 */
export function openPepper(folder: string, env: Environment = process.env): KeyObject {
  const given = pepperOf(env);
  if (given !== undefined) return given;
  const file = pepperFile(folder);
  if (!existsSync(file)) createPepper(folder, file);
  const pepper = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
  if (pepper.length === PEPPER_LENGTH) return createSecretKey(pepper);
  throw new StorageError(`${file} is damaged. Restore it from a backup; without it, no key can be recognized.`);
}

/** A variable that is set but empty, as container tools do, counts as unset. The message must not contain the value. */
function pepperOf({ MODELGATE_PEPPER: text }: Environment): KeyObject | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  if (written.test(text.trim())) return createSecretKey(text.trim(), 'hex');
  throw new StorageError(
    'MODELGATE_PEPPER must be 64 hexadecimal digits. Use the content of the file "pepper" in the data folder or, if no keys exist yet, the output of: openssl rand -hex 32',
  );
}

export function pepperFile(folder: string): string {
  return join(folder, 'pepper');
}

/** Writes under another name and links when complete, so that no process reads a partial pepper, and the first link wins. */
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

export interface Access {
  readonly store: AccessStore;
  readonly pepper: Pepper;
}

interface AccessPlace {
  /** For reads. */
  readonly connection: DatabaseSync;
  /** The writer; by default the same connection, synchronously. */
  readonly steps?: Pick<StepRunner<Steps>, 'run'>;
  /** By default that of the process. */
  readonly env?: Environment | undefined;
}

export async function openAccess(folder: string, { connection, steps, env }: AccessPlace): Promise<Access> {
  return await openAccessOn(folder, accessRoom.onSqlite({ connection, steps: steps ?? runHere(connection, accessRoom.steps) }), env);
}

/** Throws StorageError when there are keys, but their pepper is missing or different. */
export async function openAccessOn(folder: string, store: AccessStore, env?: Environment): Promise<Access> {
  // Read the keys first: a process that starts at the same time creates the pepper before its first key.
  if ((await store.hasKeys()) && !hasPepper(folder, env)) {
    throw new StorageError(
      `${folder} has keys but no pepper, so none of them can be recognized. Restore the file "pepper" from a backup, or set MODELGATE_PEPPER.`,
    );
  }
  const access = { store, pepper: openPepper(folder, env) };
  await checkPepper(access);
  return access;
}

interface PepperedStore {
  readonly store: Pick<AccessStore, 'findFingerprint' | 'keepFingerprint'>;
  readonly pepper: Pepper;
}

/** An HMAC under the pepper of a text that isn't a key: it reveals nothing about the pepper, and no key can be tested with it. */
export function fingerprintOf(pepper: Pepper): Buffer {
  return createHmac('sha256', pepper).update('fingerprint of the pepper').digest();
}

/** Read-only: a database without a fingerprint gets none. */
async function checkPepper({ store, pepper }: PepperedStore): Promise<void> {
  compare(await store.findFingerprint(), pepper);
}

/** Used by gateways and by commands that create keys. The first pepper becomes that of the database. */
export async function adoptPepper({ store, pepper }: PepperedStore): Promise<void> {
  compare((await store.findFingerprint()) ?? (await store.keepFingerprint(fingerprintOf(pepper))), pepper);
}

export const isOther = (kept: Uint8Array | undefined, pepper: Pepper): boolean => kept !== undefined && !fingerprintOf(pepper).equals(kept);

function compare(kept: Uint8Array | undefined, pepper: Pepper): void {
  if (!isOther(kept, pepper)) return;
  throw new StorageError(
    'The keys in this database were created with a different pepper, so none of them would be recognized. Set MODELGATE_PEPPER to the value used by the gateways that created them, or to the content of the file "pepper" in their data folder.',
  );
}
