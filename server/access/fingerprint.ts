/** The fingerprint of the pepper, stored beside the keys: a process with a different pepper stops at its start instead of refusing every key. */
import { createHmac } from 'node:crypto';
import { StorageError } from '../storage/errors.ts';
import type { Pepper } from './pepper.ts';
import type { AccessStore } from './store.ts';

interface Holder {
  readonly store: Pick<AccessStore, 'findFingerprint' | 'keepFingerprint'>;
  readonly pepper: Pepper;
}

/** An HMAC under the pepper of a text that is not a key: it reveals nothing about the pepper, and no key can be tested with it. */
export function fingerprintOf(pepper: Pepper): Buffer {
  return createHmac('sha256', pepper).update('fingerprint of the pepper').digest();
}

/** Read-only: a database without a fingerprint gets none. */
export async function checkPepper({ store, pepper }: Holder): Promise<void> {
  compare(await store.findFingerprint(), pepper);
}

/** For gateways and commands that create keys: the first pepper becomes that of the database. */
export async function adoptPepper({ store, pepper }: Holder): Promise<void> {
  compare((await store.findFingerprint()) ?? (await store.keepFingerprint(fingerprintOf(pepper))), pepper);
}

export const isOther = (kept: Uint8Array | undefined, pepper: Pepper): boolean => kept !== undefined && !fingerprintOf(pepper).equals(kept);

function compare(kept: Uint8Array | undefined, pepper: Pepper): void {
  if (!isOther(kept, pepper)) return;
  throw new StorageError(
    'The keys in this database were made with a different pepper than the one here, so none of them would be recognised. Set MODELGATE_PEPPER to that of the gateways that know them, or to the content of the file "pepper" of their data folder.',
  );
}
