/** Reads values of unknown JSON or YAML: objects, lists, texts, and positive integers. */

import { type Fields, isMap } from '../../primitives/fields.ts';

export type { Fields };

export const toFields = (value: unknown): Fields => (isMap(value) ? value : {});

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
