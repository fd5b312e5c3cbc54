/** Overrides of the file: flags first, then the environment. */
import type { z } from 'zod';
import type { Environment } from './document.ts';
import { issueFault } from './explain.ts';
import type { Path, Problem } from './problems.ts';
import { pathText } from './problems.ts';
import { ConfigFile } from './schema.ts';
import { byFlag, byVariable, type Source, type Sources } from './sources.ts';
import type { StandIn } from './stand-in.ts';
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
  readonly standIn?: StandIn | undefined;
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
