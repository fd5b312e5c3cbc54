/** What another file would change, key by key: with the values, where they are no secret. */
import { type Change, findChanges, needsRestart } from './changes.ts';
import type { Config } from './config.ts';
import { type ConfigEntry, derivedFields, entriesOf, shownValue } from './entries.ts';

/** A key and its values; null: there is none, it has keys below it, or it is a secret. */
export interface KeyChange {
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
