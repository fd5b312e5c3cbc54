/** Enums and unions that providers extend between versions of this contract: known values are documented, and newer ones are accepted. */
import { z } from 'zod';

/** Any string. The known ones are listed, so that editors suggest them. */
export type Word<Known extends string> = Known | (string & Record<never, never>);

const MAX_WORD_LENGTH = 64;

/** Accepts any string of up to 64 characters, because upstreams define the values. */
export function createOpenEnum<const Known extends string>(known: readonly Known[]): z.ZodType<Word<Known>, Word<Known>> {
  // `as`: the schema accepts every string; the type only lists some of them.
  return z.string().max(MAX_WORD_LENGTH).meta({ 'x-extensible-enum': known }) as unknown as z.ZodType<Word<Known>, Word<Known>>;
}

/** Returns the known values of an open enum. Empty for other schemas. */
export const getKnownWords = (schema: z.ZodType): readonly unknown[] => {
  const known = schema.meta()?.['x-extensible-enum'];
  return Array.isArray(known) ? known : [];
};

/** Stands for any string that isn't a type of this contract, so that the compiler can distinguish it from the known types. */
declare enum NewerType {
  isNewerThanThisContract = '(newer)',
}

const NEWER_DESCRIPTION = 'Newer than this version of the API, and forwarded unchanged.';

type Objects = readonly [z.ZodObject, ...z.ZodObject[]];

/** Fields that a type lacks. */
type AbsentFields<Absent extends string> = { readonly [Name in Absent]: z.ZodOptional<z.ZodNever> };

interface NewerMember<Shape, Absent> {
  readonly id: string;
  readonly description?: string;
  /** Fields besides `type`. */
  readonly shape: Shape;
  /** Fields that the type lacks, although newer objects can have them. With them, the compiler reports a mistake in the known member. */
  readonly absent?: readonly Absent[];
}

/** A union by `type` that also accepts objects with unknown types. */
export function createOpenUnion<const Known extends Objects, const Shape extends z.ZodRawShape, const Absent extends string = never>(
  known: Known,
  { shape, description = NEWER_DESCRIPTION, id, absent }: NewerMember<Shape, Absent>,
) {
  const types = known.flatMap((member) => [...(member._zod.propValues?.type ?? [])].filter((value) => value !== undefined));
  const type = z
    .string()
    .refine((value) => !types.includes(value), { abort: true })
    .meta({ description: NEWER_DESCRIPTION, not: { enum: types } }) as unknown as z.ZodType<NewerType, NewerType>;
  // A value that no body has, so that zod selects this member only as the fallback.
  type._zod.values = new Set([Symbol('newer')]);
  // `as`: only the type has the absent fields.
  const fields = { type, ...shape } as { type: typeof type } & Shape & AbsentFields<Absent>;
  const member = z.looseObject(fields).meta({ id, description, ...(absent && { 'x-absent': absent }) });
  return z.discriminatedUnion('type', [...known, member], { unionFallback: true });
}
