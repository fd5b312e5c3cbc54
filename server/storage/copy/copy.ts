/** Copies one database into another, table by table in the order of keys. A copy that was killed continues where it stopped (promise G2: nothing twice, nothing lost). */

import { createHash } from 'node:crypto';
import { StorageError } from '../errors.ts';

export interface Progress {
  readonly phase: 'copied' | 'compared';
  readonly table: string;
  /** Copied or compared rows of all tables. */
  readonly done: number;
  readonly total: number;
}

interface CopyOrder {
  readonly source: CopyReader;
  readonly target: CopySide;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Copied {
  /** Whether an earlier run began the copy. */
  readonly isResumed: boolean;
  /** The rows of the source. */
  readonly rows: number;
}

/** How far a table was copied. */
interface TablePosition {
  readonly rows: number;
  /** The key of the last row that was written; bigints as `{ "n": "…" }`. */
  readonly after: readonly (string | { readonly n: string })[];
}

/** The name of the note that identifies the source by its counts. */
const SOURCE = 'source';

/** Throws a StorageError when the target holds other data, or the source has changed since an earlier run. */
export async function copy({ source, target, onProgress = () => undefined }: CopyOrder): Promise<Copied> {
  const counts = await countAll(source);
  const total = sum(counts.values());
  const found = JSON.stringify({ ...Object.fromEntries(counts), holds: await source.countHolds() });
  const notes = await target.notes();
  if (notes === null) await beginCopy(target, found);
  else if (notes.get(SOURCE) !== found) throw new StorageError(SOURCE_CHANGED);
  let done = 0;
  for (const table of tables) {
    const reached = readNote(notes?.get(table.name));
    done += reached.rows;
    for await (const { rows, all } of batchesFrom(source, table, reached)) {
      await writeBatch(target, table, { rows, all });
      done += rows.length;
      onProgress({ phase: 'copied', table: table.name, done, total });
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

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0);

async function beginCopy(target: CopySide, source: string): Promise<void> {
  const filled = [...(await target.readConsistently(countAll))].filter(([, count]) => count > 0).map(([name]) => name);
  if (filled.length > 0) {
    throw new StorageError(
      `${target.label} already holds other data (${filled.join(', ')}). Specify a new, empty database. A database isn't empty if a gateway was ever started on it.`,
    );
  }
  await target.begin({ name: SOURCE, value: source });
}

interface Batch {
  readonly rows: readonly Cells[];
  /** Rows of this table so far, including these. */
  readonly all: number;
}

async function* batchesFrom(source: CopyReader, table: Table, reached: TablePosition): AsyncGenerator<Batch> {
  let after: Cells | null = reached.rows === 0 ? null : reached.after.map((part) => (typeof part === 'string' ? part : BigInt(part.n)));
  let all = reached.rows;
  for (;;) {
    const rows = await source.read(table, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    all += rows.length;
    yield { rows, all };
    after = keyOf(table, last);
  }
}

async function writeBatch(target: CopySide, table: Table, { rows, all }: Batch): Promise<void> {
  const last = rows.at(-1);
  if (last === undefined) return;
  const reached: TablePosition = { rows: all, after: keyOf(table, last).map(keyPart) };
  try {
    await target.write(table, rows, { name: table.name, value: JSON.stringify(reached) });
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(`The target database rejected rows of the table ${table.name}: ${reason}.`, { cause: error });
  }
}

/** Keys are texts and integers. */
function keyPart(cell: Cell): TablePosition['after'][number] {
  return typeof cell === 'bigint' ? { n: String(cell) } : String(cell);
}

/** Only `writeBatch` writes these notes. */
const readNote = (note: string | undefined): TablePosition =>
  note === undefined ? { rows: 0, after: [] } : (JSON.parse(note) as TablePosition);

/** All rows of a table in the order of keys, in batches. */
async function* rowsOf(reader: CopyReader, table: Table): AsyncGenerator<readonly Cells[]> {
  for await (const { rows } of batchesFrom(reader, table, readNote(undefined))) yield rows;
}

export type Kind = 'text' | 'integer' | 'bytes' | 'flag';

export interface Column {
  readonly name: string;
  readonly kind: Kind;
}

export interface Table {
  readonly name: string;
  /** The primary key: rows are read in its order. */
  readonly key: readonly string[];
  readonly columns: readonly Column[];
  /** The column that the database numbers by itself. */
  readonly counter: string | null;
}

type Names = Partial<Record<Kind, string>>;

function table(name: string, key: string, names: Names, counter: string | null = null): Table {
  const columnsOf = (kind: Kind): Column[] => (names[kind]?.split(' ') ?? []).map((column) => ({ name: column, kind }));
  return {
    name,
    key: key.split(' '),
    columns: [...columnsOf('text'), ...columnsOf('integer'), ...columnsOf('bytes'), ...columnsOf('flag')],
    counter,
  };
}

/** The order of rows with the same time: a column on PostgreSQL, the rowid on SQLite. */
export const ORDER_COLUMN = 'place';

const SUMS = 'requests errors rejected input cached_input cache_write output images charged missed';
const histogram = (letter: string): string => Array.from({ length: 24 }, (_, index) => `${letter}${index}`).join(' ');

/** Identifies the pepper of the keys: the gateways on the copy need the same pepper. */
export const PEPPER_TABLE = 'pepper_fingerprint';

/** Tables that others refer to come first. */
export const tables: readonly Table[] = [
  table(
    'accounts',
    'id',
    { text: 'id name group_name limits self_service', integer: `created_at suspended_at alert_below ${ORDER_COLUMN}` },
    ORDER_COLUMN,
  ),
  table('balances', 'account_id', { text: 'account_id', integer: 'balance held' }),
  table('subscriptions', 'id', {
    text: 'id account_id plan period on_exhaustion price_list',
    integer: 'included starts_at ends_at cancelled_at',
  }),
  table('allowances', 'owner period_start', { text: 'owner', integer: 'period_start used held' }),
  table('price_versions', 'version', { text: 'price_list model source prices', integer: 'version created_at' }, 'version'),
  table('charges', 'request_id', {
    text: 'request_id account_id key_id model operation state node source cap_owner usage outcome',
    integer: 'price_version multiplier source_period cap_period held charged overrun created_at settled_at',
    flag: 'estimated',
  }),
  table('attempts', 'request_id', { text: 'request_id attempts' }),
  table('entries', 'id', { text: 'transfer kind book note', integer: 'id amount created_at' }, 'id'),
  table('responses', 'account_id id', { text: 'account_id id previous_id upstream input response', integer: 'created_at' }),
  table('response_items', 'account_id id', { text: 'account_id id response_id item' }),
  table('response_outlines', 'account_id response_id', { text: 'account_id response_id outline', integer: 'output_at output_bytes' }),
  table('idempotency', 'account_id idempotency_key', {
    text: 'account_id idempotency_key fingerprint request_id node content_type',
    integer: 'created_at',
    bytes: 'answer',
  }),
  table(
    'requests',
    'id',
    {
      text: 'request_id account_id key_id model operation upstream session code outcome details',
      integer:
        'id ended_at status is_stream attempts first_ms total_ms input cached_input cache_write output images charged missed repeats vendor_cost',
    },
    'id',
  ),
  table('activity_hours', 'hour model upstream operation code', {
    text: 'model upstream operation code',
    integer: `hour ${SUMS} ${histogram('f')} ${histogram('t')} vendor_cost costed costed_charged`,
  }),
  table('activity_days', 'day model upstream operation code', {
    text: 'model upstream operation code',
    integer: `day ${SUMS} ${histogram('f')} ${histogram('t')} vendor_cost costed costed_charged`,
  }),
  table('account_days', 'day account_id model', { text: 'account_id model', integer: `day ${SUMS}` }),
  table('key_hours', 'hour account_id key_id model', { text: 'account_id key_id model', integer: `hour ${SUMS}` }),
  table('key_days', 'account_id day key_id model', { text: 'account_id key_id model', integer: `day ${SUMS}` }),
  table('activity_checks', 'hour', { integer: 'hour first_entry booked summed' }),
  table('alerts', 'id', {
    text: 'id kind subject name message value threshold acknowledged_by',
    integer: 'opened_at resolved_at acknowledged_at snoozed_until',
  }),
  table('alert_deliveries', 'alert_id webhook event', {
    text: 'alert_id webhook event body state failure',
    integer: 'attempts status created_at attempted_at next_at',
  }),
  table('audit', 'id', { text: 'actor action target details', integer: 'id created_at' }, 'id'),
  table('admin_keys', 'id', { text: 'id name role', integer: 'created_at revoked_at', bytes: 'hash' }),
  table(PEPPER_TABLE, 'id', { integer: 'id', bytes: 'fingerprint' }),
  // Last, so that a gateway that starts too early on an unfinished copy accepts no key.
  table(
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

/** Tables that are not copied, because they describe one database and its processes; each with its reason. */
export const notCopied: Readonly<Record<string, string>> = {
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
  /** The sum of all accounts, in micro-dollars. */
  readonly sourceBalance: bigint;
  readonly targetBalance: bigint;
  readonly isEqual: boolean;
}

interface Sides {
  readonly source: CopyReader;
  readonly target: CopyReader;
  readonly onProgress?: (progress: Progress) => void;
}

export async function compare({ source, target, onProgress = () => undefined }: Sides): Promise<Comparison> {
  let total = 0;
  for (const table of tables) total += (await source.count(table)) + (await target.count(table));
  let done = 0;
  const compared: TableComparison[] = [];
  const balance = { source: 0n, target: 0n };
  for (const table of tables) {
    const take = (reader: CopyReader): Promise<TableDigest> =>
      digestTable(reader, table, (rows) => {
        done += rows;
        onProgress({ phase: 'compared', table: table.name, done, total });
      });
    const [one, other] = [await take(source), await take(target)];
    balance.source += one.balance;
    balance.target += other.balance;
    compared.push({ name: table.name, sourceRows: one.rows, targetRows: other.rows, isEqual: one.digest === other.digest });
  }
  const isEqual = balance.source === balance.target && compared.every((table) => table.isEqual);
  return { tables: compared, sourceBalance: balance.source, targetBalance: balance.target, isEqual };
}

interface TableDigest {
  readonly rows: number;
  readonly digest: string;
  /** 0 for every table except `balances`. */
  readonly balance: bigint;
}

async function digestTable(reader: CopyReader, table: Table, onRows: (rows: number) => void): Promise<TableDigest> {
  const hash = createHash('sha256');
  const money = table.name === 'balances' ? table.columns.findIndex(({ name }) => name === 'balance') : -1;
  let rows = 0;
  let balance = 0n;
  for await (const batch of rowsOf(reader, table)) {
    for (const row of batch) {
      hash.update(`${JSON.stringify(row.map(asJson))}\n`);
      const amount = row[money];
      if (typeof amount === 'bigint') balance += amount;
    }
    rows += batch.length;
    onRows(batch.length);
  }
  return { rows, digest: hash.digest('hex'), balance };
}

const asJson = (cell: Cell): unknown => {
  if (typeof cell === 'bigint') return String(cell);
  return Buffer.isBuffer(cell) ? cell.toString('base64') : cell;
};

/** One column of one row, the same type on both engines. */
export type Cell = string | bigint | Buffer | boolean | null;
/** In the order of the table's columns. */
export type Cells = readonly Cell[];

/** A consistent read: everything is of one moment. */
export interface CopyReader {
  count(table: Table): Promise<number>;
  /** The next rows after this key, in the order of keys; none at the end. At most `MAX_ROWS`; ends with the row that reaches `MAX_BYTES`. */
  read(table: Table, after: Cells | null): Promise<readonly Cells[]>;
  /** Holds that have not ended. */
  countHolds(): Promise<number>;
}

export interface Note {
  readonly name: string;
  readonly value: string;
}

export interface CopySide {
  /** For messages; without the password. */
  readonly label: string;
  readConsistently<T>(work: (reader: CopyReader) => Promise<T>): Promise<T>;
  /** The notes of an earlier run; null when no copy was begun. */
  notes(): Promise<ReadonlyMap<string, string> | null>;
  begin(note: Note): Promise<void>;
  /** Writes all or nothing; rows that exist already stay as they are. */
  write(table: Table, rows: readonly Cells[], note: Note): Promise<void>;
  /** Sets the sequences, so that new rows get numbers after the copied ones. */
  setCounters(): Promise<void>;
  /** Deletes the notes when the copy is done. */
  dropNotes(): Promise<void>;
}

export const MAX_ROWS = 1_000;
/** One row may hold a request of many megabytes. */
export const MAX_BYTES = 4_000_000;

/** This table is in the target until the copy is verified. */
export { COPY_NOTES as notesTable } from '../compatibility.ts';

/** The key of a row. */
function keyOf(table: Table, row: Cells): Cells {
  return table.key.map((name) => row[table.columns.findIndex((column) => column.name === name)] ?? null);
}
