/** Lists the settings of a configuration as entries with path, value, and source; secrets are hidden. */

import type { Fields } from '../primitives/fields.ts';
import type { Config } from './config.ts';
import { formatPath, type Path } from './config-error.ts';
import { isSecret } from './is-secret.ts';
import { defaultSource, type Source } from './sources.ts';

export interface ConfigEntry {
  /** Key as in reload messages, such as `models.gpt-5.4.prices.input`. */
  readonly key: string;
  /** The value as text. Secrets are included for comparison, so the text must not leave the process. */
  readonly text: string;
  readonly isSecret: boolean;
  readonly source: Source;
}

/** Returns the value to show. Null for a secret. */
export const getVisibleValue = ({ text, isSecret: hides }: Pick<ConfigEntry, 'text' | 'isSecret'>): string | null => (hides ? null : text);

/** Lists the settings in the order of the file, then those that it doesn't contain, the defaults last. */
export const listEntriesByLine = (config: Config): readonly ConfigEntry[] =>
  [...listEntries(config)].sort((one, other) => getPlace(one.source) - getPlace(other.source));

const getPlace = ({ kind, line }: Source): number => line ?? (kind === 'default' ? Number.MAX_SAFE_INTEGER : Number.MAX_SAFE_INTEGER - 1);

/** Lists the settings in schema order. Keys without a value are omitted, and a list is one entry. */
export function* listEntries(config: Config): Generator<ConfigEntry> {
  const { file: _, sources, tape: __, models, ...sections } = config;
  yield* visitEntries(sections, [], sources, '');
  for (const [index, model] of models.entries())
    yield* visitEntries(getFileFields(config, index), ['models', index], sources, `models.${model.id}`);
}

/** Model fields that repeat the model's key, its upstream, or its first candidate. */
const derivedFields = ['id', 'quirks', 'fields', 'inlineOnly', 'accepts'];

const firstCandidateFields = ['upstream', 'upstreamModel', 'protocols'];

/** Candidate fields that come from the upstream, or from other keys of the model. */
const derivedCandidateFields = ['quirks', 'fields', 'inlineOnly', 'isCached', 'isVertex', 'compacts', 'responsesOnly', 'rules'];

/** Returns the fields of a model that its file can have: its candidates if the file has them, or else the upstream. */
export function getFileFields({ models, sources }: Pick<Config, 'models' | 'sources'>, index: number): Fields {
  const { candidates = [], ...fields } = models[index] ?? {};
  const hasCandidates = `${formatPath(['models', index, 'candidates'])}` in sources;
  return {
    ...omitFields(fields, hasCandidates ? [...derivedFields, ...firstCandidateFields] : derivedFields),
    ...(hasCandidates && { candidates: candidates.map((one) => omitFields(one, derivedCandidateFields)) }),
  };
}

const omitFields = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** `key`: the key of the value in the list of entries. */
function* visitEntries(value: unknown, path: Path, sources: Config['sources'], key: string): Generator<ConfigEntry> {
  if (value === undefined || value === null) return;
  if (typeof value === 'object' && !Array.isArray(value)) {
    for (const [name, child] of Object.entries(value)) {
      // The name of an upstream is its key.
      if (path[0] === 'upstreams' && path.length === 2 && name === 'name') continue;
      yield* visitEntries(child, [...path, name], sources, key === '' ? name : `${key}.${name}`);
    }
    return;
  }
  yield { key, text: formatValue(value), isSecret: isSecret(path), source: sources[formatPath(path)] ?? defaultSource };
}

const formatValue = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
