/** File + environment + flags → one frozen Config, or an error that names every problem. */
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { type ConfigDocument, type Environment, givenDocument, noDocument, readDocument } from './document.ts';
import { explainIssues } from './explain.ts';
import { withStandardGroups } from './limits.ts';
import { completeModels, type ModelSettings } from './models.ts';
import { findMoneyProblems } from './money.ts';
import { type Flags, type Overrides, readOverrides, type Tape } from './overrides.ts';
import { ConfigError } from './problems.ts';
import { ConfigFile, type FileSettings } from './schema.ts';
import { type Sources, sourcesIn, sourcesOfImplied, withoutPlaces } from './sources.ts';
import { type Stamp, stampOf } from './stamp.ts';
import { withoutUpstreams, withStandIn } from './stand-in.ts';
import { completeUpstreams, type NamedUpstream } from './upstreams.ts';

export type { Tape };

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** Complete and checked: defaults are filled in and references resolve. Deeply frozen. */
export type Config = Frozen<
  Omit<FileSettings, 'upstreams' | 'models' | 'server' | 'metrics'> & {
    /** `workers`: how many there are; `auto` is counted. */
    server: Omit<FileSettings['server'], 'workers'> & { workers: number };
    metrics: FileSettings['metrics'] & { enabled: boolean };
    /** The file it was read from, as an absolute path. */
    file: string | null;
    /** Null when calls are neither recorded nor replayed. */
    tape: Tape | null;
    /** Where its keys were set. */
    sources: Sources;
    upstreams: Record<string, NamedUpstream>;
    models: ModelSettings[];
  }
>;
export type UpstreamConfig = Config['upstreams'][string];
/** An upstream that is reached over HTTP. */
export type HttpUpstreamConfig = Exclude<UpstreamConfig, { kind: 'simulator' }>;
export type SimulatorUpstreamConfig = Extract<UpstreamConfig, { kind: 'simulator' }>;
export type Protocol = UpstreamConfig['protocols'][number];

/** With the positions of its keys in the file, for messages. */
export interface LoadedConfig {
  readonly config: Config;
  readonly locate: ConfigDocument['locate'];
  /** Sections that the file itself has; the others are defaults. */
  readonly sections: readonly string[];
  /** The stamp of the file, taken before it was read. */
  readonly stamp: Stamp;
  /** SHA-256 of the file as it was read; null without a file. */
  readonly digest: string | null;
}

/** Who counts the limits where there is no Redis. */
export const limitCounter = ({ workers }: Pick<Config['server'], 'workers'>): string =>
  workers > 1 ? `the supervisor of the ${workers} workers` : 'the process';

/** Whether other processes may use the same database. */
export const isStoreShared = ({ database, server }: Pick<Config, 'database' | 'server'>): boolean =>
  database.url !== undefined || server.workers > 1;

/** Throws ConfigError when anything is wrong; a configuration is never accepted in part. */
export const loadConfig = (flags: Flags, env: Environment): Config => loadConfigFile(flags, env).config;

