/** Writes schemas of the OpenAPI document as TypeScript, for the types of the client (specification part 2). */
import { isObject, type JsonSchema } from '../openapi/json-schema.ts';
import { commentOf, indent } from './comments.ts';

/** Two names of the contract are also globals of every runtime; a reader of the client's types must not mistake one for the other. */
const renamed: Readonly<Record<string, string>> = { Response: 'ModelResponse', ErrorEvent: 'ResponseErrorEvent' };
export const typeName = (component: string): string => renamed[component] ?? component;

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const writeLiteral = (value: unknown) => (typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : String(value));
const schemasIn = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isObject) : []);
const union = (members: readonly string[]) => [...new Set(members)].join(' | ');
const arrayOf = (member: string) => (/^\w+$/.test(member) ? `${member}[]` : `Array<${member}>`);

function writeType(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') return typeName(schema.$ref.replace(/^.*\//, ''));
  if ('const' in schema) return writeLiteral(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map(writeLiteral));
  const members = [...schemasIn(schema.anyOf), ...schemasIn(schema.oneOf)];
  if (members.length > 0) return union(members.map(writeType));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => writeType({ ...schema, type })));
  if (schema.type === 'object') return writeObject(schema);
  if (schema.type === 'array') return arrayOf(writeType(isObject(schema.items) ? schema.items : {}));
  if (schema.type === undefined) return 'unknown';
  const primitive = primitives[String(schema.type)];
  if (primitive === undefined) throw new Error(`No TypeScript is known for ${JSON.stringify(schema)}`);
  return primitive;
}

function writeObject(schema: JsonSchema, isClosed = false): string {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const lines = properties.map(([name, property]) => {
    const inner = isObject(property) ? property : {};
    // Undefined is named: with `exactOptionalPropertyTypes` a caller could not hand on an option of its own that may be unset.
    const type = required.includes(name) ? `: ${writeType(inner)}` : `?: ${writeType(inner)} | undefined`;
    return `${commentOf(inner)}${name}${type};\n`;
  });
  const others = schema.additionalProperties;
  if (isObject(others) && !isClosed) lines.push(`[key: string]: ${writeType(others)};\n`);
  return lines.length === 1 && properties.length === 0 ? `{ ${lines.join('').trim()} }` : `{\n${indent(lines.join(''))}}`;
}

/** How one component is exported. Closed: without the index signature, so that the compiler sees a misspelt field. */
export function writeDeclaration(component: string, schema: JsonSchema, isClosed: boolean): string {
  const name = typeName(component);
  const comment = commentOf(schema);
  const isInterface = schema.type === 'object' && isObject(schema.properties);
  return `${comment}export ${isInterface ? `interface ${name} ${writeObject(schema, isClosed)}` : `type ${name} = ${writeType(schema)};`}\n`;
}
