/** Loads the configuration: file, environment, and flags become one frozen Config, or an error that lists every problem. */

import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { Frozen } from '../primitives/frozen.ts';
import { completeModels, type ModelSettings } from './complete-models.ts';
import { completeUpstreams, type NamedUpstream } from './complete-upstreams.ts';
import { type ConfigDocument, createDocument, noDocument, readDocument } from './config-document.ts';
import { ConfigError, type Problem } from './config-error.ts';
import { explainIssues } from './explain-issues.ts';
import { findMoneyProblems } from './money-problems.ts';
import { type Flags, type Overrides, omitUpstreamProblems, overrideUpstreams, type RecordingsFolder, readOverrides } from './overrides.ts';
import type { Environment } from './references.ts';
import { ConfigFile, type FileSettings } from './schema.ts';
import { addStandardGroups } from './schema-models.ts';
import { STANDARD_ADMIN_PORT } from './schema-server.ts';
import { findImpliedSources, findSources, omitUpstreamSources, type Sources } from './sources.ts';

export type { RecordingsFolder as Tape };

/** A complete and valid configuration, with defaults filled in and references resolved. Deeply frozen. */
export type Config = Frozen<
  Omit<FileSettings, 'upstreams' | 'models' | 'server' | 'metrics'> & {
    /** `workers` is the number of processes. `auto` is replaced by the number of cores. */
    server: Omit<FileSettings['server'], 'workers'> & { workers: number };
    metrics: FileSettings['metrics'] & { enabled: boolean };
    /** Absolute path of the configuration file. Null without a file. */
    file: string | null;
    /** Null if calls are neither recorded nor replayed. */
    tape: RecordingsFolder | null;
    /** Where each key was set. */
    sources: Sources;
    upstreams: Record<string, NamedUpstream>;
    models: ModelSettings[];
  }
>;
export type UpstreamConfig = Config['upstreams'][string];
/** An upstream that is reached over HTTP. */
export type HttpUpstreamConfig = Exclude<UpstreamConfig, { kind: 'simulator' }>;

/** A configuration with the positions of its keys in the file, for messages. */
export interface LoadedConfig {
  readonly config: Config;
  readonly locate: ConfigDocument['locate'];
  /** Sections that the file contains. Other sections have their defaults. */
  readonly sections: readonly string[];
  /** Stamp of the file, taken before the file was read. */
  readonly stamp: Stamp;
  /** SHA-256 of the file as it was read. Null without a file. */
  readonly digest: string | null;
}

/** Names the process that counts limits without Redis. */
export const describeLimitCounter = ({ workers }: Pick<Config['server'], 'workers'>): string =>
  workers > 1 ? `the supervisor of the ${workers} workers` : 'the process';

/** Whether other processes may use the same database. */
export const isStoreShared = ({ database, server }: Pick<Config, 'database' | 'server'>): boolean =>
  database.url !== undefined || server.workers > 1;

/** Throws ConfigError if anything is wrong. A configuration is never accepted in part. */
export const loadConfig = (flags: Flags, env: Environment): Config => loadConfigFile(flags, env).config;

/** Like `loadConfig`, but also returns what a comparison needs. */
export function loadConfigFile(flags: Flags, env: Environment): LoadedConfig {
  const file = findConfigFile(flags, env);
  const stamp = readStampSync(file);
  const settingsDocument = flags.settings === undefined ? noDocument : createDocument(flags.settings);
  const document = file === null ? settingsDocument : readDocument(file, env, flags);
  const overrides = readOverrides(flags, env);
  const { override, tape = null } = flags;
  const parsed = ConfigFile.safeParse(override ? overrideUpstreams(document.value, override) : document.value);
  const problems = [
    ...(override ? omitUpstreamProblems(document.problems) : document.problems),
    ...overrides.problems,
    ...(parsed.success ? [] : explainIssues(parsed.error.issues, document)),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);

  const settings = parsed.data;
  const { host = settings.server.host, port = settings.server.port, workers = settings.server.workers } = overrides;
  const server = { ...settings.server, host, port, workers: workers === 'auto' ? availableParallelism() : workers };
  const upstreams = completeUpstreams(settings.upstreams, env, server, document);
  if (upstreams.problems.length > 0) throw new ConfigError(upstreams.problems);
  const groups = addStandardGroups(settings.groups);
  const groupNames = Object.keys(groups);
  const models = completeModels({ configured: settings.models, upstreams: upstreams.value, document, groups: groupNames });
  const settingsProblems = [
    ...findEqualPorts({ ...settings, server }, document),
    ...models.problems,
    ...findMoneyProblems(settings, { groups: groupNames, models: models.value, document }),
  ];
  if (settingsProblems.length > 0) throw new ConfigError(settingsProblems);
  const config = deepFreeze({
    ...settings,
    file,
    tape,
    sources: collectSources(document, overrides, override, env),
    server,
    metrics: { ...settings.metrics, enabled: settings.metrics.enabled ?? hasMetricsAddress(document.value) },
    data: resolveDataFolder(overrides.data, settings.data, file, flags.workingFolder),
    database: { ...settings.database, url: overrides.databaseUrl ?? settings.database.url },
    redis: { ...settings.redis, url: overrides.redisUrl ?? settings.redis.url },
    log: { level: overrides.level ?? settings.log.level },
    groups,
    upstreams: upstreams.value,
    models: models.value,
  });
  return { config, locate: document.locate, sections: Object.keys(Object(document.value)), stamp, digest: document.digest };
}

