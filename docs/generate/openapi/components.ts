/** Collects the contract's named schemas as components of the document. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { addDiscriminator, isForNewer, reasons } from './discriminator.ts';
import { isObject, type JsonSchema, tidy } from './json-schema.ts';

export interface Components {
  /** Returns the schema as the document references it, and adds its named parts to the components. */
  add(schema: z.ZodType): JsonSchema;
  /** Returns all components, sorted by name. */
  all(): Readonly<Record<string, JsonSchema>>;
}

/**
 * Throws an error if two different schemas have the same name.
 * `isOpen` keeps union members that stand for types newer than the contract. A document must omit them: in OpenAPI, each member of a union
 * with a discriminator has fixed values.
 */
export function collectComponents(isOpen = false): Components {
  const found = new Map<string, JsonSchema>();
  const keep = (name: string, schema: JsonSchema) => {
    const known = found.get(name);
    if (known !== undefined && !isDeepStrictEqual(known, schema)) throw new Error(`Two different schemas are named ${name}.`);
    found.set(name, schema);
  };
  return {
    add(schema) {
      const { $defs, ...root } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
      for (const [name, inner] of Object.entries($defs ?? {})) keep(name, asObject(tidy(inner)));
      return asObject(tidy(root));
    },
    all() {
      const shown = isOpen ? found : withoutNewer(found);
      const sorted = [...shown].sort(([one], [other]) => (one < other ? -1 : 1));
      return Object.fromEntries(sorted.map(([name, schema]) => [name, addDiscriminator(schema, shown, reasons[name])]));
    },
  };
}

function withoutNewer(found: ReadonlyMap<string, JsonSchema>): ReadonlyMap<string, JsonSchema> {
  const newer = new Set([...found].flatMap(([name, schema]) => (isForNewer(schema) ? [`#/components/schemas/${name}`] : [])));
  const isKnown = (member: unknown) => !isObject(member) || !newer.has(String(member.$ref));
  const left = [...found].filter(([, schema]) => !isForNewer(schema));
  return new Map(
    left.map(([name, schema]) => [name, Array.isArray(schema.oneOf) ? { ...schema, oneOf: schema.oneOf.filter(isKnown) } : schema]),
  );
}

function asObject(schema: unknown): JsonSchema {
  if (!isObject(schema)) throw new Error('A schema of the contract is not an object.');
  return schema;
}
