/** Which operator calls: the admin key of a request → what is kept of it. Seldom asked, so nothing is remembered and a revocation counts at once. */
import { storeFailed } from '../errors.ts';
import { bearerKey, wrongKey } from './bearer.ts';
import { hashKey, isWellFormedAdmin } from './keys.ts';
import type { AccessStore, AdminKeyRecord } from './store.ts';

export interface AdminAuthenticatorParts {
  readonly store: Pick<AccessStore, 'findAdminKey'>;
  readonly pepper: Buffer;
}

/** Rejects with `invalid_api_key` (one body for every reason) or, where the store failed, `overloaded`. */
export async function authenticateAdmin(
  authorization: string | undefined,
  { store, pepper }: AdminAuthenticatorParts,
): Promise<AdminKeyRecord> {
  const key = bearerKey(authorization);
  if (!isWellFormedAdmin(key)) throw wrongKey();
  const record = await store.findAdminKey(hashKey(key, pepper)).catch(storeFailed);
  if (record === undefined || record.revokedAt !== null) throw wrongKey();
  return record;
}
