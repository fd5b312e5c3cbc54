/** Schemas → TypeScript, written out: what zod infers is expanded at every use, and would make the package's types ten times as large. */
import type { z } from 'zod';
import { type Components, collectComponents } from '../../../docs/openapi/components.ts';
import { isObject, type JsonSchema } from '../../../docs/openapi/json-schema.ts';

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const schemasIn = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isObject) : []);
const union = (members: readonly string[]): string => [...new Set(members)].join(' | ');
const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ');
export const nameIn = (schema: JsonSchema): string | null => (typeof schema.$ref === 'string' ? schema.$ref.replace(/^.*\//, '') : null);

function commentOf({ description }: JsonSchema): string {
  return typeof description === 'string' ? `/** ${description.replaceAll('*/', '*\\/')} */\n` : '';
}

/** One schema, as a type. */
export function typeOf(schema: JsonSchema): string {
  const name = nameIn(schema);
  if (name !== null) return name;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map((value) => JSON.stringify(value)));
  const members = [...schemasIn(schema.anyOf), ...schemasIn(schema.oneOf)];
  if (members.length > 0 && schema.properties === undefined) return union(members.map(typeOf));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })));
  if (schema.type === 'object') return objectOf(schema);
  if (schema.type === 'array') return `Array<${typeOf(isObject(schema.items) ? schema.items : {})}>`;
  if (schema.type === undefined) return 'unknown';
  return primitives[String(schema.type)] ?? unknownType(schema);
}

function unknownType(schema: JsonSchema): never {
  throw new Error(`No TypeScript is known for ${JSON.stringify(schema)}.`);
}

/** Closed: fields beyond those of the contract pass at run time, and a misspelt one does not compile. */
function objectOf(schema: JsonSchema): string {
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const others = isObject(schema.additionalProperties) ? typeOf(schema.additionalProperties) : 'unknown';
  if (properties.length === 0) return `{ [key: string]: ${others} }`;
  const lines = properties.map(([name, property]) => {
    const inner = isObject(property) ? property : {};
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${commentOf(inner)}${key}${required.includes(name) ? `: ${typeOf(inner)}` : `?: ${typeOf(inner)} | undefined`};\n`;
  });
  return `{\n${indent(lines.join(''))}}`;
}

function declarationOf([name, schema]: readonly [string, JsonSchema]): string {
  const isInterface = schema.type === 'object' && isObject(schema.properties);
  return `${commentOf(schema)}export ${isInterface ? `interface ${name} ${objectOf(schema)}` : `type ${name} = ${typeOf(schema)};`}\n`;
}

export interface WrittenTypes {
  /** The schema's type; what it names is declared. */
  add(schema: z.ZodType): string;
  /** Every type that was named, in the order of the alphabet. */
  declarations(): string;
}

export function writeTypes(components: Components = collectComponents()): WrittenTypes {
  return {
    add: (schema) => typeOf(components.add(schema)),
    declarations: () => Object.entries(components.all()).map(declarationOf).join('\n'),
  };
}
