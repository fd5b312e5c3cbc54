/** What another file would change, key by key: with the values, where they are no secret. */
import { isDeepStrictEqual } from 'node:util';
import { type Config, isSecret } from './config.ts';
import { byDefault, type Path, pathText, type Source } from './document.ts';

export interface Change {
  /** For people and logs: `models.gpt-5.4.prices`. Never a value. */
  readonly name: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Its position in the new file, or the position of its parent. */
  readonly path: Path;
}

/**
 * Keys that a running gateway can reload. All others need a restart: a key that nobody considered must be rejected, not
 * accepted without effect.
 */
export const atRunTime: readonly string[] = [
  ...[
    'models',
    'groups',
    'plans',
    'priceLists',
    'limits',
    'upstreams',
    'routing',
    'history',
    'activity',
    'refusals',
    'alerts',
    'codex',
    'trpc',
    'log',
    'reload',
  ],
  ...['server.heartbeatMs', 'server.drainMs', 'server.readinessDelayMs', 'server.trustedProxies', 'server.writeStallMs', 'server.shed'],
];

export const needsRestart = ({ path }: Pick<Change, 'path'>): boolean =>
  !atRunTime.includes(String(path[0])) && !atRunTime.includes(path.slice(0, 2).join('.'));

/** In the order of the schema; `file` is the path that was read, and `sources` are its lines: no settings. */
export function findChanges(before: Config, after: Config): Change[] {
  const { models: modelsBefore, file: _, sources: __, ...restBefore } = before;
  const { models: modelsAfter, file: ___, sources: ____, ...restAfter } = after;
  return [...compare(restBefore, restAfter, []), ...compareModels(modelsBefore, modelsAfter)];
}

/** Deep enough to be useful, but never as deep as a header or a value in a list. */
const DEEPEST = 3;
type Fields = Readonly<Record<string, unknown>>;

function compare(before: Fields, after: Fields, path: readonly string[]): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((key) => {
    const [old, now] = [fieldOf(before, key), fieldOf(after, key)];
    if (isDeepStrictEqual(old, now)) return [];
    const at = [...path, key];
    if (isMap(old) && isMap(now) && at.length < DEEPEST) return compare(old, now, at);
    return [{ name: at.join('.'), kind: kindOf(old, now), path: at }];
  });
}

/** By id, because the position in the list has no meaning. */
function compareModels(before: Config['models'], after: Config['models']): Change[] {
  const old = new Map(before.map((model) => [model.id, model]));
  const ids = new Set(after.map(({ id }) => id));
  const removed = before.filter(({ id }) => !ids.has(id)).map(({ id }) => ({ ...removal, name: `models.${id}` }));
  const rest = after.flatMap((model, index): Change[] => {
    const known = old.get(model.id);
    const [path, name] = [['models', index], `models.${model.id}`];
    if (!known) return [{ name, kind: 'added', path }];
    return compare(known, model, []).map((change) => ({ ...change, name: `${name}.${change.name}`, path: [...path, ...change.path] }));
  });
  return [...removed, ...rest];
}
const removal = { kind: 'removed', path: ['models'] } as const;

const kindOf = (old: unknown, now: unknown): Change['kind'] => (old === undefined ? 'added' : now === undefined ? 'removed' : 'changed');
const fieldOf = (fields: Fields, key: string): unknown => (Object.hasOwn(fields, key) ? fields[key] : undefined);
const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A key and its values; null: there is none, it has keys below it, or it is a secret. */
interface KeyChange {
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly secret: boolean;
}

export interface Comparison {
  readonly added: readonly KeyChange[];
  readonly removed: readonly KeyChange[];
  readonly changed: readonly KeyChange[];
  /** Keys that a running gateway cannot change. */
  readonly needsRestart: readonly string[];
}

export const noChanges: Comparison = { added: [], removed: [], changed: [], needsRestart: [] };

/** The same keys as a reload names; a changed key with several values in it is told value by value. */
export function compareConfigs(before: Config, after: Config): Comparison {
  const changes = findChanges(before, after);
  const names = new Set(changes.map(({ name }) => name));
  const [old, now] = [entriesUnder(before, names), entriesUnder(after, names)];
  const rows = (kind: Change['kind']): KeyChange[] =>
    changes
      .filter((change) => change.kind === kind)
      .flatMap((change) => rowsOf(change, old.get(change.name) ?? [], now.get(change.name) ?? []));
  return {
    added: rows('added'),
    removed: rows('removed'),
    changed: rows('changed'),
    needsRestart: changes.filter(needsRestart).map(({ name }) => name),
  };
}

