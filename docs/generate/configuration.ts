/** Writes docs/generated/configuration.md: every key of the configuration file, from its schema. */
import { z } from 'zod';
import { needsRestart } from '../../server/config/comparison.ts';
import { ConfigFile } from '../../server/config/schema.ts';
import { type Output, publish } from './output.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** A key with its schemas: more than one if variants of its parent have it, such as the kinds of upstreams. */
interface Key {
  readonly path: readonly string[];
  readonly forms: Form[];
}
interface Form {
  readonly schema: Schema;
  /** The variant that has the key, such as `anthropic`. Empty if all have it. */
  readonly variant: string;
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
const listSchemas = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value : [value]).filter(isSchema);

/** Returns the schema and the variants in it. */
const listForms = (schema: Schema): readonly Schema[] =>
  schema.oneOf || schema.anyOf ? [...listSchemas(schema.oneOf), ...listSchemas(schema.anyOf)].flatMap(listForms) : [schema];

function getVariant({ properties }: Schema): string {
  const kinds = ['kind', 'type'].map((name) => properties?.[name]).find((property) => isSchema(property) && property.const !== undefined);
  return isSchema(kinds) ? String(kinds.const) : '';
}

/** Adds the keys below a schema, in the order of the file. */
function addKeys(schema: Schema, path: readonly string[], variant: string, keys: Map<string, Key>): void {
  for (const form of listForms(schema)) {
    const name = getVariant(form) || variant;
    for (const [property, child] of Object.entries(form.properties ?? {}))
      if (isSchema(child)) addKey(child, [...path, property], name, keys);
    for (const child of listSchemas(form.additionalProperties))
      if (hasKeys(child) || isMapSchema(child)) addKey(child, [...path, getPlaceholder(path)], name, keys);
    for (const child of listSchemas(form.items)) addKeys(child, [...path.slice(0, -1), `${path.at(-1)}[]`], name, keys);
  }
}

function addKey(schema: Schema, path: readonly string[], variant: string, keys: Map<string, Key>): void {
  const id = path.join('.');
  const key = keys.get(id) ?? { path, forms: [] };
  keys.set(id, key);
  key.forms.push({ schema, variant });
  addKeys(schema, path, variant, keys);
}

const placeholders: Readonly<Record<string, string>> = {
  priceLists: 'LIST',
  LIST: 'MODEL',
  plans: 'PLAN',
  groups: 'GROUP',
  longContext: 'TOKENS',
};
const isMapSchema = ({ additionalProperties }: Schema): boolean => listSchemas(additionalProperties).some(hasKeys);
const getPlaceholder = (path: readonly string[]): string => placeholders[path.at(-1) ?? ''] ?? 'NAME';

const units: readonly (readonly [RegExp, string])[] = [
  [/Ms$/, 'milliseconds'],
  [/Bytes$/, 'bytes'],
  [/MiB$/, 'MiB'],
  [/Seconds$/, 'seconds'],
];

function formatType(schema: Schema, name: string): string {
  const forms = listForms(schema);
  return [...new Set(forms.map((form) => formatOneType(form, name)))].join(', or ');
}

function formatOneType(schema: Schema, name: string): string {
  const { type, minimum, maximum, const: only, enum: values } = schema;
  if (only !== undefined) return formatCode(only);
  if (values) return values.map(formatCode).join(', ');
  if (type === 'array')
    return `list of ${listSchemas(schema.items)
      .map((item) => formatType(item, name))
      .join(', ')
      .replace(/^object$/, 'objects')
      .replace(/^keys$/, 'objects')}`;
  if (type === 'object') return 'object';
  if (type === 'boolean') return '`true` or `false`';
  const unit = units.find(([pattern]) => pattern.test(name))?.[1];
  const isNumber = type === 'integer' || type === 'number';
  const range = isNumber && minimum !== undefined && maximum !== undefined ? ` from ${toNumber(minimum)} to ${toNumber(maximum)}` : '';
  return `${isNumber ? (unit ?? type) : 'text'}${range}`;
}

const toNumber = (value: number): string => value.toLocaleString('en-US');
const formatCode = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** Keys whose form others refer to, because it's used in several places. */
const canonicalPaths = [
  ...[
    'models[].prices',
    'limits.perKey',
    'limits.perKey.requestsPerMinute',
    'limits.perKey.tokensPerMinute',
    'limits.perKey.concurrency',
    'models[].prices.longContext.TOKENS',
  ],
];

const toShape = (schema: Schema): string =>
  JSON.stringify(schema, (name, value) => (['description', 'examples', 'default'].includes(name) ? undefined : value));
const hasKeys = (schema: Schema): boolean => listForms(schema).some(({ properties }) => properties !== undefined);

/** Maps each form that contains keys to the path under which the page describes them. */
function findCanonicalPaths(keys: ReadonlyMap<string, Key>): ReadonlyMap<string, string> {
  const byShape = new Map<string, string>();
  const ordered = [...canonicalPaths, ...keys.keys()];
  for (const id of ordered)
    for (const { schema } of keys.get(id)?.forms ?? []) {
      const shape = toShape(schema);
      if (hasKeys(schema) && !byShape.has(shape)) byShape.set(shape, id);
    }
  return byShape;
}

const toAnchor = (id: string): string => `#${id.toLowerCase().replaceAll(/[^\w-]/g, '')}`;

interface Context {
  readonly keys: ReadonlyMap<string, Key>;
  readonly canonical: ReadonlyMap<string, string>;
}

/** Returns the key that describes the form of this one, if it's another key. */
function findReference({ path, forms }: Key, { canonical }: Context): string | undefined {
  const [form] = forms;
  const id = form && forms.length === 1 && hasKeys(form.schema) ? canonical.get(toShape(form.schema)) : undefined;
  return id === path.join('.') ? undefined : id;
}

