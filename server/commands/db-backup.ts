/** What `modelgate db backup` and `modelgate db restore` do: write and restore one folder with all data of a gateway on SQLite, verified first. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { hasPepper, pepperFile } from '../access/pepper.ts';
import { outboxFiles } from '../storage/outbox/outbox.ts';
import { copyDatabase, copyFile, copyOutbox } from '../storage/sqlite/backup.ts';
import { databaseFile, hasDatabase } from '../storage/sqlite/database.ts';
import { type AdminOptions, print } from './administration.ts';
import { findDatabase, runningGatewaysAt, SILENT_MS } from './db-address.ts';
import { describeInventory, isPepperOther, takeInventory } from './db-inventory.ts';
import { CommandError, ToldFailure } from './failure.ts';
import { dataHint, findData } from './location.ts';
import type { Shell } from './shell.ts';

export interface RestoreOptions extends AdminOptions {
  readonly force?: boolean;
}

export async function runBackup(words: string, options: AdminOptions): Promise<void> {
  const { shell } = options;
  const folder = sqliteFolder(options);
  if (!hasDatabase(folder)) throw new CommandError(`There is no database in ${folder}. Name the data folder of the gateway with --data.`);
  const to = resolve(shell.folder, words);
  if (existsSync(to) && readdirSync(to).length > 0) throw new CommandError(`${to} is not empty. Name a new folder for each backup.`);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const { settlements, damaged } = await copyOutbox(folder, to);
  const hasFile = copyFile(pepperFile(folder), pepperFile(to));
  const inventory = await copyDatabase(folder, to, takeInventory);
  const pepper = hasFile ? 'file' : hasPepper(folder, shell.env) ? 'variable' : 'missing';
  const answer = { folder: to, ...inventory, settlements, pepper };
  print(options, answer, `Backed up ${folder} to ${to}.\n${describeInventory(inventory, settlements)}`);
  if (!hasFile) shell.stderr.write(NO_PEPPER);
  if (damaged > 0)
    shell.stderr.write(
      `modelgate: ${damaged} waiting charges in ${folder} are damaged. The backup has them unchanged; inspect them in ${folder}.\n`,
    );
  if (inventory.sound === false) {
    shell.stderr.write(
      'modelgate: The books in the backup are NOT sound, because those of the source are not. Run: modelgate ledger reconcile\n',
    );
    throw new ToldFailure();
  }
}

const NO_PEPPER =
  'modelgate: There is no file "pepper" to back up. Keep the value of MODELGATE_PEPPER with the backup: without it no key can be recognised.\n';

export async function runRestore(words: string, options: RestoreOptions): Promise<void> {
  const { shell } = options;
  const folder = sqliteFolder(options);
  const from = resolve(shell.folder, words);
  if (!hasDatabase(from)) throw new CommandError(`There is no backup in ${from}: a complete backup has a file modelgate.sqlite.`);
  await refuseInUse(folder);
  const before = dataFiles(folder);
  if (before.length > 0 && !options.force) {
    const told = before.filter((name) => !/-(?:wal|shm|journal)$/.test(name)).join(', ');
    throw new CommandError(
      `${folder} already has data: ${told}. With --force, the restore moves that data into a subfolder and deletes nothing.`,
    );
  }
  const restored = await prepare(from, folder, shell);
  const aside = before.length > 0 ? join(folder, `before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`) : null;
  if (aside !== null) moveAll(before, folder, aside);
  moveAll(restored.files, restored.draft, folder);
  rmSync(restored.draft, { recursive: true });
  const { inventory, settlements } = restored;
  const kept = aside === null ? '' : `The earlier data is in ${aside}.\n`;
  const next = `Start the gateway: modelgate serve${dataHint(folder, shell.folder)}\n`;
  const text = `Restored ${from} to ${folder}.\n${describeInventory(inventory, settlements)}${kept}${next}`;
  print(options, { folder, ...inventory, settlements, aside }, text);
  if (!hasPepper(folder, shell.env)) shell.stderr.write(NO_PEPPER);
}

/** PostgreSQL has its own backup tools; this names what they do not cover. */
function sqliteFolder(options: AdminOptions): string {
  const folder = findData(options);
  if (findDatabase(options).kind === 'sqlite') return folder;
  throw new CommandError(
    [
      'The database is PostgreSQL: use its own tools, such as pg_dump and pg_restore, or its archive of the write-ahead log.',
      'Also back up the pepper (MODELGATE_PEPPER, or the file pepper of the data folder), the files settlements-*.sqlite',
      `in the data folder of each gateway (charges that wait for the database), and modelgate.yaml. The data folder here is ${folder}`,
    ].join('\n'),
  );
}

async function refuseInUse(folder: string): Promise<void> {
  const living = await runningGatewaysAt({ kind: 'sqlite', folder }, SILENT_MS);
  if (living.length === 0) return;
  const dead = `a killed gateway counts as stopped after ${SILENT_MS / 1_000} s`;
  throw new CommandError(`A gateway runs on ${folder} (${living.join(', ')}). Stop it first; ${dead}.`);
}

/** Unpacked next to the present data, so that a damaged backup changes nothing. */
async function prepare(from: string, folder: string, { env }: Shell) {
  const draft = join(folder, 'restoring');
  // Left by a restore that was killed; its backup still has everything.
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    const { settlements } = await copyOutbox(from, draft);
    copyFile(pepperFile(from), pepperFile(draft));
    const inventory = await copyDatabase(from, draft, (copy) => {
      if (isPepperOther(copy, draft, env)) throw otherPepper(from);
      return takeSound(copy);
    });
    // The database comes last: without it, no gateway treats the folder as one with data.
    const files = dataFiles(draft).toReversed();
    return { draft, inventory, settlements, files };
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

const otherPepper = (from: string): CommandError =>
  new CommandError(
    `The keys in ${from} were made with a different pepper than MODELGATE_PEPPER or the file in the backup. Nothing was changed: provide the right pepper.`,
  );

function takeSound(copy: DatabaseSync) {
  const inventory = takeInventory(copy);
  if (inventory.sound === false) throw new CommandError('The books in this backup are NOT sound. Nothing was changed: use another backup.');
  return inventory;
}

/** The files of a gateway's data folder, the database first. Lock and log files move with their database. */
function dataFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const withLogs = (name: string): string[] => ['', '-wal', '-shm', '-journal'].map((ending) => `${name}${ending}`);
  const names = [...withLogs(databaseFile('')), pepperFile(''), ...outboxFiles(folder).flatMap(withLogs)];
  return names.filter((name) => existsSync(join(folder, name)));
}

function moveAll(names: readonly string[], from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of names) renameSync(join(from, name), join(to, name));
}
