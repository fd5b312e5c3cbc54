/** Schemas → TypeScript, written out: what zod infers is expanded at every use, and would make the package's types ten times as large. */
import type { z } from 'zod';
import { TypeWriter } from '../../../docs/client/typescript.ts';
import { type Components, collectComponents } from '../../../docs/openapi/components.ts';

export interface WrittenTypes {
  /** The schema's type; what it names is declared. */
  add(schema: z.ZodType): string;
  /** Every type that was named, in the order of the alphabet. */
  declarations(): string;
}

export function writeTypes(components: Components = collectComponents()): WrittenTypes {
  const writer = new TypeWriter();
  return {
    add: (schema) => writer.writeType(components.add(schema)),
    declarations: () =>
      Object.entries(components.all())
        .map(([name, schema]) => writer.writeDeclaration(name, schema))
        .join('\n'),
  };
}