type Listeners = Pick<FileSettings, 'admin' | 'metrics'> & { readonly server: Pick<FileSettings['server'], 'host' | 'port'> };

/** Listeners can't share a port. The admin listener switches to a free port only if it has its standard port. */
function findEqualPorts({ server, admin, metrics }: Listeners, document: ConfigDocument): Problem[] {
  const fileValue = Object(document.value);
  const listeners = [
    { name: 'server', ...server },
    ...(admin.enabled && admin.port !== STANDARD_ADMIN_PORT ? [{ name: 'admin', ...admin }] : []),
    ...((metrics.enabled ?? hasMetricsAddress(fileValue)) ? [{ name: 'metrics', ...metrics }] : []),
  ];
  return listeners.flatMap(({ name, host, port }, index) => {
    const other = listeners.slice(0, index).find((one) => one.port === port && port !== 0 && hasOverlap(one.host, host));
    if (!other) return [];
    const remedy = 'Choose another port, or 0 for any free one.';
    return [
      {
        where: document.locate([name, 'port']),
        key: `${name}.port`,
        message: `must differ from ${other.name}.port, which is ${port}`,
        remedy,
      },
    ];
  });
}

const ANY_ADDRESSES = ['0.0.0.0', '::'];
const hasOverlap = (one: string, other: string): boolean => one === other || [one, other].some((host) => ANY_ADDRESSES.includes(host));

/** Setting a host or port for the metrics turns them on. */
function hasMetricsAddress(fileValue: unknown): boolean {
  const { metrics } = Object(fileValue);
  return ['host', 'port'].some((name) => name in Object(metrics));
}

/** Later sources replace the file's. */
function collectSources(document: ConfigDocument, overrides: Overrides, override: Flags['override'], env: Environment): Sources {
  const fileSources = findSources(document);
  if (override) return { ...omitUpstreamSources(fileSources), ...overrides.sources };
  const isImplied = !Object.keys(fileSources).some((key) => key.startsWith('upstreams.'));
  return { ...fileSources, ...(isImplied && findImpliedSources(env)), ...overrides.sources };
}

/**
 * Finds only the data folder, for commands that run beside the server. If an upstream's secret is missing in the
 * operator's shell, revoking a key must still work. Throws ConfigError if the folder is unknown.
 */
export function locateData(flags: Flags, env: Environment): string {
  const file = findConfigFile(flags, env);
  const overrides = readOverrides(flags, env);
  const document = file === null || overrides.data !== undefined ? noDocument : readDocument(file, env, flags);
  const parsed = z.object({ data: ConfigFile.shape.data }).safeParse(document.value);
  const allProblems = [
    ...document.problems,
    ...overrides.problems,
    ...(parsed.success ? [] : explainIssues(parsed.error.issues, document)),
  ];
  const problems = allProblems.filter(({ key }) => key === '' || key === 'data');
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return resolveDataFolder(overrides.data, parsed.data.data, file, flags.workingFolder);
}

function findConfigFile(flags: Flags, env: Environment): string | null {
  const file = flags.file ?? (env.MODELGATE_CONFIG || undefined);
  return file === undefined ? null : resolve(flags.workingFolder ?? '', file);
}

/** A path in a file is relative to that file, so that the server and the commands find the same folder from anywhere. */
const resolveDataFolder = (override: string | undefined, written: string, file: string | null, workingFolder = ''): string =>
  override === undefined && file !== null ? resolve(dirname(file), written) : resolve(workingFolder, override ?? written);

function deepFreeze<T>(value: T): Frozen<T> {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) deepFreeze(part);
    Object.freeze(value);
  }
  // `as`: the loop above froze every level, which the compiler doesn't see.
  return value as Frozen<T>;
}

/** A configured model. `upstream` is the upstream of its first candidate, and `upstreamModel` is its name there. */
export type Model = Config['models'][number];

/** Null if the file isn't accessible. */
export type Stamp = string | null;

/** Describes the target of the path, so that a different file under the same name has a different stamp. */
const formatStamp = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string => [dev, ino, size, mtimeNs, ctimeNs].join(' ');

/** Synchronous, for startup, which also reads the file synchronously. */
export function readStampSync(file: string | null): Stamp {
  try {
    return file === null ? null : formatStamp(statSync(file, { bigint: true }));
  } catch {
    return null;
  }
}

/** Asynchronous, for a running gateway, because a network folder may be slow. */
export const readStamp = (file: string): Promise<Stamp> => stat(file, { bigint: true }).then(formatStamp, () => null);
