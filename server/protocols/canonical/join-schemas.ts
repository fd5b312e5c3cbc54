/** Joins JSON schemas into one: all of them, or one of several branches. */
import type { Fields } from '../../primitives/fields.ts';
import { isSchema } from './modernize-schema.ts';
import type { Budget } from './work-budget.ts';

const getProperties = ({ properties }: Fields): Fields => (isSchema(properties) ? properties : {});

const getRequired = ({ required }: Fields): readonly unknown[] => (Array.isArray(required) ? required : []);

export const allowsObject = ({ type }: Fields): boolean =>
  type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));

/** Omits empty keywords, so that a plain schema stays unchanged. */
const toObjectKeywords = (properties: Fields, required: Iterable<unknown>): Fields => {
  const names = new Set(required);
  return { ...(Object.keys(properties).length > 0 && { properties }), ...(names.size > 0 && { required: [...names] }) };
};

const countEntries = (schema: Fields): number =>
  Object.keys(schema).length + Object.keys(getProperties(schema)).length + getRequired(schema).length;

/** Merges schemas. If two set the same keyword or property, the first one wins. */
export function joinSchemas(schemas: readonly Fields[], budget: Budget): Fields {
  const [firstSchema = {}, ...others] = schemas;
  if (others.length === 0) return firstSchema;
  for (const schema of schemas) budget.spend(countEntries(schema));
  const last = schemas.toReversed();
  return {
    ...mergeFields(last),
    ...toObjectKeywords(
      mergeFields(last.map(getProperties)),
      schemas.flatMap((schema) => getRequired(schema)),
    ),
  };
}

/** Each field keeps its first position and its last value. Uses a map because a field can be named `__proto__`. */
function mergeFields(parts: readonly Fields[]): Fields {
  const fields = new Map<string, unknown>();
  for (const part of parts) for (const name of Object.keys(part)) fields.set(name, part[name]);
  return Object.fromEntries(fields);
}

/** Allows the properties of every branch, but requires only those that all branches require. */
export function joinSchemaBranches(own: Fields, allBranches: readonly Fields[], budget: Budget): Fields {
  const branches = allBranches.filter(allowsObject);
  const [first, ...others] = branches;
  if (first === undefined) return own;
  for (const schema of [own, ...branches]) budget.spend(countEntries(schema));
  const isClosed = branches.every(({ additionalProperties }) => additionalProperties === false);
  const required = findRequiredByAll(first, others);
  return {
    ...(isClosed && { additionalProperties: false }),
    ...own,
    ...toObjectKeywords({ ...mergeProperties(branches, budget), ...getProperties(own) }, [...getRequired(own), ...required]),
  };
}

function findRequiredByAll(first: Fields, others: readonly Fields[]): readonly unknown[] {
  const counts = new Map<unknown, number>();
  for (const other of others) for (const name of new Set(getRequired(other))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return getRequired(first).filter((name) => (counts.get(name) ?? 0) === others.length);
}

function mergeProperties(branches: readonly Fields[], budget: Budget): Fields {
  const schemas = new Map<string, unknown[]>();
  for (const properties of branches.map(getProperties)) {
    for (const [name, schema] of Object.entries(properties)) {
      const propertySchemas = schemas.get(name);
      if (propertySchemas) propertySchemas.push(schema);
      else schemas.set(name, [schema]);
    }
  }
  return Object.fromEntries([...schemas].map(([name, all]) => [name, mergeBranches(all, budget)]));
}

/** The minimum number of characters per schema keyword, which bounds the work. */
const CHARACTERS_PER_KEYWORD = 16;

function mergeBranches(schemas: readonly unknown[], budget: Budget): unknown {
  const [firstSchema, ...otherSchemas] = new Set(schemas);
  if (otherSchemas.length === 0) return firstSchema;
  const schemasByText = new Map<string, unknown>();
  for (const schema of [firstSchema, ...otherSchemas]) {
    const text = JSON.stringify(schema);
    budget.spend(Math.ceil(text.length / CHARACTERS_PER_KEYWORD));
    schemasByText.set(text, schema);
  }
  const [singleSchema, ...remainingSchemas] = schemasByText.values();
  return remainingSchemas.length === 0 ? singleSchema : { anyOf: [singleSchema, ...remainingSchemas] };
}
