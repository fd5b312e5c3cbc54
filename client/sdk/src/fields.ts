/** Reads JSON of unknown shape, because a proxy can respond with any body. */

/** A JSON object with unchecked fields. */
export type Fields = Readonly<Record<string, unknown>>;

// Safe for any object, because `unknown` forces the caller to check each field.
export const toFields = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null ? (value as Fields) : undefined;
export const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Shortens a text for use in an error message. */
export const truncateText = (value: string): string => value.slice(0, 300);

/** Returns undefined if the text isn't JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
