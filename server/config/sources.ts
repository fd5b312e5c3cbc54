/** Where each key of a configuration was set: the line of the file, the environment variable, or the option of the command line. Never a value. */
import type { ConfigDocument, Environment } from './document.ts';
import { type Path, pathText } from './problems.ts';

export interface Source {
  readonly kind: 'file' | 'environment' | 'flag' | 'default';
  /** As the operator would type it; null without a file. */
  readonly file: string | null;
  /** From 1. */
  readonly line: number | null;
  /** The environment variable, or the option. */
  readonly name: string | null;
}

/** By path: `server.port`, `models[0].prices.input`. What is absent is a default. */
export type Sources = Readonly<Record<string, Source>>;

export const byDefault: Source = { kind: 'default', file: null, line: null, name: null };
export const byVariable = (name: string): Source => ({ kind: 'environment', file: null, line: null, name });
export const byFlag = (name: string): Source => ({ kind: 'flag', file: null, line: null, name });

/** A place of a message, `modelgate.yaml:3:9`, as file and line. */
export function placeOf(where: string): Pick<Source, 'file' | 'line'> {
  const [, file, line] = /^(.+):(\d+):\d+$/s.exec(where) ?? [];
  return file === undefined ? { file: null, line: null } : { file, line: Number(line) };
}

/** The same pattern as where references are replaced; a plain `$${` is none. */
const references = (text: string): string[] =>
  [...text.matchAll(/\$(\$\{)|\$\{([^}]*)\}/g)].flatMap(([, escaped, name]) => (escaped === undefined && name ? [name] : []));

/** Of every key in the file that has a value; a list is one key, but for the models. */
export function sourcesIn({ written, locate }: Pick<ConfigDocument, 'written' | 'locate'>): Record<string, Source> {
  const found: Record<string, Source> = {};
  const visit = (value: unknown, path: Path): void => {
    if (typeof value === 'object' && value !== null && (!Array.isArray(value) || isModels(path))) {
      for (const [key, child] of Object.entries(value)) visit(child, [...path, Array.isArray(value) ? Number(key) : key]);
      return;
    }
    const [name = null] = references(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
    found[pathText(path)] = { kind: name === null ? 'file' : 'environment', ...placeOf(locate(path)), name };
  };
  visit(written, []);
  return found;
}

const isModels = (path: Path): boolean => path.length === 1 && path[0] === 'models';

/** What the environment says of the upstream where no file names one. */
export function sourcesOfImplied(env: Environment): Record<string, Source> {
  const named = { 'upstreams.openai.apiKey': 'OPENAI_API_KEY', 'upstreams.openai.baseUrl': 'OPENAI_BASE_URL' };
  return Object.fromEntries(Object.entries(named).flatMap(([key, name]) => (env[name] ? [[key, byVariable(name)]] : [])));
}

/** A stand-in replaces the upstreams, so what the file says of them and of the places of models does not run. */
export const withoutPlaces = (sources: Sources): Record<string, Source> =>
  Object.fromEntries(
    Object.entries(sources).filter(
      ([key]) => !key.startsWith('upstreams.') && !/^models\[\d+\]\.(?:upstream|upstreamModel|protocols|candidates)$/.test(key),
    ),
  );
