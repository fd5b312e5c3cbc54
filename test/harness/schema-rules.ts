/** Rules by which vendors check the schema of a tool's arguments before they answer. Each rule is a refusal that users have reported. */
type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
const maps = ['properties', 'patternProperties', '$defs', 'definitions'];
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const singles = ['items', 'additionalProperties', 'not', 'propertyNames', 'contains'];
const numbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems', 'minLength', 'maxLength'];

/** The broken rules; empty when every vendor accepts the schema. */
export function schemaProblems(parameters: unknown): readonly string[] {
  if (!isFields(parameters)) return ['the arguments are no schema'];
  return [...rootProblems(parameters), ...problemsAt(parameters, '', parameters)];
}

function rootProblems(root: Fields): readonly string[] {
  const rejected = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', '$ref'].filter((keyword) => keyword in root);
  return [
    ...(root.type === 'object' ? [] : [`the type at the top is ${JSON.stringify(root.type)}`]),
    ...(isFields(root.properties) ? [] : ['there are no properties at the top']),
    ...rejected.map((keyword) => `${keyword} at the top`),
  ];
}

function problemsAt(schema: unknown, place: string, root: Fields): readonly string[] {
  if (typeof schema === 'boolean') return [];
  if (!isFields(schema)) return [`${place} is no schema`];
  const own = ownProblems(schema, root).map((problem) => `${place}: ${problem}`);
  return [...own, ...partsOf(schema).flatMap(([name, part]) => problemsAt(part, `${place}/${name}`, root))];
}

function partsOf(schema: Fields): readonly (readonly [string, unknown])[] {
  return [
    ...maps.flatMap((name) => Object.entries(schema[name] ?? {}).map(([key, part]) => [`${name}/${key}`, part] as const)),
    ...lists.flatMap((name) => Object.entries(schema[name] ?? []).map(([key, part]) => [`${name}/${key}`, part] as const)),
    ...singles.flatMap((name) => (name in schema ? [[name, schema[name]] as const] : [])),
  ];
}

function ownProblems(schema: Fields, root: Fields): readonly string[] {
  const { type, items, required, enum: values, $ref } = schema;
  const named = Array.isArray(type) ? type : [type];
  const wrong = (isWrong: boolean, problem: string) => (isWrong ? [problem] : []);
  return [
    ...wrong('type' in schema && !(named.length > 0 && named.every((each) => types.includes(each))), 'a type that is none'),
    ...wrong(named.includes('array') && items === undefined, 'a list without items'),
    ...wrong('required' in schema && !(Array.isArray(required) && required.every((each) => typeof each === 'string')), 'required'),
    ...wrong('enum' in schema && !(Array.isArray(values) && values.length > 0), 'enum'),
    ...wrong($ref !== undefined && !leadsSomewhere($ref, root), 'a reference to nothing'),
    ...maps.flatMap((name) => wrong(name in schema && !isFields(schema[name]), name)),
    ...lists.flatMap((name) => wrong(name in schema && !(Array.isArray(schema[name]) && schema[name].length > 0), name)),
    ...numbers.flatMap((name) => wrong(name in schema && typeof schema[name] !== 'number', name)),
    ...Object.keys(schema).flatMap((name) => wrong(schema[name] === null && name !== 'default' && name !== 'const', `${name} is null`)),
  ];
}

function leadsSomewhere(ref: unknown, root: Fields): boolean {
  const steps = String(ref).split('/');
  return steps[0] === '#' && isFields(steps.slice(1).reduce<unknown>((value, step) => (isFields(value) ? value[step] : null), root));
}
