/** Turns the issues of zod into problems with a remedy, from the descriptions and examples of the schema. */
import { parse } from 'yaml';
import { z } from 'zod';
import { type ConfigDocument, type Path, type Problem, pathText } from './document.ts';
import { ConfigFile } from './schema.ts';

type Issue = z.core.$ZodIssue;
type Schema = z.core.JSONSchema.BaseSchema;
type Fault = Pick<Problem, 'message' | 'remedy'>;

export function explainIssues(issues: readonly Issue[], document: ConfigDocument): Problem[] {
  // An unresolved reference is reported once; errors about its empty value would only repeat that.
  const told = new Set(document.problems.map(({ key }) => key));
  const meant = issues.flatMap((issue) => issuesMeant(issue, valueAt(document.value, issue.path)));
  const news = meant.filter((issue) => !told.has(pathText(issue.path)));
  return news.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, issue.path, document));
    const key = pathText(toldPath(issue.path, document));
    return [{ where: document.locate(issue.path), key, ...issueFault(issue, issue.path, document.value) }];
  });
}

type UnionIssue = Extract<Issue, { code: 'invalid_union' }>;
type Branch = readonly Issue[];

/** For a value with several possible forms, returns the issues of the form that the operator most likely meant. If no form is closer, returns one issue. */
function issuesMeant(issue: Issue, value: unknown): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const ofKind = branchesOf(issue).filter((branch) => !isOfOtherKind(branch));
  const fewest = Math.min(...ofKind.map(strangeKeys));
  const [closest, ...others] = ofKind.filter((branch) => strangeKeys(branch) === fewest);
  if (closest === undefined || others.length > 0) return [issue];
  return closest.flatMap((inner) => issuesMeant({ ...inner, path: [...issue.path, ...inner.path] }, valueAt(value, inner.path)));
}

const branchesOf = (issue: UnionIssue): readonly Branch[] => ('errors' in issue ? issue.errors : []);
/** Returns whether the whole value has the wrong type or is the wrong literal. */
const isOfOtherKind = (branch: Branch): boolean =>
  branch.some(({ code, path }) => path.length === 0 && (code === 'invalid_type' || code === 'invalid_value'));
const strangeKeys = (branch: Branch): number =>
  branch.reduce((count, issue) => count + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0);

/** `root` is the value of the whole file, `path` the path of the issue in it. */
export function issueFault(issue: Issue, path: Path, root: unknown): Fault {
  const value = valueAt(root, path);
  return { message: faultText(issue, value), remedy: remedyOf(issue, { value, path, root }) };
}

function unknownKey(key: string, parent: Path, document: ConfigDocument): Problem {
  const path = [...parent, key];
  const known = Object.keys(propertiesOf(schemaAt(parent, document.value), valueAt(document.value, parent)));
  const remedy = unknownRemedy(key, known, path);
  const where = document.locate(path);
  if (isName(key) && valueAt(document.value, path) !== null) {
    return { where, key: pathText(path), message: "isn't a known key", remedy };
  }
  return {
    where,
    key: pathText(parent),
    message: 'has an unknown key',
    remedy: `Write a key, a colon, a space, and the value. ${remedy}`,
  };
}

/** A value without a key, or without a space after the colon, is read as a key, and may be a secret. */
const isName = (key: string): boolean => /^[\w-]{1,40}$/.test(key);

/** Returns the parent's path for an unknown key without a value, because the key may be a misplaced secret. */
function toldPath(path: Path, document: ConfigDocument): Path {
  const parent = path.slice(0, -1);
  if (typeof path.at(-1) !== 'string' || valueAt(document.value, path) !== null) return path;
  const known = propertiesOf(schemaAt(parent, document.value), valueAt(document.value, parent));
  return Object.hasOwn(known, String(path.at(-1))) ? path : parent;
}

