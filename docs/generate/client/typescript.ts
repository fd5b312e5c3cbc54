/** Converts JSON schemas to TypeScript types, for the client and for the published contract. */
import { isObject, type JsonSchema } from '../openapi/json-schema.ts';
import { commentOf, indent } from './comments.ts';

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const writeLiteral = (value: unknown) => (typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : String(value));
const union = (members: readonly string[]) => [...new Set(members)].join(' | ');
const arrayOf = (member: string) => (/^\w+$/.test(member) ? `${member}[]` : `Array<${member}>`);
const nameOf = (property: string) => (/^[A-Za-z_$][\w$]*$/.test(property) ? property : writeLiteral(property));

const shaping = ['$ref', 'const', 'enum', 'anyOf', 'oneOf', 'allOf', 'type', 'properties', 'items'];
/** Members with only `required` or `not` define which fields go together. They have no separate type. */
const hasShape = (schema: JsonSchema) => shaping.some((key) => key in schema);
const shapesIn = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isObject).filter(hasShape) : []);

/** Any other string. Editors still suggest the known ones. */
const ANY_WORD = '(string & Record<never, never>)';

const NEWER_TYPE = 'NewerType';
const isNewerType = ({ type, not }: JsonSchema): boolean => type === 'string' && isObject(not) && Array.isArray(not.enum);
/** Declares the placeholder for types newer than this version. Every module that uses the placeholder needs the declaration. */
export const newerType = `/** Stands for any string that isn't a type of this version, so that the compiler can tell the two apart. */
declare enum ${NEWER_TYPE} {
  isNewerThanThisVersion = '(newer)',
}
`;

/** Type names that differ from the component names, so that exports don't shadow globals of the runtime. */
export type TypeNames = Readonly<Record<string, string>>;

export const typeName = (component: string, names: TypeNames): string => names[component] ?? component;

export class TypeWriter {
  readonly #names: TypeNames;

  constructor(names: TypeNames = {}) {
    this.#names = names;
  }

  /** Writes the exported declaration of a component. */
  writeDeclaration(component: string, schema: JsonSchema): string {
    const name = typeName(component, this.#names);
    const comment = commentOf(schema);
    const isInterface = schema.type === 'object' && isObject(schema.properties);
    return `${comment}export ${isInterface ? `interface ${name} ${this.#writeObject(schema)}` : `type ${name} = ${this.writeType(schema)};`}\n`;
  }

  /** Writes a schema as a type. Parts that are components are written as their names. */
  writeType(schema: JsonSchema): string {
    if (typeof schema.$ref === 'string') return typeName(schema.$ref.replace(/^.*\//, ''), this.#names);
    if ('const' in schema) return writeLiteral(schema.const);
    if (Array.isArray(schema.enum)) return union(schema.enum.map(writeLiteral));
    const members = [...shapesIn(schema.anyOf), ...shapesIn(schema.oneOf)];
    if (members.length > 0) return union(members.map((member) => this.writeType(member)));
    const parts = shapesIn(schema.allOf);
    if (parts.length > 0 && schema.type === undefined) return parts.map((part) => this.writeType(part)).join(' & ');
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => this.writeType({ ...schema, type })));
    if (isNewerType(schema)) return NEWER_TYPE;
    const { 'x-extensible-enum': words } = schema;
    if (schema.type === 'string' && Array.isArray(words)) return union([...words.map(writeLiteral), ANY_WORD]);
    if (schema.type === 'object') return this.#writeObject(schema);
    if (schema.type === 'array') return arrayOf(this.writeType(isObject(schema.items) ? schema.items : {}));
    if (schema.type === undefined) return 'unknown';
    const primitive = primitives[String(schema.type)];
    if (primitive === undefined) throw new Error(`No TypeScript is known for ${JSON.stringify(schema)}`);
    return primitive;
  }

  /** Known fields get no index signature, so that the compiler finds misspelled fields. Only objects without known fields get one. */
  #writeObject(schema: JsonSchema): string {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
    const others = schema.additionalProperties;
    if (properties.length === 0 && isObject(others)) return `{ [key: string]: ${this.writeType(others)}; }`;
    const lines = properties.map(([name, property]) => {
      const inner = isObject(property) ? property : {};
      const type = this.writeType(inner);
      // With `exactOptionalPropertyTypes`, callers can pass a possibly undefined option only if `undefined` is in the type.
      const field = required.includes(name) ? `: ${type}` : `?: ${type} | undefined`;
      return `${commentOf(inner)}${nameOf(name)}${field};\n`;
    });
    const { 'x-absent': absent } = schema;
    if (Array.isArray(absent)) lines.push(...absent.map((name) => `${nameOf(String(name))}?: undefined;\n`));
    if (properties.some(([, property]) => isObject(property) && isNewerType(property))) lines.push('[field: string]: unknown;\n');
    return `{\n${indent(lines.join(''))}}`;
  }
}
