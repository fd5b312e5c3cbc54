/** Accounts and keys on the embedded database: a worker thread writes, this file reads. */
import type { DatabaseSync } from 'node:sqlite';
import type { StepRunner } from '../storage/sqlite/database.ts';
import { openAccountReads, openAdminKeyReads, openAuditReads, openFingerprintReads, openKeyReads } from './sqlite/keys.ts';
import type { AccessStore } from './store.ts';
import type { AccessSteps } from './write-steps.ts';

export interface SqliteAccessOptions {
  /** For reads: it sees committed data, and does not wait for writers. */
  readonly connection: DatabaseSync;
  readonly steps: Pick<StepRunner<AccessSteps>, 'run'>;
}

export function openSqliteStore({ connection, steps }: SqliteAccessOptions): AccessStore {
  const keys = openKeyReads(connection);
  const accounts = openAccountReads(connection);
  const adminKeys = openAdminKeyReads(connection);
  const { listAudit } = openAuditReads(connection);
  const { findFingerprint } = openFingerprintReads(connection);
  return {
    findFingerprint: async () => findFingerprint(),
    keepFingerprint: (fingerprint) => steps.run('keepFingerprint', { fingerprint }),
    changes: async () => keys.changes(),
    findKey: async (hash) => keys.findKey(hash),
    findKeyById: async (id) => keys.findKeyById(id),
    hasKeys: async () => keys.hasKeys(),
    listKeys: async (accountId) => keys.listKeys(accountId),
    addKey: (key, audit) => steps.run('addKey', { key, audit }),
    makeKey: (key, most, audit) => steps.run('makeKey', { key, most, audit }),
    addFirstKey: (key, audit) => steps.run('addFirstKey', { key, audit }),
    editKey: (id, changes, audit) => steps.run('editKey', { id, changes, audit }),
    rotateKey: (rotation, audit) => steps.run('rotateKey', { rotation, audit }),
    revokeKey: (id, audit) => steps.run('revokeKey', { id, audit }),
    addAccount: (account, audit, opening) => steps.run('addAccount', { account, audit, opening }),
    findAccount: async (idOrName) => accounts.findAccount(idOrName),
    listAccounts: async () => accounts.listAccounts(),
    editAccount: (id, changes, audit) => steps.run('editAccount', { id, changes, audit }),
    findAdminKey: async (hash) => adminKeys.findAdminKey(hash),
    findAdminKeyById: async (id) => adminKeys.findAdminKeyById(id),
    listAdminKeys: async () => adminKeys.listAdminKeys(),
    addAdminKey: (key, audit) => steps.run('addAdminKey', { key, audit }),
    revokeAdminKey: (id, audit) => steps.run('revokeAdminKey', { id, audit }),
    note: (audit) => steps.run('noteAudit', audit),
    listAudit: async (page) => listAudit(page),
  };
}
