/** Compares two configurations key by key, with values unless they're secret, and lists the keys that need a restart. */

import { isDeepStrictEqual } from 'node:util';
import { type Fields, isMap } from '../primitives/fields.ts';
import type { Config } from './config.ts';
import { type ConfigEntry, getFileFields, getVisibleValue, listEntries } from './config-entries.ts';
import type { Path } from './config-error.ts';

export interface Change {
  /** Name for messages and logs, such as `models.gpt-5.4.prices`. Never contains a value. */
  readonly name: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Its position in the new file, or the position of its parent. */
  readonly path: Path;
}

/**
 * Keys that a running gateway can reload. All others need a restart, because an unlisted key must be rejected rather
 * than accepted without effect.
 */
export const reloadableKeys: readonly string[] = [
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
    'unknownCallers',
    'alerts',
    'codex',
    'trpc',
    'log',
    'reload',
  ],
  ...[
    'server.heartbeatMs',
    'server.drainMs',
    'server.readinessDelayMs',
    'server.trustedProxies',
    'server.writeStallMs',
    'server.maxWebSockets',
    'server.overload',
  ],
];

export const needsRestart = ({ path }: Pick<Change, 'path'>): boolean =>
  !reloadableKeys.includes(String(path[0])) && !reloadableKeys.includes(path.slice(0, 2).join('.'));

/** Returns the changes in schema order, each by a key that the file can have. */
export const findChanges = (before: Config, after: Config): Change[] => [
  ...compare(omitModels(before), omitModels(after), []),
  ...compareModels(before, after),
];

/** Also omits `file` and `sources`, because they aren't settings. */
const omitModels = ({ models: _, file: __, sources: ___, ...settings }: Config): Fields => settings;

/** Maximum depth of a name. Deep enough to be useful, but never as deep as a header or a list value. */
const MAX_KEY_DEPTH = 3;

function compare(before: Fields, after: Fields, path: readonly string[]): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((key) => {
    const [oldValue, newValue] = [getField(before, key), getField(after, key)];
    if (isDeepStrictEqual(oldValue, newValue)) return [];
    const keyPath = [...path, key];
    if (isMap(oldValue) && isMap(newValue) && keyPath.length < MAX_KEY_DEPTH) return compare(oldValue, newValue, keyPath);
    return [{ name: keyPath.join('.'), kind: getChangeKind(oldValue, newValue), path: keyPath }];
  });
}

/** Compares models by ID, because their position in the list has no meaning. */
function compareModels(before: Config, after: Config): Change[] {
  const oldIndexes = new Map(before.models.map(({ id }, index) => [id, index]));
  const ids = new Set(after.models.map(({ id }) => id));
  const removed = before.models
    .filter(({ id }) => !ids.has(id))
    .map(({ id }): Change => ({ name: `models.${id}`, kind: 'removed', path: ['models'] }));
  const changes = after.models.flatMap((model, index): Change[] => {
    const oldIndex = oldIndexes.get(model.id);
    const [path, name] = [['models', index], `models.${model.id}`];
    if (oldIndex === undefined) return [{ name, kind: 'added', path }];
    return [
      ...compare(getFileFields(before, oldIndex), getFileFields(after, index), []),
      ...compareCandidateKeys(before.models[oldIndex]?.candidates ?? [], model.candidates),
    ].map((change) => ({ ...change, name: `${name}.${change.name}`, path: [...path, ...change.path] }));
  });
  return [...removed, ...changes];
}

type Candidates = Config['models'][number]['candidates'];

/** Model keys that are kept only in the candidates, combined with what is known about the upstream's model. */
const candidateKeys = { accepts: 'rules', responsesOnly: 'responsesOnly' } as const;

