/** Creates values that satisfy a JSON schema, for tool arguments and structured output. */
import type { Fields } from '../../primitives/fields.ts';
import { joinSchemas } from '../../protocols/canonical/join-schemas.ts';
import { isSchema } from '../../protocols/canonical/modernize-schema.ts';
import type { Budget } from './budget.ts';
import { samplePattern } from './sample-pattern.ts';

/** The schema is the caller's: these bounds keep a malicious one from exhausting memory. */
const MAX_NODES = 5_000;
const MAX_DEPTH = 24;
/** Below this depth, only required values are created, so that a recursive schema ends. */
const MAX_OPTIONAL_DEPTH = 6;
const MAX_LENGTH = 100;
const MAX_STRING_LENGTH = 10_000;
const MAX_BRANCHES = 64;
const MAX_TYPES = 7;
/** Stops circular references. A part of `allOf` costs more hops, because each part may branch again. */
const MAX_REFERENCE_HOPS = 16;
const HOPS_PER_PART = 6;
const MAX_ALL_OF_PARTS = 8;

/** The prompt parts that values are created from. */
export interface PromptSource {
  /** The start of the prompt. */
  readonly quote: string;
  readonly subjects: readonly string[];
  readonly numbers: readonly number[];
}

/** Throws if the step budget is used up. If the character budget is used up, the remaining values stay empty. */
export function createSchemaExample(schema: unknown, source: PromptSource, budget: Budget): unknown {
  return new SchemaFiller(schema, source, budget).createValue(schema, { name: '', index: 0, depth: 0 });
}

interface Place {
  /** The property's name, which often suggests a fitting value. */
  readonly name: string;
  /** The position in the enclosing array. */
  readonly index: number;
  readonly depth: number;
}

/** One walk through a schema. */
class SchemaFiller {
  readonly #root: unknown;
  readonly #source: PromptSource;
  /** Shared by all values of one response. */
  readonly #budget: Budget;
  /** Caches resolved schemas, so that each part is resolved once. */
  readonly #resolved = new WeakMap<object, Fields>();
  /** The number of values created so far. */
  #nodes = 0;
  /** How many of the prompt's numbers were used. */
  #numbersUsed = 0;

  constructor(root: unknown, source: PromptSource, budget: Budget) {
    this.#root = root;
    this.#source = source;
    this.#budget = budget;
  }

  createValue(rawSchema: unknown, place: Place): unknown {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES || place.depth > MAX_DEPTH || this.#budget.isExhausted) return null;
    const schema = this.#resolve(rawSchema);
    const options = 'const' in schema ? [schema.const] : toList(schema.enum);
    if (options.length > 0) {
      const value = options[place.index % options.length];
      this.#budget.useCharacters(JSON.stringify(value).length);
      return value;
    }
    const branches = [...toList(schema.anyOf).slice(0, MAX_BRANCHES), ...toList(schema.oneOf).slice(0, MAX_BRANCHES)];
    return branches.length > 0 ? this.#createBranch(schema, branches, place) : this.#createTyped(schema, place);
  }

