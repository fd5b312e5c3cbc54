/** Statements of the embedded database on accounts and keys: what they read, and how a row is changed. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Columns } from '../rows.ts';

/** Integers come as bigints. */
export function prepare(connection: DatabaseSync, sql: string): StatementSync {
  const statement = connection.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}

/** Writes the columns into the row with this id; says whether there was anything to write. The names of the columns are ours alone. */
export function update(connection: DatabaseSync, table: 'keys' | 'accounts', id: string, columns: Columns): boolean {
  const names = Object.keys(columns);
  if (names.length === 0) return false;
  const assignments = names.map((name) => `${name} = :${name}`).join(', ');
  connection.prepare(`UPDATE ${table} SET ${assignments} WHERE id = :row_id`).run({ ...columns, row_id: id });
  return true;
}
