/** Finds each optional field inside of messages, items, parts and tools in the contract, and builds objects with it. */
import { z } from 'zod';

export type Values = Readonly<Record<string, unknown>>;

interface Step {
  /** The kind of object: its `type`, or `ROLE message`, or else the tag and the key of the object around it (`file/file`). */
  readonly tag: string;
  /** Null at the object that has the field. */
  readonly key: string | null;
  readonly isList: boolean;
}

export interface NestedField {
  /** Kind of object and name: `input_image.detail`. */
  readonly label: string;
  /** From the outermost object inwards. */
  readonly steps: readonly Step[];
  readonly field: string;
}

/** Optional, nullable, or both. */
const isOptional = (schema: z.core.$ZodType): boolean => ['optional', 'nullable'].includes(schema._zod.def.type);

function tagOf({ shape: { type, role } }: z.ZodObject, above: readonly Step[]): string {
  const outer = above.at(-1);
  return wordOf(type) ?? (role ? `${wordOf(role)} message` : `${outer?.tag}/${outer?.key}`);
}

/** The first value that the field allows. */
function wordOf(schema: unknown): string | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return wordOf(schema.unwrap());
  if (schema instanceof z.ZodEnum) return String(schema.options[0]);
  return schema instanceof z.ZodLiteral ? String(schema.value) : undefined;
}

/** `above` are the steps to this schema, from the outermost object inwards. */
export function nestedFields(schema: z.core.$ZodType, above: readonly Step[] = []): NestedField[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return nestedFields(schema.unwrap(), above);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => nestedFields(option, above));
  if (schema instanceof z.ZodArray) return nestedFields(schema.element, markList(above));
  if (!(schema instanceof z.ZodObject)) return [];
  const tag = tagOf(schema, above);
  return Object.entries(schema.shape).flatMap(([field, inner]: [string, z.core.$ZodType]) => {
    const own = isOptional(inner) ? [{ label: `${tag}.${field}`, steps: [...above, { tag, key: null, isList: false }], field }] : [];
    return [...own, ...nestedFields(inner, [...above, { tag, key: field, isList: false }])];
  });
}

const markList = (steps: readonly Step[]): readonly Step[] =>
  steps.map((step, index) => (index === steps.length - 1 ? { ...step, isList: true } : step));

/** Builds the outermost object, with these fields in the innermost one. `bases` has a valid object of each kind. */
export function buildNested({ steps }: NestedField, bases: Readonly<Record<string, Values>>, fields: Values): Values {
  const [inner, ...outer] = steps.toReversed();
  let built: Values = { ...bases[inner?.tag ?? ''], ...fields };
  for (const { tag, key, isList } of outer) built = { ...bases[tag], [key ?? '']: isList ? [built] : built };
  return built;
}

/** Its path below the outermost object, such as `.content[0].detail`. */
export const placeOf = ({ steps, field }: NestedField): string =>
  `${steps.map(({ key, isList }) => (key === null ? '' : `.${key}${isList ? '[0]' : ''}`)).join('')}.${field}`;
