/** Reads a configuration file: YAML with the line of every key, and `${NAME}` taken from the environment. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type Document, isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { type Path, type Problem, pathText } from './problems.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigDocument {
  /** The content of the file, with references replaced; an empty object for an empty file. */
  readonly value: unknown;
  /** The same as it is written, before references are replaced. */
  readonly written: unknown;
  /** SHA-256 of the file; null when there is none. */
  readonly digest: string | null;
  readonly problems: readonly Problem[];
  /** The position of a key, for messages: `modelgate.yaml:3:9`. A missing key has the position of its parent. */
  locate(path: Path): string;
}

/** Used when there is no file. */
export const noDocument: ConfigDocument = { value: {}, written: {}, digest: null, problems: [], locate: () => 'defaults' };

/** From a program: it passes values directly, so there are no references to the environment. */
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

/** Of the file as it stands now; null when it cannot be read. */
export function digestOfFile(file: string | null): string | null {
  const text = file === null ? null : readText(file);
  return typeof text === 'string' ? digestOf(text) : null;
}

/** As the operator would type it: relative when it is below the working directory. */
function shownPath(file: string, workingFolder: string): string {
  const short = relative(workingFolder, file);
  return short.startsWith('..') || short === '' ? file : short;
}

function readText(file: string): string | { readonly message: string; readonly remedy: string } {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return { message: 'There is no such file', remedy: 'Check the path given by --config or MODELGATE_CONFIG.' };
    if (code === 'EISDIR') return { message: 'This is a folder', remedy: 'Name the file inside it.' };
    return { message: `The file cannot be read (${String(code)})`, remedy: 'Check its permissions.' };
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
      const message = 'A value that begins with * is an alias, and this alias has no anchor';
      const remedy = 'Put the value into quotes, or give it an anchor before it.';
      problems.push({ where: at(alias.range?.[0] ?? 0), key: '', message, remedy });
    },
  });
  return problems;
}

type SyntaxCode = Document.Parsed['errors'][number]['code'];

/** Messages of the parser may quote the file, and so a secret: only messages that never quote are used. */
const plainCodes: ReadonlySet<SyntaxCode> = new Set<SyntaxCode>([
  ...(['ALIAS_PROPS', 'BAD_ALIAS', 'BAD_INDENT', 'BLOCK_AS_IMPLICIT_KEY', 'BLOCK_IN_FLOW', 'DUPLICATE_KEY'] as const),
  ...(['KEY_OVER_1024_CHARS', 'MISSING_CHAR', 'MULTILINE_IMPLICIT_KEY', 'MULTIPLE_ANCHORS', 'MULTIPLE_DOCS'] as const),
  ...(['MULTIPLE_TAGS', 'NON_STRING_KEY', 'TAB_AS_INDENT'] as const),
]);
const ownWords: Partial<Readonly<Record<SyntaxCode, string>>> = {
  TAG_RESOLVE_FAILED: 'A value that begins with ! has a tag, and this tag is unknown',
  BAD_DIRECTIVE: 'A line that begins with % is a directive, and this directive is unknown',
  BAD_DQ_ESCAPE: 'In double quotes a backslash begins an escape, and this escape is unknown',
  BAD_SCALAR_START: 'A value without quotes cannot begin with this character',
};

const syntaxMessage = ({ code, message }: { readonly code: SyntaxCode; readonly message: string }): string =>
  plainCodes.has(code) ? message : (ownWords[code] ?? 'Unexpected text');

function syntaxRemedy(code: SyntaxCode, text: string, offset: number): string {
  if (text.slice(Math.max(0, offset - 1), offset + 1) === '$' + '{') return `Inside { } a reference needs quotes: "\${NAME}".`;
  if (code === 'DUPLICATE_KEY') return 'Keep one of the two.';
  if (code === 'TAB_AS_INDENT') return 'Indent with blanks.';
  if (code in ownWords) return 'Put the value into single quotes.';
  return 'Check indentation, quotes and brackets of this line and the one before it.';
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
      report(`refers to the environment in a form that is not \${NAME}`, 'Write two dollar signs for a plain one.');
      return '';
    }
    const value = env[name];
    if (value === undefined || value === '')
      report(`needs the environment variable ${name}, which is not set`, `Set ${name}, or write the value here.`);
    return value ?? '';
  });
}
