/** Makes keys: the only moment at which one is known in plain text. */
import { hashKey, lastFour, newId, newKey } from './keys.ts';
import type { AccessStore, NewKeyRecord } from './store.ts';

export interface KeyOrder {
  readonly accountName: string;
  readonly name: string;
  /** Milliseconds since 1970, or null for a key that does not expire. */
  readonly expiresAt: number | null;
}

interface Issuer {
  readonly store: AccessStore;
  readonly pepper: Buffer;
  readonly now: () => number;
}

export interface IssuedKey {
  /** To be shown once. */
  readonly key: string;
  readonly id: string;
  readonly isNewAccount: boolean;
}

export async function issueKey(order: KeyOrder, issuer: Issuer): Promise<IssuedKey> {
  const { key, record } = draftKey(order, issuer);
  const { isNewAccount } = await issuer.store.addKey(record);
  return { key, id: record.id, isNewAccount };
}

/** The key of the first start; undefined where any key was ever made. */
export async function issueFirstKey(issuer: Issuer): Promise<string | undefined> {
  const { key, record } = draftKey({ accountName: 'default', name: 'first key', expiresAt: null }, issuer);
  return (await issuer.store.addFirstKey(record)) ? key : undefined;
}

function draftKey(order: KeyOrder, { pepper, now }: Issuer): { key: string; record: NewKeyRecord } {
  const key = newKey();
  const record = {
    id: newId('key'),
    account: { id: newId('acct'), name: order.accountName },
    name: order.name,
    hash: hashKey(key, pepper),
    lastFour: lastFour(key),
    createdAt: now(),
    expiresAt: order.expiresAt,
  };
  return { key, record };
}
