/** Reads overrides of the file: flags first, then the environment. Replaces all upstreams by a mock or a recording if a flag asks for it. */

import type { z } from 'zod';
import { type Fields, isMap } from '../primitives/fields.ts';
import { formatPath, type Path, type Problem } from './config-error.ts';
import { toFault } from './explain-issues.ts';
import type { Environment } from './references.ts';
import { ConfigFile } from './schema.ts';
import { type Source, toFlagSource, toVariableSource } from './sources.ts';
import { DatabaseUrl, RedisUrl } from './values.ts';

/** A folder of recorded calls, to record into or to replay from. */
export interface RecordingsFolder {
  readonly kind: 'record' | 'replay';
  /** An absolute path. */
  readonly folder: string;
}

/** The command-line options that override the configuration. */
export interface Flags {
  readonly file?: string | undefined;
  /** Content to check instead of the file's. */
  readonly text?: string | undefined;
  /** Settings from a program that has no configuration file. */
  readonly settings?: object | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly workers?: number | 'auto' | undefined;
  readonly data?: string | undefined;
  /** Replaces all upstreams. */
  readonly override?: UpstreamOverride | undefined;
  /** Folder to record calls into or to replay them from. */
  readonly tape?: RecordingsFolder | undefined;
  /** Base of relative paths. Defaults to the working directory of the process. */
  readonly workingFolder?: string | undefined;
}

const { host, port, workers } = ConfigFile.shape.server.unwrap().shape;
const { level } = ConfigFile.shape.log.unwrap().shape;
const { data } = ConfigFile.shape;

const VARIABLE_PREFIX = 'environment variable ';

interface OverrideValue {
  readonly where: string;
  readonly value: unknown;
}

export type Overrides = ReturnType<typeof readOverrides>;

export function readOverrides(flags: Flags, env: Environment) {
  const problems: Problem[] = [];
  /** Sources of the overridden keys. */
  const sources: Record<string, Source> = {};
  const parseOverride = <T>(schema: z.ZodType<T>, path: Path, override: OverrideValue | undefined): T | undefined => {
    if (override === undefined) return undefined;
    const parsed = schema.safeParse(override.value);
    if (parsed.success) {
      sources[formatPath(path)] = override.where.startsWith('--')
        ? toFlagSource(override.where)
        : toVariableSource(override.where.replace(VARIABLE_PREFIX, ''));
      return parsed.data;
    }
    const [issue] = parsed.error.issues;
    if (issue !== undefined)
      problems.push({ where: override.where, key: formatPath(path), ...toFault(issue, path, nestValue(path, override.value)) });
    return undefined;
  };
  return {
    host: parseOverride(host, ['server', 'host'], toFlagValue('--host', flags.host) ?? readVariable(env, 'HOST')),
    port: parseOverride(port, ['server', 'port'], toFlagValue('--port', flags.port) ?? toNumericOverride(readVariable(env, 'PORT'))),
    workers: parseOverride(
      workers,
      ['server', 'workers'],
      toFlagValue('--workers', flags.workers) ?? toNumericOverride(readVariable(env, 'MODELGATE_WORKERS')),
    ),
    data: parseOverride(data, ['data'], toFlagValue('--data', flags.data) ?? readVariable(env, 'MODELGATE_DATA')),
    level: parseOverride(level, ['log', 'level'], readVariable(env, 'MODELGATE_LOG_LEVEL')),
    databaseUrl: parseOverride(DatabaseUrl, ['database', 'url'], readVariable(env, 'DATABASE_URL')),
    redisUrl: parseOverride(RedisUrl, ['redis', 'url'], readVariable(env, 'REDIS_URL')),
    problems,
    sources,
  };
}

function toFlagValue(where: string, value: unknown): OverrideValue | undefined {
  return value === undefined ? undefined : { where, value };
}

/** Container tools set variables that are empty. An empty variable counts as unset. */
function readVariable(env: Environment, name: string): OverrideValue | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : { where: `${VARIABLE_PREFIX}${name}`, value };
}

/** Environment variables are always strings. */
function toNumericOverride(override: OverrideValue | undefined): OverrideValue | undefined {
  return override !== undefined && /^\d+$/.test(String(override.value)) ? { ...override, value: Number(override.value) } : override;
}

function nestValue(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
}

export interface UpstreamOverride {
  /** Name of the built-in upstream that replaces all configured upstreams. */
  readonly name: 'simulator' | 'replay';
  readonly seed?: string | undefined;
  /** An ISO time. */
  readonly clock?: string | undefined;
  /** Checked like the setting. */
  readonly answers?: readonly object[] | undefined;
  readonly strict?: boolean | undefined;
}

/** Returns the configuration with the override as its only upstream. For callers, the models stay the same. */
export function overrideUpstreams(value: unknown, { name, ...settings }: UpstreamOverride): unknown {
  if (!isMap(value)) return value;
  const { upstreams, models, server, ...rest } = value;
  const fixedSettings = Object.fromEntries(Object.entries(settings).filter(([, setting]) => setting !== undefined));
  return {
    ...rest,
    ...disableLoadShedding(server),
    upstreams: { [name]: { ...findSimulator(upstreams), ...fixedSettings } },
    ...(models !== undefined && { models: Array.isArray(models) ? models.map(omitUpstreamFields) : models }),
  };
}

/** Machines that run tests are busy, so a mock doesn't shed load unless the file says so. */
function disableLoadShedding(server: unknown): Fields {
  // The schema reports a value that isn't a section.
  if (server !== undefined && !isMap(server)) return { server };
  const overload = server?.overload;
  return { server: { ...server, overload: overload === undefined || isMap(overload) ? { loopDelayMs: 0, ...overload } : overload } };
}

/** Returns the file's simulator settings, so that its delays still apply. */
function findSimulator(upstreams: unknown): Fields {
  const simulator = isMap(upstreams) ? Object.values(upstreams).find((upstream) => isMap(upstream) && upstream.kind === 'simulator') : null;
  const { protocols: _, ...settings } = isMap(simulator) ? simulator : { kind: 'simulator', protocols: undefined };
  return settings;
}

function omitUpstreamFields(model: unknown): unknown {
  if (!isMap(model)) return model;
  const { upstream: _, upstreamModel: __, protocols: ___, candidates: ____, ...rest } = model;
  return rest;
}

/** A provider's missing key doesn't matter if the upstreams are replaced. */
export const omitUpstreamProblems = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ key }) => key !== 'upstreams' && !key.startsWith('upstreams.'));
