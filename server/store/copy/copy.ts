/**
 * Copies one database into another, table by table in the order of keys, and compares them. A killed copy continues where it stopped (promise G2: nothing
 * twice, nothing lost).
 */

import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../errors.ts';
import { buildAlertColumns, buildCapTables, buildChargedBeforeColumn, buildEndUserTables, buildTables, type SqlTypes } from '../tables.ts';

export interface Progress {
  readonly phase: 'copied' | 'compared';
  readonly table: string;
  /** Copied or compared rows of all tables. */
  readonly done: number;
  readonly total: number;
}

export interface CopyResult {
  /** Whether an earlier run started the copy. */
  readonly isResumed: boolean;
  /** Rows in the source. */
  readonly rows: number;
}

/** The progress of one table. */
interface TablePosition {
  readonly rows: number;
  /** The key of the last written row: texts and integers. Null before the first. */
  readonly after: Cells | null;
}

/** The name of the note that identifies the source by its row counts. */
const SOURCE_NOTE = 'source';

/** Throws a StorageError if the target has other data, or if the source has changed since an earlier run. */
export async function copyTables({
  source,
  target,
  onProgress = () => undefined,
}: {
  source: CopyReader;
  target: CopyDatabase;
  onProgress?: (progress: Progress) => void;
}): Promise<CopyResult> {
  const counts = await countAll(source);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const sourceState = JSON.stringify({ ...Object.fromEntries(counts), holds: await source.countHolds() });
  const notes = await target.readNotes();
  if (notes === null) await beginCopy(target, sourceState);
  else if (notes.get(SOURCE_NOTE) !== sourceState) throw new StorageError(SOURCE_CHANGED);
  let doneRows = 0;
  for (const table of tables) {
    const position = parseTablePosition(notes?.get(table.name));
    doneRows += position.rows;
    for await (const batch of readBatches(source, table, position)) {
      await writeBatch(target, table, batch);
      doneRows += batch.rows.length;
      onProgress({ phase: 'copied', table: table.name, done: doneRows, total });
    }
  }
  await target.setCounters();
  return { isResumed: notes !== null, rows: total };
}

const SOURCE_CHANGED =
  'The source has changed since the copy started, so the target would mix old and new rows. Stop the gateways on the source, and copy into a new, empty database.';

async function countAll(reader: CopyReader): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const table of tables) counts.set(table.name, await reader.count(table));
  return counts;
}

async function beginCopy(target: CopyDatabase, sourceState: string): Promise<void> {
  const filledTables = [...(await target.readConsistently(countAll))].filter(([, count]) => count > 0).map(([name]) => name);
  if (filledTables.length > 0) {
    throw new StorageError(
      `${target.label} already holds other data (${filledTables.join(', ')}). Specify a new, empty database. A database isn't empty if a gateway was ever started on it.`,
    );
  }
  await target.beginCopying({ name: SOURCE_NOTE, value: sourceState });
}

interface Batch {
  readonly rows: readonly Cells[];
  /** The progress with this batch. */
  readonly position: TablePosition;
}

