/** Turns the JSON Schema that zod writes into the one that people read: the same meaning with less noise. */

export type JsonSchema = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value);

const isNull = (schema: unknown) => isObject(schema) && schema.type === 'null';

/** `anyOf: [{type: string, …}, {type: null}]` says no more than `type: [string, null]`, and pages show the second in one line. */
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
 * An object that says nothing of other fields may have some, by JSON Schema; said once more, every generator makes a map of it that hides
 * the fields that are known. It stays where the fields that are known are not the point: in free objects, and where the contract says so.
 */
function dropOpenness(schema: JsonSchema): JsonSchema {
  const { properties, additionalProperties, ...rest } = schema;
  const isNamed = isObject(properties) && Object.keys(properties).length > 0;
  if (additionalProperties === true) return { ...schema, additionalProperties: {} };
  const isOpen = isObject(additionalProperties) && Object.keys(additionalProperties).length === 0;
  if (!isOpen) return schema;
  return isNamed ? { ...rest, properties } : { ...rest, additionalProperties };
}

/** `anyOf: [{anyOf: [A, B]}, C]` says no more than `anyOf: [A, B, C]`, and a branch that is a union by itself gets no name from any generator. */
function flattenChoice(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const isBare = (branch: unknown): branch is { anyOf: unknown[] } =>
    isObject(branch) && Array.isArray(branch.anyOf) && Object.keys(branch).length === 1;
  return { ...schema, anyOf: anyOf.flatMap((branch) => (isBare(branch) ? branch.anyOf : [branch])) };
}

/** zod bounds every integer by what a double holds exactly; a reader learns nothing from that. */
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

/** `$defs` become components; everything inside is walked. A property may be called like a keyword, so properties are walked by name. */
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

/** Keywords that hold values, not schemas. */
const verbatim = new Set(['examples', 'enum', 'const', 'required', 'default']);
