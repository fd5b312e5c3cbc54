/** The writes on accounts and keys, on one connection: synchronous, each with its audit entry. */
import type { DatabaseSync } from 'node:sqlite';
import { openAudit } from '../storage/audit.ts';
import { openAccountSteps, openAdminKeySteps, openFingerprintSteps, openKeySteps } from './sqlite/keys.ts';

/** A refusal is a value and changes nothing; an error is the database's own. None of them begins or ends a transaction. */
export type AccessSteps = ReturnType<typeof openAccessSteps>;

export function openAccessSteps(connection: DatabaseSync) {
  return {
    ...openKeySteps(connection),
    ...openAccountSteps(connection),
    ...openAdminKeySteps(connection),
    ...openFingerprintSteps(connection),
    noteAudit: openAudit(connection),
  };
}
