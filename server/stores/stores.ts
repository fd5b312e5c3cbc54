/** All stores of a gateway, the same on either database, and the checks when they are opened. */
import { adoptPepper } from '../access/fingerprint.ts';
import type { Access } from '../access/open.ts';
import type { ActivityStore } from '../activity/store.ts';
import type { AlertStore } from '../alerts/store.ts';
import type { HistoryStore } from '../history/store.ts';
import type { IdempotencyStore } from '../idempotency/store.ts';
import type { LedgerStore } from '../ledger/store.ts';
import type { SessionStore } from '../sessions/store.ts';
import { describeNewer, type FoundSchema } from '../storage/compatibility.ts';
import { knownSchema } from '../storage/sqlite/schema.ts';

export interface Stores {
  readonly access: Access;
  readonly ledger: LedgerStore;
  readonly responses: HistoryStore;
  readonly idempotency: IdempotencyStore;
  readonly activity: ActivityStore;
  readonly sessions: SessionStore;
  readonly alerts: AlertStore;
  /** A note for the operator at the start, when the schema is newer than this program; null otherwise. */
  readonly note: string | null;
  /** Whether the store answers. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
}

export function noteOn(schema: FoundSchema): string | null {
  const newer = describeNewer(schema, knownSchema);
  return newer && `the database is at ${newer}; once it runs well, start the newer version here too`;
}

/** Checks that the pepper is that of the other gateways on this database, or records it for them. */
export async function withCheckedPepper(opening: Promise<Access>): Promise<Access> {
  const access = await opening;
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

/** The error itself is not reported here: the log has it with the first request that needs the store. */
export async function succeeds(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch {
    return false;
  }
}
