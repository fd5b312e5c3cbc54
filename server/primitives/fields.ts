/** JSON objects whose fields aren't known yet. */

export type Fields = Readonly<Record<string, unknown>>;

/** An array counts, too: its fields are its indices. */
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Null counts as absent everywhere. */
export const isSet = (value: unknown): boolean => value !== null && value !== undefined;
