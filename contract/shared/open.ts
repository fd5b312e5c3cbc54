/** Vocabularies that providers extend between two versions of this contract: known values and types are documented, and newer ones pass. */
import { z } from 'zod';

/** Any string. The known ones are named, so that an editor offers them. */
export type Word<Known extends string> = Known | (string & Record<never, never>);

const MAX_LENGTH = 64;

/** A word that upstreams define: any string of up to 64 characters. */
export function word<const Known extends string>(known: readonly Known[]): z.ZodType<Word<Known>, Word<Known>> {
  // `as`: the type only names some of all strings.
  return z.string().max(MAX_LENGTH).meta({ 'x-extensible-enum': known }) as unknown as z.ZodType<Word<Known>, Word<Known>>;
}

/** The known words of such a field. */
export const wordsOf = (schema: z.ZodType): readonly unknown[] => {
  const known = schema.meta()?.['x-extensible-enum'];
  return Array.isArray(known) ? known : [];
};

/** Stands for any string that isn't a type of this contract, so that the compiler can tell the two apart. */
declare enum NewerType {
  isNewerThanThisContract = '(newer)',
}

const NEWER = 'Newer than this version of the API, and forwarded unchanged.';

type Objects = readonly [z.ZodObject, ...z.ZodObject[]];

/** A union by `type`, whose last member is an object with a type that isn't in this contract. `shape`: what that member has besides its type. */
export function openUnion<const Known extends Objects, const Shape extends z.ZodRawShape>(
  known: Known,
  { shape, description = NEWER, id }: { readonly id: string; readonly description?: string; readonly shape: Shape },
) {
  const types = known.flatMap((member) => [...(member._zod.propValues?.type ?? [])].filter((value) => value !== undefined));
  const type = z
    .string()
    .refine((value) => !types.includes(value), { abort: true })
    .meta({ description: NEWER, not: { enum: types } }) as unknown as z.ZodType<NewerType, NewerType>;
  // No value of a body is this one: zod finds the member by a type that no other member has.
  type._zod.values = new Set([Symbol('newer')]);
  const member = z.looseObject({ type, ...shape }).meta({ id, description });
  return z.discriminatedUnion('type', [...known, member], { unionFallback: true });
}
