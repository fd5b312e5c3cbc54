/** Bodies that the schemas of the published document allow, as arbitraries: what a caller may send, down to its odd corners. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { objectOf, oddName, oddText, oddValue } from './hostile.ts';

/** As much of JSON Schema as the document uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

const file = new URL('../../../docs/generated/openapi.json', import.meta.url);
// The document is made from the contract; a test of its own keeps it fresh.
const components = (JSON.parse(readFileSync(file, 'utf8')) as { components: { schemas: Record<string, Schema> } }).components.schemas;

const MAX_DEPTH = 7;
const MAX_OPTIONAL = 4;
type Special = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** `special`: what is sent under a name wherever it stands, in place of what its schema would allow. */
export function bodiesOf(component: string, special: Special): fc.Arbitrary<unknown> {
  return new Reader(special).read({ $ref: `#/components/schemas/${component}` }, 0);
}

class Reader {
  readonly #special: Special;
  readonly #read = new Map<string, fc.Arbitrary<unknown>>();

  constructor(special: Special) {
    this.#special = special;
  }

  read(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    if (schema.$ref !== undefined) return this.#refer(schema.$ref, depth);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return fc.oneof(...this.#within(choices, depth).map((choice) => this.read(choice, depth + 1)));
    const [first] = schema.allOf ?? [];
    if (first) return this.read(first, depth);
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
    const [only = 'any', ...more] = types;
    if (more.length > 0) return fc.oneof(...types.map((type) => this.#typed({ ...schema, type }, type, depth)));
    return this.#typed(schema, only, depth);
  }

  #refer(ref: string, depth: number): fc.Arbitrary<unknown> {
    const name = ref.split('/').at(-1) ?? '';
    const key = `${name} ${depth}`;
    const schema = components[name];
    if (!schema) throw new Error(`the document has no ${ref}`);
    const known = this.#read.get(key) ?? this.read(schema, depth);
    this.#read.set(key, known);
    return known;
  }

  /** Where it gets deep, only what does not go on. */
  #within(choices: readonly Schema[], depth: number): readonly Schema[] {
    const flat = choices.filter((choice) => choice.$ref === undefined && choice.type !== 'array');
    return depth >= MAX_DEPTH && flat.length > 0 ? flat : choices;
  }

  #typed(schema: Schema, type: string, depth: number): fc.Arbitrary<unknown> {
    switch (type) {
      case 'string':
        return textOf(schema);
      case 'integer':
        return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1_000, 2 ** 31 - 1) });
      case 'number':
        return fc.double({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000, noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return this.#array(schema, depth);
      case 'object':
        return this.#object(schema, depth);
      default:
        return oddValue;
    }
  }

  #array({ items = {}, minItems = 0, maxItems = 3 }: Schema, depth: number): fc.Arbitrary<unknown> {
    const maxLength = depth >= MAX_DEPTH ? minItems : Math.max(minItems, Math.min(maxItems, 3));
    if (maxLength === 0) return fc.constant([]);
    return fc.array(this.read(items, depth + 1), { minLength: minItems, maxLength });
  }

  /** An object that says nothing of other fields may have some. */
  #object({ properties = {}, required = [], additionalProperties = {} }: Schema, depth: number): fc.Arbitrary<unknown> {
    const optional = Object.keys(properties).filter((name) => !required.includes(name));
    const chosen = depth >= MAX_DEPTH ? fc.constant([]) : fc.subarray(optional, { maxLength: Math.min(MAX_OPTIONAL, optional.length) });
    const more = typeof additionalProperties === 'object' ? this.#more(additionalProperties, depth) : fc.constant([]);
    const make = (names: readonly string[]) =>
      fc.tuple(fc.tuple(...names.map((name) => this.#property(name, properties[name] ?? {}, depth))), more).map(([own, others]) => {
        const known = own.map((value, index): [string, unknown] => [names[index] ?? '', value]);
        return objectOf([...others.filter(([name]) => !Object.hasOwn(properties, name)), ...known]);
      });
    return chosen.chain((names) => make([...required, ...names]));
  }

  #property(name: string, schema: Schema, depth: number): fc.Arbitrary<unknown> {
    return Object.hasOwn(this.#special, name) ? (this.#special[name] ?? fc.constant(null)) : this.read(schema, depth + 1);
  }

  /** Fields that the schema does not name: rarely any. */
  #more(schema: Schema, depth: number): fc.Arbitrary<readonly (readonly [string, unknown])[]> {
    const some = fc.array(fc.tuple(oddName, Object.keys(schema).length === 0 ? oddValue : this.read(schema, depth + 1)), { maxLength: 2 });
    return fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: some });
  }
}

function textOf({ minLength = 0, maxLength = 10_000, pattern }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const fitting = oddText.map((text) => text.slice(0, maxLength)).map((text) => text.padEnd(minLength, 'x'));
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom('a', 'b', 'hello').map((text) => text.padEnd(minLength, 'x')) },
    { weight: 3, arbitrary: fitting },
  );
}
