/** `modelgate db …`: migrates, copies, backs up and restores the database. */
import type { Command } from 'commander';
import { type AdminOptions, addGroup } from './administration.ts';
import type { RestoreOptions } from './db-backup.ts';
import type { CopyOptions } from './db-copy.ts';
import { EXIT_CODE_HELP } from './failure.ts';
import { LOCATION_HELP, withConfigOption, withDataOption } from './location.ts';

export function addDb(program: Command): void {
  const db = addGroup(program, 'db', 'migrate, copy, back up and restore the database');
  addMigrate(db);
  addCopy(db);
  addBackup(db);
  addRestore(db);
}

const databaseHelp = `${LOCATION_HELP}
  DATABASE_URL      PostgreSQL, before the configuration: postgres://user:password@host:5432/name`;

function addMigrate(db: Command): void {
  withDataOption(withConfigOption(db.command('migrate')))
    .description('migrate the configured database to the current schema; a gateway does the same when it starts')
    .option('--json', 'for scripts: the schema before and after')
    .addHelpText(
      'after',
      `\nThe database is PostgreSQL when DATABASE_URL or the configuration names it, else the SQLite file of the data folder.
\nExamples:\n  modelgate db migrate\n  DATABASE_URL=postgres://… modelgate db migrate\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    // Loaded here, so that other commands start without loading the databases.
    .action(async (options: AdminOptions) => (await import('./db-migrate.ts')).runMigrate(options));
}

const DATABASES = `
Databases:
  sqlite            the data folder of --data or the configuration
  postgres          the database of DATABASE_URL or the configuration
  ./folder          a data folder
  postgres://…      a PostgreSQL database. Other users of this machine can read the address in the list of processes; prefer DATABASE_URL`;

const COPY_EXPLANATION = `
Copies accounts, keys, balances, charges, entries, prices, subscriptions, stored responses, idempotency keys, refusals and the audit log. The
source does not change. The target must be new and empty. After an interruption, the same command continues where it stopped. At the end it
compares every row and reconciles the books of both databases; it ends with 1 when anything differs.`;

function addCopy(db: Command): void {
  withDataOption(withConfigOption(db.command('copy')))
    .description('copy one database into another, and check that both are equal')
    .requiredOption('--from <database>', 'the source')
    .requiredOption('--to <database>', 'the target; new and empty')
    .option('--force', 'copy even while a gateway runs on the source; its changes from now on are not copied')
    .option('--json', 'for scripts: what was copied and compared; no progress')
    .addHelpText(
      'after',
      `${COPY_EXPLANATION}\n${DATABASES}
\nExamples:\n  DATABASE_URL=postgres://… modelgate db copy --from sqlite --to postgres\n  modelgate db copy --from postgres --to ./back\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    .action(async (options: CopyOptions) => (await import('./db-copy.ts')).runCopy(options));
}

const BACKUP_EXPLANATION = `
Works while a gateway runs, and contains everything that was answered before the backup began. The folder holds modelgate.sqlite, the file pepper, and
waiting settlements. The command checks the files and reconciles the books in them. Keep modelgate.yaml with the backup. For PostgreSQL use its own tools.`;

function addBackup(db: Command): void {
  withDataOption(withConfigOption(db.command('backup <folder>')))
    .description('write all data of the gateway into a new folder, and verify it')
    .option('--json', 'for scripts: the contents of the backup')
    .addHelpText(
      'after',
      `${BACKUP_EXPLANATION}\n\nExamples:\n  modelgate db backup backups/$(date +%F)\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    .action(async (folder: string, options: AdminOptions) => (await import('./db-backup.ts')).runBackup(folder, options));
}

function addRestore(db: Command): void {
  withDataOption(withConfigOption(db.command('restore <folder>')))
    .description('verify a backup and restore it into the data folder')
    .option('--force', 'restore even when the folder has data; that data is moved into a subfolder')
    .option('--json', 'for scripts: what was restored')
    .addHelpText(
      'after',
      `\nStop the gateway on the data folder first. Changes after the backup are lost: keys that were revoked since then work again.
\nExamples:\n  modelgate db restore backups/2027-01-31 --data ./data\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    .action(async (folder: string, options: RestoreOptions) => (await import('./db-backup.ts')).runRestore(folder, options));
}