/** The same, with what a comparison needs. */
export function loadConfigFile(flags: Flags, env: Environment): LoadedConfig {
  const file = configFile(flags, env);
  const stamp = stampOf(file);
  const given = flags.settings === undefined ? noDocument : givenDocument(flags.settings);
  const document = file === null ? given : readDocument(file, env, flags.workingFolder);
  const overrides = readOverrides(flags, env);
  const { standIn, tape = null } = flags;
  const parsed = ConfigFile.safeParse(standIn ? withStandIn(document.value, standIn) : document.value);
  const problems = [
    ...(standIn ? withoutUpstreams(document.problems) : document.problems),
    ...overrides.problems,
    ...(parsed.success ? [] : explainIssues(parsed.error.issues, document)),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);

  const settings = parsed.data;
  const { host = settings.server.host, port = settings.server.port, workers = settings.server.workers } = overrides;
  const server = { ...settings.server, host, port, workers: workers === 'auto' ? availableParallelism() : workers };
  const upstreams = completeUpstreams({ configured: settings.upstreams, env, server, document });
  if (upstreams.problems.length > 0) throw new ConfigError(upstreams.problems);
  const groups = withStandardGroups(settings.groups);
  const groupNames = Object.keys(groups);
  const models = completeModels({ configured: settings.models, upstreams: upstreams.value, document, groups: groupNames });
  const wrong = [...models.problems, ...findMoneyProblems(settings, { groups: groupNames, models: models.value, document })];
  if (wrong.length > 0) throw new ConfigError(wrong);
  const config = deepFreeze({
    ...settings,
    file,
    tape,
    sources: allSources({ document, overrides, standIn, env }),
    server,
    metrics: { ...settings.metrics, enabled: settings.metrics.enabled ?? hasMetricsAddress(document.value) },
    data: dataFolder({ override: overrides.data, written: settings.data, file, workingFolder: flags.workingFolder }),
    database: { ...settings.database, url: overrides.databaseUrl ?? settings.database.url },
    redis: { ...settings.redis, url: overrides.redisUrl ?? settings.redis.url },
    log: { level: overrides.level ?? settings.log.level },
    groups,
    upstreams: upstreams.value,
    models: models.value,
  });
  return { config, locate: document.locate, sections: Object.keys(Object(document.value)), stamp, digest: document.digest };
}

/** Whoever writes where the metrics are served wants them served. */
function hasMetricsAddress(written: unknown): boolean {
  const { metrics } = Object(written);
  return ['host', 'port'].some((name) => name in Object(metrics));
}

interface Told {
  readonly document: ConfigDocument;
  readonly overrides: Overrides;
  readonly standIn: Flags['standIn'];
  readonly env: Environment;
}

/** What is set later replaces what the file says. */
function allSources({ document, overrides, standIn, env }: Told): Sources {
  const written = sourcesIn(document);
  if (standIn) return { ...withoutPlaces(written), ...overrides.sources };
  const isImplied = !Object.keys(written).some((key) => key.startsWith('upstreams.'));
  return { ...written, ...(isImplied && sourcesOfImplied(env)), ...overrides.sources };
}

/**
 * The data folder only, for commands that work beside the server: when an upstream's secret is missing in the
 * operator's shell, a revocation must still work. Throws ConfigError when the folder is unknown.
 */
export function locateData(flags: Flags, env: Environment): string {
  const file = configFile(flags, env);
  const overrides = readOverrides(flags, env);
  const document = file === null || overrides.data !== undefined ? noDocument : readDocument(file, env, flags.workingFolder);
  const parsed = z.object({ data: ConfigFile.shape.data }).safeParse(document.value);
  const found = [...document.problems, ...overrides.problems, ...(parsed.success ? [] : explainIssues(parsed.error.issues, document))];
  const problems = found.filter(({ key }) => key === '' || key === 'data');
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return dataFolder({ override: overrides.data, written: parsed.data.data, file, workingFolder: flags.workingFolder });
}

function configFile(flags: Flags, env: Environment): string | null {
  const file = flags.file ?? (env.MODELGATE_CONFIG || undefined);
  return file === undefined ? null : resolve(flags.workingFolder ?? '', file);
}

interface DataPlace {
  readonly override: string | undefined;
  readonly written: string;
  readonly file: string | null;
  readonly workingFolder: string | undefined;
}

/** A path in a file is relative to that file, so that the server and the commands find the same folder from anywhere. */
function dataFolder({ override, written, file, workingFolder = '' }: DataPlace): string {
  if (override !== undefined) return resolve(workingFolder, override);
  return file === null ? resolve(workingFolder, written) : resolve(dirname(file), written);
}

function deepFreeze<T>(value: T): Frozen<T> {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) deepFreeze(part);
    Object.freeze(value);
  }
  // `as`: the loop above froze every level, which the compiler does not see.
  return value as Frozen<T>;
}
