/** Copies one database into another, table by table in the order of keys. A copy that was killed continues where it stopped (promise G2: nothing twice, nothing lost). */
import { StorageError } from '../errors.ts';
import { type Cell, type Cells, keyOf, type Look, type Place } from './place.ts';
import { type Table, tables } from './tables.ts';

export interface Progress {
  readonly phase: 'copied' | 'compared';
  readonly table: string;
  /** Copied or compared rows of all tables. */
  readonly done: number;
  readonly total: number;
}

export interface CopyOrder {
  readonly source: Look;
  readonly target: Place;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Copied {
  /** Whether an earlier run began the copy. */
  readonly isResumed: boolean;
  /** The rows of the source. */
  readonly rows: number;
}

/** How far a table was copied. */
interface Reached {
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
  if (notes === null) await beginIn(target, found);
  else if (notes.get(SOURCE) !== found) throw new StorageError(CHANGED);
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

const CHANGED =
  'The source has changed since the copy was begun, so half of the target is of another time. Copy into a new, empty database, and let no gateway run on the source meanwhile.';

async function countAll(look: Look): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const table of tables) counts.set(table.name, await look.count(table));
  return counts;
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0);

async function beginIn(target: Place, source: string): Promise<void> {
  const filled = [...(await target.look(countAll))].filter(([, count]) => count > 0).map(([name]) => name);
  if (filled.length > 0) {
    throw new StorageError(
      `${target.label} holds data that is not of this copy (${filled.join(', ')}). Name a new, empty database; one on which a gateway was started once is not empty.`,
    );
  }
  await target.begin({ name: SOURCE, value: source });
}

interface Batch {
  readonly rows: readonly Cells[];
  /** Rows of this table so far, including these. */
  readonly all: number;
}

async function* batchesFrom(source: Look, table: Table, reached: Reached): AsyncGenerator<Batch> {
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

async function writeBatch(target: Place, table: Table, { rows, all }: Batch): Promise<void> {
  const last = rows.at(-1);
  if (last === undefined) return;
  const reached: Reached = { rows: all, after: keyOf(table, last).map(keyPart) };
  try {
    await target.write(table, rows, { name: table.name, value: JSON.stringify(reached) });
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(`The target refuses rows of the table ${table.name}: ${reason}.`, { cause: error });
  }
}

/** Keys are texts and integers. */
function keyPart(cell: Cell): Reached['after'][number] {
  return typeof cell === 'bigint' ? { n: String(cell) } : String(cell);
}

/** Only `writeBatch` writes these notes. */
const readNote = (note: string | undefined): Reached => (note === undefined ? { rows: 0, after: [] } : (JSON.parse(note) as Reached));

/** All rows of a table in the order of keys, in batches. */
export async function* rowsOf(look: Look, table: Table): AsyncGenerator<readonly Cells[]> {
  for await (const { rows } of batchesFrom(look, table, readNote(undefined))) yield rows;
}
