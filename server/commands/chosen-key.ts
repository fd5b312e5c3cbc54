/** A key that is not drawn but chosen: named by the operator, or made of a seed. Anybody can make the second again, so it is good beside a simulator alone. */
import { createHash } from 'node:crypto';
import { firstNames, type IssuedKey, type Issuer, issueChosenKey } from '../access/issue.ts';
import { newKey } from '../access/keys.ts';
import type { Log } from '../telemetry/log.ts';
import { CommandError } from './failure.ts';

export interface ChosenKey {
  readonly key: string;
  readonly name: string;
}

/** What a key is called that comes of a seed. */
export const SEEDED_NAME = 'key of a seed';

/** Undefined where one is drawn. */
export function chooseKey({ key, seed }: { readonly key?: string; readonly seed?: string }): ChosenKey | undefined {
  if (key !== undefined) return { key, name: firstNames.name };
  if (seed === undefined) return undefined;
  const made = newKey((size) => createHash('sha256').update(`key ${seed}`).digest().subarray(0, size));
  return { key: made, name: SEEDED_NAME };
}

/** Throws where the key was revoked, or where one of a seed would stand among keys that guard something. */
export async function adoptKey(chosen: ChosenKey, issuer: Issuer): Promise<IssuedKey> {
  if (chosen.name === SEEDED_NAME) await requireOwnFolder(issuer);
  const issued = await issueChosenKey(chosen, issuer);
  if (!issued) throw new CommandError('The key that --key or --seed stands for was revoked in this data folder. Take another.');
  return issued;
}

async function requireOwnFolder({ store }: Issuer): Promise<void> {
  const others = (await store.listKeys()).filter(({ name }) => name !== SEEDED_NAME);
  if (others.length === 0) return;
  throw new CommandError(
    '--seed makes a key that anybody can make again, and there are other keys in this data folder or database. Name a folder for the mock: --data.',
  );
}

/** Before vendors are reached from what was a mock. */
export async function endSeededKeys({ store, now }: Issuer, log: Log): Promise<void> {
  const account = await store.findAccount(firstNames.accountName);
  const keys = account ? await store.listKeys(account.id) : [];
  for (const { id } of keys.filter(({ name, revokedAt }) => name === SEEDED_NAME && revokedAt === null)) {
    await store.revokeKey(id, { actor: 'system', action: 'key.revoke', target: id, details: {}, at: now() });
    log.warn({ keyId: id }, 'a key that was made of a seed is revoked: this gateway is no mock');
  }
}
