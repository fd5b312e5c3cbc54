/** Reads the columns of rows. */

/** A row of either database: integers come as bigints. */
export type Row = Readonly<Record<string, unknown>>;

/** The tables fix the types, so a value of another type is a mistake in the statement. */
export function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text column holds no text');
  return value;
}

export function integer(value: unknown): bigint {
  if (typeof value !== 'bigint') throw new TypeError('a bigint column holds no bigint');
  return value;
}

/** SQLite has 0 and 1 for it. */
export function flag(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 0n || value === 1n) return value === 1n;
  throw new TypeError('a boolean column holds no boolean');
}

/** Times and counts, which stay far below 2^53. */
export const number = (value: unknown): number => Number(integer(value));
export const textOrNull = (value: unknown): string | null => (value === null ? null : text(value));
export const numberOrNull = (value: unknown): number | null => (value === null ? null : number(value));

/** PostgreSQL cannot store a text with a zero character, so nothing is stored under such a name. */
export const canBeKept = (value: string): boolean => !value.includes('\0');
