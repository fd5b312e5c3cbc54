/** What a configuration says otherwise than the one before it, by the names of its keys alone, and which of that needs a restart. */
import { isDeepStrictEqual } from 'node:util';
import type { Config } from './config.ts';
import type { Path } from './problems.ts';

export interface Change {
  /** For people and logs: `models.gpt-5.4.prices`. Never a value. */
  readonly name: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Where it stands in the new file, or would stand. */
  readonly path: Path;
}

/**
 * Keys that a running gateway takes over. All others need a restart: what nobody has thought of must be refused rather than
 * be taken over in name alone.
 */
export const atRunTime: readonly string[] = [
  ...['models', 'groups', 'plans', 'priceLists', 'limits', 'upstreams', 'routing', 'history', 'refusals', 'codex', 'trpc', 'log', 'reload'],
  ...['server.heartbeatMs', 'server.drainMs', 'server.readinessDelayMs', 'server.trustedProxies', 'server.writeStallMs', 'server.shed'],
];

export const needsRestart = ({ path }: Pick<Change, 'path'>): boolean =>
  !atRunTime.includes(String(path[0])) && !atRunTime.includes(path.slice(0, 2).join('.'));

/** In the order of the schema; `file` is where it was read, and no setting. */
export function findChanges(before: Config, after: Config): Change[] {
  const { models: modelsBefore, file: _, ...restBefore } = before;
  const { models: modelsAfter, file: __, ...restAfter } = after;
  return [...compare(restBefore, restAfter, []), ...compareModels(modelsBefore, modelsAfter)];
}

/** Deep enough to name what was meant, never as deep as a header or a value in a list. */
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

/** By id: their place in the list says nothing. */
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