function unknownRemedy(key: string, known: readonly string[], path: Path): string {
  const near = nearest(key, known);
  if (near !== undefined) return `Did you mean ${near}?`;
  const elsewhere = placesOf(key, wholeSchema(), []).filter((place) => place !== pathText(path));
  if (elsewhere.length > 0) return `Did you mean ${elsewhere.slice(0, 2).join(' or ')}?`;
  return `Known keys: ${known.join(', ')}.`;
}

function faultText(issue: Issue, value: unknown): string {
  if (issue.code === 'custom') return issue.message;
  if (value === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${wantedName(issue.expected, value)}, not ${value === null ? 'empty' : kindName(typeName(value))}`;
    case 'too_small':
      return `must ${sizeText(issue.origin, `at least ${issue.minimum}`)}`;
    case 'too_big':
      return `must ${sizeText(issue.origin, `at most ${issue.maximum}`)}`;
    case 'invalid_value':
      return oneOf(issue.values.map(String), value);
    case 'invalid_union':
      return branchesOf(issue).length > 0 ? oneForm(issue, value) : oneOf(optionsOf(issue), value);
    case 'invalid_key':
      return issue.issues[0]?.message ?? issue.message;
    default:
      return issue.message;
  }
}

function oneOf(options: readonly string[], value: unknown): string {
  const near = typeof value === 'string' ? nearest(value, options) : undefined;
  return `must be one of ${options.join(', ')}${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}

/** Describes a value that matches none of its possible forms. */
function oneForm(issue: UnionIssue, value: unknown): string {
  // No form is closer: use the message of the schema.
  if (branchesOf(issue).some((branch) => !isOfOtherKind(branch))) return issue.message;
  const forms = branchesOf(issue).flatMap(([first]) => {
    if (first?.code === 'invalid_type') return [wantedName(first.expected, value)];
    return first?.code === 'invalid_value' ? first.values.map(String) : [];
  });
  const given = value === null ? 'empty' : kindName(typeName(value));
  return `must be ${[...new Set(forms)].join(' or ')}, not ${given}`;
}

/** YAML reads an unquoted 1.25 as a number and true as a boolean, not as strings. */
function wantedName(expected: string, value: unknown): string {
  const isBare = expected === 'string' && (typeof value === 'number' || typeof value === 'boolean');
  return isBare ? 'text in quotes' : kindName(expected);
}

function optionsOf(issue: Issue): string[] {
  return 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
}

function sizeText(origin: string, bound: string): string {
  if (bound === 'at least 1' && origin !== 'number') return 'not be empty';
  if (origin === 'string') return `have ${bound} characters`;
  return origin === 'array' ? `have ${bound} entries` : `be ${bound}`;
}

const kindNames: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  object: 'a map of keys',
  record: 'a map of names',
  array: 'a list',
  null: 'empty',
};
const kindName = (type: string): string => kindNames[type] ?? type;

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    // `as`: the value failed its schema, so its fields are unknown.
    (value, part) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[part] : undefined),
    root,
  );
}

interface Place {
  readonly value: unknown;
  readonly path: Path;
  readonly root: unknown;
}

function remedyOf(issue: Issue, { value, path, root }: Place): string {
  if (value === null) return 'Set a value, or remove the key.';
  if (issue.code === 'custom' && value === undefined) return '';
  if (value !== undefined && (issue.code === 'invalid_value' || (issue.code === 'invalid_union' && branchesOf(issue).length === 0)))
    return '';
  return exampleOf(schemaAt(path, root), path.at(-1));
}

function exampleOf(schema: Schema | undefined, key: PropertyKey | undefined): string {
  const example = schema?.examples?.[0] ?? schema?.const;
  if (example !== undefined && typeof key === 'string') return `For example ${key}: ${yamlText(example)}`;
  return schema?.description ?? '';
}

/** Writes a value as YAML. Words read better without quotes, but text that looks like a number needs them. */
function yamlText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return parse(value, { logLevel: 'silent' }) === value ? value : `'${value}'`;
}

