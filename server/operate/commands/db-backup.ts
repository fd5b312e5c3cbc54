/** `modelgate db backup` and `modelgate db restore`: write and restore a folder with all data of a gateway on SQLite, and verify it first. */

import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Environment, getPepperPath, hasDifferentPepper, hasPepper, openPepper } from '../../access/pepper.ts';
import { listOutboxFiles } from '../../store/outbox/outbox.ts';
import { copyDatabase, copyFile, copyOutbox, DamagedCopyError } from '../../store/sqlite/copy-database.ts';
import { getDatabasePath, hasDatabase, hasTable } from '../../store/sqlite/database.ts';
import type { AdminOptions } from './admin-command.ts';
import { CommandError, ReportedError } from './command-error.ts';
import { findDatabase } from './database-address.ts';
import { countInventory, describeInventory } from './inventory.ts';
import { formatDataOption, getDataFolder } from './location-options.ts';
import { printResult } from './print-result.ts';
import { assertNotRunning } from './running-gateways.ts';
import type { Shell } from './shell.ts';

export interface RestoreOptions extends AdminOptions {
  readonly force?: boolean;
}

export async function runDbBackup(path: string, options: AdminOptions): Promise<void> {
  const { shell } = options;
  const folder = requireSqliteFolder(options);
  if (!hasDatabase(folder)) throw new CommandError(`No database found in ${folder}. Specify the gateway's data folder with --data.`);
  const targetFolder = resolve(shell.folder, path);
  if (existsSync(targetFolder) && readdirSync(targetFolder).length > 0)
    throw new CommandError(`${targetFolder} isn't empty. Specify a new folder for each backup.`);
  mkdirSync(targetFolder, { recursive: true, mode: 0o700 });
  const { settlements, damaged } = await copyOutbox(folder, targetFolder);
  const hasFile = copyFile(getPepperPath(folder), getPepperPath(targetFolder));
  const inventory = await copyDatabase(folder, targetFolder, countInventory);
  const pepper = hasFile ? 'file' : hasPepper(folder, shell.env) ? 'variable' : 'missing';
  const result = { folder: targetFolder, ...inventory, settlements, pepper };
  printResult(options, result, `Backed up ${folder} to ${targetFolder}.\n${describeInventory(inventory, settlements)}`);
  if (!hasFile) shell.stderr.write(NO_PEPPER);
  if (damaged > 0)
    shell.stderr.write(
      `modelgate: ${damaged} pending charges in ${folder} are damaged. The backup has them unchanged; inspect them in ${folder}.\n`,
    );
  if (inventory.is_consistent === false) {
    shell.stderr.write(
      'modelgate: The ledger in the backup has differences, because the source has them. Run: modelgate ledger reconcile\n',
    );
    throw new ReportedError();
  }
}

const NO_PEPPER = `modelgate: The file "pepper" doesn't exist, so it isn't in the backup. Keep the value of MODELGATE_PEPPER with the backup: without it, no key is recognized.\n`;

