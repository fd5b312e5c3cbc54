/** Writes the doc comments of the client's types from the description and bounds of each field. */
import type { JsonSchema } from '../openapi/json-schema.ts';

/** Larger bounds only protect the gateway, so comments omit them. */
const TELLING_LENGTH = 100_000;

export const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ');

const isTelling = (value: unknown): value is number => typeof value === 'number' && value < TELLING_LENGTH;

function range(low: unknown, high: unknown, unit: string): string {
  if (isTelling(high)) return `${typeof low === 'number' ? `${low} to` : 'At most'} ${high}${unit}.`;
  if (typeof low !== 'number' || low === 0) return '';
  return low === 1 && unit !== '' ? 'Not empty.' : `At least ${low}${unit}.`;
}

const boundsOf = (schema: JsonSchema) => [
  { high: schema.maximum, text: range(schema.minimum, schema.maximum, '') },
  { high: schema.maxLength, text: range(schema.minLength, schema.maxLength, ' characters') },
  { high: schema.maxItems, text: range(schema.minItems, schema.maxItems, ' entries') },
];

/** Whether a text contains a number, with or without thousands separators. */
const mentions = (text: string, value: unknown): boolean => new RegExp(`(?<![\\d.])${value}(?![\\d])`).test(text.replaceAll(',', ''));

/** Returns the comment with a line break, or an empty string. Adds bounds that the description doesn't mention. */
export function commentOf(schema: JsonSchema): string {
  const described = typeof schema.description === 'string' ? schema.description : '';
  const bounds = boundsOf(schema).filter(({ high, text }) => text !== '' && !mentions(described, high));
  const text = [described, ...bounds.map((bound) => bound.text)]
    .filter(Boolean)
    .join(' ')
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('*/', '*\\/');
  const marked =
    schema.deprecated === true || /^Deprecated[:;] */.test(text) ? `@deprecated ${text.replace(/^Deprecated[.:;] */, '')}` : text;
  return marked === '' ? '' : `/** ${marked.trim()} */\n`;
}
