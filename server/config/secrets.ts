/** Which keys of the configuration hold a secret, by the marks of the schema. What the schema does not know counts as one. */
import { z } from 'zod';
import type { Path } from './problems.ts';
import { ConfigFile } from './schema.ts';

type Schema = z.core.JSONSchema.BaseSchema;

let schema: Schema | undefined;
/** Built when it is first needed. */
export function configSchema(): Schema {
  schema ??= z.toJSONSchema(ConfigFile, { io: 'input' });
  return schema;
}

export function isSecret(path: Path): boolean {
  const found = path.reduce<readonly Schema[]>((above, part) => above.flatMap((one) => childrenOf(one, part)), [configSchema()]);
  return found.length === 0 || soundsSecret(path.at(-1)) || found.some(isMarked);
}

/** A mark that somebody forgot: the name of the key says it too. */
const soundsSecret = (part: PropertyKey | undefined): boolean => /(?:secret|password|token|api_?keys?)$/i.test(String(part));

/** In the value itself, in one of its forms, or anywhere in a list or an object that it holds: these are told as one text. */
const isMarked = (one: Schema): boolean =>
  formsOf(one).some(
    (form) =>
      form.writeOnly === true ||
      [form.items, form.additionalProperties, ...Object.values(form.properties ?? {})].flatMap(asSchemas).some(isMarked),
  );

function childrenOf(one: Schema, part: PropertyKey): Schema[] {
  return formsOf(one).flatMap((form) => {
    if (typeof part === 'number') return asSchemas(form.items);
    const own = form.properties && Object.hasOwn(form.properties, part) ? form.properties[String(part)] : undefined;
    return asSchemas(own ?? form.additionalProperties);
  });
}

/** The schema and every alternative in it. */
const formsOf = (one: Schema): Schema[] => [
  one,
  ...[...(one.oneOf ?? []), ...(one.anyOf ?? []), ...(one.allOf ?? [])].flatMap(asSchemas).flatMap(formsOf),
];

/** JSON Schema allows `true` and lists in places where ours has only schemas. */
function asSchemas(part: unknown): Schema[] {
  // `as`: without those two, only schemas are left.
  return typeof part === 'object' && part !== null && !Array.isArray(part) ? [part as Schema] : [];
}
