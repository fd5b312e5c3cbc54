/** The numbered steps from an empty file to today's tables, and how they are taken: forward only, each whole, each once. */
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
import { inTransaction } from './transaction.ts';

/** A step of PostgreSQL: the steps of both have the same numbers. */
const NOTHING = '';

/**
 * A published step is never edited: another one is added after it. It says which programs may work on what it leaves, and the version before it
 * has to be among them (docs/decisions/0022).
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
];

/** What this program makes of a database. */
export const knownSchema = newestOf(migrations);

/** Safe while another process does the same: whoever waited for the lock looks again before it writes. What it leaves may be newer than the steps. */
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
  // Another process may have been a newer Modelgate.
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

/** Reads only. */
export function findSchema(connection: DatabaseSync): FoundSchema {
  const table = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'").get();
  return asFound(table === undefined ? [] : connection.prepare(READ_STEPS).all());
}
