/** Finds where a setting comes from: a line of the file, an environment variable, a flag, or the default. */

import type { ConfigDocument } from './config-document.ts';
import { formatPath, type Path } from './config-error.ts';
import { type Environment, findReferences, getReferencedFile } from './references.ts';

export interface Source {
  readonly kind: 'file' | 'environment' | 'flag' | 'default';
  /** Path as the operator would type it. Null without a file. */
  readonly file: string | null;
  /** Line number, starting at 1. */
  readonly line: number | null;
  /** Name of the environment variable or option, or path of the file that `${file:PATH}` names. */
  readonly name: string | null;
}

/** Sources by path, such as `server.port` or `models[0].prices.input`. A missing key has its default. */
export type Sources = Readonly<Record<string, Source>>;

export const defaultSource: Source = { kind: 'default', file: null, line: null, name: null };

export const toVariableSource = (name: string): Source => ({ kind: 'environment', file: null, line: null, name });

export const toFlagSource = (name: string): Source => ({ kind: 'flag', file: null, line: null, name });

/** Splits a position such as `modelgate.yaml:3:9` into file and line. */
export function parsePosition(where: string): Pick<Source, 'file' | 'line'> {
  const [, file, line] = /^(.+):(\d+):\d+$/s.exec(where) ?? [];
  return file === undefined ? { file: null, line: null } : { file, line: Number(line) };
}

/** Returns the source of every key in the file that has a value. A list counts as one key, except for the list of models. */
export function findSources({ written, locate }: Pick<ConfigDocument, 'written' | 'locate'>): Record<string, Source> {
  const sources: Record<string, Source> = {};
  const visit = (value: unknown, path: Path): void => {
    if (typeof value === 'object' && value !== null && (!Array.isArray(value) || isModels(path))) {
      for (const [key, child] of Object.entries(value)) visit(child, [...path, Array.isArray(value) ? Number(key) : key]);
      return;
    }
    const [reference = null] = findReferences(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
    const referencedFile = reference && getReferencedFile(reference);
    const kind = reference === null || referencedFile !== null ? 'file' : 'environment';
    sources[formatPath(path)] = { kind, ...parsePosition(locate(path)), name: referencedFile ?? reference };
  };
  visit(written, []);
  return sources;
}

const isModels = (path: Path): boolean => path.length === 1 && path[0] === 'models';

/** Returns the sources of the upstream that the environment implies if the file has none. */
export function findImpliedSources(env: Environment): Record<string, Source> {
  const variables = { 'upstreams.openai.apiKey': 'OPENAI_API_KEY', 'upstreams.openai.baseUrl': 'OPENAI_BASE_URL' };
  return Object.fromEntries(Object.entries(variables).flatMap(([key, name]) => (env[name] ? [[key, toVariableSource(name)]] : [])));
}

/** Omits keys that an upstream override replaces: the upstreams, and the settings of models that refer to them. */
export const omitUpstreamSources = (sources: Sources): Record<string, Source> =>
  Object.fromEntries(
    Object.entries(sources).filter(
      ([key]) => !key.startsWith('upstreams.') && !/^models\[\d+\]\.(?:upstream|upstreamModel|protocols|candidates)$/.test(key),
    ),
  );