  /** Chooses the first branch. Deep in the schema, prefers one that ends it. */
  #createBranch({ anyOf: _anyOf, oneOf: _oneOf, ...rest }: Fields, rawBranches: readonly unknown[], place: Place): unknown {
    const branches = rawBranches.slice(0, MAX_BRANCHES).map((branch) => this.#resolve(branch));
    const scalar = branches.find((branch) => !['object', 'array'].includes(getType(branch)));
    const branch = (place.depth > MAX_OPTIONAL_DEPTH ? scalar : undefined) ?? branches[0] ?? {};
    return this.createValue(joinSchemas([branch, rest], this.#budget), place);
  }

  #createTyped(schema: Fields, place: Place): unknown {
    switch (getType(schema)) {
      case 'object':
        return this.#createObject(schema, place);
      case 'array':
        return this.#createArray(schema, place);
      case 'integer':
      case 'number':
        return this.#createNumber(schema, place.index);
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return this.#createString(schema, place);
    }
  }

  #createObject(schema: Fields, { index, depth }: Place): unknown {
    const properties = toRecord(schema.properties);
    const entries: [string, unknown][] = [];
    for (const name of this.#chooseKeys(schema, Object.keys(properties), depth)) {
      if (this.#budget.isExhausted) break;
      this.#budget.useCharacters(name.length + 3);
      const property = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties;
      entries.push([name, this.createValue(property, { name, index, depth: depth + 1 })]);
    }
    // Not by assignment, because a property may be named __proto__.
    return Object.fromEntries(entries);
  }

  /** Chooses the required keys. If the top level has none, chooses all keys. */
  #chooseKeys({ required, minProperties }: Fields, knownKeys: readonly string[], depth: number): Iterable<string> {
    const requiredKeys = toTexts(required);
    this.#budget.spend(requiredKeys.length + knownKeys.length);
    const keys = new Set(requiredKeys.length === 0 && depth === 0 ? knownKeys : requiredKeys);
    const minKeys = Math.min(toNumber(minProperties) ?? 0, MAX_LENGTH);
    for (const key of knownKeys) if (keys.size < minKeys) keys.add(key);
    for (let number = 1; keys.size < minKeys; number += 1) keys.add(`key${number}`);
    return keys;
  }

  #createArray(schema: Fields, { name, depth }: Place): unknown {
    const prefixSchemas = toList(schema.prefixItems);
    const items = schema.items ?? schema.contains;
    const wantedCount = items === false ? 0 : this.#countWantedItems(items);
    const wantedLength = depth > MAX_OPTIONAL_DEPTH ? 0 : Math.max(prefixSchemas.length, wantedCount);
    const length = Math.min(Math.max(wantedLength, toNumber(schema.minItems) ?? 0), toNumber(schema.maxItems) ?? MAX_LENGTH, MAX_LENGTH);
    return Array.from({ length }, (_, index) => this.createValue(prefixSchemas[index] ?? items, { name, index, depth: depth + 1 }));
  }

  /** An array of texts lists the subjects of the prompt. */
  #countWantedItems(items: unknown): number {
    const schema = this.#resolve(items);
    return getType(schema) === 'string' && !('enum' in schema) && !('const' in schema) ? this.#source.subjects.length : 1;
  }

  #createNumber(schema: Fields, index: number): number {
    const isAllowed = createNumberCheck(schema);
    const promptNumber = this.#source.numbers[this.#numbersUsed];
    if (promptNumber !== undefined && isAllowed(promptNumber)) {
      this.#numbersUsed += 1;
      return promptNumber;
    }
    const step = toNumber(schema.multipleOf) ?? 1;
    const roundUp = (value: number) => Math.ceil(value / step) * step;
    const minimum = toNumber(schema.minimum) ?? toNumber(schema.exclusiveMinimum) ?? 0;
    const maximum = toNumber(schema.maximum) ?? toNumber(schema.exclusiveMaximum) ?? 0;
    const middle = (Math.max(minimum, -1e9) + Math.min(maximum, 1e9)) / 2;
    const starts = [1, roundUp(1), minimum, roundUp(minimum), roundUp(minimum) + step, maximum, roundUp(maximum) - step, middle];
    const start = starts.find(isAllowed) ?? 1;
    // Differs from its siblings if possible, because the array may require unique entries.
    return [start + index * step, start - index * step].find(isAllowed) ?? start;
  }

  #createString(schema: Fields, place: Place): string {
    const minLength = Math.min(toNumber(schema.minLength) ?? 0, MAX_STRING_LENGTH, this.#budget.characters);
    const text = this.#createText(schema, minLength, place);
    this.#budget.useCharacters(text.length + 2);
    return text;
  }

  #createText({ format, pattern, maxLength }: Fields, minLength: number, place: Place): string {
    const formatExample = formats.get(format);
    if (formatExample !== undefined) return formatExample;
    if (typeof pattern === 'string') return samplePattern(pattern, minLength, this.#budget);
    return fitLength(chooseWords(this.#source, place), minLength, toNumber(maxLength) ?? MAX_STRING_LENGTH);
  }

  /** Replaces the references and `allOf` of a schema with the schemas they stand for. */
  #resolve(schema: unknown): Fields {
    if (!isSchema(schema)) return {};
    const resolvedSchema = this.#resolved.get(schema) ?? this.#resolveParts(schema, 0);
    this.#resolved.set(schema, resolvedSchema);
    return resolvedSchema;
  }

  #resolveParts(schema: unknown, hops: number): Fields {
    this.#budget.spend(1);
    if (!isSchema(schema)) return {};
    const { $ref, allOf, ...rest } = schema;
    if ((typeof $ref !== 'string' && !Array.isArray(allOf)) || hops > MAX_REFERENCE_HOPS) return schema;
    const target = typeof $ref === 'string' ? this.#resolveParts(this.#find($ref), hops + 1) : {};
    const parts = toList(allOf).slice(0, MAX_ALL_OF_PARTS);
    // The first schema wins. The properties and required keys of all are joined.
    return parts.reduce<Fields>(
      (joined, part) => joinSchemas([this.#resolveParts(part, hops + HOPS_PER_PART), joined], this.#budget),
      joinSchemas([rest, target], this.#budget),
    );
  }

  /** Finds `#/$defs/name` in the same document. Undefined for other references; nothing is ever fetched. */
  #find(reference: string): unknown {
    this.#budget.spend(reference.length);
    const [start, ...steps] = reference.split('/');
    if (start !== '#') return undefined;
    return steps
      .map(decodeStep)
      .reduce<unknown>(
        (value, key) => (typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined),
        this.#root,
      );
  }
}

const toRecord = (value: unknown): Fields => (isSchema(value) ? value : {});
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const toTexts = (value: unknown): readonly string[] => toList(value).filter((entry) => typeof entry === 'string');
const toNumber = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

function decodeStep(step: string): string {
  const unescapedStep = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(unescapedStep);
  } catch {
    // A lone percent sign, so the name is taken literally.
    return unescapedStep;
  }
}

