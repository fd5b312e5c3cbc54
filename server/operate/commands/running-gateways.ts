/** Finds gateways that are using a database, by their heartbeats. */

import { DatabaseSync } from 'node:sqlite';
import { listRunningGateways } from '../../store/copy/postgres.ts';
import { listRunningSqliteGateways as findInDatabase } from '../../store/copy/sqlite.ts';
import { openPostgres } from '../../store/postgres/postgres.ts';
import { getDatabasePath, hasDatabase } from '../../store/sqlite/database.ts';
import type { DatabaseAddress } from './database-address.ts';

/** Three heartbeats. After this time, other processes also treat a process as dead. */
export const HEARTBEAT_TIMEOUT_MS = 15_000;

/** Finds running gateways by their recent heartbeats. It only reads, because it runs before the migration. */
export function findRunningGateways(address: DatabaseAddress, silentMs: number): Promise<readonly string[]> {
  return address.kind === 'sqlite' ? findGatewaysInFile(address.folder, silentMs) : findGatewaysOnServer(address.url, silentMs);
}

async function findGatewaysInFile(folder: string, silentMs: number): Promise<readonly string[]> {
  if (!hasDatabase(folder)) return [];
  try {
    const connection = new DatabaseSync(getDatabasePath(folder), { readOnly: true, timeout: 5_000 });
    try {
      return findInDatabase(connection, silentMs);
    } finally {
      connection.close();
    }
  } catch {
    // Opening the database reports the reason.
    return [];
  }
}

async function findGatewaysOnServer(url: string, silentMs: number): Promise<readonly string[]> {
  const postgres = openPostgres({ url });
  try {
    return await listRunningGateways(postgres, silentMs);
  } finally {
    await postgres.close();
  }
}
