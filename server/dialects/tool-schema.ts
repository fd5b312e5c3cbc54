/**
 * The arguments of a tool as every vendor takes them (specification 2.2 and 2.4). Agents hand schemas on as they found them, and one
 * that a vendor refuses would refuse the whole call. What a schema says stays the same, but for unions at its top, which all vendors
 * refuse: they become one object that allows whatever one of them allows.
 */
import type { Fields } from '../../contract/rule.ts';
import { isSchema, modernSchema } from './modern-schema.ts';

export function toolSchema(parameters: Fields): Fields {
  const root = modernSchema(parameters);
  const { type, properties, ...rest } = fold(root, { root, path: new Set(['#']) });
  // `null` beside `object`, or nothing at all: the arguments are an object all the same. Any other type is the caller's mistake.
  const isObject = allowsObject({ type });
  return { type: isObject ? 'object' : type, ...((properties !== undefined || isObject) && { properties: properties ?? {} }), ...rest };
}

interface Place {
  readonly root: Fields;
  /** References on the way, which may lead in a circle. */
  readonly path: ReadonlySet<string>;
}

/** The schema with what it refers to, and what it joins, in itself. */
function fold(schema: Fields, { root, path }: Place): Fields {
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  const isNew = typeof $ref === 'string' && !path.has($ref);
  const place = { root, path: isNew ? new Set([...path, $ref]) : path };
  const target = isNew ? at(root, $ref) : null;
  const foldAll = (value: unknown) => listed(value).map((each) => fold(each, place));
  const joined = [...(target ? [fold(target, place)] : []), ...foldAll(allOf)].reduce(joinBoth, own);
  return [anyOf, oneOf].map(foldAll).reduce(joinEither, joined);
}

const listed = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isSchema) : []);

/** What a pointer within the schema leads to. */
function at(root: Fields, pointer: string): Fields | null {
  if (!pointer.startsWith('#/')) return null;
  const steps = pointer
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = steps.reduce<unknown>((value, step) => (isSchema(value) && Object.hasOwn(value, step) ? value[step] : null), root);
  return isSchema(found) ? found : null;
}

const propertiesOf = ({ properties }: Fields): Fields => (isSchema(properties) ? properties : {});
const requiredOf = ({ required }: Fields): readonly unknown[] => (Array.isArray(required) ? required : []);

/** Its own alone: a caller may name one `constructor`. */
function property(schema: Fields, name: string): unknown {
  const properties = propertiesOf(schema);
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Leaves out what is empty, so that a plain schema stays as it was. */
const filled = (properties: Fields, required: readonly unknown[]): Fields => ({
  ...(Object.keys(properties).length > 0 && { properties }),
  ...(required.length > 0 && { required: [...new Set(required)] }),
});

function joinBoth(one: Fields, other: Fields): Fields {
  const properties = { ...propertiesOf(other), ...propertiesOf(one) };
  return { ...other, ...one, ...filled(properties, [...requiredOf(one), ...requiredOf(other)]) };
}

const allowsObject = ({ type }: Fields): boolean =>
  type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));

/** Each property that a branch knows may come; only what all branches want has to. */
function joinEither(own: Fields, every: readonly Fields[]): Fields {
  const branches = every.filter(allowsObject);
  const [first, ...others] = branches;
  if (first === undefined) return own;
  const names = new Set(branches.flatMap((branch) => Object.keys(propertiesOf(branch))));
  const properties = Object.fromEntries([...names].map((name) => [name, either(branches.map((branch) => property(branch, name)))]));
  const required = requiredOf(first).filter((name) => others.every((branch) => requiredOf(branch).includes(name)));
  const isClosed = branches.every(({ additionalProperties }) => additionalProperties === false);
  return {
    ...(isClosed && { additionalProperties: false }),
    ...own,
    ...filled({ ...properties, ...propertiesOf(own) }, [...requiredOf(own), ...required]),
  };
}

function either(schemas: readonly unknown[]): unknown {
  const distinct = new Map(schemas.flatMap((schema) => (schema === undefined ? [] : [[JSON.stringify(schema), schema]])));
  const [only, ...more] = distinct.values();
  return more.length === 0 ? only : { anyOf: [only, ...more] };
}
