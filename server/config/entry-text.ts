/** Reads and replaces the text of one model or upstream in a configuration file. All other lines stay unchanged. */

import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isNode, isPair, isScalar, isSeq, type Node, parseDocument, visit } from 'yaml';
import { ConfigError, formatPath, type Path, type Problem } from './config-error.ts';
import { isKnownKey, isSecret } from './is-secret.ts';
import { findReferences, getReferencedFile } from './references.ts';

export interface EntryName {
  readonly section: 'models' | 'upstreams';
  /** ID of a model, or name of an upstream. */
  readonly name: string;
}

/** Stands for a secret that the file contains in plain text, so that it's neither shown nor lost. */
export const HIDDEN_SECRET = '********';

/** Returns the entry without its indentation and without secrets, or null if the file doesn't have it. */
export function readEntryText(file: string, entry: EntryName): string | null {
  const found = findEntry(parseFile(file), entry);
  if (found === undefined) return null;
  let text = getSource(file, found.node);
  // From the last to the first, so that offsets stay valid.
  const start = getStart(found.node);
  for (const { range, value } of listSecrets(found.node, toPath(entry)).toReversed())
    if (!hasReference(value)) text = `${text.slice(0, range[0] - start)}'${HIDDEN_SECRET}'${text.slice(range[1] - start)}`;
  return dedent(text, getColumn(file, start));
}

/** Returns the file with the entry added, replaced, or with null removed. Throws ConfigError if the text can't be an entry. */
export function replaceEntryText(file: string, entry: EntryName, text: string | null): string {
  const document = parseFile(file);
  const found = findEntry(document, entry);
  const complete = text === null ? null : toCompleteText(text, entry, { file, previous: found?.node });
  const edited =
    complete === null ? (found ? removeEntry(file, found) : file) : writeEntry({ file, document, entry, found, text: complete });
  assertOtherEntriesKept(document, parseFile(edited), entry);
  return edited;
}

interface FoundEntry {
  /** The value of the entry. */
  readonly node: Node;
  /** Offset of the line that the entry starts on, with its name or its dash. */
  readonly from: number;
}

const toPath = ({ section, name }: EntryName): Path => [section, section === 'models' ? 0 : name];

const toProblem = ({ section, name }: EntryName, where: string, message: string, remedy: string): ConfigError =>
  new ConfigError([{ where, key: `${section}.${name}`, message, remedy } satisfies Problem]);

/** Files with syntax errors are rejected before. */
const parseFile = (text: string): Document.Parsed => parseDocument(text, { logLevel: 'silent', prettyErrors: false });

function findEntry(document: Document.Parsed, { section, name }: EntryName): FoundEntry | undefined {
  const list: unknown = document.get(section, true);
  if (isSeq(list)) {
    const node = list.items.find((item) => isMap(item) && item.get('id') === name);
    return isMap(node) ? { node, from: getStart(node) } : undefined;
  }
  const pair = isMap(list) ? list.items.find(({ key }) => isScalar(key) && String(key.value) === name) : undefined;
  return isPair(pair) && isMap(pair.value) && isScalar(pair.key) ? { node: pair.value, from: getStart(pair.key) } : undefined;
}

const getStart = ({ range }: Node): number => range?.[0] ?? 0;

/** Returns the source of a value, without what follows on its last line. */
const getSource = (file: string, { range }: Node): string => file.slice(range?.[0] ?? 0, range?.[1] ?? 0).trimEnd();

const getLineStart = (file: string, offset: number): number => file.lastIndexOf('\n', offset - 1) + 1;
const getColumn = (file: string, offset: number): number => offset - getLineStart(file, offset);

