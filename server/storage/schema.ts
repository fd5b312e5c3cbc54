/** The numbered steps from an empty file to today's tables, and how they are taken: forward only, each whole, each once. */
import type { DatabaseSync } from 'node:sqlite';
import { StorageError } from './errors.ts';
import { sql as accountsAndKeys } from './migrations/0001-accounts-and-keys.ts';
import { sql as responses } from './migrations/0002-responses.ts';
import { sql as money } from './migrations/0003-money.ts';
import { sql as idempotency } from './migrations/0004-idempotency.ts';
import { sql as leanEntries } from './migrations/0005-lean-entries.ts';
import { sql as attempts } from './migrations/0006-attempts.ts';
import { sql as pepperFingerprint } from './migrations/0007-pepper-fingerprint.ts';
import { inTransaction } from './transaction.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** A published step is never edited: another one is added after it. */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'accounts and keys', sql: accountsAndKeys },
  { version: 2, name: 'responses', sql: responses },
  { version: 3, name: 'money', sql: money },
  { version: 4, name: 'idempotency', sql: idempotency },
  { version: 5, name: 'lean entries', sql: leanEntries },
  { version: 6, name: 'attempts', sql: attempts },
  { version: 7, name: 'pepper fingerprint', sql: pepperFingerprint },
];

/** Safe while another process does the same: whoever waited for the lock looks again before it writes. */
export function migrate(connection: DatabaseSync, steps: readonly Migration[] = migrations): void {
  const target = steps.at(-1)?.version ?? 0;
  refuseNewer(currentVersion(connection), target);
  for (const step of steps) {
    if (currentVersion(connection) >= step.version) continue;
    inTransaction(connection, () => {
      connection.exec(
        'CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
      );
      if (currentVersion(connection) >= step.version) return;
      connection.exec(step.sql);
      connection.prepare('INSERT INTO migrations (version, name, applied_at) VALUES (?, ?, ?)').run(step.version, step.name, Date.now());
    });
  }
  // Another process may have been a newer Modelgate.
  refuseNewer(currentVersion(connection), target);
}

function refuseNewer(found: number, known: number): void {
  if (found <= known) return;
  throw new StorageError(
    `The database was written by a newer Modelgate (schema ${found}, this one knows ${known}). Start the newer version, or name another data folder with --data.`,
  );
}

function currentVersion(connection: DatabaseSync): number {
  const table = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'").get();
  if (table === undefined) return 0;
  return Number(connection.prepare('SELECT coalesce(max(version), 0) AS version FROM migrations').get()?.version);
}
