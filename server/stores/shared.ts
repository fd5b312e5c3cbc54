/** Opens the stores on PostgreSQL, which many processes share. */

import { type Environment, openAccessOn } from '../access/pepper.ts';
import { accessRoom } from '../access/plans.ts';
import { activityRoom } from '../activity/plans.ts';
import { alertRoom } from '../alerts/plans.ts';
import { historyRoom } from '../history/plans.ts';
import { idempotencyRoom } from '../ledger/idempotency.ts';
import { openPostgresLedger } from '../ledger/postgres.ts';
import { sessionRoom } from '../sessions/plans.ts';
import { type FoundSchema, rejectHalfCopy } from '../storage/compatibility.ts';
import { openPostgres, type Postgres, type PostgresOptions } from '../storage/postgres/pool.ts';
import { migratePostgres } from '../storage/postgres/schema.ts';
import { closeOnError, noteOn, type Stores, succeeds, withCheckedPepper } from './stores.ts';

/** The data folder still holds the pepper of the keys, which all processes need, and the outbox of this process. */
export async function openShared(options: PostgresOptions, folder: string, env?: Environment): Promise<Stores> {
  const postgres = openPostgres(options);
  const close = (): Promise<void> => postgres.close();
  const schema = await closeOnError(close, () => prepare(postgres));
  return {
    access: await closeOnError(close, () => withCheckedPepper(openAccessOn(folder, accessRoom.onPostgres(postgres), env))),
    ledger: openPostgresLedger(postgres),
    responses: historyRoom.onPostgres(postgres),
    idempotency: idempotencyRoom.onPostgres(postgres),
    activity: activityRoom.onPostgres(postgres),
    sessions: sessionRoom.onPostgres(postgres),
    alerts: alertRoom.onPostgres(postgres),
    note: noteOn(schema),
    isReady: () => succeeds(() => postgres.query({ text: 'SELECT 1' })),
    close,
  };
}

/** Migrates, and rejects an unfinished copy. */
async function prepare(postgres: Postgres): Promise<FoundSchema> {
  const schema = await migratePostgres(postgres);
  await rejectHalfCopy(postgres);
  return schema;
}
