/** Creates values that satisfy a JSON schema, for tool arguments and structured output. */
import type { Budget } from './budget.ts';
import { isRecord, type JsonRecord, toList, toNumber, toRecord, toRecords, toText, toTexts } from './json-record.ts';
import { samplePattern } from './pattern.ts';

/** The schema is the caller's: these bounds keep a malicious one from exhausting memory. */
const MAX_NODES = 5_000;
const MAX_DEPTH = 24;
/** Below this depth, only required values are created, so that a recursive schema ends. */
const MAX_OPTIONAL_DEPTH = 6;
const MAX_ARRAY_LENGTH = 100;
const MAX_BRANCHES = 64;
const MAX_TYPES = 7;

/** Throws if the step budget is used up. If the character budget is used up, the remaining values stay empty. */
export function createSchemaExample(schema: unknown, source: PromptSource, budget: Budget): unknown {
  const state: ExampleState = { root: schema, source, budget, resolved: new WeakMap(), nodes: 0, numbersUsed: 0 };
  return createValue(state, schema, { name: '', index: 0, depth: 0 });
}

function createValue(state: ExampleState, rawSchema: unknown, context: ValueContext): unknown {
  state.nodes += 1;
  if (state.nodes > MAX_NODES || context.depth > MAX_DEPTH || state.budget.isExhausted) return null;
  const schema = resolveSchema(state, rawSchema);
  if ('const' in schema) return spendSchemaValue(state, schema.const);
  const options = toList(schema.enum);
  if (options.length > 0) return spendSchemaValue(state, options[context.index % options.length]);
  const branches = [schema.anyOf, schema.oneOf].flatMap((list) => toList(list).slice(0, MAX_BRANCHES)).slice(0, MAX_BRANCHES);
  if (branches.length > 0) return createBranchValue(state, schema, branches, context);
  return createTypedValue(state, schema, context);
}

/** Returns a value that the schema itself contains. */
function spendSchemaValue({ budget }: ExampleState, value: unknown): unknown {
  budget.useValue(value);
  return value;
}

function createBranchValue(state: ExampleState, schema: JsonRecord, branches: readonly unknown[], context: ValueContext): unknown {
  const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = schema;
  const resolvedBranches = branches.map((branch) => resolveSchema(state, branch));
  const scalarBranch = resolvedBranches.find((branch) => !['object', 'array'].includes(getType(branch)));
  const branch = (context.depth > MAX_OPTIONAL_DEPTH ? scalarBranch : undefined) ?? resolvedBranches[0];
  return createValue(state, mergeSchemas(rest, toRecord(branch), state.budget), context);
}

function createTypedValue(state: ExampleState, schema: JsonRecord, context: ValueContext): unknown {
  switch (getType(schema)) {
    case 'object':
      return createObject(state, schema, context);
    case 'array':
      return createArray(state, schema, context);
    case 'integer':
    case 'number':
      return createNumber(state, schema, context);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return createString(state, schema, context);
  }
}

/** Returns the first type other than null. Without `type`, infers it from the keywords. */
function getType(schema: JsonRecord): string {
  const types = [schema.type, ...toList(schema.type).slice(0, MAX_TYPES)].filter((type) => typeof type === 'string');
  const typeName = types.find((type) => type !== 'null') ?? types[0];
  if (typeName) return typeName;
  if (isRecord(schema.properties) || Array.isArray(schema.required)) return 'object';
  if ('items' in schema || 'prefixItems' in schema) return 'array';
  return 'minimum' in schema || 'maximum' in schema ? 'number' : 'string';
}

function createObject(state: ExampleState, schema: JsonRecord, context: ValueContext): unknown {
  const properties = toRecord(schema.properties);
  const entries: [string, unknown][] = [];
  for (const key of chooseKeys(state, schema, properties, context)) {
    if (state.budget.isExhausted) break;
    state.budget.useCharacters(key.length + 3);
    const propertySchema = Object.hasOwn(properties, key) ? properties[key] : toRecord(schema.additionalProperties);
    entries.push([key, createValue(state, propertySchema, { name: key, index: context.index, depth: context.depth + 1 })]);
  }
  // Not by assignment, because a property may be named __proto__.
  return Object.fromEntries(entries);
}

/** Chooses the required keys. At the top level without required keys, chooses all. */
function chooseKeys({ budget }: ExampleState, schema: JsonRecord, properties: JsonRecord, context: ValueContext): Iterable<string> {
  const required = toTexts(schema.required);
  const knownKeys = Object.keys(properties);
  budget.spend(required.length + knownKeys.length);
  const wantedKeys = required.length === 0 && context.depth === 0 ? knownKeys : required;
  const minKeys = Math.min(toNumber(schema.minProperties) ?? 0, MAX_ARRAY_LENGTH);
  const spareKeys = [...knownKeys, ...Array.from({ length: minKeys }, (_, index) => `key${index + 1}`)];
  const keys = new Set(wantedKeys);
  for (const key of spareKeys) if (keys.size < minKeys) keys.add(key);
  return keys;
}

