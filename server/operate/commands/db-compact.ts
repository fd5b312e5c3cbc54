/** `modelgate db compact`: returns unused space of the database file to the disk. */

import { statSync } from 'node:fs';
import { getDatabasePath, hasDatabase, openDatabase } from '../../store/sqlite/database.ts';
import type { AdminOptions } from './admin-command.ts';
import { CommandError } from './command-error.ts';
import { findDatabase } from './database-address.ts';
import { printResult } from './print-result.ts';
import { assertNotRunning } from './running-gateways.ts';

export async function runDbCompact(options: AdminOptions): Promise<void> {
  const address = findDatabase(options);
  if (address.kind !== 'sqlite') throw new CommandError('The database is PostgreSQL, which reclaims space automatically.');
  const { folder } = address;
  if (!hasDatabase(folder)) throw new CommandError(`No database found in ${folder}. Specify the gateway's data folder with --data.`);
  await assertNotRunning(address);
  const getSize = (): number => statSync(getDatabasePath(folder)).size;
  const { connection, close } = openDatabase({ folder, durability: 'strict' });
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const before = getSize();
    connection.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    const after = getSize();
    const formatMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
    printResult(
      options,
      { folder, before, after },
      `Compacted ${getDatabasePath(folder)} from ${formatMegabytes(before)} to ${formatMegabytes(after)}.\n`,
    );
  } finally {
    close();
  }
}
