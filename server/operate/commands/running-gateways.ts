/** Finds gateways that are using a database, by their heartbeats. */

import type { DatabaseSync } from 'node:sqlite';
import { type Queries, withPostgres } from '../../store/postgres/postgres.ts';
import { readText } from '../../store/rows.ts';
import { hasDatabase, hasTable, readDatabase } from '../../store/sqlite/database.ts';
import { hasPostgresTable } from '../../store/unfinished-copy.ts';
import { CommandError } from './command-error.ts';
import { type DatabaseAddress, formatAddress } from './database-address.ts';

/** Three heartbeats. After this time, other processes also treat a process as dead. */
const HEARTBEAT_TIMEOUT_MS = 15_000;

/** Finds running gateways by their recent heartbeats. It only reads, because it runs before the migration. Works on any schema. */
export async function findRunningGateways(address: DatabaseAddress): Promise<readonly string[]> {
  if (address.kind === 'postgres') return await withPostgres({ url: address.url }, listRunningGateways);
  if (!hasDatabase(address.folder)) return [];
  try {
    return readDatabase(address.folder, 5_000, listGatewaysInFile);
  } catch {
    // Opening the database reports the reason.
    return [];
  }
}

export async function assertNotRunning(address: DatabaseAddress, isForced = false): Promise<readonly string[]> {
  const runningGateways = await findRunningGateways(address);
  if (runningGateways.length === 0 || isForced) return runningGateways;
  throw new CommandError(
    `A gateway is running on ${formatAddress(address)} (${runningGateways.join(', ')}). Stop it first; a killed gateway counts as stopped after ${HEARTBEAT_TIMEOUT_MS / 1_000} s.`,
  );
}

function listGatewaysInFile(connection: DatabaseSync): readonly string[] {
  if (!hasTable(connection, 'nodes')) return [];
  const rows = connection.prepare('SELECT id FROM nodes WHERE seen_at > ?').all(Date.now() - HEARTBEAT_TIMEOUT_MS);
  return rows.map(({ id }) => String(id));
}

/** Uses the server's clock, which also timestamps heartbeats. */
export async function listRunningGateways(queries: Queries): Promise<readonly string[]> {
  if (!(await hasPostgresTable(queries, 'nodes'))) return [];
  const sql = 'SELECT id FROM nodes WHERE seen_at > (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT - $1::BIGINT';
  const rows = await queries.query({ text: sql }, [HEARTBEAT_TIMEOUT_MS]);
  return rows.map(({ id }) => readText(id));
}