function createArray(state: ExampleState, schema: JsonRecord, context: ValueContext): unknown {
  const prefixSchemas = toList(schema.prefixItems);
  const items = schema.items ?? schema.contains ?? {};
  const isClosed = schema.items === false;
  const wantedLength =
    context.depth > MAX_OPTIONAL_DEPTH ? 0 : Math.max(prefixSchemas.length, isClosed ? 0 : countWantedItems(state, items));
  const minLength = Math.max(wantedLength, toNumber(schema.minItems) ?? 0);
  const length = Math.min(minLength, toNumber(schema.maxItems) ?? MAX_ARRAY_LENGTH, MAX_ARRAY_LENGTH);
  return Array.from({ length }, (_, index) =>
    createValue(state, index < prefixSchemas.length ? prefixSchemas[index] : items, {
      name: context.name,
      index,
      depth: context.depth + 1,
    }),
  );
}

function countWantedItems(state: ExampleState, items: unknown): number {
  const schema = resolveSchema(state, items);
  return getType(schema) === 'string' && !('enum' in schema) && !('const' in schema) ? state.source.subjects.length : 1;
}

/** The maximum length of a string, whatever `minLength` is. */
const MAX_STRING_LENGTH = 10_000;

function createNumber(state: ExampleState, schema: JsonRecord, context: ValueContext): number {
  const promptNumber = state.source.numbers[state.numbersUsed];
  const isAllowed = createNumberCheck(schema);
  if (promptNumber !== undefined && isAllowed(promptNumber)) {
    state.numbersUsed += 1;
    return promptNumber;
  }
  const step = toNumber(schema.multipleOf) ?? 1;
  const minimum = toNumber(schema.minimum) ?? toNumber(schema.exclusiveMinimum);
  const maximum = toNumber(schema.maximum) ?? toNumber(schema.exclusiveMaximum);
  const roundUp = (value: number) => Math.ceil(value / step) * step;
  const starts = [
    1,
    roundUp(1),
    ...(minimum === null ? [] : [minimum, roundUp(minimum), roundUp(minimum) + step]),
    ...(maximum === null ? [] : [maximum, roundUp(maximum) - step]),
  ];
  const middle = (Math.max(minimum ?? 0, -1e9) + Math.min(maximum ?? 0, 1e9)) / 2;
  const start = [...starts, middle].find(isAllowed) ?? 1;
  // Differs from its siblings if possible, because the array may require unique entries.
  return [start + context.index * step, start - context.index * step, start].find(isAllowed) ?? start;
}

function createNumberCheck(schema: JsonRecord): (value: number) => boolean {
  const exclusiveMinimum = toNumber(schema.exclusiveMinimum) ?? Number.NEGATIVE_INFINITY;
  const exclusiveMaximum = toNumber(schema.exclusiveMaximum) ?? Number.POSITIVE_INFINITY;
  const minimum = toNumber(schema.minimum) ?? Number.NEGATIVE_INFINITY;
  const maximum = toNumber(schema.maximum) ?? Number.POSITIVE_INFINITY;
  const step = toNumber(schema.multipleOf);
  const isInteger = [schema.type].flat().includes('integer');
  return (value) =>
    value >= minimum &&
    value <= maximum &&
    value > exclusiveMinimum &&
    value < exclusiveMaximum &&
    !(isInteger && !Number.isInteger(value)) &&
    isMultiple(value, step);
}

function isMultiple(value: number, step: number | null): boolean {
  if (step === null || step <= 0) return true;
  return Math.abs(value / step - Math.round(value / step)) < 1e-9;
}

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T12:00:00Z',
  date: '2026-01-01',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'simulator@example.com',
  hostname: 'example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function createString({ source, budget }: ExampleState, schema: JsonRecord, context: ValueContext): string {
  const minLength = Math.min(toNumber(schema.minLength) ?? 0, MAX_STRING_LENGTH, budget.characters);
  const text = createStringText(schema, minLength, { source, budget, place: context });
  budget.useCharacters(text.length + 2);
  return text;
}

type StringContext = Pick<ExampleState, 'source' | 'budget'> & { readonly place: ValueContext };

function createStringText(schema: JsonRecord, minLength: number, { source, budget, place: context }: StringContext): string {
  const maxLength = toNumber(schema.maxLength) ?? MAX_STRING_LENGTH;
  const format = formats[toText(schema.format)];
  if (format !== undefined) return format;
  if (typeof schema.pattern === 'string') return samplePattern(schema.pattern, minLength, budget);
  return fitLength(chooseWords(source, context), minLength, maxLength);
}

