/** What every place keeps, whichever database it stands on, and what is looked at before it is used. */
import { adoptPepper } from '../access/fingerprint.ts';
import type { Access } from '../access/open.ts';
import type { HistoryStore } from '../history/store.ts';
import type { IdempotencyStore } from '../idempotency/store.ts';
import type { LedgerStore } from '../ledger/store.ts';
import type { RefusalStore } from '../refusals/store.ts';
import { describeNewer, type FoundSchema } from '../storage/compatibility.ts';
import { knownSchema } from '../storage/sqlite/schema.ts';

export interface Stores {
  readonly access: Access;
  readonly ledger: LedgerStore;
  readonly responses: HistoryStore;
  readonly idempotency: IdempotencyStore;
  readonly refusals: RefusalStore;
  /** What a person should know who looks at the start: that the tables are newer than this program. */
  readonly note: string | null;
  /** Whether the store answers. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
}

export function noteOn(schema: FoundSchema): string | null {
  const newer = describeNewer(schema, knownSchema);
  return newer && `the database is at ${newer}; once it runs well, start the newer version here too`;
}

/** With the pepper of all other gateways on this database. */
export async function adopted(opening: Promise<Access>): Promise<Access> {
  const access = await opening;
  await adoptPepper(access);
  return access;
}

export async function orClose<T>(close: () => Promise<void>, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await close();
    throw error;
  }
}

/** What is wrong is in the log of the first request that needed the store. */
export async function isFine(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch {
    return false;
  }
}
