/** Opens the stores on the embedded SQLite file, with its writing thread. */

import { type Environment, openAccess } from '../access/pepper.ts';
import { activityRoom } from '../activity/plans.ts';
import { alertRoom } from '../alerts/plans.ts';
import type { Config } from '../config/config.ts';
import { historyRoom } from '../history/plans.ts';
import { idempotencyRoom } from '../ledger/idempotency.ts';
import type { InFlightCalls } from '../ledger/in-flight.ts';
import { type LedgerSteps, openSqliteLedger } from '../ledger/sqlite.ts';
import { sessionRoom } from '../sessions/plans.ts';
import { openDatabase } from '../storage/sqlite/database.ts';
import { openStepThread } from '../storage/sqlite/thread.ts';
import { closeOnError, noteOn, type Stores, succeeds, withCheckedPepper } from './stores.ts';
import { openWriterSteps, type WriterSteps } from './writer-steps.ts';

/** Each paid call waits for two of these. */
const onEveryCall: ReadonlySet<keyof LedgerSteps> = new Set(['reserve', 'post', 'void'] as const);

export interface EmbeddedOptions {
  readonly env?: Environment | undefined;
  /** Whether the gateway has had a call. */
  readonly isCalled: () => boolean;
}

export async function openEmbedded(
  { data: folder, durability }: Pick<Config, 'data' | 'durability'>,
  { env, isCalled }: EmbeddedOptions,
): Promise<Stores> {
  const database = openDatabase({ folder, durability, checkpoints: 'elsewhere' });
  const entry = new URL('./writer.ts', import.meta.url);
  const inFlight: InFlightCalls = { count: 0 };
  const inline = { open: openWriterSteps, names: onEveryCall };
  const steps = openStepThread<WriterSteps>({ entry, folder, durability, inline, isCalled, expected: () => inFlight.count });
  const { connection } = database;
  const activity = activityRoom.onSqlite({ connection, steps });
  const close = async (): Promise<void> => {
    await activity.close();
    await steps.close();
    database.close();
  };
  return {
    access: await closeOnError(close, () => withCheckedPepper(openAccess(folder, { connection, steps, env }))),
    ledger: openSqliteLedger({ connection, steps, inFlight }),
    responses: historyRoom.onSqlite({ connection, steps }),
    idempotency: idempotencyRoom.onSqlite({ connection, steps }),
    activity,
    sessions: sessionRoom.onSqlite({ connection, steps }),
    alerts: alertRoom.onSqlite({ connection, steps }),
    note: noteOn(database.schema),
    isReady: () => succeeds(async () => connection.prepare('SELECT 1').get()),
    close,
  };
}
