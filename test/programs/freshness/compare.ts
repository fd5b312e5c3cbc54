/** Compares what others send and answer with the schemas of the contract: fields, values and kinds of objects that they have and the contract does not. */
import { isObject } from '../../../docs/generate/openapi/json-schema.ts';

/** A type of another's: the words that it may be, and its arrays and objects. */
export interface Shape {
  /** The same object for the same type, so that a type within itself is compared once. */
  readonly id: object;
  readonly words: readonly string[];
  readonly elements: readonly Shape[];
  readonly objects: readonly ObjectShape[];
}

export interface ObjectShape {
  /** Null: it has none, and goes by the name of the field that it is written at. */
  readonly name: string | null;
  field(name: string): Shape | undefined;
  readonly fields: readonly string[];
}

export type Schema = Readonly<Record<string, unknown>>;

/** Fields whose word tells the kinds of an object apart. */
const TAGS = ['type', 'role', 'object'] as const;

export class Comparison {
  /** `Owner.field`, `Owner.field = 'value'` and `Owner <type='kind'>`. */
  readonly found = new Set<string>();
  readonly #schemas: Readonly<Record<string, unknown>>;
  readonly #seen = new Map<object, Set<string>>();

  /** `schemas`: the components of the contract's document. */
  constructor(schemas: Readonly<Record<string, unknown>>) {
    this.#schemas = schemas;
  }

  compare(shape: Shape, component: string, owner: string): void {
    const schema = this.#schemas[component];
    if (!isObject(schema)) throw new Error(`The document has no ${component}.`);
    this.#compare(shape, [schema], owner);
  }

  #compare(shape: Shape, given: readonly Schema[], owner: string): void {
    const alternatives = this.#flatten(given);
    const key = alternatives.map((one) => JSON.stringify(one).slice(0, 400)).join('|');
    const before = this.#seen.get(shape.id) ?? new Set<string>();
    if (before.has(key) || alternatives.some(isOpen)) return;
    this.#seen.set(shape.id, before.add(key));
    this.#compareWords(shape.words, alternatives, owner);
    const items = alternatives.flatMap(({ items: inner }) => (isObject(inner) ? [inner] : []));
    if (items.length > 0) for (const element of shape.elements) this.#compare(element, items, owner);
    const objects = alternatives.filter(({ properties }) => isObject(properties));
    if (objects.length > 0) for (const object of shape.objects) this.#compareObject(object, objects, owner);
  }

  #compareWords(words: readonly string[], alternatives: readonly Schema[], owner: string): void {
    if (alternatives.some((one) => isText(one) && one.const === undefined && listOf(one) === undefined)) return;
    const known = new Set(alternatives.flatMap(wordsOf));
    for (const word of words) if (!known.has(word)) this.found.add(`${owner} = '${word}'`);
  }

  #compareObject(object: ObjectShape, objects: readonly Schema[], owner: string): void {
    const tags = TAGS.flatMap((tag) => {
      const [word, second] = object.field(tag)?.words ?? [];
      return word !== undefined && second === undefined ? [[tag, word] as const] : [];
    });
    const like = objects.filter(({ properties }) => tags.every(([tag, word]) => this.#allows((properties as Schema)[tag], word)));
    if (like.length === 0) return void this.found.add(`${owner} <${tags.map(([tag, word]) => `${tag}='${word}'`).join(' ')}>`);
    if (like.some(isKindAlone)) return;
    const name = object.name ?? owner;
    for (const field of object.fields) {
      const schemas = like.flatMap(({ properties }) => (properties as Schema)[field] ?? []).filter(isObject);
      const shape = object.field(field);
      if (schemas.length === 0) this.found.add(`${name}.${field}`);
      else if (shape) this.#compare(shape, schemas, `${name}.${field}`);
    }
  }

  /** Whether the field may be this word; one that the contract does not have tells nothing apart. */
  #allows(schema: unknown, word: string): boolean {
    const words = isObject(schema) ? this.#flatten([schema]).flatMap(wordsOf) : [];
    return words.length === 0 || words.includes(word);
  }

  #flatten(schemas: readonly Schema[]): Schema[] {
    return flatten(schemas, this.#schemas);
  }
}

/** Described by its kind alone: all other fields pass, whatever they are. */
const isKindAlone = ({ properties }: Schema): boolean =>
  Object.keys(properties as Schema).every((name) => name === 'id' || TAGS.some((tag) => tag === name));

/** The schemas without references, unions and intersections. */
function flatten(schemas: readonly Schema[], components: Readonly<Record<string, unknown>>, depth = 0): Schema[] {
  if (depth > 20) return [];
  return schemas.flatMap((schema) => {
    if (typeof schema.$ref === 'string') {
      const target = components[schema.$ref.replace('#/components/schemas/', '')];
      return isObject(target) ? flatten([target], components, depth + 1) : [];
    }
    const inner = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
    const rest = !isForNewer(schema) && (isObject(schema.properties) || inner.length === 0) ? [schema] : [];
    return [...rest, ...flatten(inner, components, depth + 1)];
  });
}

const isText = ({ type }: Schema): boolean => type === 'string' || (Array.isArray(type) && type.includes('string'));
/** The words of a field, also of one that takes others. */
const listOf = (schema: Schema): unknown => schema.enum ?? schema['x-extensible-enum'];
const wordsOf = (schema: Schema): string[] => {
  const some = listOf(schema);
  return [schema.const, ...(Array.isArray(some) ? some : [])].filter((word) => typeof word === 'string');
};
/** The member of a union that stands for everything that is newer. */
const isForNewer = ({ properties }: Schema): boolean => isObject(properties) && isObject(properties.type) && 'not' in properties.type;

const DESCRIBING = new Set(['description', 'title', 'examples', 'deprecated', 'additionalProperties']);
/** A schema that takes anything there, or any object. */
const isOpen = (schema: Schema): boolean =>
  Object.keys(schema).every((key) => DESCRIBING.has(key) || (key === 'type' && schema.type === 'object'));

/** A shape by JSON Schema, such as that of a published document. */
export function shapeOfSchema(schema: Schema, components: Readonly<Record<string, unknown>>): Shape {
  const parts = flatten([schema], components);
  return {
    id: schema,
    words: parts.flatMap(wordsOf),
    elements: parts.flatMap(({ items }) => (isObject(items) ? [shapeOfSchema(items, components)] : [])),
    objects: parts.flatMap((part) => {
      const { properties } = part;
      if (!isObject(properties)) return [];
      const name = Object.keys(components).find((one) => components[one] === part) ?? null;
      const field = (one: string): Shape | undefined =>
        isObject(properties[one]) ? shapeOfSchema(properties[one], components) : undefined;
      return [{ name, field, fields: Object.keys(properties) }];
    }),
  };
}

/** The schema of exactly these values. */
export function schemaOfValue(value: unknown): Schema {
  if (Array.isArray(value)) return { type: 'array', items: { anyOf: value.map(schemaOfValue) } };
  if (typeof value === 'string') return { type: 'string' };
  if (!isObject(value)) return { type: typeof value };
  const tagged = (name: string, inner: unknown) =>
    TAGS.some((tag) => tag === name) && typeof inner === 'string' ? { const: inner } : schemaOfValue(inner);
  return { type: 'object', properties: Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, tagged(name, inner)])) };
}
