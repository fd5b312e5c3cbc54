/** Creates the data of the first start, even if an earlier one was interrupted: an account with a key, a demo balance, and setup tokens. */

import { createHash } from 'node:crypto';
import { firstKeyNames, type IssuedKey, type Issuer, issueFirstKey, issuePredefinedKey } from '../../access/issue-key.ts';
import { generateKey, hashKey } from '../../access/key-format.ts';
import { issueSetupToken } from '../../access/sessions/sessions.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { parseDollars } from '../../money/dollars.ts';
import type { LedgerStore } from '../../money/store.ts';
import type { Log } from '../../telemetry/log.ts';
import { CommandError } from './command-error.ts';

/** Opening balance for trying the gateway. */
const OPENING_BALANCE = parseDollars('100');

interface FirstStart {
  /** A key that the operator chose instead of a random one. */
  readonly chosen?: PredefinedKey | undefined;
  /** Opening balance of the first account, in micro-dollars. Defaults to 100 dollars. */
  readonly balance?: bigint;
}

/** Returns a random key at the first start, or the chosen key at every start. Also posts the opening balance. */
export async function finishFirstStart(
  issuer: Issuer,
  ledger: LedgerStore | null,
  { chosen, balance = OPENING_BALANCE }: FirstStart = {},
): Promise<string | undefined> {
  const firstKey = chosen === undefined ? await issueFirstKey(issuer) : await issueRequestedKey(chosen, issuer);
  const newAccountId = firstKey && 'isNewAccount' in firstKey && !firstKey.isNewAccount ? undefined : firstKey?.accountId;
  const accountId = newAccountId ?? (ledger && (await findUnfundedAccountId(issuer, ledger)));
  if (!ledger || !accountId || balance === 0n) return firstKey?.key;
  // The transfer ID ensures that repeated attempts post it only once.
  await ledger.adjust({
    accountId,
    transfer: `opening:${accountId}`,
    kind: 'top_up',
    at: issuer.now(),
    amount: balance,
    note: 'for trying the gateway',
  });
  return firstKey?.key;
}

/** Returns the first account if it has no money, because an earlier start may have ended between key and balance. */
async function findUnfundedAccountId({ store }: Issuer, ledger: LedgerStore): Promise<string | undefined> {
  const account = await store.findAccount(firstKeyNames.accountName);
  if (!account) return undefined;
  const balance = await ledger.getBalance(account.id);
  if (balance?.balance !== 0n || balance.held !== 0n) return undefined;
  // An account that an operator created gets no opening balance.
  const [oldestKey] = await store.listKeys(account.id);
  return oldestKey?.name === firstKeyNames.name || oldestKey?.name === SEEDED_NAME ? account.id : undefined;
}

interface PredefinedKey {
  readonly key: string;
  readonly name: string;
}

/** Name of a key that's derived from a seed. */
const SEEDED_NAME = 'key from a seed';

/** Undefined if the key will be random. */
export function resolvePredefinedKey({ key, seed }: { readonly key?: string; readonly seed?: string }): PredefinedKey | undefined {
  if (key !== undefined) return { key, name: firstKeyNames.name };
  if (seed === undefined) return undefined;
  const seededKey = generateKey((size) => createHash('sha256').update(`key ${seed}`).digest().subarray(0, size));
  return { key: seededKey, name: SEEDED_NAME };
}

/** Throws if the key was revoked, or if a seeded key would share a database with real keys. */
async function issueRequestedKey(predefinedKey: PredefinedKey, issuer: Issuer): Promise<IssuedKey> {
  if (predefinedKey.name === SEEDED_NAME) await assertOnlySeededKeys(issuer);
  const issuedKey = await issuePredefinedKey(predefinedKey, issuer);
  if (!issuedKey) throw new CommandError('The key of --key or --seed is revoked in this data folder. Use another one.');
  return issuedKey;
}

async function assertOnlySeededKeys({ store }: Issuer): Promise<void> {
  const otherKeys = (await store.listKeys()).filter(({ name }) => name !== SEEDED_NAME);
  if (otherKeys.length === 0) return;
  throw new CommandError(
    '--seed creates a key that anyone can derive, and this data folder or database has other keys. Use a separate folder for the mock with --data.',
  );
}

/** Revokes seeded keys when a gateway that was a mock starts with real upstreams. */
export async function revokeSeededKeys({ store, now }: Issuer, log: Log): Promise<void> {
  const account = await store.findAccount(firstKeyNames.accountName);
  const keys = account ? await store.listKeys(account.id) : [];
  for (const { id } of keys.filter(({ name, revokedAt }) => name === SEEDED_NAME && revokedAt === null)) {
    await store.revokeKey(id, { actor: 'system', action: 'key.revoke', target: id, details: {}, at: now() });
    log.warn({ keyId: id }, "revoked a key that was derived from a seed, because this gateway isn't a mock");
  }
}

export interface SetupTokens {
  readonly console: string;
  readonly portal: string;
}

/** The portal's session uses `firstKey`. The console's session gets a separate key when its token is used. */
export async function createSetupTokens({ access, sessions }: Gateway, firstKey: string): Promise<SetupTokens | undefined> {
  const key = await access.store.findKey(hashKey(firstKey, access.pepper));
  if (key === undefined) return undefined;
  const options = { store: sessions, pepper: access.pepper, now: Date.now };
  return {
    console: await issueSetupToken({ kind: 'console', keyId: null }, options),
    portal: await issueSetupToken({ kind: 'portal', keyId: key.id }, options),
  };
}
