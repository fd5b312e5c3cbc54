/** Turns values of the contract into literal types: addresses, methods, statuses, codes, the order of events. */
import { z } from 'zod';
import type { WrittenTypes } from './written-types.ts';

/** Fields that hold texts for people. They may change with any version, so their type is `string`. */
const prose: ReadonlySet<string> = new Set(['summary', 'description', 'message', 'meaning', 'remedy', 'example']);

/** The literal type of a value. Throws for a value that has none, such as a function. */
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
