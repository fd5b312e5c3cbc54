/** Replays recorded calls. Files of the same request are used in the order of their names, then the last one repeatedly. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { findDeviation } from './find-deviation.ts';
import { createMatchKey, findDifferences, type RecordableCall, toComparable } from './match-key.ts';
import { RecordedCall, type RecordedResponse } from './recorded-call.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import type { Fields } from './secrets.ts';

/** The result for a request without a recording. */
interface MissingRecording {
  readonly error: GatewayError;
  /** The most similar file, and the first difference. Null if no file is for this operation. */
  readonly nearest: { readonly file: string; readonly path: string } | null;
}

export interface Player {
  readonly kind: 'replay';
  /** Returns the response for the next call with this request. */
  findResponse(request: RecordableCall): RecordedResponse | MissingRecording;
}

interface LoadedCall {
  readonly file: string;
  readonly call: RecordedCall;
}

/** Throws ConfigError if the folder or a file in it can't be read, or if responses deviate from the contract. */
function createPlayer(folder: string): Player {
  const loadedCalls = listRecordingNames(folder).map((name) => ({ file: name, call: readCall(folder, name) }));
  rejectDeviations(folder, loadedCalls);
  const callsByKey = Map.groupBy(loadedCalls, ({ call }) => createMatchKey(call.operation, call.request));
  const playCounts = new Map<string, number>();
  return {
    kind: 'replay',
    findResponse(recordable) {
      const { request } = toComparable(recordable);
      const matchKey = createMatchKey(recordable.operation, request);
      const matchingCalls = callsByKey.get(matchKey);
      const time = playCounts.get(matchKey) ?? 0;
      const next = matchingCalls?.[Math.min(time, matchingCalls.length - 1)];
      if (!next) return createMissingRecording(recordable, request, loadedCalls);
      playCounts.set(matchKey, time + 1);
      return next.call.answer;
    },
  };
}

/** `…-2.json` sorts before `…-10.json`, and after the file without a number. */
function listRecordingNames(folder: string): readonly string[] {
  const names = readOrThrow(folder, () => readdirSync(folder)).filter((name) => name.endsWith('.json'));
  const getStem = (name: string): string => name.slice(0, -'.json'.length);
  const { compare } = new Intl.Collator('en', { numeric: true });
  return names.toSorted((one, other) => compare(getStem(one), getStem(other)));
}

function readCall(folder: string, name: string): RecordedCall {
  const file = join(folder, name);
  const value = readOrThrow(file, (): unknown => JSON.parse(readFileSync(file, 'utf8')));
  const parsed = RecordedCall.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw createUnreadableError(file, `is not a recorded call: ${issue?.path.join('.')}: ${issue?.message}`);
}

function rejectDeviations(folder: string, loadedCalls: readonly LoadedCall[]): void {
  const problems = loadedCalls.flatMap(({ file, call }) => {
    const deviation = call.deviation === undefined ? findDeviation(call) : null;
    const remedy = 'Correct the field, or record the call again: modelgate serve --record FOLDER';
    return deviation === null ? [] : [{ where: join(folder, file), key: '', message: deviation, remedy }];
  });
  if (problems.length > 0) throw new ConfigError(problems);
}

function readOrThrow<T>(path: string, readValue: () => T): T {
  try {
    return readValue();
  } catch (error) {
    throw createUnreadableError(path, `cannot be read: ${error instanceof SyntaxError ? 'it is not JSON' : getErrorCode(error)}`);
  }
}
const getErrorCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown error');

const createUnreadableError = (where: string, message: string): ConfigError =>
  new ConfigError([{ where, key: '', message, remedy: 'Record it again: modelgate serve --record FOLDER' }]);

function createMissingRecording({ operation }: RecordableCall, request: Fields, loadedCalls: readonly LoadedCall[]): MissingRecording {
  const model = String(request.model);
  const nearest = findNearest(operation, request, loadedCalls);
  const hint = nearest
    ? `The closest recording, ${nearest.file}, differs at '${nearest.path}'.`
    : 'No call of this operation was recorded.';
  const message = `No recording matches this request: ${operation} of '${model}'. ${hint} To add it, run it once against a gateway with --record.`;
  return { nearest, error: new GatewayError<CallCode>('unsupported_value', { message, ...(nearest && { param: nearest.path }) }) };
}

/** Finds the recording with the fewest differences. Recordings of the same model come first. */
function findNearest(operation: string, request: Fields, loadedCalls: readonly LoadedCall[]): MissingRecording['nearest'] {
  const rankedCalls = loadedCalls
    .filter(({ call }) => call.operation === operation)
    .map(({ file, call }) => ({ file, isOther: call.request.model !== request.model, paths: findDifferences(request, call.request) }))
    .toSorted((one, other) => Number(one.isOther) - Number(other.isOther) || one.paths.length - other.paths.length);
  const [first] = rankedCalls;
  return first ? { file: first.file, path: first.paths[0] ?? '' } : null;
}

/** Null if requests are neither recorded nor replayed. */
export function openRecordings({ tape, upstreams }: Pick<Config, 'tape' | 'upstreams'>): Recorder | Player | null {
  if (tape === null) return null;
  return tape.kind === 'replay' ? createPlayer(tape.folder) : createRecorder(tape.folder, getSecrets(upstreams));
}

/** Secret fields of `auth`. */
const secretAuthFields: ReadonlySet<string> = new Set(['accessKeyId', 'secretAccessKey', 'sessionToken', 'credentials', 'clientSecret']);

/** Returns the gateway's upstream credentials: keys, and the values of configured headers. */
function getSecrets(upstreams: Config['upstreams']): readonly string[] {
  return Object.values(upstreams).flatMap((upstream) => {
    if (upstream.kind === 'simulator') return [];
    const { apiKey, apiKeys = [], headers, auth = {} } = upstream;
    const authSecrets = Object.entries(auth).flatMap(([name, value]) => (secretAuthFields.has(name) ? [String(value)] : []));
    return [...(apiKey === undefined ? [] : [apiKey]), ...apiKeys, ...Object.values(headers), ...authSecrets];
  });
}
