/** Rewrites a JSON schema of any draft to draft 2020-12, which vendors check against, without changing its meaning. */
import type { Fields } from '../../../contract/rule.ts';
import type { Budget } from './work-budget.ts';

/** Whether a value is a schema object. `true` and `false` are schemas too, but have no parts. */
export const isSchema = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords that hold a map of schemas, a list of schemas, or one schema. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const singles = new Set([
  ...['items', 'additionalItems', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
]);
/** Keywords that hold any value of the caller's. */
const literals = new Set(['default', 'const', 'enum', 'example', 'examples']);

/** Removes keywords that are null: some programs write null for an absent keyword. */
export function modernSchema(schema: Fields, budget: Budget): Fields {
  budget.spend(1 + Object.keys(schema).length);
  const parts = changed(schema, (name, value) => (value === null && !literals.has(name) ? undefined : modernPart(name, value, budget)));
  return steps.reduce((modern, step) => step(modern), parts);
}

const each = (value: unknown, budget: Budget): unknown => (isSchema(value) ? modernSchema(value, budget) : value);

/** Returns the same object when nothing changes, the usual case; agents send all of their tools with every call. `undefined` removes a field. */
function changed(fields: Fields, change: (name: string, value: unknown) => unknown): Fields {
  let copy: Record<string, unknown> | null = null;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const next = change(name, value);
    if (next === value) continue;
    copy ??= { ...fields };
    if (next === undefined) delete copy[name];
    else put(copy, name, next);
  }
  return copy ?? fields;
}

/** Defines the field, since assigning to `__proto__` would set the prototype. */
function put(fields: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}

function changedList(list: readonly unknown[], budget: Budget): readonly unknown[] {
  budget.spend(list.length);
  const next = list.map((value) => each(value, budget));
  return next.some((value, index) => value !== list[index]) ? next : list;
}

function modernPart(name: string, value: unknown, budget: Budget): unknown {
  // Some languages write an empty map as an empty list.
  if (maps.has(name)) return isSchema(value) ? changedMap(value, budget) : {};
  if (lists.has(name) || (name === 'items' && Array.isArray(value))) return Array.isArray(value) ? changedList(value, budget) : value;
  return singles.has(name) ? each(value, budget) : value;
}

function changedMap(schemas: Fields, budget: Budget): Fields {
  budget.spend(Object.keys(schemas).length);
  return changed(schemas, (_, part) => each(part, budget));
}

const steps: readonly ((schema: Fields) => Fields)[] = [
  tuple,
  anyItems,
  bound('minimum', 'exclusiveMinimum'),
  bound('maximum', 'exclusiveMaximum'),
  wanted,
];

/** In earlier drafts `items` could be a list, one schema for each position; that is `prefixItems` now. */
function tuple(schema: Fields): Fields {
  if (!Array.isArray(schema.items)) return schema;
  const { items, additionalItems, ...rest } = schema;
  return { ...rest, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) };
}

/** Adds `items: {}` to an array without `items`: vendors require the keyword. */
function anyItems(schema: Fields): Fields {
  const { type, items } = schema;
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  return isArray && items === undefined ? { ...schema, items: {} } : schema;
}

/** In earlier drafts `exclusiveMinimum` and `exclusiveMaximum` were booleans next to the bound. */
function bound(inclusive: string, exclusive: string) {
  return (schema: Fields): Fields => {
    if (typeof schema[exclusive] !== 'boolean') return schema;
    const { [inclusive]: value, [exclusive]: isExclusive, ...rest } = schema;
    return value === undefined ? rest : { ...rest, [isExclusive ? exclusive : inclusive]: value };
  };
}

const isMarked = (part: unknown): boolean => isSchema(part) && typeof part.required === 'boolean';

/** In earlier drafts each property had its own boolean `required`. A property may also be named `required`; that one lies deeper. */
function wanted(schema: Fields): Fields {
  const { properties } = schema;
  if (!isSchema(properties)) return schema;
  // Nearly always there is none; this avoids building a list of pairs.
  if (!Object.values(properties).some(isMarked)) return schema;
  const marked = Object.entries(properties).filter(([, part]) => isMarked(part));
  const freed = Object.fromEntries(marked.map(([name, part]) => [name, withoutMark(part)]));
  const names = marked.flatMap(([name, part]) => (isSchema(part) && part.required === true ? [name] : []));
  const required = [...new Set([...(Array.isArray(schema.required) ? schema.required : []), ...names])];
  return { ...schema, properties: { ...properties, ...freed }, ...(required.length > 0 && { required }) };
}

function withoutMark(part: unknown): unknown {
  if (!isSchema(part)) return part;
  const { required: _, ...rest } = part;
  return rest;
}
