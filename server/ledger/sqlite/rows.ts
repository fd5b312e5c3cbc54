/** Reads rows into the types of the ledger; every statement here reads integers as bigints, since a balance may exceed 2^53. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';

export type Row = Readonly<Record<string, SQLOutputValue>>;

export function prepare(connection: DatabaseSync, sql: string): StatementSync {
  const statement = connection.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}

/** The tables are STRICT: a column of another type is a mistake of the statement. */
export function text(value: SQLOutputValue | undefined): string {
  if (typeof value !== 'string') throw new TypeError('a text column holds no text');
  return value;
}

export function textOrNull(value: SQLOutputValue | undefined): string | null {
  return value === null ? null : text(value);
}

export function integer(value: SQLOutputValue | undefined): bigint {
  if (typeof value !== 'bigint') throw new TypeError('an integer column holds no integer');
  return value;
}

/** Times and counts, which stay far below 2^53. */
export function number(value: SQLOutputValue | undefined): number {
  return Number(integer(value));
}

export function numberOrNull(value: SQLOutputValue | undefined): number | null {
  return value === null ? null : number(value);
}
