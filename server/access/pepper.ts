/** Reads or creates the pepper of the key hashes, in a file next to the database or a variable. With a stolen database alone, nobody can test keys. */
import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '../store/errors.ts';
import type { AccessStore } from './store.ts';

/** Use a key object for many hashes: from bytes, each hash creates one again, at four times the cost of the hash. */
export type Pepper = KeyObject | Buffer;

const PEPPER_LENGTH = 32;
/** Same format as the file, so that its content can be copied. */
const pepperFormat = /^[0-9a-f]{64}$/i;

/** The variable is for processes that share a database but no folder. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function hasPepper(folder: string, env: Environment = process.env): boolean {
  return parsePepper(env) !== undefined || existsSync(getPepperPath(folder));
}

/**
 * Returns the pepper of the environment, if set, without touching files. Otherwise returns the data folder's, created at first startup. Processes that
 * start concurrently get the same one.
 */
export function openPepper(folder: string, env: Environment = process.env): KeyObject {
  const envPepper = parsePepper(env);
  if (envPepper !== undefined) return envPepper;
  const file = getPepperPath(folder);
  if (!existsSync(file)) createPepper(folder, file);
  const pepper = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
  if (pepper.length === PEPPER_LENGTH) return createSecretKey(pepper);
  throw new StorageError(`${file} is damaged. Restore it from a backup; without it, no key can be recognized.`);
}

/** An empty variable, as container tools set it, counts as unset. The message must not contain the value. */
function parsePepper({ MODELGATE_PEPPER: text }: Environment): KeyObject | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  if (pepperFormat.test(text.trim())) return createSecretKey(text.trim(), 'hex');
  throw new StorageError(
    'MODELGATE_PEPPER must be 64 hexadecimal digits. Use the content of the file "pepper" in the data folder or, if no keys exist yet, the output of: openssl rand -hex 32',
  );
}

export function getPepperPath(folder: string): string {
  return join(folder, 'pepper');
}

/** Writes a draft and links it when complete, so that no process reads a partial pepper. The first link wins. */
function createPepper(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draftPath = join(folder, `.pepper-${randomUUID()}`);
  const descriptor = openSync(draftPath, 'wx', 0o600);
  try {
    writeSync(descriptor, `${randomBytes(PEPPER_LENGTH).toString('hex')}\n`);
    fsyncSync(descriptor);
    linkSync(draftPath, file);
  } catch (error) {
    if (!(typeof error === 'object' && error !== null && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    closeSync(descriptor);
    rmSync(draftPath);
  }
}

interface PepperedStore {
  readonly store: Pick<AccessStore, 'findFingerprint' | 'saveFingerprint'>;
  readonly pepper: Pepper;
}

/** The HMAC of a fixed text that isn't a key: it reveals nothing about the pepper and can't be used to test keys. */
export function computePepperFingerprint(pepper: Pepper): Buffer {
  return createHmac('sha256', pepper).update('fingerprint of the pepper').digest();
}

/** Read-only: doesn't store a missing fingerprint. */
export async function checkPepper({ store, pepper }: PepperedStore): Promise<void> {
  assertSamePepper(await store.findFingerprint(), pepper);
}

/** For gateways and for commands that create keys. The first pepper becomes the database's. */
export async function adoptPepper({ store, pepper }: PepperedStore): Promise<void> {
  assertSamePepper((await store.findFingerprint()) ?? (await store.saveFingerprint(computePepperFingerprint(pepper))), pepper);
}

export const hasDifferentPepper = (storedFingerprint: Uint8Array | undefined, pepper: Pepper): boolean =>
  storedFingerprint !== undefined && !computePepperFingerprint(pepper).equals(storedFingerprint);

function assertSamePepper(storedFingerprint: Uint8Array | undefined, pepper: Pepper): void {
  if (!hasDifferentPepper(storedFingerprint, pepper)) return;
  throw new StorageError(
    'The keys in this database were created with a different pepper, so none of them would be recognized. Set MODELGATE_PEPPER to the value used by the gateways that created them, or to the content of the file "pepper" in their data folder.',
  );
}
