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

const PLACES = `
Places:
  sqlite            the data folder of --data or the configuration
  postgres          the database of DATABASE_URL or the configuration
  ./folder          a data folder
  postgres://…      a PostgreSQL database; other people on this machine may read it in the list of processes, hence rather DATABASE_URL`;

const COPY_EXPLANATION = `
Everything goes over: accounts, keys, balances, charges, entries, prices, subscriptions, stored responses, idempotency keys, audit. The source
stays as it is. The target must be new and empty. When it was stopped in its middle, the same command goes on where it was. At the end
every row is compared, and the books of both are reconciled; it ends with 1 where anything differs.`;

function addCopy(db: Command): void {
  withDataOption(withConfigOption(db.command('copy')))
    .description('copy everything from one database to another, and check that both are the same')
    .requiredOption('--from <place>', 'what to copy')
    .requiredOption('--to <place>', 'the target; new and empty')
    .option('--force', 'copy even while a gateway runs on the source; its changes from now on are not copied')
    .option('--json', 'for scripts: what was copied and compared; no progress')
    .addHelpText(
      'after',
      `${COPY_EXPLANATION}\n${PLACES}
\nExamples:\n  DATABASE_URL=postgres://… modelgate db copy --from sqlite --to postgres\n  modelgate db copy --from postgres --to ./back\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    .action(async (options: CopyOptions) => (await import('./db-copy.ts')).runCopy(options));
}

const BACKUP_EXPLANATION = `
Works beside a running gateway: everything that was answered before it began is in it. The folder holds modelgate.sqlite, the file pepper, and
settlements that wait; it is checked, and the books in it are added up anew. Keep modelgate.yaml with it. PostgreSQL has tools of its own.`;

function addBackup(db: Command): void {
  withDataOption(withConfigOption(db.command('backup <folder>')))
    .description('write all data of the gateway into a new folder, and verify it')
    .option('--json', 'for scripts: what is in it')
    .addHelpText(
      'after',
      `${BACKUP_EXPLANATION}\n\nExamples:\n  modelgate db backup backups/$(date +%F)\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    .action(async (folder: string, options: AdminOptions) => (await import('./db-backup.ts')).runBackup(folder, options));
}

function addRestore(db: Command): void {
  withDataOption(withConfigOption(db.command('restore <folder>')))
    .description('verify a backup and restore it into the data folder')
    .option('--force', 'also when the folder has data: that is moved aside')
    .option('--json', 'for scripts: what was restored')
    .addHelpText(
      'after',
      `\nStop the gateway on the data folder first. Changes after the backup are lost: keys that were revoked since then work again.
\nExamples:\n  modelgate db restore backups/2027-01-31 --data ./data\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    .action(async (folder: string, options: RestoreOptions) => (await import('./db-backup.ts')).runRestore(folder, options));
}
