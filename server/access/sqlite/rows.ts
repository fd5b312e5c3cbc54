/** SQL of the embedded database for accounts and keys: the columns to read, and the update of a row. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Columns } from '../rows.ts';

/** Integers come as bigints. */
export function prepare(connection: DatabaseSync, sql: string): StatementSync {
  const statement = connection.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}

/** Updates these columns of the row; returns whether there was anything to write. Column names come only from our code. */
export function update(connection: DatabaseSync, table: 'keys' | 'accounts', id: string, columns: Columns): boolean {
  const names = Object.keys(columns);
  if (names.length === 0) return false;
  const assignments = names.map((name) => `${name} = :${name}`).join(', ');
  connection.prepare(`UPDATE ${table} SET ${assignments} WHERE id = :row_id`).run({ ...columns, row_id: id });
  return true;
}
