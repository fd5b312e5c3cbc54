/** Copies one database into another, table by table in the order of keys. A copy that was killed continues where it stopped (promise G2: nothing twice, nothing lost). */
import { StorageError } from '../errors.ts';
import { type Cell, type Cells, type CopyReader, type CopySide, keyOf } from './side.ts';
import { type Table, tables } from './tables.ts';

export interface Progress {
  readonly phase: 'copied' | 'compared';
  readonly table: string;
  /** Copied or compared rows of all tables. */
  readonly done: number;
  readonly total: number;
}

export interface CopyOrder {
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
  'The source has changed since the copy began, so the target would mix old and new rows. Stop the gateways on the source, and copy into a new, empty database.';

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
      `${target.label} already holds other data (${filled.join(', ')}). Name a new, empty database; a database is not empty when a gateway was ever started on it.`,
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
    throw new StorageError(`The target database refused rows of the table ${table.name}: ${reason}.`, { cause: error });
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
export async function* rowsOf(reader: CopyReader, table: Table): AsyncGenerator<readonly Cells[]> {
  for await (const { rows } of batchesFrom(reader, table, readNote(undefined))) yield rows;
}
