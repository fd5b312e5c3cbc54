/** Compares two OpenAPI documents, and finds the changes that can break a caller's program. */
import { isDeepStrictEqual } from 'node:util';
import { isForNewer } from './discriminator.ts';
import { isObject, type JsonSchema } from './json-schema.ts';

export interface Change {
  readonly line: string;
  readonly isBreaking: boolean;
}

/** Location of a change. New error codes don't break programs, because they can fall back to the status. */
type Side = 'operation' | 'request' | 'response' | 'error';
/** How a change affects the values that a schema allows. */
type Effect = 'narrower' | 'wider' | 'other' | 'harmless';

const breaking: Readonly<Record<Side, readonly Effect[]>> = {
  operation: ['narrower', 'other'],
  request: ['narrower', 'other'],
  response: ['wider', 'other'],
  error: ['other'],
};

interface Place {
  /** Component name with a path inside it, or an operation with one of its parts. */
  readonly at: string;
  readonly side: Side;
}
type Branch = Readonly<{ key: string; schema: JsonSchema }>;

const MAXIMA = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const MINIMA = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
/** Keywords that are only compared for equality, because a difference doesn't show which values are added or removed. */
const OPAQUE = ['pattern', 'format', 'propertyNames', 'if', 'then', 'else', 'not', 'contains', 'allOf', 'uniqueItems', 'multipleOf'];

