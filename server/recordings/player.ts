/** Answers from recorded calls: the files of the same request are used in the order of their names, then the last one repeatedly. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/document.ts';
import { type CallCode, GatewayError } from '../errors.ts';
import {
  type AskedCall,
  comparableOf,
  differencesOf,
  type Fields,
  matchKeyOf,
  openRecorder,
  type RecordedAnswer,
  RecordedCall,
  type Recorder,
} from './recorder.ts';

/** The request without a recording. */
interface NoMatch {
  readonly error: GatewayError;
  /** The most similar file, and the first difference; null when no file is of this operation. */
  readonly nearest: { readonly file: string; readonly path: string } | null;
}

export interface Player {
  readonly kind: 'replay';
  /** The answer for the next call with this request. */
  take(asked: AskedCall): RecordedAnswer | NoMatch;
}

interface LoadedCall {
  readonly file: string;
  readonly call: RecordedCall;
}

/** Throws ConfigError when the folder, or a file in it, cannot be read. */
function openPlayer(folder: string): Player {
  const kept = namesIn(folder).map((name) => ({ file: name, call: readCall(folder, name) }));
  const byMatchKey = Map.groupBy(kept, ({ call }) => matchKeyOf(call.operation, call.request));
  const taken = new Map<string, number>();
  return {
    kind: 'replay',
    take(asked) {
      const { request } = comparableOf(asked);
      const matchKey = matchKeyOf(asked.operation, request);
      const found = byMatchKey.get(matchKey);
      const time = taken.get(matchKey) ?? 0;
      const next = found?.[Math.min(time, found.length - 1)];
      if (!next) return noMatch(asked, request, kept);
      taken.set(matchKey, time + 1);
      return next.call.answer;
    },
  };
}

/** `…-2.json` comes before `…-10.json`, and after the file without a number. */
function namesIn(folder: string): readonly string[] {
  const names = read(folder, () => readdirSync(folder)).filter((name) => name.endsWith('.json'));
  const stem = (name: string): string => name.slice(0, -'.json'.length);
  const { compare } = new Intl.Collator('en', { numeric: true });
  return names.toSorted((one, other) => compare(stem(one), stem(other)));
}

function readCall(folder: string, name: string): RecordedCall {
  const file = join(folder, name);
  const value = read(file, (): unknown => JSON.parse(readFileSync(file, 'utf8')));
  const parsed = RecordedCall.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw unreadable(file, `is not a recorded call: ${issue?.path.join('.')}: ${issue?.message}`);
}

function read<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unreadable(path, `cannot be read: ${error instanceof SyntaxError ? 'it is not JSON' : codeOf(error)}`);
  }
}
const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown error');

const unreadable = (where: string, message: string): ConfigError =>
  new ConfigError([{ where, key: '', message, remedy: 'Record it again: modelgate serve --record FOLDER' }]);

function noMatch({ operation }: AskedCall, request: Fields, kept: readonly LoadedCall[]): NoMatch {
  const model = String(request.model);
  const nearest = nearestOf(operation, request, kept);
  const hint = nearest
    ? `The nearest is ${nearest.file}, which has something else at '${nearest.path}'.`
    : 'No call of this operation was recorded.';
  const message = `No recorded call is this one: ${operation} of '${model}'. ${hint} To add it, run it once against a gateway with --record.`;
  return { nearest, error: new GatewayError<CallCode>('unsupported_value', { message, ...(nearest && { param: nearest.path }) }) };
}

/** The fewest differences; recordings of the same model first. */
function nearestOf(operation: string, request: Fields, kept: readonly LoadedCall[]): NoMatch['nearest'] {
  const ranked = kept
    .filter(({ call }) => call.operation === operation)
    .map(({ file, call }) => ({ file, isOther: call.request.model !== request.model, paths: differencesOf(request, call.request) }))
    .toSorted((one, other) => Number(one.isOther) - Number(other.isOther) || one.paths.length - other.paths.length);
  const [first] = ranked;
  return first ? { file: first.file, path: first.paths[0] ?? '' } : null;
}

/** Null where calls are neither recorded nor replayed. */
export function openRecordings({ tape, upstreams }: Pick<Config, 'tape' | 'upstreams'>): Recorder | Player | null {
  if (tape === null) return null;
  return tape.kind === 'replay' ? openPlayer(tape.folder) : openRecorder(tape.folder, secretsOf(upstreams));
}

/** The keys of `auth` that are secret. */
const ofAuth: ReadonlySet<string> = new Set(['accessKeyId', 'secretAccessKey', 'sessionToken', 'credentials', 'clientSecret']);

/** The credentials of the gateway at its upstreams: keys, and the values of configured headers. */
function secretsOf(upstreams: Config['upstreams']): readonly string[] {
  return Object.values(upstreams).flatMap((upstream) => {
    if (upstream.kind === 'simulator') return [];
    const { apiKey, apiKeys = [], headers, auth = {} } = upstream;
    const own = Object.entries(auth).flatMap(([name, value]) => (ofAuth.has(name) ? [String(value)] : []));
    return [...(apiKey === undefined ? [] : [apiKey]), ...apiKeys, ...Object.values(headers), ...own];
  });
}
