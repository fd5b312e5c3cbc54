/** A first key that is not random: given by the operator, or derived from a seed. Anybody can derive the second, so it works only with a simulator. */
import { createHash } from 'node:crypto';
import { firstNames, type IssuedKey, type Issuer, issueChosenKey } from '../access/issue.ts';
import { newKey } from '../access/keys.ts';
import type { Log } from '../telemetry/log.ts';
import { CommandError } from './failure.ts';

export interface ChosenKey {
  readonly key: string;
  readonly name: string;
}

/** The name of a key that is derived from a seed. */
export const SEEDED_NAME = 'key of a seed';

/** Undefined when a random key is made. */
export function chooseKey({ key, seed }: { readonly key?: string; readonly seed?: string }): ChosenKey | undefined {
  if (key !== undefined) return { key, name: firstNames.name };
  if (seed === undefined) return undefined;
  const made = newKey((size) => createHash('sha256').update(`key ${seed}`).digest().subarray(0, size));
  return { key: made, name: SEEDED_NAME };
}

/** Throws when the key was revoked, or when a seeded key would share a database with real keys. */
export async function adoptKey(chosen: ChosenKey, issuer: Issuer): Promise<IssuedKey> {
  if (chosen.name === SEEDED_NAME) await requireOwnFolder(issuer);
  const issued = await issueChosenKey(chosen, issuer);
  if (!issued) throw new CommandError('The key of --key or --seed was revoked in this data folder. Use another.');
  return issued;
}

async function requireOwnFolder({ store }: Issuer): Promise<void> {
  const others = (await store.listKeys()).filter(({ name }) => name !== SEEDED_NAME);
  if (others.length === 0) return;
  throw new CommandError(
    '--seed makes a key that anybody can derive, and this data folder or database has other keys. Give the mock its own folder with --data.',
  );
}

/** Runs when a gateway that was a mock starts with real upstreams. */
export async function endSeededKeys({ store, now }: Issuer, log: Log): Promise<void> {
  const account = await store.findAccount(firstNames.accountName);
  const keys = account ? await store.listKeys(account.id) : [];
  for (const { id } of keys.filter(({ name, revokedAt }) => name === SEEDED_NAME && revokedAt === null)) {
    await store.revokeKey(id, { actor: 'system', action: 'key.revoke', target: id, details: {}, at: now() });
    log.warn({ keyId: id }, 'a key that was derived from a seed is revoked, because this gateway is not a mock');
  }
}
