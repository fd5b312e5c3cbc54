/** Checks that PostgreSQL accepts a write, has the schema of this version, and that its clock agrees. */

import { type Postgres, withPostgres } from '../../store/postgres/postgres.ts';
import { findSchemaOn } from '../../store/postgres/schema.ts';
import { assertNoUnfinishedCopy } from '../../store/unfinished-copy.ts';
import { type CheckResult, formatMilliseconds, getReason, measureTime, reportFault, reportOk, reportWarning } from './check-result.ts';
import { MAX_CLOCK_SKEW_MS, toClockWarning } from './clock.ts';
import { findSchemaFault, formatSchema } from './sqlite.ts';

const SLOW_COMMIT_MS = 50;

export const examinePostgres = (url: string): Promise<CheckResult> =>
  withPostgres({ url, connections: 1 }, (postgres) =>
    queryPostgres(postgres).catch((error: unknown) =>
      reportFault(
        getReason(error),
        'Check that PostgreSQL is running, and check the address, user, and password in DATABASE_URL or database.url.',
      ),
    ),
  );

async function queryPostgres(postgres: Postgres): Promise<CheckResult> {
  const clockQuery = await measureTime(() => postgres.query({ text: 'SELECT extract(epoch FROM clock_timestamp())::float8 AS now' }));
  const skewMs = Math.abs(Number(clockQuery.value[0]?.now) * 1_000 - Date.now());
  const ping = await measureTime(() => postgres.query({ text: 'SELECT 1' }));
  const schema = await findSchemaOn(postgres);
  const schemaFault = findSchemaFault(schema);
  if (schemaFault) return schemaFault;
  await assertNoUnfinishedCopy(postgres);
  await writeAndRollBack(postgres);
  // Assigns a transaction ID, so that the commit must be written to disk.
  const commit = await measureTime(() =>
    postgres.transaction('write', (queries) => queries.query({ text: 'SELECT pg_current_xact_id()' })),
  );
  const details = [
    `connected in ${formatMilliseconds(clockQuery.ms)}`,
    `responds in ${formatMilliseconds(ping.ms)}`,
    formatSchema(schema),
    `commit ${formatMilliseconds(commit.ms)}`,
  ];
  const detail = `PostgreSQL, ${details.join(', ')}`;
  if (skewMs > MAX_CLOCK_SKEW_MS) return toClockWarning(detail, skewMs);
  return commit.ms > SLOW_COMMIT_MS
    ? reportWarning(detail, "Check the server's disk and the network to it: commits are slow, and every paid call waits for two.")
    : reportOk(detail);
}

class RollbackSignal extends Error {}

/** Creates a table and rolls back, to check that this user can write. */
async function writeAndRollBack(postgres: Postgres): Promise<void> {
  try {
    await postgres.transaction('write', async (queries) => {
      await queries.query({ text: 'CREATE TABLE doctor_probe (x BIGINT)' });
      throw new RollbackSignal();
    });
  } catch (error) {
    if (!(error instanceof RollbackSignal)) throw error;
  }
}
