/** The migrations of PostgreSQL, with the same numbers as those of the embedded database: forward only, each in one transaction, each once. */
import { asFound, type FoundSchema, type Migration, newestOf, READ_STEPS, refuseUnusable } from '../compatibility.ts';
import { SQL as accountsAndKeys } from './migrations/0001-accounts-and-keys.ts';
import { SQL as responses } from './migrations/0002-responses.ts';
import { SQL as money } from './migrations/0003-money.ts';
import { SQL as moneySteps } from './migrations/0003-money-steps.ts';
import { SQL as idempotency } from './migrations/0004-idempotency.ts';
import { SQL as leanEntries } from './migrations/0005-lean-entries.ts';
import { SQL as attempts } from './migrations/0006-attempts.ts';
import { SQL as pepperFingerprint } from './migrations/0007-pepper-fingerprint.ts';
import { SQL as worksWith } from './migrations/0008-works-with.ts';
import { SQL as settlesById } from './migrations/0009-settles-by-id.ts';
import { SQL as holdsTogether } from './migrations/0010-holds-together.ts';
import { SQL as keptBytes } from './migrations/0011-kept-bytes.ts';
import { SQL as holdsByShare } from './migrations/0012-holds-by-share.ts';
import { SQL as refusals } from './migrations/0013-refusals.ts';
import { SQL as lateCharges } from './migrations/0014-late-charges.ts';
import { SQL as activity } from './migrations/0015-activity.ts';
import { SQL as roles } from './migrations/0016-roles.ts';
import { SQL as sessions } from './migrations/0017-sessions.ts';
import { SQL as alerts } from './migrations/0018-alerts.ts';
import { SQL as selfService } from './migrations/0019-self-service.ts';
import { SQL as sessionsOfPersons } from './migrations/0020-sessions-of-persons.ts';
import { SQL as reportsAndVendorCost } from './migrations/0021-reports-and-vendor-cost.ts';
import { SQL as statements } from './migrations/0022-statements.ts';
import { SQL as lists } from './migrations/0023-lists.ts';
import { SQL as rareCodes } from './migrations/0024-rare-codes.ts';
import { SQL as activityDays } from './migrations/0025-activity-days.ts';
import { SQL as keyedCharges } from './migrations/0026-keyed-charges.ts';
import { SQL as keyHours } from './migrations/0027-key-hours.ts';
import type { Postgres, Queries } from './pool.ts';

/**
 * The SQL of a published migration is never edited: a new one is added. Processes of the previous version still run and start after it
 * (docs/decisions/0022).
 */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'accounts and keys', sql: accountsAndKeys },
  { version: 2, name: 'responses', sql: responses },
  { version: 3, name: 'money', sql: money + moneySteps },
  { version: 4, name: 'idempotency', sql: idempotency },
  { version: 5, name: 'lean entries', sql: leanEntries },
  { version: 6, name: 'attempts', sql: attempts },
  { version: 7, name: 'pepper fingerprint', sql: pepperFingerprint },
  { version: 8, name: 'works with', sql: worksWith, worksWith: 7 },
  { version: 9, name: 'settles by id', sql: settlesById, worksWith: 7 },
  { version: 10, name: 'holds together', sql: holdsTogether, worksWith: 7 },
  { version: 11, name: 'kept bytes', sql: keptBytes, worksWith: 7 },
  { version: 12, name: 'holds by share', sql: holdsByShare, worksWith: 7 },
  { version: 13, name: 'refusals', sql: refusals, worksWith: 7 },
  { version: 14, name: 'late charges', sql: lateCharges, worksWith: 7 },
  { version: 15, name: 'activity', sql: activity, worksWith: 7 },
  { version: 16, name: 'roles', sql: roles, worksWith: 7 },
  { version: 17, name: 'sessions', sql: sessions, worksWith: 7 },
  { version: 18, name: 'alerts', sql: alerts, worksWith: 7 },
  { version: 19, name: 'self-service', sql: selfService, worksWith: 7 },
  { version: 20, name: 'sessions of persons', sql: sessionsOfPersons, worksWith: 7 },
  { version: 21, name: 'reports and vendor cost', sql: reportsAndVendorCost, worksWith: 7 },
  { version: 22, name: 'statements', sql: statements, worksWith: 7 },
  { version: 23, name: 'lists', sql: lists, worksWith: 7 },
  { version: 24, name: 'rare codes', sql: rareCodes, worksWith: 7 },
  { version: 25, name: 'activity days', sql: activityDays, worksWith: 7 },
  { version: 26, name: 'keyed charges', sql: keyedCharges, worksWith: 7 },
  { version: 27, name: 'key hours', sql: keyHours, worksWith: 7 },
];

/** Large tables take long. */
const LONGEST_STEP_MS = 3_600_000;
/** A number that no other program uses for a lock. */
const LOCK = 7_301_529_464_217n;

/** When several processes start at once, one applies the migrations and the others wait for it. The schema found afterwards may be newer than `steps`. */
export async function migratePostgres(postgres: Postgres, steps: readonly Migration[] = migrations): Promise<FoundSchema> {
  const target = newestOf(steps);
  // First without the lock, so that a process that finds everything applied does not wait.
  if ((await findSchemaOn(postgres)).version < target)
    for (const step of steps) await postgres.transaction('write', (queries) => take(queries, step), LONGEST_STEP_MS);
  const found = await findSchemaOn(postgres);
  refuseUnusable(found, target, 'name another database');
  return found;
}

async function take(queries: Queries, { version, name, sql, worksWith: oldest }: Migration): Promise<void> {
  await queries.query({ text: 'SELECT pg_advisory_xact_lock($1)' }, [LOCK]);
  await queries.query({
    text: 'CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)',
  });
  if ((await findSchemaOn(queries)).version >= version) return;
  await queries.query({ text: sql });
  await queries.query({ text: 'INSERT INTO migrations (version, name, applied_at) VALUES ($1, $2, $3)' }, [version, name, Date.now()]);
  if (oldest !== undefined) await queries.query({ text: 'UPDATE migrations SET works_with = $1 WHERE version = $2' }, [oldest, version]);
}

/** Only reads. */
export async function findSchemaOn(queries: Queries): Promise<FoundSchema> {
  const [table] = await queries.query({ text: `SELECT to_regclass('migrations') IS NOT NULL AS exists` });
  return asFound(table?.exists === true ? await queries.query({ text: READ_STEPS }) : []);
}