const isDescribedElsewhere = ({ path }: Key, context: Context): boolean =>
  path.some((_, index) => {
    const parent = index === 0 ? undefined : context.keys.get(path.slice(0, index).join('.'));
    return parent !== undefined && findReference(parent, context) !== undefined;
  });

interface FormText {
  readonly description: string;
  /** Type, range, and default. Empty if the description says it all. */
  readonly facts: string;
}

function describeForm({ schema }: Form, name: string): FormText {
  const { description = '', default: value } = schema;
  if (schema.const !== undefined && description !== '') return { description, facts: '' };
  const isSecret = listForms(schema).some(({ writeOnly }) => writeOnly === true);
  const hasDefault = value !== undefined && JSON.stringify(value) !== '{}';
  const facts = [formatType(schema, name), ...(hasDefault ? [`default ${formatCode(value)}`] : []), ...(isSecret ? ['secret'] : [])];
  return { description, facts: `${facts.join('; ').replace(/^[a-z]/, (first) => first.toUpperCase())}.` };
}

const joinText = ({ description, facts }: FormText): string => `${description} ${facts}`.trim();

/** Forms of variants with the same text are one. */
function describeForms(forms: readonly Form[], name: string): FormText {
  const [first, ...others] = forms.map((form) => describeForm(form, name));
  if (first && others.every((other) => joinText(other) === joinText(first))) return first;
  const byText = Map.groupBy(forms, (form) => joinText(describeForm(form, name)));
  return {
    description: [...byText].map(([text, some]) => `- ${listVariants(some).map(formatCode).join(', ')}: ${text}`).join('\n'),
    facts: '',
  };
}

const listVariants = (forms: readonly Form[]): readonly string[] =>
  [...new Set(forms.map(({ variant }) => variant))].filter((name) => name !== '');

function formatKey(key: Key, context: Context): string {
  const { path, forms } = key;
  const name = path.at(-1)?.replace(/\[\]$/, '') ?? '';
  const example = forms.find(({ schema }) => Array.isArray(schema.examples))?.schema.examples?.[0];
  const isDefault = forms.some(({ schema }) => JSON.stringify(schema.default) === JSON.stringify(example));
  const reference = findReference(key, context);
  const { description, facts } = describeForms(forms, name);
  const remarks = [
    ...(facts === '' ? [] : [facts]),
    ...(formatVariants(key, context) ?? []),
    ...(reference === undefined ? [] : [`It has the keys of [\`${reference}\`](${toAnchor(reference)}).`]),
    ...(isReloadable(path) ? ['A reload applies a change.'] : []),
    ...(example === undefined || isDefault ? [] : [`Example: ${formatCode(example)}`]),
  ];
  return [`### ${path.join('.')}`, description, remarks.join(' ')].filter((part) => part !== '').join('\n\n');
}

/** Names the variants that have the key, if others don't. */
function formatVariants({ path, forms }: Key, { keys }: Context): readonly string[] | undefined {
  const parent = path.slice(0, -1).join('.');
  const siblings = [...keys.values()].filter((key) => key.path.length === path.length && key.path.slice(0, -1).join('.') === parent);
  const all = listVariants(siblings.flatMap((key) => key.forms));
  const own = listVariants(forms);
  const others = all.filter((variant) => !own.includes(variant));
  if (own.length === 0 || others.length === 0 || describeForms(forms, '').description.startsWith('- ')) return undefined;
  return [others.length === 1 ? `Not for ${others.map(formatCode).join('')}.` : `Only for ${own.map(formatCode).join(', ')}.`];
}

/** Whether a reload applies the key although its section needs a restart. */
const isReloadable = (path: readonly string[]): boolean =>
  path.length === 2 && needsRestart({ path: path.slice(0, 1) }) && !needsRestart({ path });

const introduction = `# Configuration reference

Every key of \`modelgate.yaml\`, from the schema that the gateway checks the file with. The same schema is a
[JSON schema](config.schema.json) for editors. \`modelgate config check\` finds mistakes, with their lines, and \`modelgate config show\` lists the active values.
Names in capitals are yours to choose, and \`[]\` stands for each entry of a list.

Any text can contain references: \`\${NAME}\` is replaced by an environment variable, and \`\${file:PATH}\` by the content of a file. To write a literal \`\${\`, use \`$\${\`.`;

function formatSection(name: string, schema: Schema, context: Context): string {
  const keys = [...context.keys.values()].filter((key) => key.path[0]?.replace('[]', '') === name && !isDescribedElsewhere(key, context));
  const restart = needsRestart({ path: [name] }) ? 'A change needs a restart.' : 'A reload applies a change.';
  const text = keys.length > 0 ? (schema.description ?? '') : joinText(describeForm({ schema, variant: '' }, name));
  return [`## ${name}`, `${text} ${restart}`.trim(), ...keys.map((key) => formatKey(key, context))].join('\n\n');
}

export function configurationOutput(): Output {
  const { properties = {} } = z.toJSONSchema(ConfigFile, { target: 'draft-7', io: 'input' });
  const keys = new Map<string, Key>();
  const sections = Object.entries(properties).flatMap(([name, schema]) => (isSchema(schema) ? [{ name, schema }] : []));
  for (const { name, schema } of sections) addKeys(schema, [name], '', keys);
  const context = { keys, canonical: findCanonicalPaths(keys) };
  const text = [introduction, ...sections.map(({ name, schema }) => formatSection(name, schema, context))].join('\n\n');
  return { path: '../generated/configuration.md', text: `${text}\n` };
}

if (import.meta.main) publish(configurationOutput());
