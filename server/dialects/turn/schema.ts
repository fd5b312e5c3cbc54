/** Rewrites a JSON schema of any draft to draft 2020-12, which providers check against, without changing its meaning. */

import { type CallCode, GatewayError } from '../../errors.ts';
import type { Fields } from '../../primitives/fields.ts';

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

/** Adds `items: {}` to an array without `items`: providers require the keyword. */
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
  // Almost always empty; this avoids building a list of pairs.
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

const propertiesOf = ({ properties }: Fields): Fields => (isSchema(properties) ? properties : {});
const requiredOf = ({ required }: Fields): readonly unknown[] => (Array.isArray(required) ? required : []);

export const allowsObject = ({ type }: Fields): boolean =>
  type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));

/** Omits empty keywords, so that a plain schema stays unchanged. */
const filled = (properties: Fields, required: Iterable<unknown>): Fields => {
  const names = new Set(required);
  return { ...(Object.keys(properties).length > 0 && { properties }), ...(names.size > 0 && { required: [...names] }) };
};

const sizeOf = (schema: Fields): number =>
  Object.keys(schema).length + Object.keys(propertiesOf(schema)).length + requiredOf(schema).length;

/** When two schemas set the same keyword or property, the first one counts. */
export function joinAll(schemas: readonly Fields[], budget: Budget): Fields {
  const [own = {}, ...others] = schemas;
  if (others.length === 0) return own;
  for (const schema of schemas) budget.spend(sizeOf(schema));
  const last = schemas.toReversed();
  return {
    ...merged(last),
    ...filled(
      merged(last.map(propertiesOf)),
      schemas.flatMap((schema) => requiredOf(schema)),
    ),
  };
}

/** A field keeps its first position and its last value. Uses a map, since a field may be named `__proto__`. */
function merged(parts: readonly Fields[]): Fields {
  const fields = new Map<string, unknown>();
  for (const part of parts) for (const name of Object.keys(part)) fields.set(name, part[name]);
  return Object.fromEntries(fields);
}

/** Allows the properties of every branch; requires only those that all branches require. */
export function joinEither(own: Fields, every: readonly Fields[], budget: Budget): Fields {
  const branches = every.filter(allowsObject);
  const [first, ...others] = branches;
  if (first === undefined) return own;
  for (const schema of [own, ...branches]) budget.spend(sizeOf(schema));
  const isClosed = branches.every(({ additionalProperties }) => additionalProperties === false);
  const required = wantedByAll(first, others);
  return {
    ...(isClosed && { additionalProperties: false }),
    ...own,
    ...filled({ ...eitherOf(branches, budget), ...propertiesOf(own) }, [...requiredOf(own), ...required]),
  };
}

function wantedByAll(first: Fields, others: readonly Fields[]): readonly unknown[] {
  const counts = new Map<unknown, number>();
  for (const other of others) for (const name of new Set(requiredOf(other))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return requiredOf(first).filter((name) => (counts.get(name) ?? 0) === others.length);
}

function eitherOf(branches: readonly Fields[], budget: Budget): Fields {
  const schemas = new Map<string, unknown[]>();
  for (const properties of branches.map(propertiesOf)) {
    for (const [name, schema] of Object.entries(properties)) {
      const known = schemas.get(name);
      if (known) known.push(schema);
      else schemas.set(name, [schema]);
    }
  }
  return Object.fromEntries([...schemas].map(([name, all]) => [name, either(all, budget)]));
}

/** The fewest characters that a keyword of a schema has, as a bound on the work. */
const CHARACTERS_PER_PLACE = 16;

function either(schemas: readonly unknown[], budget: Budget): unknown {
  const [one, ...rest] = new Set(schemas);
  if (rest.length === 0) return one;
  const distinct = new Map<string, unknown>();
  for (const schema of [one, ...rest]) {
    const text = JSON.stringify(schema);
    budget.spend(Math.ceil(text.length / CHARACTERS_PER_PLACE));
    distinct.set(text, schema);
  }
  const [only, ...more] = distinct.values();
  return more.length === 0 ? only : { anyOf: [only, ...more] };
}

/** Reading and writing a schema once visits less than one place for each of its bytes. */
const PLACES_PER_BYTE = 2;
/** The bound for a request of any length: twice the values that a body may hold, since one may be two places, a name and a schema. */
export const MAX_PLACES = 160_000;

/** The work for one field of the caller. */
export interface Budget {
  readonly param: string;
  /** Throws `invalid_value` above the request's bound. Call it before the work, or right after work that the body's size bounds. */
  spend(places: number): void;
}

/** One for the whole request: many small fields cost as much as a large one. */
export class Work {
  /** The most places for this request. */
  readonly most: number;
  #done = 0;

  /** `bytes`: the request's length. Defaults to the bound of the longest request. */
  constructor(bytes: number = MAX_PLACES) {
    this.most = Math.min(bytes * PLACES_PER_BYTE, MAX_PLACES);
  }

  /** Places visited so far. */
  get done(): number {
    return this.#done;
  }

  /** The budget for the field with this name in the caller's request. */
  on(param: string): Budget {
    return {
      param,
      spend: (places) => {
        this.#done += places;
        if (this.#done > this.most) throw this.#tooMuch(param);
      },
    };
  }

  #tooMuch(param: string): GatewayError {
    const [most, longest] = [this.most, MAX_PLACES].map((count) => count.toLocaleString('en'));
    const bound = `${most} values, the limit for its size (${PLACES_PER_BYTE} per byte, at most ${longest})`;
    const message = `'${param}' is too complex: with references, unions, and packed values expanded, the request exceeds ${bound}. Simplify the schemas or send less.`;
    return new GatewayError<CallCode>('invalid_value', { param, message });
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;

/** A bound on the values in a JSON text: one, and one more for each `,`, `[` and `{` outside of strings. */
export function valuesIn(text: string): number {
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (code === COMMA || code === OPEN_LIST || code === OPEN_OBJECT) values++;
  }
  return values;
}

/** Index of the quote that closes the string; the end of the text when it isn't closed. */
function stringEnd(text: string, open: number): number {
  let end = text.indexOf('"', open + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** Whether an odd number of backslashes stands before the quote. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (quote - first) % 2 === 1;
}
