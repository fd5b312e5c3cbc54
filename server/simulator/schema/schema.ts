/** Values that satisfy a JSON schema: arguments of tools and structured output. */
import { isRecord, type JsonRecord, toList, toNumber, toRecord, toTexts } from '../values.ts';
import type { Budget } from './budget.ts';
import { mergeSchemas, resolveSchema } from './resolve.ts';
import { exampleNumber, exampleString } from './scalars.ts';
import type { Place, Source, Walk } from './walk.ts';

/** The schema is the caller's: these bounds keep a hostile one from filling the memory. */
const MOST_NODES = 5_000;
const DEEPEST = 24;
/** Below this depth only required values are made, so that a recursive schema ends. */
const DEEP_ENOUGH = 6;
const LONGEST_ARRAY = 100;
const MOST_BRANCHES = 64;
const MOST_TYPES = 7;

/** Throws when the budget has no more steps. When it has no more characters, the rest of the value stays empty. */
export function exampleValue(schema: unknown, source: Source, budget: Budget): unknown {
  const walk: Walk = { root: schema, source, budget, resolved: new WeakMap(), nodes: 0, numbersUsed: 0 };
  return fill(walk, schema, { name: '', index: 0, depth: 0 });
}

function fill(walk: Walk, unresolved: unknown, place: Place): unknown {
  walk.nodes += 1;
  if (walk.nodes > MOST_NODES || place.depth > DEEPEST || walk.budget.isSpent) return null;
  const schema = resolveSchema(walk, unresolved);
  if ('const' in schema) return own(walk, schema.const);
  const options = toList(schema.enum);
  if (options.length > 0) return own(walk, options[place.index % options.length]);
  const branches = [schema.anyOf, schema.oneOf].flatMap((list) => toList(list).slice(0, MOST_BRANCHES)).slice(0, MOST_BRANCHES);
  if (branches.length > 0) return fillBranch(walk, { schema, branches, place });
  return fillType(walk, schema, place);
}

/** A value that stands in the schema. */
function own({ budget }: Walk, value: unknown): unknown {
  budget.takeValue(value);
  return value;
}

interface Fork {
  readonly schema: JsonRecord;
  readonly branches: readonly unknown[];
  readonly place: Place;
}

function fillBranch(walk: Walk, { schema, branches, place }: Fork): unknown {
  const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = schema;
  const resolved = branches.map((branch) => resolveSchema(walk, branch));
  const flat = resolved.find((branch) => !['object', 'array'].includes(typeOf(branch)));
  const branch = (place.depth > DEEP_ENOUGH ? flat : undefined) ?? resolved[0];
  return fill(walk, mergeSchemas(rest, toRecord(branch), walk.budget), place);
}

function fillType(walk: Walk, schema: JsonRecord, place: Place): unknown {
  switch (typeOf(schema)) {
    case 'object':
      return fillObject(walk, schema, place);
    case 'array':
      return fillArray(walk, schema, place);
    case 'integer':
    case 'number':
      return exampleNumber(walk, schema, place);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return exampleString(walk, schema, place);
  }
}

/** The first type that is not null; where none is named, the one whose keywords are there. */
function typeOf(schema: JsonRecord): string {
  const types = [schema.type, ...toList(schema.type).slice(0, MOST_TYPES)].filter((type) => typeof type === 'string');
  const named = types.find((type) => type !== 'null') ?? types[0];
  if (named) return named;
  if (isRecord(schema.properties) || Array.isArray(schema.required)) return 'object';
  if ('items' in schema || 'prefixItems' in schema) return 'array';
  return 'minimum' in schema || 'maximum' in schema ? 'number' : 'string';
}

function fillObject(walk: Walk, schema: JsonRecord, place: Place): unknown {
  const properties = toRecord(schema.properties);
  const entries: [string, unknown][] = [];
  for (const key of chooseKeys(walk, schema, properties, place)) {
    if (walk.budget.isSpent) break;
    walk.budget.take(key.length + 3);
    const inner = Object.hasOwn(properties, key) ? properties[key] : toRecord(schema.additionalProperties);
    entries.push([key, fill(walk, inner, { name: key, index: place.index, depth: place.depth + 1 })]);
  }
  // Not by assignment: a property may be named __proto__.
  return Object.fromEntries(entries);
}

/** What is required; at the top, where nothing is, everything. */
function chooseKeys({ budget }: Walk, schema: JsonRecord, properties: JsonRecord, place: Place): Iterable<string> {
  const required = toTexts(schema.required);
  const known = Object.keys(properties);
  budget.spend(required.length + known.length);
  const wanted = required.length === 0 && place.depth === 0 ? known : required;
  const least = Math.min(toNumber(schema.minProperties) ?? 0, LONGEST_ARRAY);
  const spare = [...known, ...Array.from({ length: least }, (_, index) => `key${index + 1}`)];
  const keys = new Set(wanted);
  for (const key of spare) if (keys.size < least) keys.add(key);
  return keys;
}

function fillArray(walk: Walk, schema: JsonRecord, place: Place): unknown {
  const firsts = toList(schema.prefixItems);
  const items = schema.items ?? schema.contains ?? {};
  const isClosed = schema.items === false;
  const wanted = place.depth > DEEP_ENOUGH ? 0 : Math.max(firsts.length, isClosed ? 0 : wantedItems(walk, items));
  const least = Math.max(wanted, toNumber(schema.minItems) ?? 0);
  const length = Math.min(least, toNumber(schema.maxItems) ?? LONGEST_ARRAY, LONGEST_ARRAY);
  return Array.from({ length }, (_, index) =>
    fill(walk, index < firsts.length ? firsts[index] : items, { name: place.name, index, depth: place.depth + 1 }),
  );
}

function wantedItems(walk: Walk, items: unknown): number {
  const schema = resolveSchema(walk, items);
  return typeOf(schema) === 'string' && !('enum' in schema) && !('const' in schema) ? walk.source.subjects.length : 1;
}
