/** Adds the field that distinguishes the members of a union, so that pages and code generators can use it. */
import { isObject, type JsonSchema } from './json-schema.ts';

type Named = ReadonlyMap<string, JsonSchema>;
const fields = ['type', 'role'];

/** Unions without a distinguishing field, with the reason. The document has the reason as `x-no-discriminator`. */
export const reasons: Readonly<Record<string, string>> = {
  InputItem: 'A message can omit `type`; every other item has it.',
  CatalogPrices: 'The string `free`, an object with `input` and `output`, or an object with `images`.',
  ModelPricing: 'An object with `input` and `output`, or an object with `images`.',
  SignIn: 'An object with either `admin_key` or `setup_token`.',
  PortalSignIn: 'An object with either `key` or `setup_token`.',
  Prices: 'The string `free`, an object with `input` and `output`, or an object with `images`.',
};

/** Returns the field's values in one branch. Null if the branch doesn't require the field or doesn't list its values. */
function valuesOf(branch: JsonSchema, field: string): readonly string[] | null {
  const required = Array.isArray(branch.required) && branch.required.includes(field);
  const property = isObject(branch.properties) ? branch.properties[field] : undefined;
  if (!required || !isObject(property)) return null;
  const values = 'const' in property ? [property.const] : property.enum;
  return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : null;
}

/** Whether the schema is the placeholder for types that no other member of the union has. */
export function isForNewer({ properties }: JsonSchema): boolean {
  const type = isObject(properties) ? properties.type : undefined;
  return isObject(type) && isObject(type.not) && Array.isArray(type.not.enum);
}

function mappingFor(branches: readonly unknown[], field: string, named: Named): Record<string, string> | null {
  const mapping: Record<string, string> = {};
  for (const branch of branches) {
    const ref = isObject(branch) && typeof branch.$ref === 'string' ? branch.$ref : null;
    const schema = ref === null ? undefined : named.get(ref.slice(ref.lastIndexOf('/') + 1));
    if (schema && isForNewer(schema)) continue;
    const values = schema && valuesOf(schema, field);
    if (ref === null || !values) return null;
    for (const value of values) mapping[value] = ref;
  }
  return mapping;
}

/**
 * Adds `discriminator` to a union of components if all branches have distinct values in the same field.
 * Other unions of components become `anyOf`, because `oneOf` suggests that readers can tell the members apart.
 */
export function addDiscriminator(schema: JsonSchema, named: Named, reason?: string): JsonSchema {
  const documented = reason === undefined ? schema : { ...schema, 'x-no-discriminator': reason };
  if (!Array.isArray(schema.oneOf)) return documented;
  for (const propertyName of fields) {
    const mapping = mappingFor(schema.oneOf, propertyName, named);
    if (mapping) return { ...schema, discriminator: { propertyName, mapping } };
  }
  const { oneOf: _branches, ...rest } = documented;
  return schema.oneOf.every((branch) => isObject(branch) && '$ref' in branch) ? { ...rest, anyOf: schema.oneOf } : documented;
}
