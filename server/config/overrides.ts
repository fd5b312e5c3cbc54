/** Overrides of the file: flags first, then the environment. */
import type { z } from 'zod';
import { byFlag, byVariable, type Environment, type Path, type Problem, pathText, type Source, type Sources } from './document.ts';
import { issueFault } from './explain.ts';
import { ConfigFile, type FileSettings } from './schema.ts';
import { DatabaseUrl, RedisUrl } from './values.ts';

/** A folder with recorded calls: to record into, or to replay from. */
export interface Tape {
  readonly kind: 'record' | 'replay';
  /** An absolute path. */
  readonly folder: string;
}

/** The command-line options that override the configuration. */
export interface Flags {
  readonly file?: string | undefined;
  /** The content of a configuration file, from a program without one. */
  readonly settings?: object | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly workers?: number | 'auto' | undefined;
  readonly data?: string | undefined;
  /** Replaces all upstreams. */
  readonly override?: UpstreamOverride | undefined;
  /** Where calls are recorded or replayed. */
  readonly tape?: Tape | undefined;
  /** Base of relative paths; by default the working directory of the process. */
  readonly workingFolder?: string | undefined;
}

const { host, port, workers } = ConfigFile.shape.server.unwrap().shape;
const { level } = ConfigFile.shape.log.unwrap().shape;
const { data } = ConfigFile.shape;

const VARIABLE = 'environment variable ';

/** One value and its source. */
interface Said {
  readonly where: string;
  readonly value: unknown;
}

export interface Overrides {
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly workers: number | 'auto' | undefined;
  readonly data: string | undefined;
  readonly level: z.infer<typeof level> | undefined;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly problems: readonly Problem[];
  /** Of the keys that are set here. */
  readonly sources: Sources;
}

export function readOverrides(flags: Flags, env: Environment): Overrides {
  const problems: Problem[] = [];
  const sources: Record<string, Source> = {};
  const check = <T>(schema: z.ZodType<T>, path: Path, said: Said | undefined): T | undefined => {
    if (said === undefined) return undefined;
    const parsed = schema.safeParse(said.value);
    if (parsed.success) {
      sources[pathText(path)] = said.where.startsWith('--') ? byFlag(said.where) : byVariable(said.where.replace(VARIABLE, ''));
      return parsed.data;
    }
    const [issue] = parsed.error.issues;
    if (issue !== undefined)
      problems.push({ where: said.where, key: pathText(path), ...issueFault(issue, path, nested(path, said.value)) });
    return undefined;
  };
  return {
    host: check(host, ['server', 'host'], flag('--host', flags.host) ?? variable(env, 'HOST')),
    port: check(port, ['server', 'port'], flag('--port', flags.port) ?? number(variable(env, 'PORT'))),
    workers: check(workers, ['server', 'workers'], flag('--workers', flags.workers) ?? number(variable(env, 'MODELGATE_WORKERS'))),
    data: check(data, ['data'], flag('--data', flags.data) ?? variable(env, 'MODELGATE_DATA')),
    level: check(level, ['log', 'level'], variable(env, 'MODELGATE_LOG_LEVEL')),
    databaseUrl: check(DatabaseUrl, ['database', 'url'], variable(env, 'DATABASE_URL')),
    redisUrl: check(RedisUrl, ['redis', 'url'], variable(env, 'REDIS_URL')),
    problems,
    sources,
  };
}

function flag(where: string, value: unknown): Said | undefined {
  return value === undefined ? undefined : { where, value };
}

/** A variable that is set but empty, as container tools do, counts as unset. */
function variable(env: Environment, name: string): Said | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : { where: `${VARIABLE}${name}`, value };
}

/** The environment holds strings only. */
function number(said: Said | undefined): Said | undefined {
  return said !== undefined && /^\d+$/.test(String(said.value)) ? { ...said, value: Number(said.value) } : said;
}

function nested(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
}

export interface UpstreamOverride {
  /** Name of the only upstream. */
  readonly name: 'simulator' | 'replay';
  readonly seed?: string | undefined;
  /** An ISO time. */
  readonly clock?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The configuration with that as its only upstream; for callers the models stay the same. */
export function withUpstreamOverride(value: unknown, { name, seed, clock }: UpstreamOverride): unknown {
  if (!isFields(value)) return value;
  const { upstreams, models, server, ...rest } = value;
  const fixed = { ...(seed !== undefined && { seed }), ...(clock !== undefined && { clock }) };
  return {
    ...rest,
    ...withoutLoadShedding(server),
    upstreams: { [name]: { ...simulatorIn(upstreams), ...fixed } },
    ...(models !== undefined && { models: Array.isArray(models) ? models.map(withoutPlaces) : models }),
  };
}

/** A machine that runs tests is busy, so a mock does not shed load unless the file says so. */
function withoutLoadShedding(server: unknown): Fields {
  // The schema reports a value that is not a section.
  if (server !== undefined && !isFields(server)) return { server };
  const shed = server?.shed;
  return { server: { ...server, shed: shed === undefined || isFields(shed) ? { loopDelayMs: 0, ...shed } : shed } };
}

/** The delays that the file sets for its simulator still apply. */
function simulatorIn(upstreams: unknown): Fields {
  const found = isFields(upstreams)
    ? Object.values(upstreams).find((upstream) => isFields(upstream) && upstream.kind === 'simulator')
    : null;
  const { protocols: _, ...settings } = isFields(found) ? found : { kind: 'simulator', protocols: undefined };
  return settings;
}

function withoutPlaces(model: unknown): unknown {
  if (!isFields(model)) return model;
  const { upstream: _, upstreamModel: __, protocols: ___, candidates: ____, ...rest } = model;
  return rest;
}

/** A missing key of a provider does not matter here. */
export const withoutUpstreams = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ key }) => key !== 'upstreams' && !key.startsWith('upstreams.'));

type Entry = NonNullable<FileSettings['models']>[number];

const text = (id: string, input: string, output: string): Entry => ({
  id,
  kind: 'text',
  prices: { input, cachedInput: tenth(input), output, tools: { web_search_call: '0.01' } },
  maxOutputTokens: 128_000,
  limits: {},
});

/** A tenth of a price of at least a cent. */
const tenth = (dollars: string): string => {
  const [whole = '0', fraction = ''] = dollars.split('.');
  const digits = whole.padStart(2, '0');
  return `${digits.slice(0, -1)}.${digits.slice(-1)}${fraction}`;
};

export const standardModels: readonly Entry[] = [
  text('gpt-5.5', '2.5', '20'),
  text('codex-auto-review', '1.25', '10'),
  text('gpt-5.2', '1.75', '14'),
  text('gpt-5.3-codex', '1.75', '14'),
  text('gpt-5.4', '1.25', '10'),
  text('gpt-5.4-mini', '0.25', '2'),
  {
    id: 'gpt-image-2',
    kind: 'image',
    prices: { images: { '*/low': '0.016', '*/medium': '0.063', '*/high': '0.25', default: '0.25' } },
    limits: {},
  },
];
