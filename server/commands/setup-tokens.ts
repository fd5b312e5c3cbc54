/** The tokens of the links that a first start prints: each opens the console or the portal signed in, once. */
import { hashKey } from '../access/keys.ts';
import type { Gateway } from '../gateway.ts';
import { issueSetupToken } from '../sessions/sessions.ts';

export interface SetupTokens {
  readonly console: string;
  readonly portal: string;
}

/** `firstKey`: the key that holds the portal's session. The console's gets a key of its own when it is used. */
export async function makeSetupTokens({ access, sessions }: Gateway, firstKey: string): Promise<SetupTokens | undefined> {
  const key = await access.store.findKey(hashKey(firstKey, access.pepper));
  if (key === undefined) return undefined;
  const parts = { store: sessions, pepper: access.pepper, now: Date.now };
  return {
    console: await issueSetupToken({ kind: 'console', keyId: null }, parts),
    portal: await issueSetupToken({ kind: 'portal', keyId: key.id }, parts),
  };
}
