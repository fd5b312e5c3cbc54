/** Converts the issues of zod to problems with a remedy, from the descriptions and examples of the schema. */

import { parse } from 'yaml';
import type { z } from 'zod';
import { isFields } from '../primitives/fields.ts';
import { findNearest } from '../primitives/nearest.ts';
import type { ConfigDocument } from './config-document.ts';
import { formatPath, type Path, type Problem } from './config-error.ts';
import { getConfigSchema, type Schema, toSchema } from './is-secret.ts';

type Issue = z.core.$ZodIssue;
type Fault = Pick<Problem, 'message' | 'remedy'>;

export function explainIssues(issues: readonly Issue[], document: ConfigDocument): Problem[] {
  // An unresolved reference is reported once; errors about its empty value would only repeat that.
  const invalidKeys = new Set(document.problems.map(({ key }) => key));
  const relevantIssues = issues.flatMap((issue) => findRelevantIssues(issue, getValueAt(document.value, issue.path)));
  const newIssues = relevantIssues.filter((issue) => !invalidKeys.has(formatPath(issue.path)));
  return newIssues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => toUnknownKeyProblem(key, issue.path, document));
    const key = formatPath(getReportedPath(issue.path, document));
    return [{ where: document.locate(issue.path), key, ...toFault(issue, issue.path, document.value) }];
  });
}

type UnionIssue = Extract<Issue, { code: 'invalid_union' }>;
type Branch = readonly Issue[];

/** For a value with several possible forms, returns the issues of the form that the operator most likely meant. If no form is closer, returns one issue. */
function findRelevantIssues(issue: Issue, value: unknown): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const matchingBranches = getBranches(issue).filter((branch) => !hasWrongKind(branch));
  const minUnknownKeys = Math.min(...matchingBranches.map(countUnknownKeys));
  const [closest, ...others] = matchingBranches.filter((branch) => countUnknownKeys(branch) === minUnknownKeys);
  if (closest === undefined || others.length > 0) return [issue];
  return closest.flatMap((inner) => findRelevantIssues({ ...inner, path: [...issue.path, ...inner.path] }, getValueAt(value, inner.path)));
}

const getBranches = (issue: UnionIssue): readonly Branch[] => ('errors' in issue ? issue.errors : []);
/** Returns whether the whole value has the wrong type or is the wrong literal. */
const hasWrongKind = (branch: Branch): boolean =>
  branch.some(({ code, path }) => path.length === 0 && (code === 'invalid_type' || code === 'invalid_value'));
const countUnknownKeys = (branch: Branch): number =>
  branch.reduce((count, issue) => count + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0);

/** `root` is the value of the whole file, `path` the path of the issue in it. */
export function toFault(issue: Issue, path: Path, root: unknown): Fault {
  const value = getValueAt(root, path);
  return { message: formatFault(issue, value), remedy: findRemedy(issue, value, path, root) };
}

function toUnknownKeyProblem(key: string, parent: Path, document: ConfigDocument): Problem {
  const path = [...parent, key];
  const knownKeys = Object.keys(getProperties(findSchemaAt(parent, document.value), getValueAt(document.value, parent)));
  const remedy = formatUnknownKeyRemedy(key, knownKeys, path);
  const where = document.locate(path);
  if (isName(key) && getValueAt(document.value, path) !== null) {
    return { where, key: formatPath(path), message: "isn't a known key", remedy };
  }
  return {
    where,
    key: formatPath(parent),
    message: 'has an unknown key',
    remedy: `Write a key, a colon, a space, and the value. ${remedy}`,
  };
}

/** A value without a key, or without a space after the colon, is read as a key, and may be a secret. */
const isName = (key: string): boolean => /^[\w-]{1,40}$/.test(key);

/** Returns the parent's path for an unknown key without a value, because the key may be a misplaced secret. */
function getReportedPath(path: Path, document: ConfigDocument): Path {
  const parent = path.slice(0, -1);
  if (typeof path.at(-1) !== 'string' || getValueAt(document.value, path) !== null) return path;
  const properties = getProperties(findSchemaAt(parent, document.value), getValueAt(document.value, parent));
  return Object.hasOwn(properties, String(path.at(-1))) ? path : parent;
}

function formatUnknownKeyRemedy(key: string, knownKeys: readonly string[], path: Path): string {
  const nearest = findNearest(key, knownKeys);
  if (nearest !== undefined) return `Did you mean ${nearest}?`;
  const otherPaths = findPaths(key, getConfigSchema(), []).filter((place) => place !== formatPath(path));
  if (otherPaths.length > 0) return `Did you mean ${otherPaths.slice(0, 2).join(' or ')}?`;
  return `Known keys: ${knownKeys.join(', ')}.`;
}

