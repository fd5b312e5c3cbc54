/** Writes contract values as literal types: paths, methods, statuses, codes, and the event order. */
import { z } from 'zod';
import type { WrittenTypes } from './written-types.ts';

/** Fields with texts for people. The texts can change in any version, so the type is `string`. */
const prose: ReadonlySet<string> = new Set(['summary', 'description', 'message', 'meaning', 'remedy', 'example']);

/** Returns the literal type of a value. Throws an error for values without one, such as functions. */
export function toLiteral(value: unknown, types: WrittenTypes): string {
  if (value instanceof z.ZodType) {
    const type = types.add(value);
    return `z.ZodType<${type}, ${type}>`;
  }
  if (Array.isArray(value)) return `readonly [${value.map((entry) => toLiteral(entry, types)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return toObjectLiteral(value, types);
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return JSON.stringify(value);
  throw new TypeError(`No type can be written for a ${typeof value}.`);
}

function toObjectLiteral(value: object, types: WrittenTypes): string {
  const fields = Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .map(
      ([name, entry]) =>
        `readonly ${toPropertyKey(name)}: ${prose.has(name) && typeof entry === 'string' ? 'string' : toLiteral(entry, types)};`,
    );
  return `{ ${fields.join(' ')} }`;
}

const toPropertyKey = (name: string): string => (/^(?:[A-Za-z_]\w*|\d+)$/.test(name) ? name : JSON.stringify(name));
