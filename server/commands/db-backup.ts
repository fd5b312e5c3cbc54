/** What `modelgate db backup` and `modelgate db restore` do: one folder with all that a gateway on SQLite needs to go on, checked before it counts. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { hasPepper, pepperFile } from '../access/pepper.ts';
import { outboxFiles } from '../storage/outbox/outbox.ts';
import { copyDatabase, copyFile, copyOutbox } from '../storage/sqlite/backup.ts';
import { databaseFile, hasDatabase } from '../storage/sqlite/database.ts';
import { type AdminOptions, print } from './administration.ts';
import { describeInventory, isPepperOther, takeInventory } from './db-inventory.ts';
import { findDatabase, livingAt, SILENT_MS } from './db-place.ts';
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
    shell.stderr.write(`modelgate: ${damaged} charges that wait in ${folder} are damaged, and in it as they are: look at them there.\n`);
  if (inventory.sound === false) {
    shell.stderr.write('modelgate: The books in it are NOT sound, as they were before. See: modelgate ledger reconcile\n');
    throw new ToldFailure();
  }
}

const NO_PEPPER =
  'modelgate: There is no file pepper to go with it. Keep what is in MODELGATE_PEPPER with it: without it no key can be recognised.\n';

export async function runRestore(words: string, options: RestoreOptions): Promise<void> {
  const { shell } = options;
  const folder = sqliteFolder(options);
  const from = resolve(shell.folder, words);
  if (!hasDatabase(from)) throw new CommandError(`There is no backup in ${from}: a whole one has a file modelgate.sqlite.`);
  await refuseInUse(folder);
  const before = dataFiles(folder);
  if (before.length > 0 && !options.force) {
    const told = before.filter((name) => !/-(?:wal|shm|journal)$/.test(name)).join(', ');
    throw new CommandError(`${folder} has data already: ${told}. With --force it is put aside, and nothing of it is lost.`);
  }
  const restored = await prepare(from, folder, shell);
  const aside = before.length > 0 ? join(folder, `before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`) : null;
  if (aside !== null) moveAll(before, folder, aside);
  moveAll(restored.files, restored.draft, folder);
  rmSync(restored.draft, { recursive: true });
  const { inventory, settlements } = restored;
  const kept = aside === null ? '' : `What was there is in ${aside}.\n`;
  const next = `Start the gateway: modelgate serve${dataHint(folder, shell.folder)}\n`;
  const text = `Restored ${from} to ${folder}.\n${describeInventory(inventory, settlements)}${kept}${next}`;
  print(options, { folder, ...inventory, settlements, aside }, text);
  if (!hasPepper(folder, shell.env)) shell.stderr.write(NO_PEPPER);
}

/** Its own tools know how; what they do not know is said here. */
function sqliteFolder(options: AdminOptions): string {
  const folder = findData(options);
  if (findDatabase(options).kind === 'sqlite') return folder;
  throw new CommandError(
    [
      'The books are on PostgreSQL: use its own tools, such as pg_dump and pg_restore, or its archive of the write-ahead log.',
      'To a backup belong, besides: the pepper (MODELGATE_PEPPER, or the file pepper of the data folder), the files settlements-*.sqlite',
      `of the data folder of each gateway (charges that wait for the database), and modelgate.yaml. Data folder here: ${folder}`,
    ].join('\n'),
  );
}

async function refuseInUse(folder: string): Promise<void> {
  const living = await livingAt({ kind: 'sqlite', folder }, SILENT_MS);
  if (living.length === 0) return;
  const dead = `one that was killed is taken for dead after ${SILENT_MS / 1_000} s`;
  throw new CommandError(`A gateway runs on ${folder} (${living.join(', ')}). Stop it first; ${dead}.`);
}

/** Beside what is there: a backup that turns out to be damaged changes nothing. */
async function prepare(from: string, folder: string, { env }: Shell) {
  const draft = join(folder, 'restoring');
  // Of a restore that was killed; all of it is in its backup.
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    const { settlements } = await copyOutbox(from, draft);
    copyFile(pepperFile(from), pepperFile(draft));
    const inventory = await copyDatabase(from, draft, (copy) => {
      if (isPepperOther(copy, draft, env)) throw otherPepper(from);
      return takeSound(copy);
    });
    // The database comes last: before it is there, no gateway takes the folder for one with data.
    const files = dataFiles(draft).toReversed();
    return { draft, inventory, settlements, files };
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

const otherPepper = (from: string): CommandError =>
  new CommandError(
    `The keys in ${from} were made with another pepper than MODELGATE_PEPPER or the file beside them. Nothing was changed: bring the right one.`,
  );

function takeSound(copy: DatabaseSync) {
  const inventory = takeInventory(copy);
  if (inventory.sound === false) throw new CommandError('The books in this backup are NOT sound. Nothing was changed: take another one.');
  return inventory;
}

/** What makes a folder one of a gateway, the database first. Locks and logs of connections go with what they belong to. */
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
