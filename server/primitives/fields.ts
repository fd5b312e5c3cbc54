/** JSON objects whose fields aren't known yet. */

export type Fields = Readonly<Record<string, unknown>>;

/** True for arrays, too: their fields are their indices. */
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** An object that isn't an array. */
export const isMap = (value: unknown): value is Fields => isFields(value) && !Array.isArray(value);

/** Null counts as omitted everywhere. */
export const isSet = (value: unknown): boolean => value !== null && value !== undefined;

/** An object as an upstream sent it, with the field names of this body. Any field can be missing or have another type. */
export type Unchecked<Body> = { readonly [Name in Body extends unknown ? keyof Body : never]?: unknown };

/** Returns the object, or an empty one for any other value. */
export const toFields = (value: unknown): Fields => (isFields(value) ? value : {});

/** Narrows a received value to the keys of a table. */
export const isKeyIn = <Table extends object>(key: unknown, table: Table): key is keyof Table =>
  typeof key === 'string' && Object.hasOwn(table, key);
