/**
 * Copies one database into another, table by table in the order of keys, and compares them. A killed copy continues where it stopped (promise G2: nothing
 * twice, nothing lost).
 */

import { createHash } from 'node:crypto';
import { StorageError } from '../errors.ts';

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
  /** The key of the last written row. Bigints are `{ "n": "…" }`. */
  readonly after: readonly (string | { readonly n: string })[];
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
  const total = sumNumbers(counts.values());
  const sourceState = JSON.stringify({ ...Object.fromEntries(counts), holds: await source.countHolds() });
  const notes = await target.readNotes();
  if (notes === null) await beginCopy(target, sourceState);
  else if (notes.get(SOURCE_NOTE) !== sourceState) throw new StorageError(SOURCE_CHANGED);
  let doneRows = 0;
  for (const table of tables) {
    const position = parseTablePosition(notes?.get(table.name));
    doneRows += position.rows;
    for await (const { rows, all: copiedRows } of readBatches(source, table, position)) {
      await writeBatch(target, table, { rows, all: copiedRows });
      doneRows += rows.length;
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

const sumNumbers = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0);

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
  /** Rows copied from this table so far, including this batch. */
  readonly all: number;
}

async function* readBatches(source: CopyReader, table: Table, position: TablePosition): AsyncGenerator<Batch> {
  let afterKey: Cells | null =
    position.rows === 0 ? null : position.after.map((part) => (typeof part === 'string' ? part : BigInt(part.n)));
  let copiedRows = position.rows;
  for (;;) {
    const batchRows = await source.read(table, afterKey);
    const last = batchRows.at(-1);
    if (last === undefined) return;
    copiedRows += batchRows.length;
    yield { rows: batchRows, all: copiedRows };
    afterKey = getRowKey(table, last);
  }
}

async function writeBatch(target: CopyDatabase, table: Table, { rows, all: copiedRows }: Batch): Promise<void> {
  const last = rows.at(-1);
  if (last === undefined) return;
  const position: TablePosition = { rows: copiedRows, after: getRowKey(table, last).map(formatKeyPart) };
  try {
    await target.write(table, rows, { name: table.name, value: JSON.stringify(position) });
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(`The target database rejected rows of the table ${table.name}: ${reason}.`, { cause: error });
  }
}

/** Keys are texts and integers. */
function formatKeyPart(cell: Cell): TablePosition['after'][number] {
  return typeof cell === 'bigint' ? { n: String(cell) } : String(cell);
}

/** Only `writeBatch` writes these notes. */
const parseTablePosition = (note: string | undefined): TablePosition =>
  note === undefined ? { rows: 0, after: [] } : (JSON.parse(note) as TablePosition);

/** Yields all rows of a table in key order, in batches. */
async function* readTable(reader: CopyReader, table: Table): AsyncGenerator<readonly Cells[]> {
  for await (const { rows } of readBatches(reader, table, parseTablePosition(undefined))) yield rows;
}

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

type ColumnNames = Partial<Record<ColumnKind, string>>;

function defineTable(name: string, key: string, names: ColumnNames, counter: string | null = null): Table {
  const toColumns = (kind: ColumnKind): Column[] => (names[kind]?.split(' ') ?? []).map((column) => ({ name: column, kind }));
  return {
    name,
    key: key.split(' '),
    columns: [...toColumns('text'), ...toColumns('integer'), ...toColumns('bytes'), ...toColumns('flag')],
    counter,
  };
}

/** Orders rows with the same time: a column on PostgreSQL, the rowid on SQLite. */
export const ORDER_COLUMN = 'place';

const COUNT_COLUMNS = 'requests errors rejected input cached_input cache_write output images charged missed';
const listHistogramColumns = (letter: string): string => Array.from({ length: 24 }, (_, index) => `${letter}${index}`).join(' ');

/** Identifies the pepper of the keys. Gateways on the copy need the same pepper. */
export const PEPPER_TABLE = 'pepper_fingerprint';

