/** Reads a configuration file: YAML with the line of every key, and `${NAME}` taken from the environment. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type Document, isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigDocument {
  /** Content of the file, with references replaced. An empty object for an empty file. */
  readonly value: unknown;
  /** Content of the file before references are replaced. */
  readonly written: unknown;
  /** SHA-256 of the file. Null without a file. */
  readonly digest: string | null;
  readonly problems: readonly Problem[];
  /** The position of a key, for messages: `modelgate.yaml:3:9`. A missing key has the position of its parent. */
  locate(path: Path): string;
}

/** Used when there is no file. */
export const noDocument: ConfigDocument = { value: {}, written: {}, digest: null, problems: [], locate: () => 'defaults' };

/** Creates a document from values that a program passes, which contain no references to the environment. */
export const givenDocument = (value: object): ConfigDocument => ({
  value,
  written: value,
  digest: null,
  problems: [],
  locate: () => 'config',
});

export function readDocument(file: string, env: Environment, workingFolder = ''): ConfigDocument {
  const name = shownPath(file, workingFolder);
  const text = readText(file);
  if (typeof text !== 'string') return { ...noDocument, problems: [{ where: name, key: '', ...text }], locate: () => name };
  const digest = digestOf(text);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const locate = (path: Path): string => at(offsetOf(document, path));
  const faults = syntaxProblems(document, text, at);
  if (faults.length > 0) return { value: {}, written: {}, digest, problems: faults, locate };
  const problems: Problem[] = [];
  const replace = (reference: { readonly text: string; readonly path: Path }): string =>
    resolveReferences(reference.text, env, (message, remedy) =>
      problems.push({ where: locate(reference.path), key: pathText(reference.path), message, remedy }),
    );
  const written: unknown = document.toJS() ?? {};
  return { value: withReferences(written, [], replace), written, digest, problems, locate };
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the digest of the current file, or null if it can't be read. */
export function digestOfFile(file: string | null): string | null {
  const text = file === null ? null : readText(file);
  return typeof text === 'string' ? digestOf(text) : null;
}

/** Returns the path as the operator would type it: relative if it's below the working directory. */
function shownPath(file: string, workingFolder: string): string {
  const short = relative(workingFolder, file);
  return short.startsWith('..') || short === '' ? file : short;
}

function readText(file: string): string | { readonly message: string; readonly remedy: string } {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return { message: 'File not found', remedy: 'Check the path given by --config or MODELGATE_CONFIG.' };
    if (code === 'EISDIR') return { message: 'The path is a folder', remedy: 'Add the name of the file to the path.' };
    return { message: `The file can't be read (${String(code)})`, remedy: 'Check its permissions.' };
  }
}

function syntaxProblems(document: Document.Parsed, text: string, at: (offset: number) => string): Problem[] {
  const [first] = [...document.errors, ...document.warnings];
  // Only the first: errors after a syntax error are mostly consequences of it.
  if (first !== undefined)
    return [{ where: at(first.pos[0]), key: '', message: syntaxMessage(first), remedy: syntaxRemedy(first.code, text, first.pos[0]) }];
  const problems: Problem[] = [];
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return;
      const message = 'A value that starts with * is an alias, and this alias has no anchor';
      const remedy = 'Put the value in quotes, or define the anchor above it.';
      problems.push({ where: at(alias.range?.[0] ?? 0), key: '', message, remedy });
    },
  });
  return problems;
}

type SyntaxCode = Document.Parsed['errors'][number]['code'];

/** The parser's messages may quote the file, which can contain a secret, so only those that never quote are used. */
const plainCodes: ReadonlySet<SyntaxCode> = new Set<SyntaxCode>([
  ...(['ALIAS_PROPS', 'BAD_ALIAS', 'BAD_INDENT', 'BLOCK_AS_IMPLICIT_KEY', 'BLOCK_IN_FLOW', 'DUPLICATE_KEY'] as const),
  ...(['KEY_OVER_1024_CHARS', 'MISSING_CHAR', 'MULTILINE_IMPLICIT_KEY', 'MULTIPLE_ANCHORS', 'MULTIPLE_DOCS'] as const),
  ...(['MULTIPLE_TAGS', 'NON_STRING_KEY', 'TAB_AS_INDENT'] as const),
]);
const ownWords: Partial<Readonly<Record<SyntaxCode, string>>> = {
  TAG_RESOLVE_FAILED: 'A value that starts with ! has a tag, and this tag is unknown',
  BAD_DIRECTIVE: 'A line that starts with % is a directive, and this directive is unknown',
  BAD_DQ_ESCAPE: 'In double quotes, a backslash starts an escape sequence, and this one is unknown',
  BAD_SCALAR_START: "A value without quotes can't start with this character",
};

const syntaxMessage = ({ code, message }: { readonly code: SyntaxCode; readonly message: string }): string =>
  plainCodes.has(code) ? message : (ownWords[code] ?? 'Unexpected text');

function syntaxRemedy(code: SyntaxCode, text: string, offset: number): string {
  if (text.slice(Math.max(0, offset - 1), offset + 1) === '$' + '{') return `Inside { }, put references in quotes: "\${NAME}".`;
  if (code === 'DUPLICATE_KEY') return 'Remove one of them.';
  if (code === 'TAB_AS_INDENT') return 'Indent with spaces.';
  if (code in ownWords) return 'Put the value in single quotes.';
  return 'Check the indentation, quotes, and brackets of this line and the previous one.';
}