/** A client may act on these values, so names that suggest commands or paths get harmless values. */
function chooseWords(source: PromptSource, { name, index }: ValueContext): string {
  const namePatterns: readonly (readonly [RegExp, string])[] = [
    [/e-?mail/i, 'simulator@example.com'],
    [/ur[il]$|link|href/i, 'https://example.com/'],
    [/(^|_)(cmd|command|shell|script)s?$/i, 'echo simulator'],
    [/^code$|(^|_)(sql)$/i, "select 'simulator'"],
    [/path|file|(^|_)dir/i, 'simulator.txt'],
    [/date$|^day$/i, '2026-01-01'],
    [/(^|_)id$|[a-z]Id$/, `simulated-${index + 1}`],
    [/^(q|query|question|prompt|text|message|content|body|input)$/i, source.quote],
    [/answer|summary|description|explanation|reason|note|title/i, `Simulated ${name.replaceAll('_', ' ')}`],
  ];
  const hintedValue = namePatterns.find(([pattern]) => pattern.test(name))?.[1];
  if (hintedValue) return hintedValue;
  const subject = source.subjects[index];
  return subject ?? (index === 0 ? 'simulator' : `${source.subjects[0] ?? 'simulator'} ${index + 1}`);
}

const FILLER_TEXT = ' simulator';

/** JSON Schema counts code points, not UTF-16 units. */
function fitLength(text: string, minLength: number, maxLength: number): string {
  const missingLength = Math.max(0, minLength - [...text].length);
  const paddedText = text + FILLER_TEXT.repeat(Math.ceil(missingLength / FILLER_TEXT.length));
  return [...paddedText].slice(0, Math.max(maxLength, 0)).join('').trimEnd().padEnd(minLength, '.');
}

/** Stops circular references. A part of `allOf` costs more hops, because each part may branch again. */
const MAX_REFERENCE_HOPS = 16;
const HOPS_PER_PART = 6;
const MAX_ALL_OF_PARTS = 8;

type SchemaScope = Pick<ExampleState, 'root' | 'budget' | 'resolved'>;

function resolveSchema(scope: SchemaScope, schema: unknown): JsonRecord {
  if (!isRecord(schema)) return {};
  const cachedSchema = scope.resolved.get(schema);
  if (cachedSchema) return cachedSchema;
  const resolvedSchema = resolveParts(scope, schema, 0);
  scope.resolved.set(schema, resolvedSchema);
  return resolvedSchema;
}

function resolveParts(scope: SchemaScope, schema: unknown, hops: number): JsonRecord {
  const { root, budget } = scope;
  budget.spend(1);
  if (!isRecord(schema)) return {};
  if ((typeof schema.$ref !== 'string' && !Array.isArray(schema.allOf)) || hops > MAX_REFERENCE_HOPS) return schema;
  const { $ref, allOf, ...rest } = schema;
  const target = typeof $ref === 'string' ? resolveParts(scope, resolveReference(root, $ref, budget), hops + 1) : {};
  return getAllOfParts(allOf).reduce<JsonRecord>(
    (mergedSchema, part) => mergeSchemas(mergedSchema, resolveParts(scope, part, hops + HOPS_PER_PART), budget),
    mergeSchemas(target, rest, budget),
  );
}

const getAllOfParts = (allOf: unknown): readonly JsonRecord[] => toRecords(toList(allOf).slice(0, MAX_ALL_OF_PARTS));

/** Merges two schemas: the properties and required keys of both, and otherwise the second schema's keywords take precedence. */
function mergeSchemas(first: JsonRecord, second: JsonRecord, budget: Budget): JsonRecord {
  budget.spend(countNames(first) + countNames(second));
  const merged: Record<string, unknown> = { ...first, ...second };
  if (first.properties && second.properties) merged.properties = { ...toRecord(first.properties), ...toRecord(second.properties) };
  if (first.required && second.required) merged.required = [...new Set([...toTexts(first.required), ...toTexts(second.required)])];
  return merged;
}

/** Counts the names that merging this schema copies. */
const countNames = (schema: JsonRecord): number =>
  Object.keys(schema).length + Object.keys(toRecord(schema.properties)).length + toList(schema.required).length;

/** Resolves a reference into the same document, `#/$defs/name`. Other references return undefined; nothing is ever fetched. */
function resolveReference(root: unknown, reference: string, budget: Budget): unknown {
  budget.spend(reference.length);
  if (!reference.startsWith('#')) return undefined;
  let value = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    const key = decodeStep(step);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function decodeStep(step: string): string {
  const unescapedStep = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(unescapedStep);
  } catch {
    // A lone percent sign, so the name is taken literally.
    return unescapedStep;
  }
}

/** The prompt parts that values are created from. */
export interface PromptSource {
  /** The start of the prompt. */
  readonly quote: string;
  readonly subjects: readonly string[];
  readonly numbers: readonly number[];
}

/** The state of one walk through a schema. */
interface ExampleState {
  readonly root: unknown;
  readonly source: PromptSource;
  /** Shared by all values of one response. */
  readonly budget: Budget;
  /** Caches resolved schemas, so that each part is resolved once. */
  readonly resolved: WeakMap<object, JsonRecord>;
  /** The number of values created so far. */
  nodes: number;
  /** How many of the prompt's numbers were used. */
  numbersUsed: number;
}
interface ValueContext {
  /** The property's name, which often suggests a fitting value. */
  readonly name: string;
  /** The position in the enclosing array. */
  readonly index: number;
  readonly depth: number;
}
