/** Reads rows of the embedded database in the types that both databases share: integers are bigints. */
import type { DatabaseSync } from 'node:sqlite';
import type { ReadValue } from '../audit.ts';
import type { Row } from '../rows.ts';

export function readRows(connection: DatabaseSync, sql: string, values: readonly ReadValue[]): readonly Row[] {
  const statement = connection.prepare(sql);
  statement.setReadBigInts(true);
  return statement.all(...values).map((row) => ({ ...row }));
}
