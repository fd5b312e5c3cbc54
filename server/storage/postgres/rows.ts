/** Reads the columns of PostgreSQL's rows. Eight-byte integers come as bigints, since a balance may pass 2^53. */

export type Row = Readonly<Record<string, unknown>>;

type Scalar = string | number | bigint | boolean | Buffer | null;
/** What a statement takes. */
export type Value = Scalar | readonly Scalar[];

/** The tables have their types: a column of another one is a mistake of the statement. */
export function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text column holds no text');
  return value;
}

export function integer(value: unknown): bigint {
  if (typeof value !== 'bigint') throw new TypeError('a bigint column holds no bigint');
  return value;
}

export function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new TypeError('a boolean column holds no boolean');
  return value;
}

/** Times and counts, which stay far below 2^53. */
export const number = (value: unknown): number => Number(integer(value));
export const textOrNull = (value: unknown): string | null => (value === null ? null : text(value));
export const numberOrNull = (value: unknown): number | null => (value === null ? null : number(value));

/** PostgreSQL keeps no text with a zero character in it, so nothing that is asked for under such a name was ever kept. */
export const canBeKept = (value: string): boolean => !value.includes('\0');
