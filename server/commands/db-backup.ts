/** `modelgate db backup` and `modelgate db restore` write and restore a folder with all data of a gateway on SQLite, and verify it first. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Environment, hasPepper, isOther, openPepper, pepperFile } from '../access/pepper.ts';
import { formatDollars } from '../ledger/charge.ts';
import { reconcile } from '../ledger/reconcile.ts';
import type { Reconciliation } from '../ledger/store.ts';
import type { Comparison, Copied } from '../storage/copy/copy.ts';
import { outboxFiles, readRecordsOf } from '../storage/outbox/outbox.ts';
import { copyDatabase, copyFile, copyOutbox } from '../storage/sqlite/backup.ts';
import { databaseFile, findSchema, hasDatabase, knownSchema, openDatabase } from '../storage/sqlite/database.ts';
import { type AdminOptions, dataHint, describe, findData, print } from './administration.ts';
import { type Address, findDatabase, labelOf, runningGatewaysAt, SILENT_MS } from './db-address.ts';
import { CommandError, ReportedError, type Shell } from './serving.ts';

export interface RestoreOptions extends AdminOptions {
  readonly force?: boolean;
}

export async function runBackup(words: string, options: AdminOptions): Promise<void> {
  const { shell } = options;
  const folder = sqliteFolder(options);
  if (!hasDatabase(folder)) throw new CommandError(`No database found in ${folder}. Specify the gateway's data folder with --data.`);
  const to = resolve(shell.folder, words);
  if (existsSync(to) && readdirSync(to).length > 0) throw new CommandError(`${to} isn't empty. Specify a new folder for each backup.`);
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
      `modelgate: ${damaged} pending charges in ${folder} are damaged. The backup has them unchanged; inspect them in ${folder}.\n`,
    );
  if (inventory.sound === false) {
    shell.stderr.write(
      'modelgate: The ledger in the backup has differences, because the source has them. Run: modelgate ledger reconcile\n',
    );
    throw new ReportedError();
  }
}

const NO_PEPPER = `modelgate: The file "pepper" doesn't exist, so it isn't in the backup. Keep the value of MODELGATE_PEPPER with the backup: without it, no key is recognized.\n`;

export async function runRestore(words: string, options: RestoreOptions): Promise<void> {
  const { shell } = options;
  const folder = sqliteFolder(options);
  const from = resolve(shell.folder, words);
  if (!hasDatabase(from)) throw new CommandError(`No backup found in ${from}: a complete backup contains modelgate.sqlite.`);
  await rejectInUse(folder);
  const before = dataFiles(folder);
  if (before.length > 0 && !options.force) {
    const told = before.filter((name) => !/-(?:wal|shm|journal)$/.test(name)).join(', ');
    throw new CommandError(
      `${folder} already contains data: ${told}. With --force, restore moves that data into a subfolder and deletes nothing.`,
    );
  }
  const restored = await prepare(from, folder, shell);
  const aside = before.length > 0 ? join(folder, `before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`) : null;
  if (aside !== null) moveAll(before, folder, aside);
  moveAll(restored.files, restored.draft, folder);
  rmSync(restored.draft, { recursive: true });
  const { inventory, settlements } = restored;
  const kept = aside === null ? '' : `The previous data is in ${aside}.\n`;
  const next = `Start the gateway: modelgate serve${dataHint(folder, shell.folder)}\n`;
  const text = `Restored ${from} to ${folder}.\n${describeInventory(inventory, settlements)}${kept}${next}`;
  print(options, { folder, ...inventory, settlements, aside }, text);
  if (!hasPepper(folder, shell.env)) shell.stderr.write(NO_PEPPER);
}

export async function runCompact(options: AdminOptions): Promise<void> {
  const address = findDatabase(options);
  if (address.kind !== 'sqlite') throw new CommandError('The database is PostgreSQL, which reclaims space automatically.');
  const { folder } = address;
  if (!hasDatabase(folder)) throw new CommandError(`No database found in ${folder}. Specify the gateway's data folder with --data.`);
  await rejectInUse(folder);
  const size = (): number => statSync(databaseFile(folder)).size;
  const { connection, close } = openDatabase({ folder, durability: 'strict' });
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const before = size();
    connection.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    const after = size();
    const mb = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
    print(options, { folder, before, after }, `Compacted ${databaseFile(folder)} from ${mb(before)} to ${mb(after)}.\n`);
  } finally {
    close();
  }
}

/** PostgreSQL has its own backup tools; this names what they do not cover. */
function sqliteFolder(options: AdminOptions): string {
  const folder = findData(options);
  if (findDatabase(options).kind === 'sqlite') return folder;
  throw new CommandError(
    [
      'The database is PostgreSQL. Use its own tools, such as pg_dump and pg_restore, or write-ahead log archiving.',
      'Also back up the pepper (MODELGATE_PEPPER, or the file pepper of the data folder), the files settlements-*.sqlite',
      `in the data folder of each gateway (pending charges), and modelgate.yaml. The data folder here is ${folder}`,
    ].join('\n'),
  );
}

