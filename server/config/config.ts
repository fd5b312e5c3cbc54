/** File + environment + flags → one frozen Config, or an error that names every problem. */

import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { completeModels, completeUpstreams, findMoneyProblems, type ModelSettings, type NamedUpstream } from './catalog.ts';
import {
  type ConfigDocument,
  ConfigError,
  type Environment,
  givenDocument,
  noDocument,
  type Path,
  readDocument,
  type Sources,
  sourcesIn,
  sourcesOfImplied,
  withoutPlaces,
} from './document.ts';
import { explainIssues } from './explain.ts';
import { type Flags, type Overrides, readOverrides, type Tape, withoutUpstreams, withUpstreamOverride } from './overrides.ts';
import { bearer, ConfigFile, type FileSettings, providers } from './schema.ts';
import { withStandardGroups } from './schema-models.ts';

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
  const { override, tape = null } = flags;
  const parsed = ConfigFile.safeParse(override ? withUpstreamOverride(document.value, override) : document.value);
  const problems = [
    ...(override ? withoutUpstreams(document.problems) : document.problems),
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
    sources: allSources({ document, overrides, override: override, env }),
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

interface SourcesOf {
  readonly document: ConfigDocument;
  readonly overrides: Overrides;
  readonly override: Flags['override'];
  readonly env: Environment;
}

/** What is set later replaces what the file says. */
function allSources({ document, overrides, override, env }: SourcesOf): Sources {
  const written = sourcesIn(document);
  if (override) return { ...withoutPlaces(written), ...overrides.sources };
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

type Schema = z.core.JSONSchema.BaseSchema;

let schema: Schema | undefined;
/** Built when it is first needed. */
export function configSchema(): Schema {
  schema ??= z.toJSONSchema(ConfigFile, { io: 'input' });
  return schema;
}

export function isSecret(path: Path): boolean {
  const found = path.reduce<readonly Schema[]>((above, part) => above.flatMap((one) => childrenOf(one, part)), [configSchema()]);
  return found.length === 0 || soundsSecret(path.at(-1)) || found.some(isMarked);
}

/** A mark that somebody forgot: the name of the key says it too. */
const soundsSecret = (part: PropertyKey | undefined): boolean => /(?:secret|password|token|api_?keys?)$/i.test(String(part));

/** In the value itself, in one of its forms, or anywhere in a list or an object that it holds: these are told as one text. */
const isMarked = (one: Schema): boolean =>
  formsOf(one).some(
    (form) =>
      form.writeOnly === true ||
      [form.items, form.additionalProperties, ...Object.values(form.properties ?? {})].flatMap(asSchemas).some(isMarked),
  );

function childrenOf(one: Schema, part: PropertyKey): Schema[] {
  return formsOf(one).flatMap((form) => {
    if (typeof part === 'number') return asSchemas(form.items);
    const own = form.properties && Object.hasOwn(form.properties, part) ? form.properties[String(part)] : undefined;
    return asSchemas(own ?? form.additionalProperties);
  });
}

/** The schema and every alternative in it. */
const formsOf = (one: Schema): Schema[] => [
  one,
  ...[...(one.oneOf ?? []), ...(one.anyOf ?? []), ...(one.allOf ?? [])].flatMap(asSchemas).flatMap(formsOf),
];

/** JSON Schema allows `true` and lists in places where ours has only schemas. */
function asSchemas(part: unknown): Schema[] {
  // `as`: without those two, only schemas are left.
  return typeof part === 'object' && part !== null && !Array.isArray(part) ? [part as Schema] : [];
}

/** One entry of the catalog. `upstream` is the upstream of its first candidate, `upstreamModel` its name there. */
export type Model = Config['models'][number];

/** A model at one of its candidates. */
export type Candidate = Model & Pick<Model['candidates'][number], 'priority' | 'weight' | 'cost'>;

export interface Catalog {
  find(id: string): Model | undefined;
  /** In the order of the configuration, the same at each call. */
  list(): readonly Model[];
  /** The candidates of a model, in the order of their priority; at least one. */
  candidates(model: Model): readonly Candidate[];
}

export function openCatalog(config: Pick<Config, 'models'>): Catalog {
  const byId = new Map(config.models.map((model) => [model.id, model]));
  const candidates = new Map(config.models.map((model) => [model, candidatesOf(model)]));
  return { find: (id) => byId.get(id), list: () => config.models, candidates: (model) => candidates.get(model) ?? [] };
}

function candidatesOf(model: Model): readonly Candidate[] {
  const { quirks: _ofTheFirst, fields: _too, ...rest } = model;
  return model.candidates.map((candidate) => ({ ...rest, ...candidate }));
}

/** Null when the file is not accessible. */
export type Stamp = string | null;

/** Of the target of the path: a different file under the same name has a different stamp. */
const written = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string => [dev, ino, size, mtimeNs, ctimeNs].join(' ');

/** Synchronous, for a start, which also reads the file synchronously. */
export function stampOf(file: string | null): Stamp {
  try {
    return file === null ? null : written(statSync(file, { bigint: true }));
  } catch {
    return null;
  }
}

/** Asynchronous, for a running gateway: a network folder may be slow. */
export const lookAtStamp = (file: string): Promise<Stamp> => stat(file, { bigint: true }).then(written, () => null);

type Headers = Readonly<Record<string, string>>;

/** Those of its `auth`, otherwise those of its kind. */
export function keyHeadersOf({ kind, auth }: Pick<HttpUpstreamConfig, 'kind' | 'auth'>, key: string): Headers {
  if (auth?.type === 'header') return { [auth.name]: key };
  return auth?.type === 'bearer' ? bearer(key) : providers[kind].keyHeaders(key);
}

/** The headers of every request of its kind where it has a credential, without those that the configuration sets. */
export function kindHeadersOf({ kind, auth, apiKey, apiKeys, headers }: HttpUpstreamConfig): Headers {
  if (auth === undefined && apiKey === undefined && apiKeys === undefined) return {};
  const written = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(providers[kind].headers).filter(([name]) => !written.has(name)));
}