/** Builds the JSON schema, which is needed only to explain an error. */
function wholeSchema(): Schema {
  return z.toJSONSchema(ConfigFile, { io: 'input' });
}

function schemaAt(path: Path, root: unknown): Schema | undefined {
  return path.reduce<Schema | undefined>((schema, part, depth) => {
    if (schema === undefined) return undefined;
    if (typeof part === 'number') return asSchema(schema.items);
    return asSchema(propertiesOf(schema, valueAt(root, path.slice(0, depth)))[String(part)] ?? schema.additionalProperties);
  }, wholeSchema());
}

/** Returns the keys of a map. If it has several kinds, returns the keys of the kind that the value names or matches best, otherwise those of all kinds. */
function propertiesOf(schema: Schema | undefined, value: unknown): Record<string, unknown> {
  const kinds = (schema?.oneOf ?? schema?.anyOf ?? []).map(asSchema);
  const chosen = kinds.find((kind) => isSaid(kind, 'kind', value) || isSaid(kind, 'type', value)) ?? closestMatch(kinds, value);
  if (kinds.length === 0) return schema?.properties ?? {};
  return chosen?.properties ?? Object.assign({}, ...kinds.map((kind) => kind?.properties));
}

/** Returns whether the value names this kind in its discriminator key. */
function isSaid(kind: Schema | undefined, name: 'kind' | 'type', value: unknown): boolean {
  const own = asSchema(kind?.properties?.[name])?.const;
  return own !== undefined && own === valueAt(value, [name]);
}

function closestMatch(kinds: readonly (Schema | undefined)[], value: unknown): Schema | undefined {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const known = (kind: Schema | undefined): number => keys.filter((key) => Object.hasOwn(kind?.properties ?? {}, key)).length;
  const [first, second] = kinds.toSorted((a, b) => known(b) - known(a));
  return known(first) > known(second) ? first : undefined;
}

/** Returns the paths at which a key of this name is valid. */
function placesOf(key: string, schema: Schema, path: Path): string[] {
  const inside = Object.entries(propertiesOf(schema, undefined)).flatMap(([name, child]) => {
    const below = asSchema(child);
    return [...(name === key ? [pathText([...path, name])] : []), ...(below === undefined ? [] : placesOf(key, below, [...path, name]))];
  });
  const entries = asSchema(schema.additionalProperties);
  return [...inside, ...(entries === undefined ? [] : placesOf(key, entries, [...path, '<name>']))];
}

/** JSON Schema allows `true` and lists in places where ours has only schemas. */
function asSchema(part: unknown): Schema | undefined {
  // `as`: without those two, only schemas are left.
  return typeof part === 'object' && part !== null && !Array.isArray(part) ? (part as Schema) : undefined;
}

/** Returns the closest known word, or undefined if none is close enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const plain = plainForm(word);
  const ranked = known
    .map((candidate) => ({ candidate, steps: stepsBetween(plain, plainForm(candidate)) }))
    .sort((a, b) => a.steps - b.steps);
  const [best] = ranked;
  return best !== undefined && best.steps <= farthest(plain) ? best.candidate : undefined;
}

/** Two edits turn `port` into `prot`; in a shorter word they would match anything. */
function farthest(plain: string): number {
  return plain.length < 4 ? 1 : Math.max(2, Math.floor(plain.length / 3));
}

function stepsBetween(plain: string, other: string): number {
  const [short, long] = plain.length < other.length ? [plain, other] : [other, plain];
  // `warning` means `warn`, however many letters it adds.
  return short.length >= 3 && long.startsWith(short) && long !== short ? 1 : distance(plain, other);
}

/** People treat `base_url`, `base-url` and `baseUrl` as the same word. */
function plainForm(word: string): string {
  return word.toLowerCase().replaceAll(/[_-]/g, '').slice(0, 40);
}

/** Letters to add, drop or change (Levenshtein), row by row. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const change = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
