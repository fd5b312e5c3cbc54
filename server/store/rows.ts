/** Reads the columns of rows. */

/** A row of either database. Integers are bigints. */
export type Row = Readonly<Record<string, unknown>>;

/** The tables define the types, so a value of another type is a mistake in the statement. */
export function readText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text column holds no text');
  return value;
}

export function readInteger(value: unknown): bigint {
  if (typeof value !== 'bigint') throw new TypeError('a bigint column holds no bigint');
  return value;
}

/** SQLite stores booleans as 0 and 1. */
export function readFlag(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 0n || value === 1n) return value === 1n;
  throw new TypeError('a boolean column holds no boolean');
}

/** Times and counts, which stay far below 2^53. */
export const readNumber = (value: unknown): number => Number(readInteger(value));
export const readTextOrNull = (value: unknown): string | null => (value === null ? null : readText(value));
export const readNumberOrNull = (value: unknown): number | null => (value === null ? null : readNumber(value));

/** PostgreSQL can't store a text with a NUL character. */
export const isStorableText = (value: string): boolean => !value.includes('\0');
