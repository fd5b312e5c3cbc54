/** Translates the validator's issues into one error 400 that names the field and the remedy. */
import type { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import { GatewayError, shown } from '../errors.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** `messages[2].content[0].image_url` */
export function pathText(path: Path): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? String(step) : `.${String(step)}`)).join('');
}

/** Characters of a path in a message: a caller's field names may have any length. */
const MOST_OF_PATH = 300;

interface Finding {
  readonly issue: Issue;
  readonly path: Path;
}

/** Of a union's branches, reports the one that matched the value furthest: the caller most probably meant it. */
function deepest(issue: Issue, before: Path = []): Finding {
  const path = [...before, ...issue.path];
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return { issue, path };
  const findings = issue.errors.flatMap((branch) => (branch[0] ? [deepest(branch[0], path)] : []));
  const best = findings.reduce((a, b) => (distance(b) > distance(a) ? b : a), findings[0] ?? { issue, path });
  return distance(best) > 2 * path.length ? best : { issue, path };
}

/** How far a branch matched. At equal depth, a branch of the right type matched further than one of a wrong type. */
const distance = ({ issue, path }: Finding) => 2 * path.length + (issue.code === 'invalid_type' || issue.code === 'invalid_union' ? 0 : 1);

interface Explanation {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Fields whose numbers may have a fraction: the validator reports only that a bound was exceeded. */
const decimals = new Set(['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'over']);
const bound = (kind: 'below_min' | 'above_max', origin: string, where: string): ErrorCode => {
  if (origin === 'array') return kind === 'below_min' ? 'empty_array' : 'array_above_max_length';
  if (origin === 'string') return kind === 'below_min' ? 'empty_string' : 'string_above_max_length';
  return `${decimals.has(where.split(/[.[']/)[1] ?? '') ? 'decimal' : 'integer'}_${kind}_value`;
};

const article = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
/** JSON's name of a type, in place of the validator's. */
const typeName = (type: string) => ({ record: 'object', int: 'integer', nan: 'number' })[type] ?? type;

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  // JSON has no infinite numbers, but `1e999` parses to Infinity.
  if (typeof value === 'number' && !Number.isFinite(value)) return 'one that is too large';
  return article(Array.isArray(value) ? 'array' : typeof value);
}

/** The value that the caller sent at this path; undefined when there is none. */
function valueAt(body: unknown, path: Path): unknown {
  // An object from JSON can be read by name or index.
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[step] : undefined),
    body,
  );
}

function expected(issue: Issue): string[] {
  if (issue.code === 'invalid_type') return [article(typeName(issue.expected))];
  if (issue.code === 'invalid_value') return issue.values.map((value) => `'${String(value)}'`);
  if (issue.code === 'invalid_union') return [...new Set(issue.errors.flatMap((branch) => (branch[0] ? expected(branch[0]) : [])))];
  return [];
}

const oneOf = (choices: readonly string[]) => (choices.length > 24 ? `${choices.slice(0, 24).join(', ')}, …` : choices.join(', '));

type Explain = (issue: Issue, where: string, value: unknown) => Explanation;

const explainType: Explain = (issue, where, value) => ({
  code: 'invalid_type',
  message: `Invalid type for ${where}: expected ${expected(issue).join(' or ')}, got ${typeOf(value)}.`,
});

/** Explains an unknown field. Only strict schemas report one. */
function unknownField(issue: Issue, before: Path): GatewayError | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const param = pathText([...before, issue.keys[0] ?? '']);
  return new GatewayError('unknown_parameter', { param, message: `There is no parameter '${shown(param)}' here.` });
}

const explainers: Readonly<Record<string, Explain>> = {
  invalid_type: explainType,
  invalid_value: (issue, where) => ({
    code: 'invalid_value',
    message: `Invalid value for ${where}: expected ${choicesText(expected(issue))}.`,
  }),
  invalid_union: explainUnion,
  too_big: (issue, where) => {
    if (issue.code !== 'too_big') return explainRest(issue, where);
    return { code: bound('above_max', issue.origin, where), message: `${where} is over the maximum of ${issue.maximum}.` };
  },
  too_small: (issue, where) => {
    if (issue.code !== 'too_small') return explainRest(issue, where);
    return { code: bound('below_min', issue.origin, where), message: `${where} is under the minimum of ${issue.minimum}.` };
  },
  custom: (issue, where) => {
    const code: unknown = issue.code === 'custom' ? issue.params?.code : undefined;
    // A rule of the contract carries a code of the table of errors; a plain refinement carries none.
    return {
      code: (code as ErrorCode | undefined) ?? 'invalid_value',
      message: code === undefined ? `${where}: ${issue.message}` : issue.message,
    };
  },
};

/** A field that may be missing has `undefined` among its values, which JSON cannot write. */
function choicesText(choices: readonly string[]): string {
  const values = choices.filter((choice) => choice !== "'undefined'");
  return `one of ${oneOf(values)}${values.length < choices.length ? '. It can also be omitted' : ''}`;
}

function explainRest(issue: Issue, where: string): Explanation {
  // For a wrong name in a map, the inner issue says what is wrong.
  const said = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return { code: 'invalid_value', message: `Invalid value for ${where}: ${said}` };
}

function explainUnion(issue: Issue, where: string, value: unknown): Explanation {
  if (issue.code !== 'invalid_union') return explainRest(issue, where);
  if (issue.errors.length > 0) return explainType(issue, where, value);
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options.filter((option) => option !== null) : [];
  const choices = options.map((option) => `'${String(option)}'`);
  return { code: 'invalid_value', message: `Invalid value for ${where}: expected ${choicesText(choices)}.` };
}

function explain({ issue, path }: Finding, body: unknown): Explanation {
  const where = `'${pathText(path).slice(0, MOST_OF_PATH)}'`;
  const value = valueAt(body, path);
  if (value === undefined && issue.code !== 'custom') {
    return { code: 'missing_required_parameter', message: `Missing required parameter: ${where}.` };
  }
  return (explainers[issue.code] ?? explainRest)(issue, where, value);
}

/** Codes of rules about a field that cannot be used here. Such a field often causes other issues: the field that it replaces is missing. */
const unusable = new Set<unknown>(['unknown_parameter', 'unsupported_parameter']);

/** Explains the first issue; a field that cannot be used comes before all others. */
export function explainIssues(issues: readonly Issue[], body: unknown): GatewayError {
  const first = issues.find((issue) => issue.code === 'custom' && unusable.has(issue.params?.code)) ?? issues[0];
  if (!first) return new GatewayError('invalid_json', { message: 'The request body has to be a JSON object.' });
  const finding = deepest(first);
  const unknown = unknownField(finding.issue, finding.path);
  if (unknown) return unknown;
  if (finding.path.length === 0) return new GatewayError('invalid_json', { message: 'The request body has to be a JSON object.' });
  const { code, message } = explain(finding, body);
  return new GatewayError(code, { message, param: pathText(finding.path) });
}