/** Returns the first type other than null. Without `type`, infers it from the keywords. */
function getType(schema: Fields): string {
  const types = [schema.type, ...toList(schema.type).slice(0, MAX_TYPES)].filter((type) => typeof type === 'string');
  const typeName = types.find((type) => type !== 'null') ?? types[0];
  if (typeName) return typeName;
  if (isSchema(schema.properties) || Array.isArray(schema.required)) return 'object';
  if ('items' in schema || 'prefixItems' in schema) return 'array';
  return 'minimum' in schema || 'maximum' in schema ? 'number' : 'string';
}

function createNumberCheck(schema: Fields): (value: number) => boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = toNumber(multipleOf) ?? 0;
  const isInteger = [schema.type].flat().includes('integer');
  return (value) =>
    value >= (toNumber(minimum) ?? Number.NEGATIVE_INFINITY) &&
    value <= (toNumber(maximum) ?? Number.POSITIVE_INFINITY) &&
    value > (toNumber(exclusiveMinimum) ?? Number.NEGATIVE_INFINITY) &&
    value < (toNumber(exclusiveMaximum) ?? Number.POSITIVE_INFINITY) &&
    !(isInteger && !Number.isInteger(value)) &&
    (step <= 0 || Math.abs(value / step - Math.round(value / step)) < 1e-9);
}

const formats: ReadonlyMap<unknown, string> = new Map([
  ['date-time', '2026-01-01T12:00:00Z'],
  ['date', '2026-01-01'],
  ['time', '12:00:00Z'],
  ['duration', 'PT1H'],
  ['email', 'simulator@example.com'],
  ['hostname', 'example.com'],
  ['uri', 'https://example.com/'],
  ['url', 'https://example.com/'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['uuid', '00000000-0000-4000-8000-000000000000'],
]);

/** A client may act on these values, so names that suggest commands or paths get harmless values. */
function chooseWords(source: PromptSource, { name, index }: Place): string {
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
