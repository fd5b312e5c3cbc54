/** Merges schemas of objects: as `allOf`, or as `anyOf` into one object. Each name is read once for each schema that has it. */
import type { Fields } from '../../../contract/rule.ts';
import { isSchema } from './modern-schema.ts';
import type { Budget } from './work-budget.ts';

const propertiesOf = ({ properties }: Fields): Fields => (isSchema(properties) ? properties : {});
const requiredOf = ({ required }: Fields): readonly unknown[] => (Array.isArray(required) ? required : []);

export const allowsObject = ({ type }: Fields): boolean =>
  type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));

/** Leaves out empty keywords, so that a plain schema is unchanged. */
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
