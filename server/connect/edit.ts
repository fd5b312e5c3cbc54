/** Sets values in a tool's own file. Everything else in it, comments included, stays as it is. */
import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml, patch as patchToml } from '@decimalturn/toml-patch';
import { applyEdits, modify, type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser';
import { type Document, isMap, isSeq, parseDocument } from 'yaml';
import { writeDocument } from '../../client/connect/document.ts';
import type { ConfigFile, Json, Setting } from '../../client/connect/recipe.ts';

/** The file can't be read in its format; the message says where. */
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
    if (first) throw new UnreadableFile(`${printParseErrorCode(first.error)} at ${placeOf(text, first.offset)}`);
    const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: /^( +)\S/m.exec(text)?.[1]?.length ?? 2, eol: eolOf(text) };
    return neededOf(settings, root).reduce((document, setting) => {
      const value = setting.value === null ? undefined : merged(setting, valueAt(root, setting.at));
      return applyEdits(document, modify(document, [...setting.at], value, { formattingOptions }));
    }, text);
  },
  yaml: (text, settings) => {
    const document = parseDocument(text);
    const [first] = document.errors;
    if (first) throw new UnreadableFile(first.message.split('\n')[0] ?? first.code);
    const needed = neededOf(settings, document.toJS());
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
    const present = valueAt(root, setting.at);
    if (present === undefined || setting.value === null) return (present === undefined) !== (setting.value === null);
    return setting.isDefault !== true && !isDeepStrictEqual(present, merged(setting, present));
  });
}

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
  const list = at.length === 0 ? document.contents : document.getIn(at);
  if (replaces && isSeq(list) && Array.isArray(value)) {
    // The nodes of others keep their comments.
    const others = list.items.filter((entry) => !isMap(entry) || !replaces(entry.toJS(document)));
    list.items = [...value.map((entry) => document.createNode(entry)), ...others];
  } else if (at.length === 0) document.contents = document.createNode(value);
  // A scalar keeps the comment of the one before.
  else document.setIn(at, typeof value === 'object' ? document.createNode(value) : value);
}
