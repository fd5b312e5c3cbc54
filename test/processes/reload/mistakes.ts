/** Makes two hundred invalid files from a valid one: by syntax, type, key, reference, environment, and settings that need a restart. */
import { stringify } from 'yaml';

export interface Mistake {
  readonly text: string;
  /** The key that the error must name; empty where the file is not YAML. */
  readonly key: string;
  readonly status: 400 | 409;
}

type Value = unknown;
type Path = readonly (string | number)[];

const WANTED = 200;

export function makeMistakes(good: Readonly<Record<string, unknown>>): readonly Mistake[] {
  const all = [brokenText, wrongTypes, unknownKeys, missingVariables, dangling, restarts].map((make) => make(good));
  const most = Math.max(...all.map(({ length }) => length));
  // One of each kind in turn, so that all kinds are there.
  const mixed = Array.from({ length: most }, (_, index) => all.flatMap((list) => list[index] ?? [])).flat();
  if (mixed.length < WANTED) throw new Error(`only ${mixed.length} mistakes were made`);
  return mixed.slice(0, WANTED);
}

function brokenText(good: object): Mistake[] {
  const lines = stringify(good).trimEnd().split('\n');
  const put = (index: number, line: string) => [...lines.slice(0, index), line, ...lines.slice(index)].join('\n');
  const breaks = ['"', '\tport: 1', ': [', '- }', 'data: ./twice', '*nowhere: 1', '{'];
  return lines.flatMap((_, index) => {
    const line = breaks[index % breaks.length] ?? '"';
    // This key is a duplicate only at the top.
    return line === 'data: ./twice' ? [mistake(put(0, `${line}${index}`), null)] : [mistake(put(index, line), null)];
  });
}

/** No setting is a list of lists. */
const wrongTypes = (good: object): Mistake[] => placesIn(good).map((path) => mistake(stringify(withValue(good, path, [[['x']]])), path));

const unknownKeys = (good: object): Mistake[] =>
  mapsIn(good)
    // Keys below these are names.
    .filter((path) => !['upstreams', 'groups', 'plans', 'priceLists'].includes(String(path.at(-1))))
    .flatMap((path) =>
      ['colour', 'x_y', 'Port', 'ids', 'zz', 'modle'].map((key) => mistake(stringify(withValue(good, [...path, key], 1)), [...path, key])),
    );

const missingVariables = (good: object): Mistake[] =>
  placesIn(good).map((path, index) => mistake(stringify(withValue(good, path, `\${NOT_SET_${index}}`)), path));

function dangling(good: object): Mistake[] {
  const wrong: readonly (readonly [Path, Value])[] = [
    [['models', 0, 'upstream'], 'nowhere'],
    [['models', 1, 'groups'], ['nobody']],
    [['models', 0, 'protocols'], ['anthropic']],
    [['models', 1, 'id'], 'm'],
    [['plans'], { pro: { included: '5', priceList: 'none' } }],
    [['priceLists'], { partner: { nothing: 'free' } }],
    [['priceLists'], { standard: { m: 'free' } }],
    [['models', 0, 'prices'], { images: { default: '1' } }],
  ];
  const named = ['models[0].upstream', 'models[1].groups[0]', 'models[0].protocols[0]', 'models[1].id', 'plans.pro.priceList'];
  const keys = [...named, 'priceLists.partner.nothing', 'priceLists.standard', 'models[0].prices'];
  return wrong.map(([path, value], index) => ({ text: stringify(withValue(good, path, value)), key: keys[index] ?? '', status: 400 }));
}

function restarts(good: object): Mistake[] {
  const changes: readonly (readonly [Path, Value])[] = [
    [['server', 'bodyLimitBytes'], 4096],
    [['server', 'headersTimeoutMs'], 1234],
    [['data'], './elsewhere'],
    [['database'], { url: 'postgres://127.0.0.1:1/none' }],
    [['redis'], { url: 'redis://127.0.0.1:1' }],
    [['durability'], 'strict'],
    [['validateResponses'], true],
    [['billing'], 'off'],
    [['admin', 'host'], '127.0.0.2'],
  ];
  const keys = ['server.bodyLimitBytes', 'server.headersTimeoutMs', 'data', 'database.url', 'redis.url', 'durability', 'validateResponses'];
  return changes.map(([path, value], index) => ({
    text: stringify(withValue(good, path, value)),
    key: [...keys, 'billing', 'admin.host'][index] ?? '',
    status: 409,
  }));
}

const mistake = (text: string, path: Path | null): Mistake => ({ text: `${text}\n`, key: path === null ? '' : nameOf(path), status: 400 });
const nameOf = (path: Path): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');

/** The paths of all scalars. */
function placesIn(value: Value, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => placesIn(entry, [...path, index]));
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, entry]) => placesIn(entry, [...path, key]));
}

function mapsIn(value: Value, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => mapsIn(entry, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return [path, ...Object.entries(value).flatMap(([key, entry]) => mapsIn(entry, [...path, key]))];
}

/** A copy with another value at one place. */
function withValue(good: object, path: Path, value: Value): object {
  const copy = structuredClone(good);
  // Maps and lists of the copy.
  let at = copy as Record<string | number, unknown>;
  for (const part of path.slice(0, -1)) {
    at[part] ??= {};
    at = at[part] as Record<string | number, unknown>;
  }
  at[path.at(-1) ?? ''] = value;
  return copy;
}
