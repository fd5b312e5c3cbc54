/** Which pepper the keys of a database were made with: a fingerprint of it is kept beside them, so that a process with another one stops at its start instead of refusing every key. */
import { createHmac } from 'node:crypto';
import { StorageError } from '../storage/errors.ts';
import type { AccessStore } from './store.ts';

interface Holder {
  readonly store: Pick<AccessStore, 'findFingerprint' | 'keepFingerprint'>;
  readonly pepper: Buffer;
}

/** Made under the pepper as hashes of keys are, from what is no key: whoever reads it learns nothing of the pepper, and can test no key. */
export function fingerprintOf(pepper: Buffer): Buffer {
  return createHmac('sha256', pepper).update('fingerprint of the pepper').digest();
}

/** For whoever only looks: a database without a fingerprint gets none. */
export async function checkPepper({ store, pepper }: Holder): Promise<void> {
  compare(await store.findFingerprint(), pepper);
}

/** For gateways, and for whoever makes a key: the first one's pepper is that of the database from then on. */
export async function adoptPepper({ store, pepper }: Holder): Promise<void> {
  compare((await store.findFingerprint()) ?? (await store.keepFingerprint(fingerprintOf(pepper))), pepper);
}

export const isOther = (kept: Uint8Array | undefined, pepper: Buffer): boolean => kept !== undefined && !fingerprintOf(pepper).equals(kept);

function compare(kept: Uint8Array | undefined, pepper: Buffer): void {
  if (!isOther(kept, pepper)) return;
  throw new StorageError(
    'The keys in this database were made with another pepper than the one here, so none of them would be recognised. Set MODELGATE_PEPPER to that of the gateways that know them, or to what is in the file "pepper" of their data folder.',
  );
}
