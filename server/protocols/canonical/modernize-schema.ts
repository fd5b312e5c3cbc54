/** Rewrites a JSON schema of any draft to draft 2020-12, which providers check against, without changing its meaning. */
import type { Fields } from '../../primitives/fields.ts';
import type { Budget } from './work-budget.ts';

/** True if a value is a schema object. `true` and `false` are schemas too, but have no parts. */
export const isSchema = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords that contain a map of schemas, a list of schemas, or one schema. */
export const mapKeywords = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
export const listKeywords = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
export const schemaKeywords = new Set([
  ...['items', 'additionalItems', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
]);
/** Keywords that can contain any value. */
const literalKeywords = new Set(['default', 'const', 'enum', 'example', 'examples']);

/** Also removes keywords that are null: some programs write null for an absent keyword. */
export function modernizeSchema(schema: Fields, budget: Budget): Fields {
  budget.spend(1 + Object.keys(schema).length);
  const parts = mapFields(schema, (name, value) =>
    value === null && !literalKeywords.has(name) ? undefined : modernizePart(name, value, budget),
  );
  return modernizationSteps.reduce((modern, step) => step(modern), parts);
}

const modernizeValue = (value: unknown, budget: Budget): unknown => (isSchema(value) ? modernizeSchema(value, budget) : value);

/** Returns the same object if nothing changes, the usual case: agents send all their tools with every call. `undefined` removes a field. */
function mapFields(fields: Fields, change: (name: string, value: unknown) => unknown): Fields {
  let copy: Record<string, unknown> | null = null;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const next = change(name, value);
    if (next === value) continue;
    copy ??= { ...fields };
    if (next === undefined) delete copy[name];
    else setField(copy, name, next);
  }
  return copy ?? fields;
}

/** Defines the field, because assigning to `__proto__` would set the prototype. */
export function setField(fields: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}

function modernizeList(list: readonly unknown[], budget: Budget): readonly unknown[] {
  budget.spend(list.length);
  const next = list.map((value) => modernizeValue(value, budget));
  return next.some((value, index) => value !== list[index]) ? next : list;
}

function modernizePart(name: string, value: unknown, budget: Budget): unknown {
  // Some languages write an empty map as an empty list.
  if (mapKeywords.has(name)) return isSchema(value) ? modernizeMap(value, budget) : {};
  if (listKeywords.has(name) || (name === 'items' && Array.isArray(value)))
    return Array.isArray(value) ? modernizeList(value, budget) : value;
  return schemaKeywords.has(name) ? modernizeValue(value, budget) : value;
}

function modernizeMap(schemas: Fields, budget: Budget): Fields {
  budget.spend(Object.keys(schemas).length);
  return mapFields(schemas, (_, part) => modernizeValue(part, budget));
}

const modernizationSteps: readonly ((schema: Fields) => Fields)[] = [
  modernizeTuple,
  addMissingItems,
  modernizeBound('minimum', 'exclusiveMinimum'),
  modernizeBound('maximum', 'exclusiveMaximum'),
  modernizeRequired,
];

/** In earlier drafts, `items` could be a list with one schema per position. That list is now `prefixItems`. */
function modernizeTuple(schema: Fields): Fields {
  if (!Array.isArray(schema.items)) return schema;
  const { items, additionalItems, ...rest } = schema;
  return { ...rest, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) };
}

/** Adds `items: {}` to an array without `items`: providers require the keyword. */
function addMissingItems(schema: Fields): Fields {
  const { type, items } = schema;
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  return isArray && items === undefined ? { ...schema, items: {} } : schema;
}

/** In earlier drafts, `exclusiveMinimum` and `exclusiveMaximum` were booleans next to the bound. */
function modernizeBound(inclusive: string, exclusive: string) {
  return (schema: Fields): Fields => {
    if (typeof schema[exclusive] !== 'boolean') return schema;
    const { [inclusive]: value, [exclusive]: isExclusive, ...rest } = schema;
    return value === undefined ? rest : { ...rest, [isExclusive ? exclusive : inclusive]: value };
  };
}

const hasBooleanRequired = (part: unknown): boolean => isSchema(part) && typeof part.required === 'boolean';

/** In earlier drafts, each property had its own boolean `required`. A property can also be named `required`, but it's one level deeper. */
function modernizeRequired(schema: Fields): Fields {
  const { properties } = schema;
  if (!isSchema(properties)) return schema;
  // The list is almost always empty; this check avoids building a list of pairs.
  if (!Object.values(properties).some(hasBooleanRequired)) return schema;
  const markedProperties = Object.entries(properties).filter(([, part]) => hasBooleanRequired(part));
  const unmarkedProperties = Object.fromEntries(markedProperties.map(([name, part]) => [name, withoutRequired(part)]));
  const names = markedProperties.flatMap(([name, part]) => (isSchema(part) && part.required === true ? [name] : []));
  const required = [...new Set([...(Array.isArray(schema.required) ? schema.required : []), ...names])];
  return { ...schema, properties: { ...properties, ...unmarkedProperties }, ...(required.length > 0 && { required }) };
}

function withoutRequired(part: unknown): unknown {
  if (!isSchema(part)) return part;
  const { required: _, ...rest } = part;
  return rest;
}
