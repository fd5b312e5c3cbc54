/** Sets values in a tool's own file and keeps everything else, comments included. Finds names that can send calls past those values. */
import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml, patch as patchToml } from '@decimalturn/toml-patch';
import { applyEdits, type ModificationOptions, modify, type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser';
import { type Document, isMap, isScalar, isSeq, type Node, parseDocument, parse as parseYaml } from 'yaml';
import { writeDocument, writeYaml } from './recipes/document.ts';
import type { ConfigFile, Json, Setting } from './recipes/recipe.ts';

/** Thrown if the file can't be edited. The message says why and where. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFile';
}

const BYTE_ORDER_MARK = '\uFEFF';

export function editDocument(currentText: string, file: ConfigFile): string {
  const byteOrderMark = currentText.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const text = currentText.slice(byteOrderMark.length);
  if (file.format === 'text' || text.trim() === '') return writeDocument(file);
  return `${byteOrderMark}${editors[file.format](text, file.settings)}`;
}

/** Returns the names of settings in a JSON file that can send calls elsewhere despite the gateway's settings. */
export function findBypasses(currentText: string, { format, bypasses = [] }: ConfigFile): readonly string[] {
  const root: unknown = format === 'json' && bypasses.length > 0 ? parseJson(currentText, [], { allowTrailingComma: true }) : null;
  return bypasses.flatMap(({ name, leadsElsewhere }) => (leadsElsewhere(getValueAt(root, [name])) ? [name] : []));
}

type Editor = (text: string, settings: readonly Setting[]) => string;

const editors: Readonly<Record<'json' | 'yaml' | 'toml', Editor>> = {
  json: (text, settings) => {
    const errors: ParseError[] = [];
    const root: unknown = parseJson(text, errors, { allowTrailingComma: true });
    const [firstError] = errors;
    if (firstError)
      throw new UnreadableFileError(`${splitWords(printParseErrorCode(firstError.error))} at ${formatLocation(text, firstError.offset)}`);
    const formattingOptions = {
      insertSpaces: !/^\t/m.test(text),
      tabSize: /^( +)\S/m.exec(text)?.[1]?.length ?? 2,
      eol: detectLineEnding(text),
    };
    // New names are inserted first, because the last one may have a comma and a comment after it.
    const options = { formattingOptions, getInsertionIndex: () => 0 };
    return filterNeededSettings(settings, root).reduce(
      (document, setting) => setInJson(document, setting, getValueAt(root, setting.at), options),
      text,
    );
  },
  yaml: (text, settings) => {
    // The failsafe schema has no types, so existing scalars are written back unchanged.
    const document = parseDocument(text, { schema: 'failsafe' });
    const [firstError] = document.errors;
    if (firstError) throw new UnreadableFileError((firstError.message.split('\n')[0] ?? firstError.code).replace(/:$/, ''));
    const root: unknown = parseYaml(text);
    const neededSettings = filterNeededSettings(settings, root ?? (settings.some(({ at }) => at.length === 0) ? [] : {}));
    for (const setting of neededSettings) setInYaml(document, setting);
    return neededSettings.length === 0 ? text : document.toString({ lineWidth: 0 }).replaceAll('\n', detectLineEnding(text));
  },
  toml: (text, settings) => {
    const root = readToml(text);
    const neededSettings = filterNeededSettings(settings, root);
    for (const { at, value } of neededSettings) setValueAt(root, at, value);
    return neededSettings.length === 0 ? text : editWithTableComments(text, (held) => patchToml(held, root, { inlineTableStart: 2 }));
  },
};

const TABLE_COMMENT = /((?:^[ \t]*#.*\r?\n)+)(^[ \t]*\[.*)$/gm;
const COMMENT_PLACEHOLDER = /^(.*) # modelgate-held-comment-(\d+)$/gm;

/**
 * The library inserts keys directly above the next table, below that table's comment. During the edit, each such
 * comment is therefore moved behind its table's name.
 */
function editWithTableComments(text: string, edit: (held: string) => string): string {
  const comments: string[] = [];
  const textWithPlaceholders = text.replaceAll(TABLE_COMMENT, (whole: string, comment: string, name: string, offset: number) =>
    isToml(text.slice(0, offset)) ? `${name} # modelgate-held-comment-${comments.push(comment) - 1}` : whole,
  );
  return edit(textWithPlaceholders).replaceAll(
    COMMENT_PLACEHOLDER,
    (_, name: string, index: string) => `${comments[Number(index)] ?? ''}${name}`,
  );
}

/** Whether the text is complete TOML. The start of a file isn't if it ends inside a multiline string or list. */
function isToml(text: string): boolean {
  try {
    parseToml(text);
    return true;
  } catch {
    return false;
  }
}

/** Omits settings that are already in place, defaults for keys that have a value, and overwrites that don't apply. */
function filterNeededSettings(settings: readonly Setting[], root: unknown): readonly Setting[] {
  return settings.filter((setting) => {
    assertShape(setting, root);
    const currentValue = getValueAt(root, setting.at);
    if (setting.overwrites) return setting.overwrites(currentValue);
    if (currentValue === undefined || setting.value === null) return (currentValue === undefined) !== (setting.value === null);
    return setting.isDefault !== true && !isDeepStrictEqual(currentValue, mergeValue(setting, currentValue));
  });
}

/** Throws if the present value has another type, instead of overwriting it. */
function assertShape({ at, replaces }: Setting, root: unknown): void {
  for (const [index, name] of at.entries()) {
    const parent = getValueAt(root, at.slice(0, index));
    if (parent === undefined) return;
    if (!isObject(parent))
      throw new UnreadableFileError(`${index === 0 ? 'the file' : `'${at.slice(0, index).join('.')}'`} must be an object with '${name}'`);
  }
  const currentValue = getValueAt(root, at);
  if (replaces && currentValue !== undefined && currentValue !== null && !Array.isArray(currentValue)) {
    throw new UnreadableFileError(`${at.length === 0 ? 'the file' : `'${at.join('.')}'`} must be a list`);
  }
}

/** Turns "ValueExpected" into "value expected". */
const splitWords = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

const detectLineEnding = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

function formatLocation(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

function readToml(text: string): Record<string, unknown> {
  try {
    return { ...parseToml(text) };
  } catch (error) {
    // The first line of the message contains the position, the last line the reason.
    const lines = (error instanceof Error ? error.message : String(error)).split('\n');
    const position = /\((\d+), (\d+)\)/.exec(lines[0] ?? '');
    throw new UnreadableFileError(`${lines.at(-1)}${position === null ? '' : ` at line ${position[1]}, column ${position[2]}`}`);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const getValueAt = (root: unknown, at: readonly string[]): unknown =>
  at.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), root);

/** Keeps unrelated list entries, after the new ones. */
function mergeValue({ value, replaces }: Setting, currentValue: unknown): Json {
  if (!replaces || !Array.isArray(value)) return value;
  const otherEntries: readonly Json[] = Array.isArray(currentValue) ? currentValue : [];
  return [...value, ...otherEntries.filter((entry) => !isObject(entry) || !replaces(entry))];
}

function setInJson(text: string, { at, value, replaces }: Setting, currentValue: unknown, options: ModificationOptions): string {
  const applyChange = (document: string, path: (string | number)[], inner: Json | undefined, isInsertion = false): string =>
    applyEdits(document, modify(document, path, inner, { ...options, isArrayInsertion: isInsertion }));
  if (!replaces || !Array.isArray(value) || !Array.isArray(currentValue)) return applyChange(text, [...at], value ?? undefined);
  // Edits entry by entry, so that unrelated entries keep their comments.
  const replacedIndexes = currentValue.flatMap((entry, index) => (isObject(entry) && replaces(entry) ? [index] : []));
  const remainingText = replacedIndexes.reduceRight((document, index) => applyChange(document, [...at, index], undefined), text);
  return value.reduceRight((document: string, entry: Json) => applyChange(document, [...at, 0], entry, true), remainingText);
}

function setValueAt(root: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) {
    if (value === null) delete root[name];
    else root[name] = value;
    return;
  }
  const child = isObject(root[name]) ? root[name] : {};
  root[name] = child;
  setValueAt(child, rest, value);
}

function setInYaml(document: Document, { at, value, replaces }: Setting): void {
  if (value === null) {
    document.deleteIn(at);
    return;
  }
  const currentNode = at.length === 0 ? document.contents : document.getIn(at, true);
  const node = toYamlNode(value);
  if (replaces && isSeq(currentNode) && isSeq(node)) {
    const otherItems = currentNode.items.filter((entry) => !isMap(entry) || !replaces(entry.toJS(document)));
    const [firstOther] = otherItems;
    if (currentNode.commentBefore && isMap(firstOther)) {
      firstOther.commentBefore = currentNode.commentBefore;
      currentNode.commentBefore = null;
    }
    currentNode.items = [...node.items, ...otherItems];
  } else if (isScalar(currentNode) && isScalar(node)) {
    // Changes only the value, because a comment may follow it.
    currentNode.value = node.value;
    if (node.type) currentNode.type = node.type;
  } else if (at.length === 0) document.contents = node;
  else {
    document.contents ??= document.createNode({});
    document.setIn(at, node);
  }
}

/** Writes the value as in a new file: quoted if a parser could read it as another type. */
const toYamlNode = (value: Json): Node | null => parseDocument(writeYaml(value), { schema: 'failsafe' }).contents;
