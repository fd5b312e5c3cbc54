/** Values that satisfy a JSON schema: arguments of tools and structured output. */
import { type Budget, samplePattern } from './pattern.ts';

/** The schema is the caller's: these bounds keep a hostile one from filling the memory. */
const MAX_NODES = 5_000;
const DEEPEST = 24;
/** Below this depth only required values are made, so that a recursive schema ends. */
const DEEP_ENOUGH = 6;
const MAX_ARRAY = 100;
const MAX_BRANCHES = 64;
const MAX_TYPES = 7;

/** Throws when the budget has no more steps. When it has no more characters, the rest of the value stays empty. */
export function exampleValue(schema: unknown, source: Source, budget: Budget): unknown {
  const walk: Walk = { root: schema, source, budget, resolved: new WeakMap(), nodes: 0, numbersUsed: 0 };
  return fill(walk, schema, { name: '', index: 0, depth: 0 });
}

function fill(walk: Walk, unresolved: unknown, place: Place): unknown {
  walk.nodes += 1;
  if (walk.nodes > MAX_NODES || place.depth > DEEPEST || walk.budget.isSpent) return null;
  const schema = resolveSchema(walk, unresolved);
  if ('const' in schema) return own(walk, schema.const);
  const options = toList(schema.enum);
  if (options.length > 0) return own(walk, options[place.index % options.length]);
  const branches = [schema.anyOf, schema.oneOf].flatMap((list) => toList(list).slice(0, MAX_BRANCHES)).slice(0, MAX_BRANCHES);
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

/** The first type that isn't null; where none is named, the one whose keywords are there. */
function typeOf(schema: JsonRecord): string {
  const types = [schema.type, ...toList(schema.type).slice(0, MAX_TYPES)].filter((type) => typeof type === 'string');
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
  const least = Math.min(toNumber(schema.minProperties) ?? 0, MAX_ARRAY);
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
  const length = Math.min(least, toNumber(schema.maxItems) ?? MAX_ARRAY, MAX_ARRAY);
  return Array.from({ length }, (_, index) =>
    fill(walk, index < firsts.length ? firsts[index] : items, { name: place.name, index, depth: place.depth + 1 }),
  );
}

function wantedItems(walk: Walk, items: unknown): number {
  const schema = resolveSchema(walk, items);
  return typeOf(schema) === 'string' && !('enum' in schema) && !('const' in schema) ? walk.source.subjects.length : 1;
}

/** Longer strings than this aren't made, whatever `minLength` says. */
const MAX_STRING = 10_000;

function exampleNumber(walk: Walk, schema: JsonRecord, place: Place): number {
  const said = walk.source.numbers[walk.numbersUsed];
  const fits = createFit(schema);
  if (said !== undefined && fits(said)) {
    walk.numbersUsed += 1;
    return said;
  }
  const step = toNumber(schema.multipleOf) ?? 1;
  const low = toNumber(schema.minimum) ?? toNumber(schema.exclusiveMinimum);
  const high = toNumber(schema.maximum) ?? toNumber(schema.exclusiveMaximum);
  const round = (value: number) => Math.ceil(value / step) * step;
  const starts = [
    1,
    round(1),
    ...(low === null ? [] : [low, round(low), round(low) + step]),
    ...(high === null ? [] : [high, round(high) - step]),
  ];
  const middle = (Math.max(low ?? 0, -1e9) + Math.min(high ?? 0, 1e9)) / 2;
  const start = [...starts, middle].find(fits) ?? 1;
  // Different from its siblings if possible: the array may require unique entries.
  return [start + place.index * step, start - place.index * step, start].find(fits) ?? start;
}

function createFit(schema: JsonRecord): (value: number) => boolean {
  const above = toNumber(schema.exclusiveMinimum) ?? Number.NEGATIVE_INFINITY;
  const below = toNumber(schema.exclusiveMaximum) ?? Number.POSITIVE_INFINITY;
  const low = toNumber(schema.minimum) ?? Number.NEGATIVE_INFINITY;
  const high = toNumber(schema.maximum) ?? Number.POSITIVE_INFINITY;
  const step = toNumber(schema.multipleOf);
  const isWhole = [schema.type].flat().includes('integer');
  return (value) =>
    value >= low && value <= high && value > above && value < below && !(isWhole && !Number.isInteger(value)) && isMultiple(value, step);
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

function exampleString({ source, budget }: Walk, schema: JsonRecord, place: Place): string {
  const least = Math.min(toNumber(schema.minLength) ?? 0, MAX_STRING, budget.characters);
  const made = makeString(schema, least, { source, budget, place });
  budget.take(made.length + 2);
  return made;
}

type Making = Pick<Walk, 'source' | 'budget'> & { readonly place: Place };

function makeString(schema: JsonRecord, least: number, { source, budget, place }: Making): string {
  const most = toNumber(schema.maxLength) ?? MAX_STRING;
  const format = formats[toText(schema.format)];
  if (format !== undefined) return format;
  if (typeof schema.pattern === 'string') return samplePattern(schema.pattern, least, budget);
  return fitLength(chooseWords(source, place), least, most);
}

/** A client may act on these values: names that suggest commands or paths get harmless ones. */
function chooseWords(source: Source, { name, index }: Place): string {
  const hints: readonly (readonly [RegExp, string])[] = [
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
  const hinted = hints.find(([pattern]) => pattern.test(name))?.[1];
  if (hinted) return hinted;
  const subject = source.subjects[index];
  return subject ?? (index === 0 ? 'simulator' : `${source.subjects[0] ?? 'simulator'} ${index + 1}`);
}

const FILLER = ' simulator';

/** JSON schema counts code points, not UTF-16 units. */
function fitLength(text: string, least: number, most: number): string {
  const missing = Math.max(0, least - [...text].length);
  const long = text + FILLER.repeat(Math.ceil(missing / FILLER.length));
  return [...long].slice(0, Math.max(most, 0)).join('').trimEnd().padEnd(least, '.');
}

/** A circle of references ends here; a part of `allOf` costs more, since each may branch again. */
const MAX_HOPS = 16;
const HOPS_PER_PART = 6;
const MAX_PARTS = 8;

type Scope = Pick<Walk, 'root' | 'budget' | 'resolved'>;

function resolveSchema(scope: Scope, schema: unknown): JsonRecord {
  if (!isRecord(schema)) return {};
  const known = scope.resolved.get(schema);
  if (known) return known;
  const resolved = resolve(scope, schema, 0);
  scope.resolved.set(schema, resolved);
  return resolved;
}

function resolve(scope: Scope, schema: unknown, hops: number): JsonRecord {
  const { root, budget } = scope;
  budget.spend(1);
  if (!isRecord(schema)) return {};
  if ((typeof schema.$ref !== 'string' && !Array.isArray(schema.allOf)) || hops > MAX_HOPS) return schema;
  const { $ref, allOf, ...rest } = schema;
  const target = typeof $ref === 'string' ? resolve(scope, lookUp(root, $ref, budget), hops + 1) : {};
  return firstParts(allOf).reduce<JsonRecord>(
    (merged, part) => mergeSchemas(merged, resolve(scope, part, hops + HOPS_PER_PART), budget),
    mergeSchemas(target, rest, budget),
  );
}

const firstParts = (allOf: unknown): readonly JsonRecord[] => toRecords(toList(allOf).slice(0, MAX_PARTS));

/** Both combined: properties and required keys of either, other keywords of the second before the first. */
function mergeSchemas(first: JsonRecord, second: JsonRecord, budget: Budget): JsonRecord {
  budget.spend(namesOf(first) + namesOf(second));
  const merged: Record<string, unknown> = { ...first, ...second };
  if (first.properties && second.properties) merged.properties = { ...toRecord(first.properties), ...toRecord(second.properties) };
  if (first.required && second.required) merged.required = [...new Set([...toTexts(first.required), ...toTexts(second.required)])];
  return merged;
}

/** How many names stand in it, and in what is merged with it. */
const namesOf = (schema: JsonRecord): number =>
  Object.keys(schema).length + Object.keys(toRecord(schema.properties)).length + toList(schema.required).length;

/** A reference into the same document, `#/$defs/name`; others lead nowhere, nothing is ever fetched. */
function lookUp(root: unknown, reference: string, budget: Budget): unknown {
  budget.spend(reference.length);
  if (!reference.startsWith('#')) return undefined;
  let found = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    const key = decodeStep(step);
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}

function decodeStep(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    // A lone percent sign: then the name is meant as it stands.
    return plain;
  }
}

/** What values are made of. */
export interface Source {
  /** The beginning of the prompt. */
  readonly quote: string;
  readonly subjects: readonly string[];
  readonly numbers: readonly number[];
}

/** One walk through a schema. */
interface Walk {
  readonly root: unknown;
  readonly source: Source;
  /** Shared by all values of one response. */
  readonly budget: Budget;
  /** What the parts of the schema came to, each made plain once. */
  readonly resolved: WeakMap<object, JsonRecord>;
  /** How many values were made so far. */
  nodes: number;
  /** How many of the prompt's numbers were used. */
  numbersUsed: number;
}
interface Place {
  /** The property's name, which often tells what is wanted. */
  readonly name: string;
  /** Position in the array around it. */
  readonly index: number;
  readonly depth: number;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function toRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function toRecords(value: unknown): readonly JsonRecord[] {
  return toList(value).filter(isRecord);
}

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function toTexts(value: unknown): readonly string[] {
  return toList(value).filter((entry) => typeof entry === 'string');
}

export function toNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A string, or the text parts of a list. */
export function joinText(content: unknown): string {
  if (typeof content === 'string') return content;
  return toRecords(content)
    .map((part) => toText(part.text))
    .filter((text) => text !== '')
    .join('\n');
}

/** How an image or file was given, in a word: its media type, "linked", or "by ID". */
export function describeUrl(url: string): string {
  const mediaType = /^data:([\w.+-]{1,60}\/[\w.+-]{1,60})/.exec(url)?.[1];
  if (mediaType) return mediaType;
  if (/^https?:/i.test(url)) return 'linked';
  return url === '' ? 'by id' : 'inline';
}
