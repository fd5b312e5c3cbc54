/** Converts the issues that zod found in a request into one error of the contract, with the field and a hint. */
import type { z } from 'zod';
import type { ErrorCode } from '../../../contract/errors.ts';
import { GatewayError, toPrintable } from '../../primitives/errors.ts';
import { isFields } from '../../primitives/fields.ts';

type Issue = z.core.$ZodIssue;

type Path = readonly PropertyKey[];

/** For example `messages[2].content[0].image_url`. */
export function formatPath(path: Path): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? String(step) : `.${String(step)}`)).join('');
}

/** Maximum characters of a path in a message: callers' field names can have any length. */
const MAX_PATH_LENGTH = 300;

interface IssueAtPath {
  readonly issue: Issue;
  readonly path: Path;
}

/** For a union, reports the branch that matched the value furthest, because the caller most likely meant that one. */
function findDeepestIssue(issue: Issue, parentPath: Path = []): IssueAtPath {
  const path = [...parentPath, ...issue.path];
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return { issue, path };
  const branchIssues = issue.errors.flatMap((branch) => (branch[0] ? [findDeepestIssue(branch[0], path)] : []));
  const deepest = branchIssues.reduce((a, b) => (measureDepth(b) > measureDepth(a) ? b : a), branchIssues[0] ?? { issue, path });
  return measureDepth(deepest) > 2 * path.length ? mergeAllowedValues(deepest, branchIssues) : { issue, path };
}

/** Several branches may expect different values at the same path. */
function mergeAllowedValues(deepest: IssueAtPath, branchIssues: readonly IssueAtPath[]): IssueAtPath {
  if (deepest.issue.code !== 'invalid_value') return deepest;
  const pathText = formatPath(deepest.path);
  const values = branchIssues.flatMap(({ issue, path }) =>
    issue.code === 'invalid_value' && formatPath(path) === pathText ? issue.values : [],
  );
  return { ...deepest, issue: { ...deepest.issue, values: [...new Set(values)] } };
}

/** Measures how far a branch matched. At equal depth, a branch of the right type counts as further than one of a wrong type. */
const measureDepth = ({ issue, path }: IssueAtPath) =>
  2 * path.length + (issue.code === 'invalid_type' || issue.code === 'invalid_union' ? 0 : 1);

interface Explanation {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Fields that accept fractions. The validator reports only that a bound was exceeded. */
const decimalFields = new Set(['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'over']);

const getBoundCode = (kind: 'below_min' | 'above_max', origin: string, field: string): ErrorCode => {
  if (origin === 'array') return kind === 'below_min' ? 'empty_array' : 'array_above_max_length';
  if (origin === 'string') return kind === 'below_min' ? 'empty_string' : 'string_above_max_length';
  return `${decimalFields.has(field.split(/[.[']/)[1] ?? '') ? 'decimal' : 'integer'}_${kind}_value`;
};

const addArticle = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/** Returns JSON's name of a type instead of the validator's. */
const toJsonTypeName = (type: string) => ({ record: 'object', int: 'integer', nan: 'number' })[type] ?? type;

function describeType(value: unknown): string {
  if (value === null) return 'null';
  // JSON has no infinite numbers, but `1e999` parses to Infinity.
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number that is too large';
  return addArticle(Array.isArray(value) ? 'array' : typeof value);
}

/** Returns the caller's value at this path, or undefined if it was omitted. */
function getValueAt(body: unknown, path: Path): unknown {
  // `as`: an object from JSON can be read by name or index.
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[step] : undefined),
    body,
  );
}

function listExpectedValues(issue: Issue): string[] {
  if (issue.code === 'invalid_type') return [addArticle(toJsonTypeName(issue.expected))];
  if (issue.code === 'invalid_value') return issue.values.map((value) => `'${String(value)}'`);
  if (issue.code === 'invalid_union')
    return [...new Set(issue.errors.flatMap((branch) => (branch[0] ? listExpectedValues(branch[0]) : [])))];
  return [];
}

const formatChoices = (choices: readonly string[]) => (choices.length > 24 ? `${choices.slice(0, 24).join(', ')}, …` : choices.join(', '));

type IssueExplainer = (issue: Issue, where: string, value: unknown) => Explanation;

const explainType: IssueExplainer = (issue, field, value) => ({
  code: 'invalid_type',
  message: `Invalid type for ${field}: expected ${listExpectedValues(issue).join(' or ')}, got ${describeType(value)}.`,
});

/** Explains an unknown field. Only strict schemas report one. */
function explainUnknownField(issue: Issue, parentPath: Path): GatewayError | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const param = formatPath([...parentPath, issue.keys[0] ?? '']);
  return new GatewayError('unknown_parameter', { param, message: `Unknown parameter: '${toPrintable(param)}'.` });
}