const dedent = (text: string, column: number): string => text.replaceAll(new RegExp(`\\n {0,${column}}`, 'g'), '\n');
const indent = (text: string, column: number): string => text.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(column)}`);

interface SecretScalar {
  /** Path in the entry, as text. */
  readonly key: string;
  readonly isKnown: boolean;
  readonly value: string;
  readonly range: readonly [number, number, number];
}

function listSecrets(node: Node, path: Path): readonly SecretScalar[] {
  const secrets: SecretScalar[] = [];
  visit(node, {
    Scalar(key, { value, range }, ancestors) {
      if (key === 'key' || typeof value !== 'string' || !range) return;
      const keys = listKeys(ancestors, key);
      const full = [...path, ...keys];
      if (isSecret(full)) secrets.push({ key: formatPath(keys), isKnown: isKnownKey(full), value, range });
    },
  });
  return secrets;
}

/** Returns the keys and indexes that lead to a value. */
function listKeys(ancestors: readonly unknown[], key: unknown): Path {
  const names = ancestors.flatMap((ancestor) => (isPair(ancestor) && isScalar(ancestor.key) ? [String(ancestor.key.value)] : []));
  return typeof key === 'number' ? [...names, key] : names;
}

/** Reads the parsed values, because YAML can write the characters of a reference in other ways. */
function listFileReferences(document: Document.Parsed): readonly string[] {
  const references: string[] = [];
  visit(document, {
    Scalar(_, { value }) {
      if (typeof value === 'string') references.push(...findReferences(value).filter((reference) => getReferencedFile(reference) !== null));
    },
  });
  return references;
}

/** An escaped `$${` isn't a reference. */
const hasReference = (text: string): boolean => findReferences(text).length > 0;

const FILE_REMEDY = 'Add this reference to the file, where its permissions can be checked.';

/** Restores hidden secrets. Rejects a new secret in plain text, and a file that the configuration doesn't read yet. */
function toCompleteText(
  text: string,
  entry: EntryName,
  { file, previous }: { readonly file: string; readonly previous: Node | undefined },
): string {
  const trimmed = text.replaceAll('\r\n', '\n').trim();
  const document = parseFile(trimmed);
  const [error] = document.errors;
  if (error)
    throw toProblem(entry, `line ${getLine(trimmed, error.pos[0])}`, "isn't valid YAML", 'Check the indentation, quotes, and brackets.');
  if (!isMap(document.contents)) throw toProblem(entry, 'line 1', 'must have keys', "Write one 'key: value' per line.");
  if (entry.section === 'models' && document.get('id') !== entry.name)
    throw toProblem(entry, 'line 1', `must have the ID ${entry.name}`, 'To rename a model, add the new one and remove the old one.');
  const knownFiles = listFileReferences(parseFile(file));
  if (listFileReferences(document).some((reference) => !knownFiles.includes(reference)))
    throw toProblem(entry, 'entry', 'names a file that the configuration does not read yet', FILE_REMEDY);
  const previousSecrets = previous ? listSecrets(previous, toPath(entry)) : [];
  let complete = trimmed;
  for (const { key, isKnown, value, range } of listSecrets(document.contents, toPath(entry)).toReversed()) {
    // The check of the file reports unknown keys.
    if (hasReference(value) || !(isKnown || value === HIDDEN_SECRET)) continue;
    const kept = value === HIDDEN_SECRET ? previousSecrets.find((secret) => secret.key === key)?.value : undefined;
    if (kept === undefined)
      throw toProblem(
        entry,
        `line ${getLine(trimmed, range[0])}`,
        'contains a secret in plain text',
        `Use a variable, such as \${API_KEY}.`,
      );
    complete = `${complete.slice(0, range[0])}${JSON.stringify(kept)}${complete.slice(range[1])}`;
  }
  return complete;
}

const getLine = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

interface EntryEdit {
  readonly file: string;
  readonly document: Document.Parsed;
  readonly entry: EntryName;
  readonly found: FoundEntry | undefined;
  readonly text: string;
}

function writeEntry({ file, document, entry, found, text }: EntryEdit): string {
  const list: unknown = document.get(entry.section, true);
  if (found) return replaceValue(file, found, entry, text);
  if (list === undefined) return `${file.trimEnd()}\n\n${entry.section}:\n  ${formatEntry(entry, text, 2)}\n`.trimStart();
  if ((isSeq(list) || isMap(list)) && list.items.length > 0 && !list.flow) return appendEntry(file, list, entry, text);
  if (isNode(list) && isEmpty(list)) {
    const start = getStart(list);
    const end = isScalar(list) ? start : (list.range?.[1] ?? start);
    return `${file.slice(0, start).trimEnd()}\n  ${formatEntry(entry, text, 2)}\n${file.slice(end).replace(/^\s*\n?/, '')}`;
  }
  throw toProblem(entry, entry.section, 'is written in brackets', `Write '${entry.section}' with one entry per line first.`);
}

/** Whether a section has no entries, as in `models:` or `models: []`. */
const isEmpty = (list: Node): boolean => (isScalar(list) ? list.value === null : (isSeq(list) || isMap(list)) && list.items.length === 0);

const formatEntry = ({ section, name }: EntryName, text: string, column: number): string =>
  section === 'models'
    ? `- ${indent(text, column + 2)}`
    : `${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}:\n${' '.repeat(column + 2)}${indent(text, column + 2)}`;

function replaceValue(file: string, { node, from }: FoundEntry, { section }: EntryName, text: string): string {
  const start = getStart(node);
  const end = start + getSource(file, node).length;
  const isOnLineOfKey = section === 'upstreams' && getLineStart(file, start) === getLineStart(file, from);
  if (!isOnLineOfKey) return file.slice(0, start) + indent(text, getColumn(file, start)) + file.slice(end);
  const column = getColumn(file, from) + 2;
  return `${file.slice(0, start).trimEnd()}\n${' '.repeat(column)}${indent(text, column)}${file.slice(end)}`;
}

/** Appends after the last entry, in its indentation. */
function appendEntry(file: string, list: { readonly items: readonly unknown[] }, entry: EntryName, text: string): string {
  const last = list.items.at(-1);
  const value: unknown = isPair(last) ? last.value : last;
  const anchor: unknown = isPair(last) ? last.key : last;
  if (!isMap(value) || !(isMap(anchor) || isScalar(anchor)))
    throw toProblem(entry, entry.section, 'has an entry without keys', 'Correct it first.');
  const end = getStart(value) + getSource(file, value).length;
  const lineEnd = file.indexOf('\n', end) === -1 ? file.length : file.indexOf('\n', end);
  const column = getColumn(file, getStart(anchor)) - (entry.section === 'models' ? 2 : 0);
  return `${file.slice(0, lineEnd)}\n${' '.repeat(column)}${formatEntry(entry, text, column)}${file.slice(lineEnd) || '\n'}`;
}

function removeEntry(file: string, { node, from }: FoundEntry): string {
  const end = getStart(node) + getSource(file, node).length;
  const next = file.indexOf('\n', end);
  return file.slice(0, getLineStart(file, from)) + (next === -1 ? '' : file.slice(next + 1));
}

/** Guards against unusual layouts, in which an entry's text isn't the text between its neighbors. */
function assertOtherEntriesKept(before: Document.Parsed, after: Document.Parsed, entry: EntryName): void {
  const isKept = after.errors.length === 0 && isDeepStrictEqual(listOthers(before, entry), listOthers(after, entry));
  if (!isKept) throw toProblem(entry, entry.section, "can't be changed here because of the layout of the file", 'Edit the file.');
}

function listOthers(document: Document.Parsed, { section, name }: EntryName): unknown {
  const { [section]: list, ...others } = Object(document.toJS());
  const entries: readonly (readonly [string, unknown])[] = Array.isArray(list)
    ? list.map((model) => [String(Object(model).id), model] as const)
    : Object.entries(Object(list));
  return [others, entries.filter(([id]) => id !== name)];
}
