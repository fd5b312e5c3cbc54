/** Defines the stores of a gateway, the same on either database, and the steps that both take to open them. */
import type { Access } from '../../access/access.ts';
import { adoptPepper } from '../../access/pepper.ts';
import type { SessionStore } from '../../access/sessions/store.ts';
import type { RunStore } from '../../history/run-store.ts';
import type { HistoryStore } from '../../history/store.ts';
import type { IdempotencyStore } from '../../money/idempotency.ts';
import type { LedgerStore } from '../../money/store.ts';
import type { AlertStore } from '../../records/alerts/store.ts';
import type { ActivityStore } from '../../records/store.ts';
import type { StorageError } from '../../store/errors.ts';
import { type DatabaseSchema, describeNewer } from '../../store/schema-compatibility.ts';
import { supportedSchemaVersion } from '../../store/sqlite/database.ts';

export interface Stores {
  readonly access: Access;
  readonly ledger: LedgerStore;
  readonly responses: HistoryStore;
  readonly runs: RunStore;
  readonly idempotency: IdempotencyStore;
  readonly activity: ActivityStore;
  readonly sessions: SessionStore;
  readonly alerts: AlertStore;
  /** A note for the operator at startup, if the schema is newer than this version. Null otherwise. */
  readonly note: string | null;
  /** Resolves if the gateway can't write to the store until a restart. */
  readonly lost: Promise<StorageError>;
  /** Whether the store responds. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
}

export function describeNewerSchema(schema: DatabaseSchema): string | null {
  const newer = describeNewer(schema, supportedSchemaVersion);
  return newer && `the database is at ${newer}; when the newer version is stable, start it here, too`;
}

/** Checks that the pepper matches the other gateways on this database, or records it for them. */
export async function checkPepper(pendingAccess: Promise<Access>): Promise<Access> {
  const access = await pendingAccess;
  await adoptPepper(access);
  return access;
}

export async function closeOnError<T>(close: () => Promise<void>, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await close();
    throw error;
  }
}

/** Ignores the error, because the first request that needs the store logs it. */
export async function hasSucceeded(probe: () => Promise<unknown>): Promise<boolean> {
  try {
    await probe();
    return true;
  } catch {
    return false;
  }
}
