/** Opens the stores on the embedded SQLite file, with its writing thread. */

import { openAccess } from '../../access/access.ts';
import type { Environment } from '../../access/pepper.ts';
import { sessionStoreDefinition } from '../../access/sessions/plans.ts';
import type { Config } from '../../config/config.ts';
import { historyStoreDefinition } from '../../history/plans.ts';
import { runStoreDefinition } from '../../history/run-store.ts';
import { idempotencyStoreDefinition } from '../../money/idempotency.ts';
import type { InFlightCalls } from '../../money/in-flight.ts';
import { type LedgerSteps, openSqliteLedger } from '../../money/sqlite.ts';
import { alertStoreDefinition } from '../../records/alerts/plans.ts';
import { activityStoreDefinition } from '../../records/plans.ts';
import type { StorageError } from '../../store/errors.ts';
import { openDatabase } from '../../store/sqlite/database.ts';
import { createFilesLostError, type DatabaseFiles, isInPlace } from '../../store/sqlite/database-files.ts';
import { openWriterThread } from '../../store/sqlite/thread.ts';
import { checkPepper, closeOnError, describeNewerSchema, hasSucceeded, type Stores } from './stores.ts';
import { openWriterSteps, type WriterSteps } from './writer-steps.ts';

/** Each paid call waits for two of these steps. */
const inlineStepNames: ReadonlySet<keyof LedgerSteps> = new Set(['reserve', 'post', 'void'] as const);

interface EmbeddedOptions {
  readonly env?: Environment | undefined;
  /** Whether the gateway has had a call. */
  readonly isCalled: () => boolean;
}

export async function openEmbedded(
  { data: folder, durability }: Pick<Config, 'data' | 'durability'>,
  { env, isCalled: hasBeenCalled }: EmbeddedOptions,
): Promise<Stores> {
  const database = openDatabase({ folder, durability, checkpoints: 'elsewhere' });
  const { connection, files } = database;
  const entry = new URL('./writer.ts', import.meta.url);
  const inFlight: InFlightCalls = { count: 0 };
  const inline = { open: openWriterSteps, names: inlineStepNames };
  const steps = openWriterThread<WriterSteps>({
    entry,
    folder,
    durability,
    files,
    inline,
    isCalled: hasBeenCalled,
    expected: () => inFlight.count,
  });
  const activity = activityStoreDefinition.onSqlite({ connection, steps });
  const watch = watchFiles(files);
  const close = async (): Promise<void> => {
    watch.close();
    await activity.close();
    await steps.close();
    database.close();
  };
  return {
    access: await closeOnError(close, () => checkPepper(openAccess(folder, { connection, steps, env }))),
    ledger: openSqliteLedger({ connection, steps, inFlight }),
    responses: historyStoreDefinition.onSqlite({ connection, steps }),
    runs: runStoreDefinition.onSqlite({ connection, steps }),
    idempotency: idempotencyStoreDefinition.onSqlite({ connection, steps }),
    activity,
    sessions: sessionStoreDefinition.onSqlite({ connection, steps }),
    alerts: alertStoreDefinition.onSqlite({ connection, steps }),
    note: describeNewerSchema(database.schema),
    lost: watch.lost,
    isReady: async () => isInPlace(files) && (await hasSucceeded(async () => connection.prepare('SELECT 1').get())),
    close,
  };
}

const WATCH_INTERVAL_MS = 1_000;

/** Detects lost files while nothing is written. Every commit checks the files, too. */
function watchFiles(files: DatabaseFiles): { readonly lost: Promise<StorageError>; close(): void } {
  const { promise: lost, resolve } = Promise.withResolvers<StorageError>();
  const timer = setInterval(() => {
    if (!isInPlace(files)) resolve(createFilesLostError(files));
  }, WATCH_INTERVAL_MS).unref();
  return { lost, close: () => clearInterval(timer) };
}
