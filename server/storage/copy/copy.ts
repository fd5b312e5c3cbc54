/** Copies one database into another, table by table along the keys; killed at any moment and run again it goes on where it was (promise G2: nothing twice, nothing lost). */
import { StorageError } from '../errors.ts';
import { type Cell, type Cells, keyOf, type Look, type Place } from './place.ts';
import { type Table, tables } from './tables.ts';

export interface Progress {
  readonly phase: 'copied' | 'compared';
  readonly table: string;
  /** Rows of all tables. */
  readonly done: number;
  readonly total: number;
}

export interface CopyOrder {
  readonly source: Look;
  readonly target: Place;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Copied {
  /** Whether an earlier run had begun it. */
  readonly isResumed: boolean;
  /** Rows of the source. */
  readonly rows: number;
}

/** Where a table stands. */
interface Reached {
  readonly rows: number;
  /** The key of the last row that was written; bigints as `{ "n": "…" }`. */
  readonly after: readonly (string | { readonly n: string })[];
}

/** The note that tells what is being copied. */
const SOURCE = 'source';

/** Throws StorageError where the target holds something else, or the source has changed since an earlier run. */
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
  /** Of this table, these among them. */
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

/** Keys are texts and numbers. */
function keyPart(cell: Cell): Reached['after'][number] {
  return typeof cell === 'bigint' ? { n: String(cell) } : String(cell);
}

/** Written above alone. */
const readNote = (note: string | undefined): Reached => (note === undefined ? { rows: 0, after: [] } : (JSON.parse(note) as Reached));

/** All rows of a table, in the order of their keys. */
export async function* rowsOf(look: Look, table: Table): AsyncGenerator<readonly Cells[]> {
  for await (const { rows } of batchesFrom(look, table, readNote(undefined))) yield rows;
}
