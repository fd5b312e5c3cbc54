/** The migrations of the embedded database, and how they are applied: forward only, each in one transaction, each once. */
import type { DatabaseSync } from 'node:sqlite';
import { asFound, type FoundSchema, type Migration, newestOf, READ_STEPS, refuseUnusable } from '../compatibility.ts';
import { SQL as accountsAndKeys } from './migrations/0001-accounts-and-keys.ts';
import { SQL as responses } from './migrations/0002-responses.ts';
import { SQL as money } from './migrations/0003-money.ts';
import { SQL as idempotency } from './migrations/0004-idempotency.ts';
import { SQL as leanEntries } from './migrations/0005-lean-entries.ts';
import { SQL as attempts } from './migrations/0006-attempts.ts';
import { SQL as pepperFingerprint } from './migrations/0007-pepper-fingerprint.ts';
import { SQL as worksWith } from './migrations/0008-works-with.ts';
import { SQL as keptBytes } from './migrations/0011-kept-bytes.ts';
import { SQL as refusals } from './migrations/0013-refusals.ts';
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
import { SQL as keyHours } from './migrations/0027-key-hours.ts';
import { inTransaction } from './transaction.ts';

/** A migration that only PostgreSQL needs: both engines use the same numbers. */
const NOTHING = '';

/**
 * The SQL of a published migration is never edited: a new one is added. `worksWith` says which programs may still work on the schema; the previous
 * version must be among them (docs/decisions/0022).
 */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'accounts and keys', sql: accountsAndKeys },
  { version: 2, name: 'responses', sql: responses },
  { version: 3, name: 'money', sql: money },
  { version: 4, name: 'idempotency', sql: idempotency },
  { version: 5, name: 'lean entries', sql: leanEntries },
  { version: 6, name: 'attempts', sql: attempts },
  { version: 7, name: 'pepper fingerprint', sql: pepperFingerprint },
  { version: 8, name: 'works with', sql: worksWith, worksWith: 7 },
  { version: 9, name: 'settles by id', sql: NOTHING, worksWith: 7 },
  { version: 10, name: 'holds together', sql: NOTHING, worksWith: 7 },
  { version: 11, name: 'kept bytes', sql: keptBytes, worksWith: 7 },
  { version: 12, name: 'holds by share', sql: NOTHING, worksWith: 7 },
  { version: 13, name: 'refusals', sql: refusals, worksWith: 7 },
  { version: 14, name: 'late charges', sql: NOTHING, worksWith: 7 },
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
  { version: 26, name: 'keyed charges', sql: NOTHING, worksWith: 7 },
  { version: 27, name: 'key hours', sql: keyHours, worksWith: 7 },
];

/** The newest schema that this program knows. */
export const knownSchema = newestOf(migrations);

/** Safe while another process migrates: after the wait for the lock the version is read again. The schema found afterwards may be newer than `steps`. */
export function migrate(connection: DatabaseSync, steps: readonly Migration[] = migrations): FoundSchema {
  const target = newestOf(steps);
  refuse(findSchema(connection), target);
  for (const step of steps) {
    if (findSchema(connection).version >= step.version) continue;
    inTransaction(connection, () => {
      connection.exec(
        'CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
      );
      if (findSchema(connection).version < step.version) take(connection, step);
    });
  }
  // A newer Modelgate may have migrated meanwhile.
  const found = findSchema(connection);
  refuse(found, target);
  return found;
}

function take(connection: DatabaseSync, { version, name, sql, worksWith: oldest }: Migration): void {
  connection.exec(sql);
  connection.prepare('INSERT INTO migrations (version, name, applied_at) VALUES (?, ?, ?)').run(version, name, Date.now());
  if (oldest !== undefined) connection.prepare('UPDATE migrations SET works_with = ? WHERE version = ?').run(oldest, version);
}

const refuse = (found: FoundSchema, target: number): void => refuseUnusable(found, target, 'name another data folder with --data');

/** Only reads. */
export function findSchema(connection: DatabaseSync): FoundSchema {
  const table = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'").get();
  return asFound(table === undefined ? [] : connection.prepare(READ_STEPS).all());
}
