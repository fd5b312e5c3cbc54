/** Finds what an OpenAPI document leaves unexplained. `node test/meta/descriptions/missing.ts FILE` lists it. */
import { readFileSync } from 'node:fs';
import { isObject, type JsonSchema } from '../../../docs/generate/openapi/json-schema.ts';

export interface Count {
  /** Where it is missing. */
  readonly missing: readonly string[];
  /** How many were looked at. */
  readonly total: number;
}

/** Each kind of gap, by its name. */
export interface Gaps {
  /** Named schemas without a description. */
  readonly schemas: Count;
  /** Properties without a description, also of the shapes that have no name. */
  readonly properties: Count;
  /** Shapes without a name and without a description, of which a union has to choose one. */
  readonly branches: Count;
  /** Parameters and headers without a description. */
  readonly parameters: Count;
  /** What may be left out or null, and does not say what that means. */
  readonly absences: Count;
  /** What is called deprecated and not marked, or marked and not called so. */
  readonly deprecated: Count;
  /** Descriptions that are no sentence, or say no more than the name. */
  readonly curt: Count;
}

interface Place {
  readonly path: string;
  readonly name: string;
  readonly schema: JsonSchema;
  /** Whether it may be left out or null. */
  readonly isOptional: boolean;
}

const textOf = ({ description }: JsonSchema): string => (typeof description === 'string' ? description.trim() : '');

const entriesOf = (value: unknown): [string, JsonSchema][] =>
  isObject(value) ? Object.entries(value).flatMap(([key, inner]) => (isObject(inner) ? [[key, inner]] : [])) : [];

const schemasUnder = (schema: JsonSchema, keywords: readonly string[]): JsonSchema[] =>
  keywords.flatMap((keyword) => [schema[keyword]].flat().filter(isObject));

function isNullable(schema: JsonSchema): boolean {
  return [schema.type].flat().includes('null') || schemasUnder(schema, ['anyOf', 'oneOf']).some(({ type }) => type === 'null');
}

/** Keywords that hold one schema or a list of them. */
const nested = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', 'prefixItems'];

/** Every property below a schema, its own and those of the shapes without a name inside it. */
function* propertiesIn(path: string, schema: JsonSchema): Generator<Place> {
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  for (const [name, property] of entriesOf(schema.properties)) {
    const place = `${path}.${name}`;
    yield { path: place, name, schema: property, isOptional: !required.includes(name) || isNullable(property) };
    yield* propertiesIn(place, property);
  }
  for (const inner of schemasUnder(schema, nested)) yield* propertiesIn(path, inner);
}

/** The objects without a name among which a reader has to choose. */
function* branchesIn(path: string, schema: JsonSchema): Generator<Place> {
  for (const [name, property] of entriesOf(schema.properties)) yield* branchesIn(`${path}.${name}`, property);
  for (const inner of schemasUnder(schema, nested)) yield* branchesIn(path, inner);
  const branches = schemasUnder(schema, ['anyOf', 'oneOf']).filter(({ type }) => type === 'object');
  for (const branch of branches) yield { path, name: path, schema: branch, isOptional: false };
}

/** Every schema that stands in an operation itself: of a body, of an answer, of a parameter. */
function* schemasIn(path: string, value: unknown): Generator<readonly [string, JsonSchema]> {
  if (Array.isArray(value)) for (const [index, inner] of value.entries()) yield* schemasIn(`${path}[${index}]`, inner);
  for (const [key, inner] of entriesOf(value)) {
    if (key === 'schema') yield [path, inner];
    else if (key !== 'examples') yield* schemasIn(`${path}.${key}`, inner);
  }
}

function* parametersIn(paths: unknown): Generator<Place> {
  for (const [path, methods] of entriesOf(paths)) {
    for (const [method, operation] of entriesOf(methods)) {
      for (const schema of schemasUnder(operation, ['parameters'])) {
        const name = String(schema.name);
        yield { path: `${method} ${path} ${name}`, name, schema, isOptional: schema.required !== true };
      }
    }
  }
}

const placeOf = ([name, schema]: readonly [string, JsonSchema]): Place => ({ path: name, name, schema, isOptional: false });

function count(places: readonly Place[], isMissing: (place: Place) => boolean): Count {
  return { missing: places.filter(isMissing).map(({ path }) => path), total: places.length };
}

const isUndescribed = ({ schema }: Place): boolean => textOf(schema) === '';

/** A text that begins so speaks of the thing itself; another may only name what is deprecated. */
const isMismarked = ({ schema }: Place): boolean => /^Deprecated\b/.test(textOf(schema)) !== (schema.deprecated === true);

/** Of what nobody should send or read, there is no need to say what its absence means. */
const isSilentOnAbsence = ({ schema }: Place): boolean =>
  schema.deprecated !== true && !/\b(absent|null|optional|defaults to|omit|omitted)\b/i.test(textOf(schema));

const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? [];
const FILLERS = new Set(['a', 'an', 'the', 'of', 'this', 'its']);

/** Also a text that tells only what it means when there is nothing. */
function isCurt({ name, schema }: Place): boolean {
  const text = textOf(schema);
  const known = new Set(wordsOf(name));
  const says = wordsOf(text).some((word) => !known.has(word) && !FILLERS.has(word));
  return !/^(?!Null\b|Absent\b)[^a-z\s].*[.:]$/s.test(text) || !says;
}

export function findGaps(document: JsonSchema): Gaps {
  const components = isObject(document.components) ? document.components : {};
  const named = entriesOf(components.schemas);
  const roots = [...named, ...schemasIn('paths', document.paths)];
  const properties = roots.flatMap(([path, schema]) => [...propertiesIn(path, schema)]);
  const schemas = named.map(placeOf);
  const asked = [...parametersIn(document.paths)];
  const parameters = [...asked, ...entriesOf(components.headers).map(placeOf)];
  return {
    schemas: count(schemas, isUndescribed),
    properties: count(properties, isUndescribed),
    branches: count(
      roots.flatMap(([path, schema]) => [...branchesIn(path, schema)]),
      isUndescribed,
    ),
    parameters: count(parameters, isUndescribed),
    absences: count(
      [...properties, ...asked].filter(({ isOptional }) => isOptional),
      isSilentOnAbsence,
    ),
    deprecated: count([...schemas, ...properties], isMismarked),
    curt: count([...schemas, ...properties, ...parameters], isCurt),
  };
}

function list(file: string): void {
  const document: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isObject(document)) throw new Error(`${file} is no document.`);
  for (const [kind, { missing, total }] of Object.entries<Count>({ ...findGaps(document) })) {
    console.log([`${kind}: ${missing.length} of ${total}`, ...missing].join('\n  '));
  }
}

if (import.meta.main) for (const file of process.argv.slice(2)) list(file);