async function rejectInUse(folder: string): Promise<void> {
  const living = await runningGatewaysAt({ kind: 'sqlite', folder }, SILENT_MS);
  if (living.length === 0) return;
  const dead = `a killed gateway counts as stopped after ${SILENT_MS / 1_000} s`;
  throw new CommandError(`A gateway is running on ${folder} (${living.join(', ')}). Stop it first; ${dead}.`);
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
    `The keys in ${from} were created with a different pepper than MODELGATE_PEPPER or the file in the backup. Nothing was changed. Provide the right pepper.`,
  );

function takeSound(copy: DatabaseSync) {
  const inventory = takeInventory(copy);
  if (inventory.sound === false)
    throw new CommandError('The ledger in this backup has differences. Nothing was changed. Use another backup.');
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

/** The facts at the end of a copy. */
export interface CopyOutcome {
  readonly from: Address;
  readonly to: Address;
  /** The data folder that the gateway has used so far. */
  readonly folder: string;
  /** The working directory of the operator. */
  readonly workingFolder: string;
  /** Where the pepper of the keys is; no database contains it. */
  readonly pepper: 'variable' | 'file' | 'missing' | 'other';
  readonly copied: Copied;
  readonly compared: Comparison;
  readonly sourceBooks: Reconciliation;
  readonly targetBooks: Reconciliation;
  /** Gateways that ran on the source. */
  readonly living: readonly string[];
  readonly isVerified: boolean;
}

export function isSound({ differences, unbalanced, contradictions }: Reconciliation): boolean {
  return differences.length + unbalanced.length + contradictions.length === 0;
}

export function asJson({ living, from, to, copied, compared, sourceBooks, targetBooks, isVerified }: CopyOutcome): object {
  const side = (books: Reconciliation, balance: bigint) => ({
    sound: isSound(books),
    accounts: books.accounts,
    entries: books.entries,
    balance: formatDollars(balance),
    overrun: formatDollars(books.overrun),
  });
  return {
    from: labelOf(from),
    to: labelOf(to),
    verified: isVerified,
    resumed: copied.isResumed,
    rows: copied.rows,
    living,
    source: side(sourceBooks, compared.sourceBalance),
    target: side(targetBooks, compared.targetBalance),
    tables: compared.tables.map(({ name, sourceRows, targetRows, isEqual }) => ({
      name,
      source_rows: sourceRows,
      target_rows: targetRows,
      equal: isEqual,
    })),
  };
}

export function describeCopy({ from, to, copied, compared, living }: CopyOutcome): string {
  const { tables, targetBalance } = compared;
  const rows = copied.rows.toLocaleString('en');
  return [
    `${copied.isResumed ? 'Resumed an earlier copy. ' : ''}Copied ${rows} rows in ${tables.length} tables.`,
    `  from  ${labelOf(from)}`,
    `  to    ${labelOf(to)}`,
    `All rows are equal, both ledgers are consistent, and the balances in each total $${formatDollars(targetBalance)}.`,
    ...(living.length === 0
      ? []
      : [`A gateway was running on the source (${living.join(', ')}): its changes after the copy started are NOT in the copy.`]),
    '',
  ].join('\n');
}

/** The most differences to print of a book that may have thousands. */
const MAX_FAULTS = 10;

export function describeFaults({ from, to, compared, sourceBooks, targetBooks }: CopyOutcome): string {
  const sides = [
    { label: labelOf(from), books: sourceBooks },
    { label: labelOf(to), books: targetBooks },
  ];
  const balances = compared.sourceBalance === compared.targetBalance ? [] : [compared.sourceBalance, compared.targetBalance];
  return [
    `modelgate: The copy is NOT verified. Don't start a gateway on ${labelOf(to)}.`,
    ...compared.tables.filter(({ isEqual }) => !isEqual).map(describeTable),
    ...(balances.length === 0 ? [] : [`  all balances: ${balances.map(formatDollars).join(' dollars on the source, ')} on the target`]),
    ...sides.filter(({ books }) => !isSound(books)).flatMap(({ label, books }) => describeBooks(label, books)),
    'Stop all gateways on both databases, and copy again into a new, empty database. If the ledger of the source has differences, correct them first.\n',
  ].join('\n');
}

function describeTable({ name, sourceRows, targetRows }: Comparison['tables'][number]): string {
  const rows =
    sourceRows === targetRows
      ? `${sourceRows} rows in both, with different contents`
      : `${sourceRows} rows in the source, ${targetRows} in the target`;
  return `  ${name}: ${rows}`;
}

function describeBooks(label: string, { differences, unbalanced, contradictions }: Reconciliation): string[] {
  const faults = [
    ...differences.map(({ book, kept, counted }) => `${book}: stored total ${kept}, but its entries total ${counted}`),
    ...unbalanced.map((transfer) => `${transfer}: its two entries don't add up to zero`),
    ...contradictions.map((request) => `${request}: its state, hold, and entries contradict each other`),
  ];
  const more = faults.length > MAX_FAULTS ? [`  … and ${faults.length - MAX_FAULTS} more`] : [];
  return [`  the ledger of ${label} has differences:`, ...faults.slice(0, MAX_FAULTS).map((fault) => `    ${fault}`), ...more];
}

export function nextSteps(outcome: CopyOutcome): string {
  const { to, folder, workingFolder } = outcome;
  const waiting = outboxIn(folder);
  const steps = [
    pepperStep(outcome),
    ...(waiting.length === 0
      ? []
      : [
          `Charges are pending in ${waiting.join(', ')} of ${folder}. Start the first gateway with that data folder, so that it posts them.`,
        ]),
    to.kind === 'postgres'
      ? `Set DATABASE_URL to the new database and start: modelgate serve${dataHint(folder, workingFolder)}`
      : `Unset DATABASE_URL and start: modelgate serve${dataHint(to.folder, workingFolder)}`,
    "Don't run a gateway on the source again. It's unchanged: keep it until you trust the new database.",
  ];
  return `\nNext steps:\n${steps.map((step, index) => `  ${index + 1}. ${step}\n`).join('')}`;
}

const WHY = 'without it, no API key is recognized';

function pepperStep({ to, folder, pepper }: CopyOutcome): string {
  if (pepper === 'variable') return `Start every gateway with the same MODELGATE_PEPPER as before: ${WHY}.`;
  if (pepper === 'missing') {
    return `Find the file "pepper" of the old data folder (it isn't in ${folder}), and set MODELGATE_PEPPER to its content on every gateway: ${WHY}.`;
  }
  if (pepper === 'other') {
    return `Find the pepper that the keys were created with (the one here is different), and set MODELGATE_PEPPER to it on every gateway: ${WHY}.`;
  }
  if (to.kind === 'sqlite') return `Copy the file "pepper" from ${folder} to ${to.folder} before the first start there: ${WHY}.`;
  return `Start every gateway with the data folder ${folder}, or set MODELGATE_PEPPER to the content of the file "pepper" there: ${WHY}.`;
}

/** Files with settlements that found the store down and were not posted yet. */
function outboxIn(folder: string): readonly string[] {
  // No such folder on this machine: nothing waits here.
  if (!existsSync(folder)) return [];
  return outboxFiles(folder).filter((name) => {
    try {
      const { records, damaged } = readRecordsOf(join(folder, name));
      return records.length + damaged > 0;
    } catch {
      // What cannot be read may hold some.
      return true;
    }
  });
}

export interface Inventory {
  readonly schema: number;
  readonly accounts: number;
  readonly keys: number;
  readonly charges: number;
  readonly responses: number;
  /** Null for tables of another version, which only that version can reconcile. */
  readonly sound: boolean | null;
}

export function takeInventory(copy: DatabaseSync): Inventory {
  const { version: schema } = findSchema(copy);
  const count = (table: string): number =>
    hasTable(copy, table) ? Number(copy.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n) : 0;
  return {
    schema,
    accounts: count('accounts'),
    keys: count('keys'),
    charges: count('charges'),
    responses: count('responses'),
    sound: schema === knownSchema ? isSound(reconcile(copy)) : null,
  };
}

const hasTable = (copy: DatabaseSync, name: string): boolean =>
  copy.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;

const books = {
  true: 'sound, reconciled now',
  false: 'NOT sound',
  null: 'of another version; run modelgate ledger reconcile from that version',
};

export function describeInventory({ accounts, keys, charges, responses, sound }: Inventory, settlements: number): string {
  return describe([
    ['Accounts', String(accounts)],
    ['Keys', String(keys)],
    ['Charges', String(charges)],
    ['Responses', String(responses)],
    ['Waiting charges', String(settlements)],
    ['Books', books[`${sound}`]],
  ]);
}

/** Whether its keys were made with a different pepper than a gateway on this folder would use. */
export function isPepperOther(copy: DatabaseSync, folder: string, env: Environment): boolean {
  // Opening a missing file would create it.
  if (!hasTable(copy, 'pepper_fingerprint') || !hasPepper(folder, env)) return false;
  const kept = copy.prepare('SELECT fingerprint FROM pepper_fingerprint').get()?.fingerprint;
  return kept instanceof Uint8Array && isOther(kept, openPepper(folder, env));
}