export async function runRestore(path: string, options: RestoreOptions): Promise<void> {
  const { shell } = options;
  const folder = requireSqliteFolder(options);
  const backupFolder = resolve(shell.folder, path);
  if (!hasDatabase(backupFolder))
    throw new CommandError(`No backup found in ${backupFolder}: a complete backup contains modelgate.sqlite.`);
  await assertNotRunning({ kind: 'sqlite', folder });
  const existingFiles = listDataFiles(folder);
  if (existingFiles.length > 0 && !options.force) {
    const names = existingFiles.filter((name) => !/-(?:wal|shm|journal)$/.test(name)).join(', ');
    throw new CommandError(
      `${folder} already contains data: ${names}. With --force, restore moves that data into a subfolder and deletes nothing.`,
    );
  }
  const { newFolders, owner } = findOwner(folder);
  const backup = await unpackBackup(backupFolder, folder, shell);
  const aside = existingFiles.length > 0 ? join(folder, `before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`) : null;
  if (aside !== null) moveFiles(existingFiles, folder, aside);
  const restoredFiles = backup.files.map((name) => join(backup.draft, name));
  changeOwner([...newFolders, ...(aside === null ? [] : [aside]), ...restoredFiles], owner);
  moveFiles(backup.files, backup.draft, folder);
  rmSync(backup.draft, { recursive: true });
  const { inventory, settlements } = backup;
  const previousDataText = aside === null ? '' : `The previous data is in ${aside}.\n`;
  const startHint = `Start the gateway: modelgate serve${formatDataOption(folder, shell.folder)}\n`;
  const text = `Restored ${backupFolder} to ${folder}.\n${describeInventory(inventory, settlements)}${previousDataText}${startHint}`;
  printResult(options, { folder, ...inventory, settlements, aside }, text);
  if (!hasPepper(folder, shell.env)) shell.stderr.write(NO_PEPPER);
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Finds the owner of a folder. A new folder gets the owner of its parent. */
function findOwner(folder: string): { readonly newFolders: readonly string[]; readonly owner: Owner } {
  if (existsSync(folder)) return { newFolders: [], owner: statSync(folder) };
  const { newFolders, owner } = findOwner(dirname(folder));
  return { newFolders: [...newFolders, folder], owner };
}

/** A gateway that runs as the folder's owner couldn't read files of root. */
function changeOwner(paths: readonly string[], { uid, gid }: Owner): void {
  if (process.getuid?.() !== 0) return;
  for (const path of paths) chownSync(path, uid, gid);
}

/** Rejects PostgreSQL, which has its own backup tools. The message lists what these don't cover. */
function requireSqliteFolder(options: AdminOptions): string {
  const folder = getDataFolder(options);
  if (findDatabase(options).kind === 'sqlite') return folder;
  throw new CommandError(
    [
      'The database is PostgreSQL. Use its own tools, such as pg_dump and pg_restore, or write-ahead log archiving.',
      'Also back up the pepper (MODELGATE_PEPPER, or the file pepper of the data folder), the files settlements-*.sqlite',
      `in the data folder of each gateway (pending charges), and modelgate.yaml. The data folder here is ${folder}`,
    ].join('\n'),
  );
}

/** Unpacks next to the present data, so that a damaged backup changes nothing. */
async function unpackBackup(from: string, folder: string, { env }: Shell) {
  const draft = join(folder, 'restoring');
  // Deletes the files of a killed restore. The backup still has all data.
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    const { settlements } = await copyOutbox(from, draft);
    copyFile(getPepperPath(from), getPepperPath(draft));
    const inventory = await copyDatabase(from, draft, (copy) => {
      if (hasOtherPepper(copy, draft, env)) throw createPepperMismatchError(from);
      return countConsistentInventory(copy);
    });
    // The database comes last: without it, no gateway treats the folder as one with data.
    const files = listDataFiles(draft).toReversed();
    return { draft, inventory, settlements, files };
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!(error instanceof DamagedCopyError)) throw error;
    throw new CommandError(`The backup in ${from} is damaged. Nothing was changed. Use another backup. ${error.message}`);
  }
}

const createPepperMismatchError = (from: string): CommandError =>
  new CommandError(
    `The keys in ${from} were created with a different pepper than MODELGATE_PEPPER or the file in the backup. Nothing was changed. Provide the right pepper.`,
  );

function countConsistentInventory(copy: DatabaseSync) {
  const inventory = countInventory(copy);
  if (inventory.is_consistent === false)
    throw new CommandError('The ledger in this backup has differences. Nothing was changed. Use another backup.');
  return inventory;
}

/** Returns the files of a gateway's data folder, database first. Lock and log files move with their database. */
function listDataFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const addLogNames = (name: string): string[] => ['', '-wal', '-shm', '-journal'].map((ending) => `${name}${ending}`);
  const names = [...addLogNames(getDatabasePath('')), getPepperPath(''), ...listOutboxFiles(folder).flatMap(addLogNames)];
  return names.filter((name) => existsSync(join(folder, name)));
}

function moveFiles(names: readonly string[], from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of names) renameSync(join(from, name), join(to, name));
}

/** Whether the keys were created with a different pepper than a gateway on this folder would use. */
export function hasOtherPepper(copy: DatabaseSync, folder: string, env: Environment): boolean {
  // Checked first, because opening a missing pepper would create it.
  if (!hasTable(copy, 'pepper_fingerprint') || !hasPepper(folder, env)) return false;
  const fingerprint = copy.prepare('SELECT fingerprint FROM pepper_fingerprint').get()?.fingerprint;
  return fingerprint instanceof Uint8Array && hasDifferentPepper(fingerprint, openPepper(folder, env));
}
