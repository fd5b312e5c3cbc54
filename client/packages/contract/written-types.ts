/** Writes schemas as named TypeScript types. zod's inferred types are expanded at every use, and would be ten times as large. */
import type { z } from 'zod';
import { newerType, TypeWriter } from '../../../docs/generate/client/typescript.ts';
import { type Components, collectComponents } from '../../../docs/generate/openapi/components.ts';

export interface WrittenTypes {
  /** Returns the type of a schema, and declares each named type that it uses. */
  add(schema: z.ZodType): string;
  /** Returns the declarations of all named types so far, sorted by name. */
  declarations(): string;
}

export function writeTypes(components: Components = collectComponents(true)): WrittenTypes {
  const writer = new TypeWriter();
  return {
    add: (schema) => writer.writeType(components.add(schema)),
    declarations: () => {
      const types = Object.entries(components.all()).map(([name, schema]) => writer.writeDeclaration(name, schema));
      return [newerType, ...types].join('\n');
    },
  };
}
