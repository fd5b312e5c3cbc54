/** Sets values in a tool's own file. Everything else in it, comments included, stays as it is. */
import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml, patch as patchToml } from '@decimalturn/toml-patch';
import { applyEdits, type ModificationOptions, modify, type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser';
import { type Document, isMap, isScalar, isSeq, type Node, parseDocument, parse as parseYaml } from 'yaml';
import { writeDocument, writeYaml } from '../../client/connect/document.ts';
import type { ConfigFile, Json, Setting } from '../../client/connect/recipe.ts';

/** The file can't be edited; the message says why and where. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

const BYTE_ORDER_MARK = '\uFEFF';

export function editDocument(present: string, file: ConfigFile): string {
  const mark = present.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const text = present.slice(mark.length);
  if (file.format === 'text' || text.trim() === '') return writeDocument(file);
  return `${mark}${editors[file.format](text, file.settings)}`;
}

type Editor = (text: string, settings: readonly Setting[]) => string;

const editors: Readonly<Record<'json' | 'yaml' | 'toml', Editor>> = {
  json: (text, settings) => {
    const errors: ParseError[] = [];
    const root: unknown = parseJson(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first) throw new UnreadableFile(`${spaced(printParseErrorCode(first.error))} at ${placeOf(text, first.offset)}`);
    const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: /^( +)\S/m.exec(text)?.[1]?.length ?? 2, eol: eolOf(text) };
    // New names come first: behind the last one may be a comma and a comment that belong to it.
    const options = { formattingOptions, getInsertionIndex: () => 0 };
    return neededOf(settings, root).reduce((document, setting) => setInJson(document, setting, valueAt(root, setting.at), options), text);
  },
  yaml: (text, settings) => {
    // Without types, scalars of others are written as they were.
    const document = parseDocument(text, { schema: 'failsafe' });
    const [first] = document.errors;
    if (first) throw new UnreadableFile((first.message.split('\n')[0] ?? first.code).replace(/:$/, ''));
    const root: unknown = parseYaml(text);
    const needed = neededOf(settings, root ?? (settings.some(({ at }) => at.length === 0) ? [] : {}));
    for (const setting of needed) setInYaml(document, setting);
    return needed.length === 0 ? text : document.toString({ lineWidth: 0 }).replaceAll('\n', eolOf(text));
  },
  toml: (text, settings) => {
    const root = readToml(text);
    const needed = neededOf(settings, root);
    for (const { at, value } of needed) setIn(root, at, value);
    return needed.length === 0 ? text : patchToml(text, root, { inlineTableStart: 2 });
  },
};

/** Without those that hold already, and defaults of what has a value. */
function neededOf(settings: readonly Setting[], root: unknown): readonly Setting[] {
  return settings.filter((setting) => {
    rejectOtherShape(setting, root);
    const present = valueAt(root, setting.at);
    if (present === undefined || setting.value === null) return (present === undefined) !== (setting.value === null);
    return setting.isDefault !== true && !isDeepStrictEqual(present, merged(setting, present));
  });
}

/** A value of another type isn't overwritten. */
function rejectOtherShape({ at, replaces }: Setting, root: unknown): void {
  for (const [index, name] of at.entries()) {
    const outer = valueAt(root, at.slice(0, index));
    if (outer === undefined) return;
    if (!isObject(outer))
      throw new UnreadableFile(`${index === 0 ? 'the file' : `'${at.slice(0, index).join('.')}'`} must be an object with '${name}'`);
  }
  const present = valueAt(root, at);
  if (replaces && present !== undefined && present !== null && !Array.isArray(present)) {
    throw new UnreadableFile(`${at.length === 0 ? 'the file' : `'${at.join('.')}'`} must be a list`);
  }
}

/** "ValueExpected" as words. */
const spaced = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

function readToml(text: string): Record<string, unknown> {
  try {
    return { ...parseToml(text) };
  } catch (error) {
    // The first line of the message has the place, the last one the reason.
    const lines = (error instanceof Error ? error.message : String(error)).split('\n');
    const place = /\((\d+), (\d+)\)/.exec(lines[0] ?? '');
    throw new UnreadableFile(`${lines.at(-1)}${place === null ? '' : ` at line ${place[1]}, column ${place[2]}`}`);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const valueAt = (root: unknown, at: readonly string[]): unknown =>
  at.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), root);

/** Entries of a list that belong to others stay, behind the new ones. */
function merged({ value, replaces }: Setting, present: unknown): Json {
  if (!replaces || !Array.isArray(value)) return value;
  const others: readonly Json[] = Array.isArray(present) ? present : [];
  return [...value, ...others.filter((entry) => !isObject(entry) || !replaces(entry))];
}

function setInJson(text: string, { at, value, replaces }: Setting, present: unknown, options: ModificationOptions): string {
  const change = (document: string, path: (string | number)[], inner: Json | undefined, isInsertion = false): string =>
    applyEdits(document, modify(document, path, inner, { ...options, isArrayInsertion: isInsertion }));
  if (!replaces || !Array.isArray(value) || !Array.isArray(present)) return change(text, [...at], value ?? undefined);
  // Entry by entry: those of others keep their comments.
  const former = present.flatMap((entry, index) => (isObject(entry) && replaces(entry) ? [index] : []));
  const without = former.reduceRight((document, index) => change(document, [...at, index], undefined), text);
  return value.reduceRight((document: string, entry: Json) => change(document, [...at, 0], entry, true), without);
}

function setIn(root: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) {
    if (value === null) delete root[name];
    else root[name] = value;
    return;
  }
  const inner = isObject(root[name]) ? root[name] : {};
  root[name] = inner;
  setIn(inner, rest, value);
}

function setInYaml(document: Document, { at, value, replaces }: Setting): void {
  if (value === null) {
    document.deleteIn(at);
    return;
  }
  const present = at.length === 0 ? document.contents : document.getIn(at, true);
  const node = nodeOf(value);
  if (replaces && isSeq(present) && isSeq(node)) {
    const others = present.items.filter((entry) => !isMap(entry) || !replaces(entry.toJS(document)));
    const [firstOther] = others;
    if (present.commentBefore && isMap(firstOther)) {
      firstOther.commentBefore = present.commentBefore;
      present.commentBefore = null;
    }
    present.items = [...node.items, ...others];
  } else if (isScalar(present) && isScalar(node)) {
    // Beside the value may be a comment.
    present.value = node.value;
    if (node.type) present.type = node.type;
  } else if (at.length === 0) document.contents = node;
  else {
    document.contents ??= document.createNode({});
    document.setIn(at, node);
  }
}

/** As it is written in a new file: quoted where a parser could take it for something else. */
const nodeOf = (value: Json): Node | null => parseDocument(writeYaml(value), { schema: 'failsafe' }).contents;
