/** The differences between two configurations, as names of keys, and which of them need a restart. */
import { isDeepStrictEqual } from 'node:util';
import type { Config } from './config.ts';
import type { Path } from './problems.ts';

export interface Change {
  /** For people and logs: `models.gpt-5.4.prices`. Never a value. */
  readonly name: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Its position in the new file, or the position of its parent. */
  readonly path: Path;
}

/**
 * Keys that a running gateway can reload. All others need a restart: a key that nobody considered must be refused, not
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
