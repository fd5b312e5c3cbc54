/** Reads rows of the embedded database in the types that both databases share: integers are bigints. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Row, Value } from '../postgres/rows.ts';

export function readRows(connection: DatabaseSync, sql: string, values: readonly Value[]): readonly Row[] {
  const statement = connection.prepare(sql);
  statement.setReadBigInts(true);
  // A caller of this file gives scalars: SQLite has no lists.
  return statement.all(...(values as readonly SQLInputValue[])).map((row) => ({ ...row }));
}
