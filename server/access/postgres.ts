/** Accounts and keys on PostgreSQL: a change and its audit entry are one transaction, and every process sees it at its next read. */
import type { Postgres } from '../storage/postgres/pool.ts';
import { openAccounts } from './postgres/accounts.ts';
import { openAdminKeys } from './postgres/admin-keys.ts';
import { openAudit } from './postgres/audit.ts';
import { openFingerprint } from './postgres/fingerprint.ts';
import { openKeys } from './postgres/keys.ts';
import { openRotation } from './postgres/rotation.ts';
import type { AccessStore } from './store.ts';

export function openPostgresStore(postgres: Postgres): AccessStore {
  return {
    ...openKeys(postgres),
    ...openRotation(postgres),
    ...openAccounts(postgres),
    ...openAdminKeys(postgres),
    ...openAudit(postgres),
    ...openFingerprint(postgres),
  };
}
