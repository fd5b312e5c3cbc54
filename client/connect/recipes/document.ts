/** Writes a new document from its settings: the file of an empty home, and the text of guides and of the portal. */
import { type ConfigFile, type Connection, type Format, type Json, type JsonObject, listSteps, type Recipe } from './recipe.ts';

export function writeDocument({ format, settings, text = '' }: ConfigFile): string {
  if (format === 'text') return text;
  const writtenSettings = settings.filter(({ value, overwrites }) => value !== null && overwrites === undefined);
  const root = writtenSettings.reduce<Json>((document, { at, value }) => setValueAt(document, at, value), {});
  return writers[format](root);
}

function setValueAt(document: Json, [name, ...rest]: readonly string[], value: Json): Json {
  if (name === undefined) return value;
  const fields = isObject(document) ? document : {};
  return { ...fields, [name]: setValueAt(fields[name] ?? {}, rest, value) };
}

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const writers = {
  json: (root: Json) => `${JSON.stringify(root, null, 2)}\n`,
  yaml: (root: Json) => writeYaml(root),
  toml: (root: Json) => (isObject(root) ? `${toTomlTable(root, []).join('\n')}\n` : ''),
};

/** A word that every YAML parser reads as a string. */
const plainWord = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z][\w./-]*(?::[\w./-]+)*$/i;
const toYamlScalar = (value: Json): string => (typeof value === 'string' && plainWord.test(value) ? value : JSON.stringify(value));

export const writeYaml = (value: Json): string => `${toYamlLines(value).join('\n')}\n`;

/** Returns lines in block style. Nested values are indented below their key. */
function toYamlLines(value: Json): string[] {
  if (isList(value)) {
    return value.flatMap((entry) => toYamlLines(entry).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`));
  }
  if (!isObject(value) || Object.keys(value).length === 0) return [toYamlScalar(value)];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isNested = (isList(inner) && inner.length > 0) || (isObject(inner) && Object.keys(inner).length > 0);
    return isNested
      ? [`${toYamlScalar(name)}:`, ...toYamlLines(inner).map((line) => `  ${line}`)]
      : [`${toYamlScalar(name)}: ${toYamlScalar(inner)}`];
  });
}

const toTomlName = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

/** Tables up to two levels deep get a heading. Deeper tables are written inline. */
function toTomlTable(table: JsonObject, path: readonly string[]): string[] {
  const entries = Object.entries(table);
  const hasHeading = ([, value]: [string, Json]): boolean => path.length < 2 && isObject(value);
  const values = entries.filter((entry) => !hasHeading(entry)).map(([name, value]) => `${toTomlName(name)} = ${toTomlValue(value)}`);
  const tables = entries.filter(hasHeading).flatMap(([name, value]) => (isObject(value) ? addHeading(value, [...path, name]) : []));
  return [...values, ...tables];
}

function addHeading(table: JsonObject, path: readonly string[]): string[] {
  const lines = toTomlTable(table, path);
  return lines[0] === '' ? lines : ['', `[${path.map(toTomlName).join('.')}]`, ...lines];
}

function toTomlValue(value: Json): string {
  if (isList(value)) return `[${value.map(toTomlValue).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${toTomlName(name)} = ${toTomlValue(inner)}`)
    .join(', ')} }`;
}

/** Instructions to set up a tool by hand, as text to show. */
interface SetupGuide {
  readonly files: readonly { readonly path: string; readonly format: Format; readonly text: string }[];
  /** Shell lines. Null if the tool is set up with files. */
  readonly lines: string | null;
  readonly steps: readonly string[];
  readonly start: string;
}

export function describeSetup(recipe: Recipe, connection: Connection): SetupGuide {
  return {
    files: recipe.files(connection).map((file) => ({ path: file.path, format: file.format, text: writeDocument(file) })),
    lines: recipe.lines?.(connection) ?? null,
    steps: listSteps(recipe, connection),
    start: recipe.start,
  };
}
