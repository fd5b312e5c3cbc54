/** Values of the contract → the types that say exactly what they are: addresses, methods, statuses, codes, the order of events. */
import { z } from 'zod';
import type { WrittenTypes } from './written-types.ts';

/** Texts for people, which may change with any version. */
const prose: ReadonlySet<string> = new Set(['summary', 'description', 'message', 'meaning', 'remedy', 'example']);

/** Throws where a value has no type that could be written, as a function has none. */
export function literalOf(value: unknown, types: WrittenTypes): string {
  if (value instanceof z.ZodType) {
    const type = types.add(value);
    return `z.ZodType<${type}, ${type}>`;
  }
  if (Array.isArray(value)) return `readonly [${value.map((entry) => literalOf(entry, types)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return objectOf(value, types);
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return JSON.stringify(value);
  throw new TypeError(`No type can be written for a ${typeof value}.`);
}

function objectOf(value: object, types: WrittenTypes): string {
  const fields = Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .map(
      ([name, entry]) => `readonly ${keyOf(name)}: ${prose.has(name) && typeof entry === 'string' ? 'string' : literalOf(entry, types)};`,
    );
  return `{ ${fields.join(' ')} }`;
}

const keyOf = (name: string): string => (/^(?:[A-Za-z_]\w*|\d+)$/.test(name) ? name : JSON.stringify(name));