function formatFault(issue: Issue, value: unknown): string {
  if (issue.code === 'custom') return issue.message;
  if (value === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${getExpectedName(issue.expected, value)}, not ${value === null ? 'empty' : toKindName(getTypeName(value))}`;
    case 'too_small':
      return `must ${formatSize(issue.origin, `at least ${issue.minimum}`)}`;
    case 'too_big':
      return `must ${formatSize(issue.origin, `at most ${issue.maximum}`)}`;
    case 'invalid_value':
      return formatOptions(issue.values.map(String), value);
    case 'invalid_union':
      return getBranches(issue).length > 0 ? formatForms(issue, value) : formatOptions(getOptions(issue), value);
    case 'invalid_key':
      return issue.issues[0]?.message ?? issue.message;
    default:
      return issue.message;
  }
}

function formatOptions(options: readonly string[], value: unknown): string {
  const nearest = typeof value === 'string' ? findNearest(value, options) : undefined;
  return `must be one of ${options.join(', ')}${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}`;
}

/** Describes a value that matches none of its possible forms. */
function formatForms(issue: UnionIssue, value: unknown): string {
  // If no form is closer, use the message of the schema.
  if (getBranches(issue).some((branch) => !hasWrongKind(branch))) return issue.message;
  const forms = getBranches(issue).flatMap(([first]) => {
    if (first?.code === 'invalid_type') return [getExpectedName(first.expected, value)];
    return first?.code === 'invalid_value' ? first.values.map(String) : [];
  });
  const valueKind = value === null ? 'empty' : toKindName(getTypeName(value));
  return `must be ${[...new Set(forms)].join(' or ')}, not ${valueKind}`;
}

/** YAML reads an unquoted 1.25 as a number and true as a boolean, not as strings. */
function getExpectedName(expected: string, value: unknown): string {
  const isUnquoted = expected === 'string' && (typeof value === 'number' || typeof value === 'boolean');
  return isUnquoted ? 'text in quotes' : toKindName(expected);
}

function getOptions(issue: Issue): string[] {
  return 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
}

function formatSize(origin: string, bound: string): string {
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
const toKindName = (type: string): string => kindNames[type] ?? type;

function getTypeName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

export const getValueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, part) => (isFields(value) ? value[String(part)] : undefined), root);

function findRemedy(issue: Issue, value: unknown, path: Path, root: unknown): string {
  if (value === null) return 'Set a value, or remove the key.';
  if (issue.code === 'custom' && value === undefined) return '';
  if (value !== undefined && (issue.code === 'invalid_value' || (issue.code === 'invalid_union' && getBranches(issue).length === 0)))
    return '';
  return formatExample(findSchemaAt(path, root), path.at(-1));
}

function formatExample(schema: Schema | undefined, key: PropertyKey | undefined): string {
  const example = schema?.examples?.[0] ?? schema?.const;
  if (example !== undefined && typeof key === 'string') return `For example ${key}: ${formatYaml(example)}`;
  return schema?.description ?? '';
}

/** Writes a value as YAML. Words read better without quotes, but text that looks like a number needs them. */
function formatYaml(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return parse(value, { logLevel: 'silent' }) === value ? value : `'${value}'`;
}

function findSchemaAt(path: Path, root: unknown): Schema | undefined {
  return path.reduce<Schema | undefined>((schema, part, depth) => {
    if (schema === undefined) return undefined;
    if (typeof part === 'number') return toSchema(schema.items);
    return toSchema(getProperties(schema, getValueAt(root, path.slice(0, depth)))[String(part)] ?? schema.additionalProperties);
  }, getConfigSchema());
}

/** Returns the keys of a map. If a map has several kinds, uses the kind that the value names or matches best, otherwise all kinds. */
function getProperties(schema: Schema | undefined, value: unknown): Record<string, unknown> {
  const kinds = (schema?.oneOf ?? schema?.anyOf ?? []).map(toSchema);
  const chosenSchema =
    kinds.find((kind) => hasDiscriminator(kind, 'kind', value) || hasDiscriminator(kind, 'type', value)) ?? findClosestMatch(kinds, value);
  if (kinds.length === 0) return schema?.properties ?? {};
  return chosenSchema?.properties ?? Object.assign({}, ...kinds.map((kind) => kind?.properties));
}

/** Returns whether the value names this kind in its discriminator key. */
function hasDiscriminator(kind: Schema | undefined, name: 'kind' | 'type', value: unknown): boolean {
  const constant = toSchema(kind?.properties?.[name])?.const;
  return constant !== undefined && constant === getValueAt(value, [name]);
}

function findClosestMatch(kinds: readonly (Schema | undefined)[], value: unknown): Schema | undefined {
  const keys = isFields(value) ? Object.keys(value) : [];
  const countKnownKeys = (kind: Schema | undefined): number => keys.filter((key) => Object.hasOwn(kind?.properties ?? {}, key)).length;
  const [first, second] = kinds.toSorted((a, b) => countKnownKeys(b) - countKnownKeys(a));
  return countKnownKeys(first) > countKnownKeys(second) ? first : undefined;
}

/** Returns the paths at which a key of this name is valid. */
function findPaths(key: string, schema: Schema, path: Path): string[] {
  const propertyPaths = Object.entries(getProperties(schema, undefined)).flatMap(([name, child]) => {
    const childSchema = toSchema(child);
    return [
      ...(name === key ? [formatPath([...path, name])] : []),
      ...(childSchema === undefined ? [] : findPaths(key, childSchema, [...path, name])),
    ];
  });
  const entrySchema = toSchema(schema.additionalProperties);
  return [...propertyPaths, ...(entrySchema === undefined ? [] : findPaths(key, entrySchema, [...path, '<name>']))];
}
