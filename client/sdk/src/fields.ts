/** Reads JSON of unknown shape: the body may be a page of a proxy. */

/** A JSON object whose fields are still to be checked. */
export type Fields = Readonly<Record<string, unknown>>;

// Any object can be read field by field, as long as each field is checked.
export const asFields = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null ? (value as Fields) : undefined;
export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The start of a text that is shown in a message. */
export const excerpt = (value: string): string => value.slice(0, 300);

/** Undefined where the text is not JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
