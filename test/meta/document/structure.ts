/** What of an OpenAPI document stops code generators: unions that cannot be told apart, shapes without a name, names that are taken. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isObject, type JsonSchema } from '../../../docs/generate/openapi/json-schema.ts';

type Components = Readonly<Record<string, JsonSchema>>;

interface Place {
  /** Names of components and fields, with slashes. */
  readonly path: string;
  readonly schema: JsonSchema;
}

/** Every schema of the components, the components themselves included. */
export function schemasIn(components: Components): Place[] {
  return Object.entries(components).flatMap(([name, schema]) => below(name, schema));
}

/** Conditions are no shapes: they stand below `if`. */
function below(path: string, schema: JsonSchema): Place[] {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const choices = ['oneOf', 'anyOf', 'allOf', 'prefixItems'].flatMap((key) =>
    listed(schema[key]).map((one, at) => [`${key}/${at}`, one] as const),
  );
  const singles = ['items', 'additionalProperties', 'propertyNames'].map((key) => [key, schema[key]] as const);
  const inner = [...properties, ...choices, ...singles].flatMap(([name, one]) => (isObject(one) ? below(`${path}/${name}`, one) : []));
  return [{ path, schema }, ...inner];
}

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const nameOf = (schema: JsonSchema): string | undefined => (typeof schema.$ref === 'string' ? schema.$ref.replace(/^.*\//, '') : undefined);
const hasFields = (schema: JsonSchema): boolean => isObject(schema.properties) && Object.keys(schema.properties).length > 0;

/** Branches of a union that are objects with fields; of a free object there is nothing to tell. */
function objectsOf(schema: JsonSchema, components: Components): JsonSchema[] {
  return [...listed(schema.oneOf), ...listed(schema.anyOf)].filter(isObject).filter((branch) => isShape(branch, components));
}

function isShape(schema: JsonSchema, components: Components): boolean {
  const target = components[nameOf(schema) ?? ''] ?? schema;
  return hasFields(target) || objectsOf(target, components).length > 0;
}

/** Unions of two or more objects without a discriminator, and without a word why. */
export function unsaidUnions(components: Components): string[] {
  return schemasIn(components)
    .filter(({ schema }) => objectsOf(schema, components).length > 1 && !isObject(schema.discriminator) && !schema['x-no-discriminator'])
    .map(({ path }) => path);
}

/** Objects that are one of several things a field can be, and have no name: each generator makes up its own, or drops it. */
export function namelessMembers(components: Components): string[] {
  return schemasIn(components).flatMap(({ path, schema }) => {
    const others = [...listed(schema.oneOf), ...listed(schema.anyOf)].filter((branch) => isObject(branch) && branch.type !== 'null');
    const nameless = objectsOf(schema, components).filter((branch) => nameOf(branch) === undefined);
    return others.length > 1 ? nameless.map(() => path) : [];
  });
}

/** Shapes without a name that stand in more than one place, each with its places. */
export function repeatedShapes(components: Components): string[][] {
  const places = new Map<string, string[]>();
  for (const { path, schema } of schemasIn(components)) {
    if (hasFields(schema) && path.includes('/')) {
      const shape = JSON.stringify({ fields: schema.properties, required: schema.required });
      places.set(shape, [...(places.get(shape) ?? []), path]);
    }
  }
  return [...places.values()].filter((same) => same.length > 1);
}

const library = (file: string): string => readFileSync(createRequire(import.meta.url).resolve(`typescript/lib/${file}`), 'utf8');
const declared = /^(?:declare (?:var|class|function)|interface|type) (\w+)/gm;
const ofBrowsers = ['lib.dom.d.ts', 'lib.es5.d.ts'].flatMap((file) => [...library(file).matchAll(declared)].map(([, name = '']) => name));
/** Built in, or brought along by every generated client. */
const ofPython = [
  'Any',
  'BaseModel',
  'Dict',
  'Ellipsis',
  'Enum',
  'Exception',
  'Field',
  'File',
  'List',
  'None',
  'Optional',
  'Union',
  'Unset',
];
const ofClients = ['ApiClient', 'ApiResponse', 'AuthenticatedClient', 'Client', 'Configuration', 'Context', 'ResponseError', 'Time'];
const taken = new Set([...ofBrowsers, ...ofPython, ...ofClients]);

/** Components called like something that every file of a language already knows; two that differ in the case of a letter are one to some. */
export function takenNames(components: Components): string[] {
  const names = Object.keys(components);
  const twins = names.filter((name) => names.some((other) => other !== name && other.toLowerCase() === name.toLowerCase()));
  return [...names.filter((name) => taken.has(name)), ...twins];
}

/** Patterns with what Python's own regular expressions do not know; Go's know no more. */
export function foreignPatterns(components: Components): string[] {
  return schemasIn(components)
    .filter(({ schema }) => typeof schema.pattern === 'string' && /\\[pPu]|\(\?<[^=!]/.test(schema.pattern))
    .map(({ path }) => path);
}
