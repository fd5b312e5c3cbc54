/** Simplifies the JSON schemas that zod writes, without changing their meaning. */

export type JsonSchema = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value);

const isNull = (schema: unknown) => isObject(schema) && schema.type === 'null';

/** Turns `anyOf: [{type: string, …}, {type: null}]` into `type: [string, null]`, which pages show on one line. */
function foldNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !isNull(anyOf[1]) || !isObject(anyOf[0])) return schema;
  const [inner] = anyOf;
  if (Object.keys(inner).length === 0) return rest;
  if (typeof inner.type !== 'string' || 'const' in inner) return schema;
  const options = Array.isArray(inner.enum) ? { enum: [...inner.enum, null] } : {};
  return { ...inner, ...options, type: [inner.type, 'null'], ...rest };
}

/**
 * Removes an empty `additionalProperties` if the object has known fields. JSON Schema allows other fields by default, and with the keyword,
 * generators write a map that hides the known fields.
 * Free objects keep it, and so do objects for which the contract sets it.
 */
function dropOpenness(schema: JsonSchema): JsonSchema {
  const { properties, additionalProperties, ...rest } = schema;
  const isNamed = isObject(properties) && Object.keys(properties).length > 0;
  if (additionalProperties === true) return { ...schema, additionalProperties: {} };
  const isOpen = isObject(additionalProperties) && Object.keys(additionalProperties).length === 0;
  if (!isOpen) return schema;
  return isNamed ? { ...rest, properties } : { ...rest, additionalProperties };
}

/** Turns `anyOf: [{anyOf: [A, B]}, C]` into `anyOf: [A, B, C]`, because generators can't name an inline union. */
function flattenChoice(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const isBare = (branch: unknown): branch is { anyOf: unknown[] } =>
    isObject(branch) && Array.isArray(branch.anyOf) && Object.keys(branch).length === 1;
  return { ...schema, anyOf: anyOf.flatMap((branch) => (isBare(branch) ? branch.anyOf : [branch])) };
}

/** Removes the bounds that zod adds to every integer (`Number.MAX_SAFE_INTEGER`), because they don't help readers. */
function dropSafeBounds(schema: JsonSchema): JsonSchema {
  const { minimum, maximum, ...rest } = schema;
  return {
    ...rest,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

const COMPONENT = '#/components/schemas/';
export const componentRef = (name: string) => ({ $ref: `${COMPONENT}${name}` });

/**
 * Simplifies a schema recursively, and turns `$defs` into components. Properties are matched by name, because a property can be named like
 * a keyword.
 */
export function tidy(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(tidy);
  if (!isObject(schema)) return schema;
  const { $schema: _version, id: _id, ...rest } = schema;
  const walked = Object.entries(rest).map(([key, value]) => {
    if (key === '$ref' && typeof value === 'string') return [key, value.replace('#/$defs/', COMPONENT)];
    if (key === 'properties' && isObject(value)) return [key, Object.fromEntries(Object.entries(value).map(([k, v]) => [k, tidy(v)]))];
    return verbatim.has(key) ? [key, value] : [key, tidy(value)];
  });
  return dropSafeBounds(dropOpenness(foldNull(flattenChoice(Object.fromEntries(walked)))));
}

/** Keywords that contain values, not schemas. */
const verbatim = new Set(['examples', 'enum', 'const', 'required', 'default']);
