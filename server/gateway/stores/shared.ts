/** Opens the stores on PostgreSQL, which many processes share. */

import { openAccessOn } from '../../access/access.ts';
import type { Environment } from '../../access/pepper.ts';
import { accessStoreDefinition } from '../../access/plans.ts';
import { sessionStoreDefinition } from '../../access/sessions/plans.ts';
import { historyStoreDefinition } from '../../history/plans.ts';
import { runStoreDefinition } from '../../history/run-store.ts';
import { idempotencyStoreDefinition } from '../../money/idempotency.ts';
import { openPostgresLedger } from '../../money/postgres.ts';
import { alertStoreDefinition } from '../../records/alerts/plans.ts';
import { activityStoreDefinition } from '../../records/plans.ts';
import { openPostgres, type Postgres, type PostgresOptions } from '../../store/postgres/postgres.ts';
import { migratePostgres } from '../../store/postgres/schema.ts';
import type { DatabaseSchema } from '../../store/schema-compatibility.ts';
import { assertNoUnfinishedCopy } from '../../store/unfinished-copy.ts';
import { checkPepper, closeOnError, describeNewerSchema, hasSucceeded, type Stores } from './stores.ts';

/** The data folder still contains the pepper of the keys, which all processes need, and this process's outbox. */
export async function openShared(options: PostgresOptions, folder: string, env?: Environment): Promise<Stores> {
  const postgres = openPostgres(options);
  const close = (): Promise<void> => postgres.close();
  const schema = await closeOnError(close, () => migrate(postgres));
  return {
    access: await closeOnError(close, () => checkPepper(openAccessOn(folder, accessStoreDefinition.onPostgres(postgres), env))),
    ledger: openPostgresLedger(postgres),
    responses: historyStoreDefinition.onPostgres(postgres),
    runs: runStoreDefinition.onPostgres(postgres),
    idempotency: idempotencyStoreDefinition.onPostgres(postgres),
    activity: activityStoreDefinition.onPostgres(postgres),
    sessions: sessionStoreDefinition.onPostgres(postgres),
    alerts: alertStoreDefinition.onPostgres(postgres),
    note: describeNewerSchema(schema),
    // Never resolves, because a lost connection is reopened.
    lost: new Promise(() => undefined),
    isReady: () => hasSucceeded(() => postgres.query({ text: 'SELECT 1' })),
    close,
  };
}

/** Applies migrations, and rejects an unfinished copy. */
async function migrate(postgres: Postgres): Promise<DatabaseSchema> {
  const schema = await migratePostgres(postgres);
  await assertNoUnfinishedCopy(postgres);
  return schema;
}
