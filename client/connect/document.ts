/** Writes a new document from its settings: the file of an empty home, and the text of guides and of the portal. */
import { type ConfigFile, type Connection, type Format, type Json, type JsonObject, type Recipe, stepsOf } from './recipe.ts';

export function writeDocument({ format, settings, text = '' }: ConfigFile): string {
  if (format === 'text') return text;
  const root = settings.filter(({ value }) => value !== null).reduce<Json>((document, { at, value }) => put(document, at, value), {});
  return writers[format](root);
}

function put(document: Json, [name, ...rest]: readonly string[], value: Json): Json {
  if (name === undefined) return value;
  const fields = isObject(document) ? document : {};
  return { ...fields, [name]: put(fields[name] ?? {}, rest, value) };
}

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const writers = {
  json: (root: Json) => `${JSON.stringify(root, null, 2)}\n`,
  yaml: (root: Json) => writeYaml(root),
  toml: (root: Json) => (isObject(root) ? `${tomlTable(root, []).join('\n')}\n` : ''),
};

/** A word that no YAML parser reads as anything but a string. */
const plainWord = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z][\w./-]*(?::[\w./-]+)*$/i;
const yamlScalar = (value: Json): string => (typeof value === 'string' && plainWord.test(value) ? value : JSON.stringify(value));

export const writeYaml = (value: Json): string => `${yamlLines(value).join('\n')}\n`;

/** Lines of block style; lists are indented as their key is. */
function yamlLines(value: Json): string[] {
  if (isList(value)) {
    return value.flatMap((entry) => yamlLines(entry).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`));
  }
  if (!isObject(value) || Object.keys(value).length === 0) return [yamlScalar(value)];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isNested = (isList(inner) && inner.length > 0) || (isObject(inner) && Object.keys(inner).length > 0);
    return isNested
      ? [`${yamlScalar(name)}:`, ...yamlLines(inner).map((line) => `  ${line}`)]
      : [`${yamlScalar(name)}: ${yamlScalar(inner)}`];
  });
}

const tomlName = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

/** Tables of tables get a heading of their own; what is deeper is written inline. */
function tomlTable(table: JsonObject, path: readonly string[]): string[] {
  const entries = Object.entries(table);
  const hasHeading = ([, value]: [string, Json]): boolean => path.length < 2 && isObject(value);
  const values = entries.filter((entry) => !hasHeading(entry)).map(([name, value]) => `${tomlName(name)} = ${tomlValue(value)}`);
  const tables = entries.filter(hasHeading).flatMap(([name, value]) => (isObject(value) ? headed(value, [...path, name]) : []));
  return [...values, ...tables];
}

function headed(table: JsonObject, path: readonly string[]): string[] {
  const lines = tomlTable(table, path);
  return lines[0] === '' ? lines : ['', `[${path.map(tomlName).join('.')}]`, ...lines];
}

function tomlValue(value: Json): string {
  if (isList(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${tomlName(name)} = ${tomlValue(inner)}`)
    .join(', ')} }`;
}

/** How a tool is set up, in texts to show: the command that does it, and the same by hand. */
export interface Setup {
  readonly command: string;
  readonly files: readonly { readonly path: string; readonly format: Format; readonly text: string }[];
  /** Lines for a shell, where there is no file. */
  readonly lines: string | null;
  readonly steps: readonly string[];
  readonly start: string;
}

export function describeSetup(recipe: Recipe, connection: Connection): Setup {
  return {
    command: `npx modelgate connect ${recipe.id} --base-url ${connection.baseUrl} --model ${connection.model.id}`,
    files: recipe.files(connection).map((file) => ({ path: file.path, format: file.format, text: writeDocument(file) })),
    lines: recipe.lines?.(connection) ?? null,
    steps: stepsOf(recipe, connection),
    start: recipe.start,
  };
}
