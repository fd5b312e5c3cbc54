/** Reads a configuration file: YAML with the line of every key, and references replaced. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { type Document, isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { formatPath, type Path, type Problem } from './config-error.ts';
import { type Environment, resolveReferences } from './references.ts';

export interface ConfigDocument {
  /** Content of the file, with references replaced. An empty object for an empty file. */
  readonly value: unknown;
  /** Content of the file before references are replaced. */
  readonly written: unknown;
  /** SHA-256 of the file. Null without a file. */
  readonly digest: string | null;
  readonly problems: readonly Problem[];
  /** Returns the position of a key for messages, such as `modelgate.yaml:3:9`. A missing key has the position of its parent. */
  locate(path: Path): string;
}

/** Used when there is no file. */
export const noDocument: ConfigDocument = { value: {}, written: {}, digest: null, problems: [], locate: () => 'defaults' };

/** Creates a document from values that a program passes, which contain no references to the environment. */
export const createDocument = (value: object): ConfigDocument => ({
  value,
  written: value,
  digest: null,
  problems: [],
  locate: () => 'config',
});

interface ReadOptions {
  readonly workingFolder?: string | undefined;
  /** Content to check instead of the file's. */
  readonly text?: string | undefined;
}

export function readDocument(file: string, env: Environment, { workingFolder = '', text: unsavedText }: ReadOptions = {}): ConfigDocument {
  const name = toDisplayPath(file, workingFolder);
  const text = unsavedText ?? readText(file);
  if (typeof text !== 'string') return { ...noDocument, problems: [{ where: name, key: '', ...text }], locate: () => name };
  const digest = computeDigest(text);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  const formatPosition = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const locate = (path: Path): string => formatPosition(findOffset(document, path));
  const faults = findSyntaxProblems(document, text, formatPosition);
  if (faults.length > 0) return { value: {}, written: {}, digest, problems: faults, locate };
  const problems: Problem[] = [];
  const replace = (reference: { readonly text: string; readonly path: Path }): string =>
    resolveReferences(reference.text, { env, folder: dirname(file) }, (message, remedy) =>
      problems.push({ where: locate(reference.path), key: formatPath(reference.path), message, remedy }),
    );
  const rawValue: unknown = document.toJS() ?? {};
  return { value: replaceReferences(rawValue, [], replace), written: rawValue, digest, problems, locate };
}

export const computeDigest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns null if the file can't be read. */
export function readConfigText(file: string | null): string | null {
  const text = file === null ? null : readText(file);
  return typeof text === 'string' ? text : null;
}

/** Returns the digest of the current file, or null if it can't be read. */
export function computeFileDigest(file: string | null): string | null {
  const text = readConfigText(file);
  return text === null ? null : computeDigest(text);
}

/** Returns the path as the operator would type it: relative if it's below the working directory. */
function toDisplayPath(file: string, workingFolder: string): string {
  const relativePath = relative(workingFolder, file);
  return relativePath.startsWith('..') || relativePath === '' ? file : relativePath;
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

function findSyntaxProblems(document: Document.Parsed, text: string, locateOffset: (offset: number) => string): Problem[] {
  const [first] = [...document.errors, ...document.warnings];
  // Reports only the first error, because errors after a syntax error are mostly consequences of it.
  if (first !== undefined)
    return [
      {
        where: locateOffset(first.pos[0]),
        key: '',
        message: formatSyntaxMessage(first),
        remedy: findSyntaxRemedy(first.code, text, first.pos[0]),
      },
    ];
  const problems: Problem[] = [];
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return;
      const message = 'A value that starts with * is an alias, and this alias has no anchor';
      const remedy = 'Put the value in quotes, or define the anchor above it.';
      problems.push({ where: locateOffset(alias.range?.[0] ?? 0), key: '', message, remedy });
    },
  });
  return problems;
}

type SyntaxCode = Document.Parsed['errors'][number]['code'];

/** The parser's messages may quote the file, which can contain a secret, so only those that never quote are used. */
const safeCodes: ReadonlySet<SyntaxCode> = new Set<SyntaxCode>([
  ...(['ALIAS_PROPS', 'BAD_ALIAS', 'BAD_INDENT', 'BLOCK_AS_IMPLICIT_KEY', 'BLOCK_IN_FLOW', 'DUPLICATE_KEY'] as const),
  ...(['KEY_OVER_1024_CHARS', 'MISSING_CHAR', 'MULTILINE_IMPLICIT_KEY', 'MULTIPLE_ANCHORS', 'MULTIPLE_DOCS'] as const),
  ...(['MULTIPLE_TAGS', 'NON_STRING_KEY', 'TAB_AS_INDENT'] as const),
]);
const ownMessages: Partial<Readonly<Record<SyntaxCode, string>>> = {
  TAG_RESOLVE_FAILED: 'A value that starts with ! has a tag, and this tag is unknown',
  BAD_DIRECTIVE: 'A line that starts with % is a directive, and this directive is unknown',
  BAD_DQ_ESCAPE: 'In double quotes, a backslash starts an escape sequence, and this one is unknown',
  BAD_SCALAR_START: "A value without quotes can't start with this character",
};

const formatSyntaxMessage = ({ code, message }: { readonly code: SyntaxCode; readonly message: string }): string =>
  safeCodes.has(code) ? message : (ownMessages[code] ?? 'Unexpected text');

function findSyntaxRemedy(code: SyntaxCode, text: string, offset: number): string {
  if (text.slice(Math.max(0, offset - 1), offset + 1) === '$' + '{') return `Inside { }, put references in quotes: "\${NAME}".`;
  if (code === 'DUPLICATE_KEY') return 'Remove one of them.';
  if (code === 'TAB_AS_INDENT') return 'Indent with spaces.';
  if (code in ownMessages) return 'Put the value in single quotes.';
  return 'Check the indentation, quotes, and brackets of this line and the previous one.';
}

function findOffset(document: Document.Parsed, path: Path): number {
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
    const positionNode = isPair(entry) ? entry.key : entry;
    node = isPair(entry) ? entry.value : entry;
    offset = getRangeStart(positionNode) ?? offset;
  }
  return offset;
}

function getRangeStart(node: unknown): number | undefined {
  return (isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)) && node.range ? node.range[0] : undefined;
}

type Replace = (reference: { readonly text: string; readonly path: Path }) => string;

function replaceReferences(value: unknown, path: Path, replace: Replace): unknown {
  if (typeof value === 'string') return replace({ text: value, path });
  if (Array.isArray(value)) return value.map((entry, index) => replaceReferences(entry, [...path, index], replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, replaceReferences(entry, [...path, key], replace)]));
}
