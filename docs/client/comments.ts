/** Writes the doc comments of the client's types: what the contract says of a field, and its bounds. */
import { isObject, type JsonSchema } from '../openapi/json-schema.ts';

/** A bound that only keeps a request from hurting tells a caller nothing. */
const TELLING_LENGTH = 100_000;

export const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ');

const isTelling = (value: unknown): value is number => typeof value === 'number' && value < TELLING_LENGTH;

function range(low: unknown, high: unknown, unit: string): string {
  if (isTelling(high)) return `${typeof low === 'number' ? `${low} to` : 'At most'} ${high}${unit}.`;
  if (typeof low !== 'number' || low === 0) return '';
  return low === 1 && unit !== '' ? 'Not empty.' : `At least ${low}${unit}.`;
}

const boundsOf = (schema: JsonSchema) =>
  [
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' entries'),
  ].filter((text) => text !== '');

/** `ChatUsage` → `Chat usage.` */
const spoken = (name: string) => `${name.charAt(0)}${name.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}.`;

/** What a type is when the contract does not describe it: the field that tells it from its siblings, or else its name. */
function introduce(schema: JsonSchema, name: string): string {
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const field of ['type', 'role', 'object']) {
    const mark = properties[field];
    if (isObject(mark) && typeof mark.const === 'string') return `${spoken(name).slice(0, -1)}: \`${field}\` is \`${mark.const}\`.`;
  }
  return spoken(name);
}

/** A comment and a line end, or nothing. A named type always has one. */
export function commentOf(schema: JsonSchema, name?: string): string {
  const described = typeof schema.description === 'string' ? schema.description : name && introduce(schema, name);
  const text = [described, ...boundsOf(schema)]
    .filter(Boolean)
    .join(' ')
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('*/', '*\\/');
  const marked =
    schema.deprecated === true || /^Deprecated[:;] */.test(text) ? `@deprecated ${text.replace(/^Deprecated[.:;] */, '')}` : text;
  return marked === '' ? '' : `/** ${marked.trim()} */\n`;
}