/** Yields the rows of a table after a position, in key order. */
async function* readBatches(source: CopyReader, table: Table, position: TablePosition): AsyncGenerator<Batch> {
  for (let { rows: copiedRows, after } = position; ; ) {
    const rows = await source.read(table, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    copiedRows += rows.length;
    after = table.key.map((name) => last[table.columns.findIndex((column) => column.name === name)] ?? null);
    yield { rows, position: { rows: copiedRows, after } };
  }
}

async function writeBatch(target: CopyDatabase, table: Table, { rows, position }: Batch): Promise<void> {
  const value = JSON.stringify(position, (_, part) => (typeof part === 'bigint' ? { n: String(part) } : part));
  try {
    await target.write(table, rows, { name: table.name, value });
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(`The target database rejected rows of the table ${table.name}: ${reason}.`, { cause: error });
  }
}

const START: TablePosition = { rows: 0, after: null };

/** Only `writeBatch` writes these notes. */
const parseTablePosition = (note: string | undefined): TablePosition =>
  note === undefined ? START : JSON.parse(note, (_, part) => (part?.n === undefined ? part : BigInt(part.n)));

export type ColumnKind = 'text' | 'integer' | 'bytes' | 'flag';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

export interface Table {
  readonly name: string;
  /** The primary key. Rows are read in this order. */
  readonly key: readonly string[];
  readonly columns: readonly Column[];
  /** The column that the database fills from a sequence. Null if the table has none. */
  readonly counter: string | null;
}

/** Orders rows with the same time: a column on PostgreSQL, the rowid on SQLite. */
export const ORDER_COLUMN = 'place';

/** Identifies the pepper of the keys. Gateways on the copy need the same pepper. */
export const PEPPER_TABLE = 'pepper_fingerprint';

/** Referenced tables come before the tables that reference them. */
const tableNames: readonly string[] = [
  ...['accounts', 'balances', 'subscriptions', 'allowances', 'price_versions', 'charges', 'charge_caps', 'attempts', 'entries'],
  ...['responses', 'response_items', 'response_outlines', 'idempotency', 'requests'],
  ...['activity_hours', 'activity_days', 'account_days', 'key_hours', 'key_days', 'end_user_hours', 'end_user_days', 'activity_checks'],
  ...['alerts', 'alert_deliveries', 'audit', 'admin_keys', PEPPER_TABLE],
  // Last, so that a gateway started too early on an unfinished copy accepts no key.
  'keys',
];

/** Names the kind of each column as its type. SQLite accepts any name. */
const kindTypes: SqlTypes = {
  int: 'integer',
  bytes: 'bytes',
  bool: 'flag',
  no: '0',
  name: 'text',
  rowId: 'counter PRIMARY KEY',
  counter: 'counter PRIMARY KEY',
  end: '',
  rowsEnd: '',
  hotEnd: '',
  place: `, ${ORDER_COLUMN} counter`,
  including: (column) => `, ${column})`,
};

/** Reads the columns and keys from the statements that create the tables on both engines. */
function describeTables(): readonly Table[] {
  const connection = new DatabaseSync(':memory:');
  const statements = [buildTables, buildAlertColumns, buildChargedBeforeColumn, buildCapTables, buildEndUserTables].map((build) =>
    build(kindTypes),
  );
  connection.exec(statements.join(''));
  const listColumns = connection.prepare('SELECT name, lower(type) AS type, pk FROM pragma_table_info(?) ORDER BY pk');
  const described = tableNames.map((name): Table => {
    const columns = listColumns.all(name).map((row) => ({ name: String(row.name), type: String(row.type), isKey: row.pk !== 0 }));
    return {
      name,
      key: columns.flatMap((column) => (column.isKey ? [column.name] : [])),
      // `as`: `kindTypes` has only these kinds.
      columns: columns.map((column) => ({ name: column.name, kind: column.type.replace('counter', 'integer') as ColumnKind })),
      counter: columns.find(({ type }) => type === 'counter')?.name ?? null,
    };
  });
  connection.close();
  return described;
}

export const tables = describeTables();

/** Tables that aren't copied, because they describe one database and its processes. Each has its reason. */
export const excludedTables: Readonly<Record<string, string>> = {
  migrations: 'each database is brought forward by itself',
  kept_bytes: 'counted from the responses by the target itself',
  closing: 'has no row but within a transaction',
  checked_books: 'the target checks its own entries',
  response_runs: 'responses under way end with the processes of the source',
  response_events: 'kept for minutes',
  nodes: 'the processes of the source are not those of the target',
  alert_sightings: 'what processes of the source saw in the last minutes',
  alert_turns: 'the processes of the target take their own turns',
  sessions: 'people sign in again; the links of a first start are over within minutes',
  refusals: 'moved to the request log; programs of the version before may still write a few',
  barred_requests: 'reservations that were on their way when a process gave them up; none is when no gateway runs',
};

interface TableComparison {
  readonly name: string;
  readonly sourceRows: number;
  readonly targetRows: number;
  /** Whether all rows are identical. */
  readonly isEqual: boolean;
}

export interface Comparison {
  readonly tables: readonly TableComparison[];
  /** The total balance of all accounts, in micro-dollars. */
  readonly sourceBalance: bigint;
  readonly targetBalance: bigint;
  readonly isEqual: boolean;
}

export async function compareDatabases({
  source,
  target: targetReader,
  onProgress = () => undefined,
}: {
  source: CopyReader;
  target: CopyReader;
  onProgress?: (progress: Progress) => void;
}): Promise<Comparison> {
  let total = 0;
  for (const table of tables) total += (await source.count(table)) + (await targetReader.count(table));
  let done = 0;
  const comparisons: TableComparison[] = [];
  const balance = { source: 0n, target: 0n };
  for (const table of tables) {
    const readDigest = (reader: CopyReader) =>
      digestTable(reader, table, (rows) => {
        done += rows;
        onProgress({ phase: 'compared', table: table.name, done, total });
      });
    const [sourceDigest, targetDigest] = [await readDigest(source), await readDigest(targetReader)];
    balance.source += sourceDigest.balance;
    balance.target += targetDigest.balance;
    comparisons.push({
      name: table.name,
      sourceRows: sourceDigest.rows,
      targetRows: targetDigest.rows,
      isEqual: sourceDigest.digest === targetDigest.digest,
    });
  }
  const isEqual = balance.source === balance.target && comparisons.every((table) => table.isEqual);
  return { tables: comparisons, sourceBalance: balance.source, targetBalance: balance.target, isEqual };
}

/** `balance` is 0 for every table except `balances`. */
async function digestTable(reader: CopyReader, table: Table, onRows: (rows: number) => void) {
  const hash = createHash('sha256');
  const balanceIndex = table.name === 'balances' ? table.columns.findIndex(({ name }) => name === 'balance') : -1;
  let count = 0;
  let balance = 0n;
  for await (const { rows } of readBatches(reader, table, START)) {
    for (const row of rows) {
      hash.update(`${JSON.stringify(row.map(toJson))}\n`);
      const amount = row[balanceIndex];
      if (typeof amount === 'bigint') balance += amount;
    }
    count += rows.length;
    onRows(rows.length);
  }
  return { rows: count, digest: hash.digest('hex'), balance };
}

const toJson = (cell: Cell): unknown => {
  if (typeof cell === 'bigint') return String(cell);
  return Buffer.isBuffer(cell) ? cell.toString('base64') : cell;
};

/** One column of one row, with the same type on both engines. */
export type Cell = string | bigint | Buffer | boolean | null;
/** In the order of the table's columns. */
export type Cells = readonly Cell[];

/** A consistent snapshot. */
export interface CopyReader {
  count(table: Table): Promise<number>;
  /**
   * Reads the next rows after this key, in key order. Empty at the end. Returns at most `MAX_ROWS`, and stops after the row that reaches
   * `MAX_BYTES`.
   */
  read(table: Table, after: Cells | null): Promise<readonly Cells[]>;
  /** Counts the open holds. */
  countHolds(): Promise<number>;
}

export interface CopyNote {
  readonly name: string;
  readonly value: string;
}

export interface CopyDatabase {
  /** Name of the database for messages, without the password. */
  readonly label: string;
  readConsistently<T>(work: (reader: CopyReader) => Promise<T>): Promise<T>;
  /** Reads the notes of an earlier run. Null if no copy was started. */
  readNotes(): Promise<ReadonlyMap<string, string> | null>;
  beginCopying(note: CopyNote): Promise<void>;
  /** Writes all rows or none. Existing rows stay unchanged. */
  write(table: Table, rows: readonly Cells[], note: CopyNote): Promise<void>;
  /** Sets the sequences, so that new rows get numbers after the copied ones. */
  setCounters(): Promise<void>;
  /** Deletes the notes once the copy is done. */
  dropNotes(): Promise<void>;
}

export const MAX_BATCH_ROWS = 1_000;
/** In bytes. A single row can contain a request of many megabytes. */
export const MAX_BATCH_BYTES = 4_000_000;