/** The entries at or below each of the names. */
function entriesUnder(config: Config, names: ReadonlySet<string>): ReadonlyMap<string, readonly ConfigEntry[]> {
  const found = new Map<string, ConfigEntry[]>();
  if (names.size === 0) return found;
  for (const entry of entriesOf(config)) {
    for (let end = entry.key.indexOf('.'); ; end = entry.key.indexOf('.', end + 1)) {
      const name = end === -1 ? entry.key : entry.key.slice(0, end);
      if (names.has(name)) {
        const own = found.get(name) ?? [];
        own.push(entry);
        found.set(name, own);
      }
      if (end === -1) break;
    }
  }
  return found;
}

function rowsOf({ name, kind, path }: Change, old: readonly ConfigEntry[], now: readonly ConfigEntry[]): KeyChange[] {
  if (kind === 'changed') {
    const rows = [...new Set([...old, ...now].map(({ key }) => key))].flatMap((key) => rowOf(key, old, now));
    if (rows.length > 0) return rows;
  } else {
    const alone = [...old, ...now].filter(({ key }) => key === name);
    if (alone.length > 0) return rowOf(name, old, now);
  }
  // What follows from an upstream is told at the upstream.
  if (old.length + now.length === 0 && path[0] === 'models' && derivedFields.includes(String(path[2]))) return [];
  return [{ key: name, before: null, after: null, secret: false }];
}

/** Nothing where the two are the same. */
function rowOf(key: string, old: readonly ConfigEntry[], now: readonly ConfigEntry[]): KeyChange[] {
  const [before, after] = [old, now].map((entries) => entries.find((entry) => entry.key === key));
  if (before?.text === after?.text) return [];
  const secret = before?.isSecret === true || after?.isSecret === true;
  return [{ key, before: before ? shownValue(before) : null, after: after ? shownValue(after) : null, secret }];
}

interface ConfigEntry {
  /** As a reload names it: `models.gpt-5.4.prices.input`. */
  readonly key: string;
  /** As text. Of a secret too, to compare it: it must not leave the process. */
  readonly text: string;
  readonly isSecret: boolean;
  readonly source: Source;
}

/** The value for people; null for a secret. */
export const shownValue = ({ text, isSecret: hides }: Pick<ConfigEntry, 'text' | 'isSecret'>): string | null => (hides ? null : text);

/** In the order of the schema. Keys without a value are omitted; a list is one entry. */
export function* entriesOf(config: Config): Generator<ConfigEntry> {
  const { file: _, sources, tape: __, models, ...sections } = config;
  yield* entriesIn(sections, [], { sources, key: '' });
  for (const [index, model] of models.entries()) {
    const path = ['models', index];
    const hidden = hiddenOf(`${pathText([...path, 'candidates'])}` in sources);
    const shown = Object.fromEntries(Object.entries(model).filter(([name]) => !hidden.includes(name)));
    yield* entriesIn(shown, path, { sources, key: `models.${model.id}` });
  }
}

/** Fields of a model that repeat others: of its upstream, and of the first of its candidates. */
const derivedFields: readonly string[] = [
  'id',
  'quirks',
  'fields',
  'inlineOnly',
  'accepts',
  'candidates',
  'upstream',
  'upstreamModel',
  'protocols',
];
const hiddenOf = (hasCandidates: boolean): readonly string[] =>
  derivedFields.filter((name) => (hasCandidates ? name !== 'candidates' : !['upstream', 'upstreamModel', 'protocols'].includes(name)));

interface Around {
  readonly sources: Config['sources'];
  /** The name of the value in the list. */
  readonly key: string;
}

function* entriesIn(value: unknown, path: Path, { sources, key }: Around): Generator<ConfigEntry> {
  if (value === undefined || value === null) return;
  if (typeof value === 'object' && !Array.isArray(value)) {
    for (const [name, child] of Object.entries(value)) {
      // The name of an upstream is its key.
      if (path[0] === 'upstreams' && path.length === 2 && name === 'name') continue;
      yield* entriesIn(child, [...path, name], { sources, key: key === '' ? name : `${key}.${name}` });
    }
    return;
  }
  yield { key, text: textOf(value), isSecret: isSecret(path), source: sources[pathText(path)] ?? byDefault };
}

const ofUpstream: ReadonlySet<string> = new Set(['quirks', 'fields', 'inlineOnly']);

/** Candidates as they are written, without what they have from their upstream. */
const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value, (name, part) => (ofUpstream.has(name) ? undefined : part)) : String(value);
