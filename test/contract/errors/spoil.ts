/** Puts one mistake into a valid body, by its schema, so that it is answered with a code. */
import { z } from 'zod';
import type { ErrorCode } from '../../../contract/errors.ts';

type Schema = Readonly<Record<string, unknown>>;
type Path = readonly string[];
interface Mistake {
  readonly path: Path;
  readonly value: unknown;
  /** The field that the error names, where it isn't at the path. */
  readonly param?: Path;
}
/** Finds a value that a schema does not accept; undefined where it accepts all values of the kind. */
type Find = (schema: Schema, path: Path) => Mistake | undefined;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
const at =
  (keyword: string, spoil: (bound: number, schema: Schema) => unknown): Find =>
  (schema, path) => {
    const bound = schema[keyword];
    return typeof bound === 'number' && Number.isSafeInteger(bound) && Math.abs(bound) < 1e12 && (bound > 0 || keyword !== 'minLength')
      ? { path, value: spoil(bound, schema) }
      : undefined;
  };

/** A valid entry of a list, as far as its schema says. */
function entryOf({ items }: Schema): unknown {
  const first = isSchema(items) && Array.isArray(items.enum) ? items.enum[0] : undefined;
  return first ?? 'gpt-5*';
}

const finds: { readonly [Code in ErrorCode]?: Find } = {
  empty_string: at('minLength', () => ''),
  string_above_max_length: at('maxLength', (bound) => 'x'.repeat(bound + 1)),
  integer_below_min_value: at('minimum', (bound) => bound - 1),
  integer_above_max_value: at('maximum', (bound) => bound + 1),
  empty_array: at('minItems', () => []),
  array_above_max_length: at('maxItems', (bound, schema) => Array(bound + 1).fill(entryOf(schema))),
  missing_required_parameter: ({ required }, path) =>
    Array.isArray(required) && required.length > 0
      ? path.length === 0
        ? { path: [String(required[0])], value: undefined }
        : { path, value: {}, param: [...path, String(required[0])] }
      : undefined,
  unknown_parameter: ({ additionalProperties }, path) =>
    additionalProperties === false ? { path: [...path, 'x_unknown'], value: 1 } : undefined,
  // For an enum any other value is invalid_value, whatever its type.
  invalid_type: ({ type, enum: choices }, path) =>
    path.length > 0 && choices === undefined && typeof type === 'string' && type !== 'null'
      ? { path, value: type === 'string' ? 5 : 'x' }
      : undefined,
  invalid_value: (schema, path) =>
    path.length > 0 && (Array.isArray(schema.enum) || typeof schema.pattern === 'string') ? { path, value: '\u0007' } : undefined,
};

/** Looks at the schema itself first, then at its parts. */
function search(schema: Schema, path: Path, find: Find, definitions: Schema): Mistake | undefined {
  if (typeof schema.$ref === 'string') {
    const named = definitions[schema.$ref.split('/').at(-1) ?? ''];
    return isSchema(named) ? search(named, path, find, definitions) : undefined;
  }
  const own = find(schema, path);
  if (own) return own;
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const inner: readonly (readonly [Path, unknown])[] = [
    ...branches.map((branch) => [path, branch] as const),
    ...Object.entries(isSchema(schema.properties) ? schema.properties : {}).map(([name, property]) => [[...path, name], property] as const),
  ];
  for (const [where, part] of inner) {
    const found = isSchema(part) ? search(part, where, find, definitions) : undefined;
    if (found) return found;
  }
  return undefined;
}

function put(body: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value;
  const fields = isSchema(body) ? body : {};
  return { ...fields, [first]: put(fields[first], rest, value) };
}

/** The body with the mistake, and the field that the error names; null if the schema has no place for one. */
export function spoil(schema: z.ZodType, body: unknown, code: ErrorCode): { readonly body: unknown; readonly param: string } | null {
  const find = finds[code];
  const whole: Schema = z.toJSONSchema(schema, { io: 'input' });
  const mistake = find && search(whole, [], find, isSchema(whole.$defs) ? whole.$defs : {});
  return mistake ? { body: put(body, mistake.path, mistake.value), param: (mistake.param ?? mistake.path).join('.') } : null;
}
