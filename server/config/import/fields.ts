/** Reads values of unknown JSON or YAML: objects, lists, texts, and positive integers. */

export type Fields = Readonly<Record<string, unknown>>;

export const toFields = (value: unknown): Fields =>
  // `as`: it's an object and not a list.
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const toText = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined);

export const toPositiveInteger = (value: unknown): number | undefined => {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined;
};

/** Parses a string as JSON and returns other values unchanged. Returns undefined for invalid JSON. */
export function parseJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
