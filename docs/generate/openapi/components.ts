/** Collects the named schemas of the contract as components of the document. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { addDiscriminator, reasons } from './discriminator.ts';
import { isObject, type JsonSchema, tidy } from './json-schema.ts';

export interface Components {
  /** The schema as the document refers to it; its named parts are added to the components. */
  add(schema: z.ZodType): JsonSchema;
  /** Every component so far, by name. */
  all(): Readonly<Record<string, JsonSchema>>;
}

/** Throws where one name stands for two different schemas: a reader would see the wrong one. */
export function collectComponents(): Components {
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
      const sorted = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
      return Object.fromEntries(sorted.map(([name, schema]) => [name, addDiscriminator(schema, found, reasons[name])]));
    },
  };
}

function asObject(schema: unknown): JsonSchema {
  if (!isObject(schema)) throw new Error('A schema of the contract is not an object.');
  return schema;
}
