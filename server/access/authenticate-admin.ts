/** Authenticates an operator: the admin key of a request → its record. Calls are rare, so nothing is cached, and a revocation counts at once. */
import { storeFailed } from '../errors.ts';
import { bearerKey, hashKey, isWellFormedAdmin, wrongKey } from './keys.ts';
import type { Pepper } from './pepper.ts';
import type { AccessStore, AdminKeyRecord } from './store.ts';

export interface AdminAuthenticatorParts {
  readonly store: Pick<AccessStore, 'findAdminKey'>;
  readonly pepper: Pepper;
}

/** Rejects with `invalid_api_key` (one body for every reason) or, when the store failed, with `overloaded`. */
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
