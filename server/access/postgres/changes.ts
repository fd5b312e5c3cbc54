/** What the writes on keys and accounts share on PostgreSQL: rows are locked before a change, and columns are written by name. */
import type { Queries } from '../../storage/postgres/pool.ts';
import { canBeKept, type Row, type Value } from '../../storage/postgres/rows.ts';
import type { Columns } from '../rows.ts';

type Table = 'keys' | 'accounts' | 'admin_keys';

/** Locks the row until the end of the transaction. */
export async function locked(queries: Queries, table: Table, id: string): Promise<Row | undefined> {
  if (!canBeKept(id)) return undefined;
  const [row] = await queries.query({ text: `SELECT * FROM ${table} WHERE id = $1 FOR NO KEY UPDATE` }, [id]);
  return row;
}

/** Returns whether there was anything to write. Column names come only from our code. */
export async function update(queries: Queries, table: Table, id: string, columns: Columns): Promise<boolean> {
  const names = Object.keys(columns);
  if (names.length === 0) return false;
  const assignments = names.map((name, index) => `${name} = $${index + 2}`).join(', ');
  await queries.query({ text: `UPDATE ${table} SET ${assignments} WHERE id = $1` }, [id, ...valuesOf(columns)]);
  return true;
}

export async function insert(queries: Queries, table: Table, columns: Columns, more = ''): Promise<readonly Row[]> {
  const names = Object.keys(columns);
  const places = names.map((_, index) => `$${index + 1}`).join(', ');
  return queries.query({ text: `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places}) ${more}` }, valuesOf(columns));
}

/** Texts, integers and hashes are the same on both engines. */
const valuesOf = (columns: Columns): Value[] => Object.values(columns) as Value[];