/** For example `'temperature' must be at most 2. Got 2.5.` or `'tools' must have at most 128 items.` */
function formatBound(
  field: string,
  value: unknown,
  { origin, bound, relation }: { origin: string; bound: number | bigint; relation: string },
): string {
  const unit = { array: 'item', string: 'character' }[origin];
  if (unit !== undefined) return `${field} must have ${relation} ${bound} ${unit}${Number(bound) === 1 ? '' : 's'}.`;
  const actualHint = typeof value === 'number' && Number.isFinite(value) ? ` Got ${value}.` : '';
  return `${field} must be ${relation} ${bound}.${actualHint}`;
}

const explainers: Readonly<Record<string, IssueExplainer>> = {
  invalid_type: explainType,
  invalid_value: (issue, where) => ({
    code: 'invalid_value',
    message: `Invalid value for ${where}: expected ${formatOptionalChoices(listExpectedValues(issue))}.`,
  }),
  invalid_union: explainUnion,
  too_big: (issue, where, value) => {
    if (issue.code !== 'too_big') return explainOtherIssue(issue, where);
    return {
      code: getBoundCode('above_max', issue.origin, where),
      message: formatBound(where, value, { ...issue, bound: issue.maximum, relation: issue.inclusive === false ? 'less than' : 'at most' }),
    };
  },
  too_small: (issue, where, value) => {
    if (issue.code !== 'too_small') return explainOtherIssue(issue, where);
    return {
      code: getBoundCode('below_min', issue.origin, where),
      message: formatBound(where, value, {
        ...issue,
        bound: issue.minimum,
        relation: issue.inclusive === false ? 'greater than' : 'at least',
      }),
    };
  },
  custom: (issue, where) => {
    const code: unknown = issue.code === 'custom' ? issue.params?.code : undefined;
    // `as`: a rule of the contract has a code from the error table; a plain refinement has none.
    return {
      code: (code as ErrorCode | undefined) ?? 'invalid_value',
      message: code === undefined ? `${where}: ${issue.message}` : issue.message,
    };
  },
};

/** An optional field has `undefined` among its values, which JSON can't express. */
function formatOptionalChoices(choices: readonly string[]): string {
  const values = choices.filter((choice) => choice !== "'undefined'");
  return `one of ${formatChoices(values)}${values.length < choices.length ? '. It can also be omitted' : ''}`;
}

function explainOtherIssue(issue: Issue, field: string): Explanation {
  // For an invalid map key, the inner issue has the reason.
  const reason = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return { code: 'invalid_value', message: `Invalid value for ${field}: ${reason}` };
}

function explainUnion(issue: Issue, field: string, value: unknown): Explanation {
  if (issue.code !== 'invalid_union') return explainOtherIssue(issue, field);
  if (issue.errors.length > 0) return explainType(issue, field, value);
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options.filter((option) => option !== null) : [];
  const choices = options.map((option) => `'${String(option)}'`);
  return { code: 'invalid_value', message: `Invalid value for ${field}: expected ${formatOptionalChoices(choices)}.` };
}

/** Many callers send tools in the form of the other text API. */
function formatToolHint(path: IssueAtPath['path'], body: unknown): string {
  const tool = getValueAt(body, path.slice(0, -1));
  if (!isFields(tool)) return '';
  if (path.at(-1) === 'name' && isFields(tool.function))
    return " In responses, 'name', 'description', and 'parameters' are fields of the tool itself, not of 'function'.";
  if (path.at(-1) === 'function' && typeof tool.name === 'string')
    return " In chat completions, 'name', 'description', and 'parameters' are fields of 'function'.";
  return '';
}

function explainIssue({ issue, path }: IssueAtPath, body: unknown): Explanation {
  const field = `'${formatPath(path).slice(0, MAX_PATH_LENGTH)}'`;
  const value = getValueAt(body, path);
  if (value === undefined && issue.code !== 'custom') {
    return { code: 'missing_required_parameter', message: `Missing required parameter: ${field}.${formatToolHint(path, body)}` };
  }
  return (explainers[issue.code] ?? explainOtherIssue)(issue, field, value);
}

/** Error codes for fields that can't be used here. Such a field often causes other issues, because the field it replaces is missing. */
const priorityCodes = new Set<unknown>(['unknown_parameter', 'unsupported_parameter']);

/** Explains the first issue. A field that can't be used takes precedence over all others. */
export function explainIssues(issues: readonly Issue[], body: unknown): GatewayError {
  const mainIssue = issues.find((issue) => issue.code === 'custom' && priorityCodes.has(issue.params?.code)) ?? issues[0];
  if (!mainIssue) return new GatewayError('invalid_json', { message: 'The request body must be a JSON object.' });
  const deepest = findDeepestIssue(mainIssue);
  const unknownFieldError = explainUnknownField(deepest.issue, deepest.path);
  if (unknownFieldError) return unknownFieldError;
  if (deepest.path.length === 0) return new GatewayError('invalid_json', { message: 'The request body must be a JSON object.' });
  const { code, message } = explainIssue(deepest, body);
  return new GatewayError(code, { message, param: formatPath(deepest.path) });
}
