/** The configuration that runs as a list: each key with its value as text, whether it is a secret, and its source. */
import type { Config } from './config.ts';
import { type Path, pathText } from './problems.ts';
import { isSecret } from './secrets.ts';
import { byDefault, type Source } from './sources.ts';

export interface ConfigEntry {
  /** As a reload names it: `models.gpt-5.4.prices.input`. */
  readonly key: string;
  /** As text. Of a secret too, to compare it: it must not leave the process. */
  readonly text: string;
  readonly isSecret: boolean;
  readonly source: Source;
}

/** The value for people; null for a secret. */
export const shownValue = ({ text, isSecret: hides }: Pick<ConfigEntry, 'text' | 'isSecret'>): string | null => (hides ? null : text);

/** In the order of the schema. Keys without a value are left out; a list is one entry. */
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
export const derivedFields: readonly string[] = [
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
