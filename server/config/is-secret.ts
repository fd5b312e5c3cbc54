/** Checks whether a setting is secret, by the JSON Schema of the configuration file, and returns that schema. */
import { z } from 'zod';
import { isMap } from '../primitives/fields.ts';
import type { Path } from './config-error.ts';
import { ConfigFile } from './schema.ts';

export type Schema = z.core.JSONSchema.BaseSchema;

let schema: Schema | undefined;

/** Builds the schema when it's first needed. */
export function getConfigSchema(): Schema {
  schema ??= z.toJSONSchema(ConfigFile, { io: 'input' });
  return schema;
}

const findSchemas = (path: Path): readonly Schema[] =>
  path.reduce<readonly Schema[]>((above, part) => above.flatMap((one) => listChildSchemas(one, part)), [getConfigSchema()]);

export const isKnownKey = (path: Path): boolean => findSchemas(path).length > 0;

/** An unknown key may hold a secret under a misspelled name. */
export function isSecret(path: Path): boolean {
  const schemas = findSchemas(path);
  return schemas.length === 0 || hasSecretName(path.at(-1)) || schemas.some(isMarkedSecret);
}

/** Also recognizes a secret by the name of its key, in case its schema isn't marked. */
const hasSecretName = (part: PropertyKey | undefined): boolean => /(?:secret|password|token|api_?keys?)$/i.test(String(part));

/** Looks at the schema, its alternatives, and everything in a list or object, because those are shown as one text. */
const isMarkedSecret = (one: Schema): boolean =>
  listSchemaForms(one).some(
    (form) =>
      form.writeOnly === true ||
      [form.items, form.additionalProperties, ...Object.values(form.properties ?? {})].flatMap(toSchemas).some(isMarkedSecret),
  );

function listChildSchemas(one: Schema, part: PropertyKey): Schema[] {
  return listSchemaForms(one).flatMap((form) => {
    if (typeof part === 'number') return toSchemas(form.items);
    const property = form.properties && Object.hasOwn(form.properties, part) ? form.properties[String(part)] : undefined;
    return toSchemas(property ?? form.additionalProperties);
  });
}

/** Returns the schema and every alternative in it. */
const listSchemaForms = (one: Schema): Schema[] => [
  one,
  ...[...(one.oneOf ?? []), ...(one.anyOf ?? []), ...(one.allOf ?? [])].flatMap(toSchemas).flatMap(listSchemaForms),
];

/** JSON Schema allows `true` and lists in places where this schema has only schemas. */
export function toSchema(part: unknown): Schema | undefined {
  // `as`: `true` and lists are excluded, so only schemas remain.
  return isMap(part) ? (part as Schema) : undefined;
}

const toSchemas = (part: unknown): Schema[] => [toSchema(part) ?? []].flat();
