/** `modelgate db …`: migrates, copies, backs up, restores, and compacts the database. */
import type { Command } from 'commander';
import { type AdminOptions, addCommandGroup } from './admin-command.ts';
import type { RestoreOptions } from './db-backup.ts';
import type { CopyOptions } from './db-copy.ts';
import { EXIT_CODE_HELP } from './exit-codes.ts';
import { addConfigOption, addDataOption, LOCATION_HELP } from './location-options.ts';

export function addDbCommands(program: Command): void {
  const db = addCommandGroup(program, 'db');
  addMigrateCommand(db);
  addCopyCommand(db);
  addBackupCommand(db);
  addRestoreCommand(db);
  addCompactCommand(db);
}
function addCompactCommand(db: Command): void {
  addDataOption(addConfigOption(db.command('compact')))
    .description('shrink the SQLite file to its current contents; stop the gateway first')
    .option('--json', 'print the size before and after in bytes, as JSON')
    .addHelpText(
      'after',
      `\nThe command needs free disk space for a second copy of the database. PostgreSQL doesn't need compacting.\n\nExamples:\n  modelgate db compact\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    .action(async (options: AdminOptions) => (await import('./db-compact.ts')).runDbCompact(options));
}
export const databaseHelp = `${LOCATION_HELP}
  DATABASE_URL      PostgreSQL URL; overrides the configuration: postgres://user:password@host:5432/name`;
function addMigrateCommand(db: Command): void {
  addDataOption(addConfigOption(db.command('migrate')))
    .description('migrate the configured database to the current schema; a gateway does the same when it starts')
    .option('--json', 'print the schema before and after as JSON')
    .addHelpText(
      'after',
      `\nThe database is PostgreSQL if DATABASE_URL or the configuration specifies one, otherwise the SQLite file in the data folder.
\nExamples:\n  modelgate db migrate\n  DATABASE_URL=postgres://… modelgate db migrate\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    // Loaded here, so that other commands start without loading the databases.
    .action(async (options: AdminOptions) => (await import('./db-migrate.ts')).runDbMigrate(options));
}
const DATABASES = `
Databases:
  sqlite            the data folder of --data or the configuration
  postgres          the database of DATABASE_URL or the configuration
  ./folder          a data folder
  postgres://…      a PostgreSQL database. Prefer DATABASE_URL: other users of this machine can see the URL in the process list`;
const COPY_EXPLANATION = `
Copies accounts, keys, balances, charges, entries, prices, subscriptions, stored responses, idempotency keys, rejections,
and the audit log. The source isn't changed. The target must be new and empty. If the copy is interrupted, run the same command again
to continue. At the end, the command compares every row and reconciles the ledgers of both databases. The exit code is 1 if anything differs.`;
function addCopyCommand(db: Command): void {
  addDataOption(addConfigOption(db.command('copy <source> <target>')))
    .description('copy one database into another and verify the copy')
    .option('--force', "copy even while a gateway uses the source; later changes aren't copied")
    .option('--json', 'print the result as JSON, without progress')
    .addHelpText(
      'after',
      `${COPY_EXPLANATION}\n${DATABASES}
\nExamples:\n  DATABASE_URL=postgres://… modelgate db copy sqlite postgres\n  modelgate db copy postgres ./back\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    .action(async (source: string, target: string, options: CopyOptions) =>
      (await import('./db-copy.ts')).runDbCopy(source, target, options),
    );
}
const BACKUP_EXPLANATION = `
The command works while a gateway is running. The backup contains every call that was completed before it started. The folder contains
modelgate.sqlite, the file pepper, and pending settlements. The command checks the files and reconciles the ledger in them. Keep
modelgate.yaml with the backup. Back up PostgreSQL with its own tools.`;
function addBackupCommand(db: Command): void {
  addDataOption(addConfigOption(db.command('backup <folder>')))
    .description('back up all data of the gateway to a new folder and verify the backup')
    .option('--json', 'print the contents of the backup as JSON')
    .addHelpText(
      'after',
      `${BACKUP_EXPLANATION}\n\nExamples:\n  modelgate db backup backups/$(date +%F)\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    .action(async (folder: string, options: AdminOptions) => (await import('./db-backup.ts')).runDbBackup(folder, options));
}
function addRestoreCommand(db: Command): void {
  addDataOption(addConfigOption(db.command('restore <folder>')))
    .description('verify a backup and restore it into the data folder')
    .option('--force', 'restore even if the folder contains data; that data is moved into a subfolder')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `\nStop the gateway on the data folder first. Changes after the backup are lost, so keys that were revoked since then work again.
\nExamples:\n  modelgate db restore backups/2027-01-31 --data ./data\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    .action(async (folder: string, options: RestoreOptions) => (await import('./db-backup.ts')).runRestore(folder, options));
}
