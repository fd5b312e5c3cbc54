/** Writes JSON schemas as TypeScript, for the types of the client and of the published contract. */
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
/** A member that only says which fields go together, as `required` and `not` do, has no shape of its own. */
const hasShape = (schema: JsonSchema) => shaping.some((key) => key in schema);
const shapesIn = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isObject).filter(hasShape) : []);

/** Any other string. An editor still offers the known ones. */
const ANY_WORD = '(string & Record<never, never>)';

const NEWER_TYPE = 'NewerType';
const isNewerType = ({ type, not }: JsonSchema): boolean => type === 'string' && isObject(not) && Array.isArray(not.enum);
/** Declares the type of the members that stand for newer ones; it belongs into each module that has such members. */
export const newerType = `/** Stands for any string that isn't a type of this version, so that the compiler can tell the two apart. */
declare enum ${NEWER_TYPE} {
  isNewerThanThisVersion = '(newer)',
}
`;

/** Names of the document that are others in the client: what it exports must not be mistaken for a global of the runtime. */
export type TypeNames = Readonly<Record<string, string>>;

export const typeName = (component: string, names: TypeNames): string => names[component] ?? component;

export class TypeWriter {
  readonly #names: TypeNames;

  constructor(names: TypeNames = {}) {
    this.#names = names;
  }

  /** How one component is exported. */
  writeDeclaration(component: string, schema: JsonSchema): string {
    const name = typeName(component, this.#names);
    const comment = commentOf(schema);
    const isInterface = schema.type === 'object' && isObject(schema.properties);
    return `${comment}export ${isInterface ? `interface ${name} ${this.#writeObject(schema)}` : `type ${name} = ${this.writeType(schema)};`}\n`;
  }

  /** One schema, as a type; a part that has a name of its own is named. */
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

  /** Closed, so that the compiler sees a misspelled field: only an object whose fields nothing names has an index signature. */
  #writeObject(schema: JsonSchema): string {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
    const others = schema.additionalProperties;
    if (properties.length === 0 && isObject(others)) return `{ [key: string]: ${this.writeType(others)}; }`;
    const lines = properties.map(([name, property]) => {
      const inner = isObject(property) ? property : {};
      const type = this.writeType(inner);
      // Undefined is named: with `exactOptionalPropertyTypes`, a caller couldn't pass its own option that may be unset.
      const field = required.includes(name) ? `: ${type}` : `?: ${type} | undefined`;
      return `${commentOf(inner)}${nameOf(name)}${field};\n`;
    });
    if (properties.some(([, property]) => isObject(property) && isNewerType(property))) lines.push('[field: string]: unknown;\n');
    return `{\n${indent(lines.join(''))}}`;
  }
}