/** Referenced tables come before the tables that reference them. */
export const tables: readonly Table[] = [
  defineTable(
    'accounts',
    'id',
    { text: 'id name group_name limits self_service', integer: `created_at suspended_at alert_below ${ORDER_COLUMN}` },
    ORDER_COLUMN,
  ),
  defineTable('balances', 'account_id', { text: 'account_id', integer: 'balance held' }),
  defineTable('subscriptions', 'id', {
    text: 'id account_id plan period on_exhaustion price_list',
    integer: 'included starts_at ends_at cancelled_at',
  }),
  defineTable('allowances', 'owner period_start', { text: 'owner', integer: 'period_start used held charged_before' }),
  defineTable('price_versions', 'version', { text: 'price_list model source prices', integer: 'version created_at' }, 'version'),
  defineTable('charges', 'request_id', {
    text: 'request_id account_id key_id model operation state node source cap_owner usage outcome',
    integer: 'price_version multiplier source_period cap_period held charged overrun created_at settled_at',
    flag: 'estimated',
  }),
  defineTable('attempts', 'request_id', { text: 'request_id attempts' }),
  defineTable('entries', 'id', { text: 'transfer kind book note', integer: 'id amount created_at' }, 'id'),
  defineTable('responses', 'account_id id', { text: 'account_id id previous_id upstream input response', integer: 'created_at' }),
  defineTable('response_items', 'account_id id', { text: 'account_id id response_id item' }),
  defineTable('response_outlines', 'account_id response_id', { text: 'account_id response_id outline', integer: 'output_at output_bytes' }),
  defineTable('idempotency', 'account_id idempotency_key', {
    text: 'account_id idempotency_key fingerprint request_id node content_type',
    integer: 'created_at',
    bytes: 'answer',
  }),
  defineTable(
    'requests',
    'id',
    {
      text: 'request_id account_id key_id model operation upstream session code outcome details',
      integer:
        'id ended_at status is_stream attempts first_ms total_ms input cached_input cache_write output images charged missed repeats vendor_cost',
    },
    'id',
  ),
  defineTable('activity_hours', 'hour model upstream operation code', {
    text: 'model upstream operation code',
    integer: `hour ${COUNT_COLUMNS} ${listHistogramColumns('f')} ${listHistogramColumns('t')} vendor_cost costed costed_charged`,
  }),
  defineTable('activity_days', 'day model upstream operation code', {
    text: 'model upstream operation code',
    integer: `day ${COUNT_COLUMNS} ${listHistogramColumns('f')} ${listHistogramColumns('t')} vendor_cost costed costed_charged`,
  }),
  defineTable('account_days', 'day account_id model', { text: 'account_id model', integer: `day ${COUNT_COLUMNS}` }),
  defineTable('key_hours', 'hour account_id key_id model', { text: 'account_id key_id model', integer: `hour ${COUNT_COLUMNS}` }),
  defineTable('key_days', 'account_id day key_id model', { text: 'account_id key_id model', integer: `day ${COUNT_COLUMNS}` }),
  defineTable('activity_checks', 'hour', { integer: 'hour first_entry booked summed' }),
  defineTable('alerts', 'id', {
    text: 'id kind subject name message value threshold acknowledged_by',
    integer: 'opened_at resolved_at acknowledged_at snoozed_until',
  }),
  defineTable('alert_deliveries', 'alert_id webhook event', {
    text: 'alert_id webhook event body state failure',
    integer: 'attempts status created_at attempted_at next_at',
  }),
  defineTable('audit', 'id', { text: 'actor action target details', integer: 'id created_at' }, 'id'),
  defineTable('admin_keys', 'id', { text: 'id name role', integer: 'created_at revoked_at', bytes: 'hash' }),
  defineTable(PEPPER_TABLE, 'id', { integer: 'id', bytes: 'fingerprint' }),
  // Last, so that a gateway started too early on an unfinished copy accepts no key.
  defineTable(
    'keys',
    'id',
    {
      text: 'id account_id name last_four permissions ip_ranges limits cap_period replaced_by cap_owner made_by',
      integer: `created_at expires_at revoked_at cap_micros ${ORDER_COLUMN}`,
      bytes: 'hash',
    },
    ORDER_COLUMN,
  ),
];

/** Tables that aren't copied, because they describe one database and its processes. Each has its reason. */
export const excludedTables: Readonly<Record<string, string>> = {
  migrations: 'each database is brought forward by itself',
  kept_bytes: 'counted from the responses by the target itself',
  closing: 'has no row but within a transaction',
  checked_books: 'the target checks its own entries',
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
    const readDigest = (reader: CopyReader): Promise<TableDigest> =>
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

interface TableDigest {
  readonly rows: number;
  readonly digest: string;
  /** 0 for every table except `balances`. */
  readonly balance: bigint;
}

async function digestTable(reader: CopyReader, table: Table, onRows: (rows: number) => void): Promise<TableDigest> {
  const hash = createHash('sha256');
  const balanceIndex = table.name === 'balances' ? table.columns.findIndex(({ name }) => name === 'balance') : -1;
  let rows = 0;
  let balance = 0n;
  for await (const batch of readTable(reader, table)) {
    for (const row of batch) {
      hash.update(`${JSON.stringify(row.map(toJson))}\n`);
      const amount = row[balanceIndex];
      if (typeof amount === 'bigint') balance += amount;
    }
    rows += batch.length;
    onRows(batch.length);
  }
  return { rows, digest: hash.digest('hex'), balance };
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

/** The target keeps this table until the copy is verified. */
export { COPY_NOTES_TABLE as notesTable } from '../unfinished-copy.ts';

function getRowKey(table: Table, row: Cells): Cells {
  return table.key.map((name) => row[table.columns.findIndex((column) => column.name === name)] ?? null);
}