function offsetOf(document: Document.Parsed, path: Path): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    const entry = isMap(node)
      ? node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(part))
      : isSeq(node)
        ? node.items[Number(part)]
        : undefined;
    if (entry === undefined) return offset;
    const place = isPair(entry) ? entry.key : entry;
    node = isPair(entry) ? entry.value : entry;
    offset = rangeStart(place) ?? offset;
  }
  return offset;
}

function rangeStart(node: unknown): number | undefined {
  return (isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)) && node.range ? node.range[0] : undefined;
}

type Replace = (reference: { readonly text: string; readonly path: Path }) => string;

function withReferences(value: unknown, path: Path, replace: Replace): unknown {
  if (typeof value === 'string') return replace({ text: value, path });
  if (Array.isArray(value)) return value.map((entry, index) => withReferences(entry, [...path, index], replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withReferences(entry, [...path, key], replace)]));
}

/** `${NAME}` becomes the variable's value, `$${` a plain `${`. A variable that is set but empty counts as missing. */
function resolveReferences(text: string, env: Environment, report: (message: string, remedy: string) => void): string {
  return text.replaceAll(/\$(\$\{)|\$\{([^}]*)\}/g, (_, escaped: string | undefined, name: string | undefined) => {
    if (escaped !== undefined) return escaped;
    if (name === undefined || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      report(`contains a reference that isn't in the form \${NAME}`, `To write a literal \${, use $\${.`);
      return '';
    }
    const value = env[name];
    if (value === undefined || value === '')
      report(`needs the environment variable ${name}, which isn't set`, `Set ${name}, or replace the reference with a value.`);
    return value ?? '';
  });
}

export interface Source {
  readonly kind: 'file' | 'environment' | 'flag' | 'default';
  /** Path as the operator would type it. Null without a file. */
  readonly file: string | null;
  /** Line number, starting at 1. */
  readonly line: number | null;
  /** Name of the environment variable or option. */
  readonly name: string | null;
}

/** Sources by path, such as `server.port` or `models[0].prices.input`. A missing key has its default. */
export type Sources = Readonly<Record<string, Source>>;

export const byDefault: Source = { kind: 'default', file: null, line: null, name: null };
export const byVariable = (name: string): Source => ({ kind: 'environment', file: null, line: null, name });
export const byFlag = (name: string): Source => ({ kind: 'flag', file: null, line: null, name });

/** Splits a position such as `modelgate.yaml:3:9` into file and line. */
export function placeOf(where: string): Pick<Source, 'file' | 'line'> {
  const [, file, line] = /^(.+):(\d+):\d+$/s.exec(where) ?? [];
  return file === undefined ? { file: null, line: null } : { file, line: Number(line) };
}

/** Uses the same pattern as `resolveReferences`. An escaped `$${` isn't a reference. */
const references = (text: string): string[] =>
  [...text.matchAll(/\$(\$\{)|\$\{([^}]*)\}/g)].flatMap(([, escaped, name]) => (escaped === undefined && name ? [name] : []));

/** Returns the source of every key in the file that has a value. A list counts as one key, except for the list of models. */
export function sourcesIn({ written, locate }: Pick<ConfigDocument, 'written' | 'locate'>): Record<string, Source> {
  const found: Record<string, Source> = {};
  const visit = (value: unknown, path: Path): void => {
    if (typeof value === 'object' && value !== null && (!Array.isArray(value) || isModels(path))) {
      for (const [key, child] of Object.entries(value)) visit(child, [...path, Array.isArray(value) ? Number(key) : key]);
      return;
    }
    const [name = null] = references(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
    found[pathText(path)] = { kind: name === null ? 'file' : 'environment', ...placeOf(locate(path)), name };
  };
  visit(written, []);
  return found;
}

const isModels = (path: Path): boolean => path.length === 1 && path[0] === 'models';

/** Returns the sources of the upstream that the environment implies if the file has none. */
export function sourcesOfImplied(env: Environment): Record<string, Source> {
  const named = { 'upstreams.openai.apiKey': 'OPENAI_API_KEY', 'upstreams.openai.baseUrl': 'OPENAI_BASE_URL' };
  return Object.fromEntries(Object.entries(named).flatMap(([key, name]) => (env[name] ? [[key, byVariable(name)]] : [])));
}

/** Omits keys that an upstream override replaces: the upstreams, and the settings of models that refer to them. */
export const withoutPlaces = (sources: Sources): Record<string, Source> =>
  Object.fromEntries(
    Object.entries(sources).filter(
      ([key]) => !key.startsWith('upstreams.') && !/^models\[\d+\]\.(?:upstream|upstreamModel|protocols|candidates)$/.test(key),
    ),
  );

export interface Problem {
  /** `modelgate.yaml:3:9`, `--port` or `environment variable PORT`. */
  readonly where: string;
  /** Path of the key, for example `server.port`. Empty if the problem concerns the whole file. */
  readonly key: string;
  /** A predicate that follows the key. It never contains a value, which could be a secret. */
  readonly message: string;
  readonly remedy: string;
}

/** Thrown with every problem. The configuration is rejected as a whole. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const inOrder = problems.toSorted((a, b) => a.where.localeCompare(b.where, 'en', { numeric: true }));
    super(inOrder.map(problemLine).join('\n'));
    this.problems = inOrder;
  }
}

export function problemLine({ where, key, message, remedy }: Problem): string {
  const subject = key === '' ? '' : `${key} `;
  return `${where}: ${subject}${message}. ${remedy}`.trimEnd();
}

export type Path = readonly PropertyKey[];

/** `models[2].upstream` */
export function pathText(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}