const child = (value: unknown, key: string): JsonSchema => {
  const inner = isObject(value) ? value[key] : undefined;
  return isObject(inner) ? inner : {};
};
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const shown = (value: unknown): string => (value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value));
const membersOf = ({ anyOf, oneOf }: JsonSchema): JsonSchema[] => [...listed(anyOf), ...listed(oneOf)].filter(isObject);
const nameOf = ({ $ref }: JsonSchema): string => String($ref ?? '').replace(/^.*\//, '');
const without = <T>(one: readonly T[], other: readonly T[]): T[] => one.filter((item) => !other.includes(item));
const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const keysOf = (one: JsonSchema, other: JsonSchema): string[] => [...new Set([...Object.keys(one), ...Object.keys(other)])];

function typesOf({ type, enum: values, const: only, properties }: JsonSchema): readonly unknown[] {
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  if (only !== undefined) return [typeOf(only)];
  if (Array.isArray(values)) return [...new Set(values.map(typeOf))];
  return [properties === undefined ? 'any' : 'object'];
}

/** Returns the values of one type that a schema lists. Null if it allows any value. */
function valuesOf({ enum: values, const: only }: JsonSchema, type: string): string[] | null {
  const all = only === undefined ? values : [only];
  const fits = (value: unknown) => typeOf(value) === type || (typeof value === 'number' && type === 'integer');
  return Array.isArray(all) ? all.filter(fits).map(shown) : null;
}

class Comparison {
  readonly changes = new Map<string, Change>();
  /** Pairs that were already compared. Without it, circular references would never end. */
  readonly #compared = new Set<string>();
  readonly #before: JsonSchema;
  readonly #after: JsonSchema;

  constructor(before: JsonSchema, after: JsonSchema) {
    this.#before = before;
    this.#after = after;
  }

  add({ at, side }: Place, what: string, effect: Effect): void {
    const line = `\`${at}\`${side === 'operation' ? '' : ` (${side})`}: ${what}`;
    this.changes.set(line, { line, isBreaking: breaking[side].includes(effect) });
  }

  compare(before: JsonSchema, after: JsonSchema, place: Place): void {
    const [one, other] = [resolve(this.#before, before), resolve(this.#after, after)];
    const here = other.name && one.name ? { ...place, at: other.name } : place;
    const pair = JSON.stringify([before, after, place.side]);
    if (this.#compared.has(pair) && before.$ref && after.$ref) return;
    this.#compared.add(pair);
    // Keywords next to a union apply to all its members.
    if (membersOf(one.schema).length > 0 && membersOf(other.schema).length > 0) this.#compareShape(one.schema, other.schema, here);
    this.#compareBranches(this.#branchesOf(this.#before, one.schema), this.#branchesOf(this.#after, other.schema), here);
  }

  /** Splits a schema into branches with one type each. */
  #branchesOf(document: JsonSchema, schema: JsonSchema): Branch[] {
    const members = membersOf(schema);
    const name = String(child(schema, 'discriminator').propertyName ?? 'type');
    if (members.length === 0) return typesOf(schema).map((type) => ({ key: String(type), schema: { ...schema, type } }));
    return members.flatMap((member) => {
      const tag = child(child(resolve(document, member).schema, 'properties'), name);
      const key = tag.const ?? (tag.enum && listed(tag.enum).join('|')) ?? nameOf(member);
      return key ? [{ key: String(key), schema: member }] : this.#branchesOf(document, member);
    });
  }

  #compareBranches(before: readonly Branch[], after: readonly Branch[], place: Place): void {
    const [old, now] = [before.map(({ key }) => key), after.map(({ key }) => key)];
    const [removed, added] = [without(old, now), without(now, old)];
    if (removed[0] === 'any') this.add(place, `only ${added.join(', ')} instead of any value`, 'narrower');
    else if (added[0] === 'any') this.add(place, `any value instead of only ${removed.join(', ')}`, 'wider');
    else if (removed.join() === 'number' && added.join() === 'integer') this.add(place, 'integers instead of numbers', 'narrower');
    else if (removed.join() === 'integer' && added.join() === 'number') this.add(place, 'numbers instead of integers', 'wider');
    else {
      for (const key of removed) this.add(place, `${key} removed`, 'narrower');
      // A union with a placeholder for newer types announces new members, so adding one doesn't break callers.
      const isOpen = before.some(({ schema }) => isForNewer(resolve(this.#before, schema).schema));
      for (const key of added) this.add(place, `${key} added`, isOpen ? 'harmless' : 'wider');
    }
    // Inline members of the same type are compared in order.
    for (const [index, { key, schema }] of before.entries()) {
      const same = after.filter((branch) => branch.key === key)[old.slice(0, index).filter((one) => one === key).length];
      if (same === undefined) continue;
      if (schema.$ref || same.schema.$ref) this.compare(schema, same.schema, place);
      else this.#compareShape(schema, same.schema, place);
    }
  }

  #compareShape(before: JsonSchema, after: JsonSchema, place: Place): void {
    this.#compareValues(before, after, place);
    // Bounds are irrelevant if the schema lists its values.
    const isListed = before.enum !== undefined || before.const !== undefined;
    for (const key of [...MAXIMA, ...MINIMA]) {
      if (isListed || before[key] === after[key]) continue;
      const open = MAXIMA.includes(key) ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
      const isLower = Number(after[key] ?? open) < Number(before[key] ?? open);
      this.add(place, `${key} ${shown(before[key])} → ${shown(after[key])}`, isLower === MAXIMA.includes(key) ? 'narrower' : 'wider');
    }
    for (const key of OPAQUE) {
      const [one, other] = [before[key], after[key]];
      if (isDeepStrictEqual(one, other) || (key === 'not' && Array.isArray(child(before, key).enum))) continue;
      const [word, effect] =
        one === undefined
          ? (['added', 'narrower'] as const)
          : other === undefined
            ? (['removed', 'wider'] as const)
            : (['changed', 'other'] as const);
      this.add(place, `'${key}' ${word}`, effect);
    }
    if (!before.deprecated && after.deprecated) this.add(place, 'deprecated', 'harmless');
    this.#compareInner('items', { before, after }, { ...place, at: `${place.at}[]` });
    this.#compareFields(before, after, place);
  }

  #compareValues(before: JsonSchema, after: JsonSchema, place: Place): void {
    const [old, now] = [valuesOf(before, String(before.type)), valuesOf(after, String(after.type))];
    if (old && !now) this.add(place, `any value instead of only ${old.join(', ')}`, 'wider');
    else if (!old && now) this.add(place, `only ${now.join(', ')} instead of any value`, 'narrower');
    else {
      for (const value of without(old ?? [], now ?? [])) this.add(place, `value ${value} removed`, 'narrower');
      for (const value of without(now ?? [], old ?? [])) this.add(place, `value ${value} added`, 'wider');
    }
  }

  #compareFields(before: JsonSchema, after: JsonSchema, place: Place): void {
    const [old, now] = [child(before, 'properties'), child(after, 'properties')];
    const [needed, needs] = [listed(before.required), listed(after.required)];
    for (const name of keysOf(old, now)) {
      const here = { ...place, at: `${place.at}.${name}` };
      const isRequired = needs.includes(name);
      if (!(name in now)) this.add(here, 'removed', 'other');
      else if (!(name in old)) this.add(here, isRequired ? 'added, required' : 'added', isRequired ? 'narrower' : 'harmless');
      else {
        if (needed.includes(name) !== isRequired) this.add(here, isRequired ? 'required' : 'optional', isRequired ? 'narrower' : 'wider');
        this.compare(child(old, name), child(now, name), here);
      }
    }
    const [wasOpen, isOpen] = [before.additionalProperties !== false, after.additionalProperties !== false];
    if (wasOpen !== isOpen) this.add(place, isOpen ? 'any other fields' : 'no other fields', isOpen ? 'wider' : 'narrower');
    else this.#compareInner('additionalProperties', { before, after }, { ...place, at: `${place.at}.*` });
  }

  #compareInner(key: string, { before, after }: { readonly before: JsonSchema; readonly after: JsonSchema }, place: Place): void {
    // Skipped if neither schema has the keyword: comparing two empty schemas would recurse forever.
    if (isObject(before[key]) || isObject(after[key])) this.compare(child(before, key), child(after, key), place);
  }

  compareOperations(): void {
    const [old, now] = [operationsIn(this.#before), operationsIn(this.#after)];
    for (const address of keysOf(old, now)) {
      const place = { at: address, side: 'operation' } as const;
      if (!(address in now)) this.add(place, 'removed', 'other');
      else if (!(address in old)) this.add(place, 'added', 'harmless');
      else this.#compareOperation(child(old, address), child(now, address), place);
    }
  }

  #compareOperation(before: JsonSchema, after: JsonSchema, place: Place): void {
    const [id, newId] = [before.operationId, after.operationId];
    if (id !== newId) this.add(place, `operationId ${shown(id)} → ${shown(newId)}`, 'other');
    if (!before.deprecated && after.deprecated) this.add(place, 'deprecated', 'harmless');
    const [wasOpen, isOpen] = [before, after].map(({ security }) => Array.isArray(security) && security.length === 0);
    if (wasOpen !== isOpen) this.add(place, isOpen ? 'needs no key' : 'needs a key', isOpen ? 'wider' : 'narrower');
    this.#compareFields(parametersOf(before), parametersOf(after), { at: `${place.at} parameters`, side: 'request' });
    this.#compareContent(child(before, 'requestBody'), child(after, 'requestBody'), { ...place, side: 'request' });
    const [old, now] = [child(before, 'responses'), child(after, 'responses')];
    for (const status of keysOf(old, now)) {
      const isError = Number(status) >= 400;
      const here: Place = { at: `${place.at} ${status}`, side: isError ? 'error' : 'response' };
      // Programs don't depend on receiving an error.
      if (!(status in now)) this.add(here, 'removed', isError ? 'harmless' : 'other');
      else if (!(status in old)) this.add(here, 'added', 'harmless');
      else this.#compareContent(child(old, status), child(now, status), here);
    }
  }

  #compareContent(before: JsonSchema, after: JsonSchema, place: Place): void {
    const [headers, newHeaders] = [child(before, 'headers'), child(after, 'headers')];
    for (const name of without(Object.keys(headers), Object.keys(newHeaders))) this.add(place, `header ${name} removed`, 'other');
    for (const name of without(Object.keys(newHeaders), Object.keys(headers))) this.add(place, `header ${name} added`, 'harmless');
    const [old, now] = [child(before, 'content'), child(after, 'content')];
    for (const type of keysOf(old, now)) {
      if (!(type in now)) this.add(place, `${type} removed`, 'other');
      else if (!(type in old)) this.add(place, `${type} added`, 'harmless');
      else this.compare(child(child(old, type), 'schema'), child(child(now, type), 'schema'), { ...place, at: `${place.at} ${type}` });
    }
  }
}

/** Follows a reference to its component, and returns the component's name. */
function resolve(document: JsonSchema, schema: JsonSchema): { readonly name: string; readonly schema: JsonSchema } {
  if (typeof schema.$ref !== 'string') return { name: '', schema };
  const { $ref, description: _prose, ...siblings } = schema;
  const target = resolve(document, child(child(child(document, 'components'), 'schemas'), nameOf(schema)));
  // Keywords next to a reference belong to the place that references, so the result has no component name.
  return { name: Object.keys(siblings).length === 0 ? nameOf(schema) : '', schema: { ...target.schema, ...siblings } };
}

/** Returns the operations by method and path. */
function operationsIn({ paths }: JsonSchema): JsonSchema {
  const found = Object.entries(isObject(paths) ? paths : {}).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  );
  return Object.fromEntries(found);
}

/** Converts parameters to the fields of an object, because the same rules apply to both. */
function parametersOf({ parameters }: JsonSchema): JsonSchema {
  const named = listed(parameters).filter(isObject);
  return {
    properties: Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
    required: named.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

/** Returns breaking changes first, otherwise in document order. */
export function compareDocuments(before: JsonSchema, after: JsonSchema): readonly Change[] {
  const comparison = new Comparison(before, after);
  comparison.compareOperations();
  return [...comparison.changes.values()].sort((one, other) => Number(other.isBreaking) - Number(one.isBreaking));
}