/** For other upstreams, the combination differs without a change of the key. */
function compareCandidateKeys(before: Candidates, after: Candidates): Change[] {
  const [oldUpstreams, newUpstreams] = [before, after].map((all) =>
    all.map(({ upstream, upstreamModel, fields }) => [upstream, upstreamModel, fields]),
  );
  if (!isDeepStrictEqual(oldUpstreams, newUpstreams)) return [];
  return Object.entries(candidateKeys)
    .filter(([, field]) => before.some((one, index) => !isDeepStrictEqual(one[field], after[index]?.[field])))
    .map(([key]) => ({ name: key, kind: 'changed', path: [key] }));
}

const getChangeKind = (oldValue: unknown, newValue: unknown): Change['kind'] =>
  oldValue === undefined ? 'added' : newValue === undefined ? 'removed' : 'changed';
const getField = (fields: Fields, key: string): unknown => (Object.hasOwn(fields, key) ? fields[key] : undefined);

/** A key and its values. A value is null if it's absent, has nested keys, or is a secret. */
interface KeyChange {
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly secret: boolean;
}

export interface ConfigComparison {
  readonly added: readonly KeyChange[];
  readonly removed: readonly KeyChange[];
  readonly changed: readonly KeyChange[];
  /** Keys that a running gateway can't change. */
  readonly needsRestart: readonly string[];
}

export const noChanges: ConfigComparison = { added: [], removed: [], changed: [], needsRestart: [] };

/** Returns the same keys as a reload. A changed key that contains several values is listed value by value. */
export function compareConfigs(before: Config, after: Config): ConfigComparison {
  const changes = findChanges(before, after);
  const names = new Set(changes.map(({ name }) => name));
  const [oldEntries, newEntries] = [findEntriesUnder(before, names), findEntriesUnder(after, names)];
  const listKeyChanges = (kind: Change['kind']): KeyChange[] =>
    changes
      .filter((change) => change.kind === kind)
      .flatMap((change) => toKeyChanges(change, oldEntries.get(change.name) ?? [], newEntries.get(change.name) ?? []));
  return {
    added: listKeyChanges('added'),
    removed: listKeyChanges('removed'),
    changed: listKeyChanges('changed'),
    needsRestart: changes.filter(needsRestart).map(({ name }) => name),
  };
}

/** Returns the entries at or below each name. */
function findEntriesUnder(config: Config, names: ReadonlySet<string>): ReadonlyMap<string, readonly ConfigEntry[]> {
  const entriesByName = new Map<string, ConfigEntry[]>();
  if (names.size === 0) return entriesByName;
  for (const entry of listEntries(config)) {
    for (let nameEnd = entry.key.indexOf('.'); ; nameEnd = entry.key.indexOf('.', nameEnd + 1)) {
      const name = nameEnd === -1 ? entry.key : entry.key.slice(0, nameEnd);
      if (names.has(name)) {
        const entries = entriesByName.get(name) ?? [];
        entries.push(entry);
        entriesByName.set(name, entries);
      }
      if (nameEnd === -1) break;
    }
  }
  return entriesByName;
}

function toKeyChanges({ name, kind }: Change, oldEntries: readonly ConfigEntry[], newEntries: readonly ConfigEntry[]): KeyChange[] {
  if (kind === 'changed') {
    const rows = [...new Set([...oldEntries, ...newEntries].map(({ key }) => key))].flatMap((key) =>
      compareKey(key, oldEntries, newEntries),
    );
    if (rows.length > 0) return rows;
  } else {
    const ownEntries = [...oldEntries, ...newEntries].filter(({ key }) => key === name);
    if (ownEntries.length > 0) return compareKey(name, oldEntries, newEntries);
  }
  return [{ key: name, before: null, after: null, secret: false }];
}

/** Returns nothing if both values are the same. */
function compareKey(key: string, oldEntries: readonly ConfigEntry[], newEntries: readonly ConfigEntry[]): KeyChange[] {
  const [before, after] = [oldEntries, newEntries].map((entries) => entries.find((entry) => entry.key === key));
  if (before?.text === after?.text) return [];
  const secret = before?.isSecret === true || after?.isSecret === true;
  return [{ key, before: before ? getVisibleValue(before) : null, after: after ? getVisibleValue(after) : null, secret }];
}
