/** Runs all checks of `modelgate doctor` in sequence, so that each check is timed separately. */

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from '../access/pepper.ts';
import { type Config, type HttpUpstreamConfig, limitCounter, type UpstreamConfig } from '../config/config.ts';
import { differencesIn, readPublicModels } from '../config/public-models.ts';
import { STANDARD_ADMIN_PORT } from '../config/schema-server.ts';
import { databaseFile } from '../storage/sqlite/database.ts';
import { DAY_MS, examineIssuer, examineListener, examineUpstream, type Listener } from './network.ts';
import {
  codeOf,
  examine,
  examinePepper,
  examinePostgres,
  examineRedis,
  examineSqlite,
  type Finding,
  fault,
  milliseconds,
  ok,
  skipped,
  timed,
  type Verdict,
  warning,
} from './stores.ts';

export interface Examination {
  readonly config: Config;
  readonly env: Environment;
  /** Whether to request the model lists of upstreams with their keys. */
  readonly asksForModels: boolean;
}

export async function examineAll({ config, env, asksForModels }: Examination): Promise<Finding[]> {
  const { data, database, redis } = config;
  const upstreams = Object.values(config.upstreams);
  const parts: readonly (readonly [string, () => Verdict | Promise<Verdict>])[] = [
    [
      'configuration',
      () => ok(`${config.file ?? 'no file'}, ${count(config.models.length, 'model')}, ${count(upstreams.length, 'upstream')}`),
    ],
    ['data folder', () => examineFolder(data)],
    ['pepper', () => examinePepper(config, env)],
    ['database', () => (database.url === undefined ? examineSqlite(data) : examinePostgres(database.url))],
    [
      'redis',
      () =>
        redis.url === undefined ? skipped(`not configured; limits are counted in ${limitCounter(config.server)}`) : examineRedis(redis.url),
    ],
    ...upstreams.map((upstream) => [`upstream ${upstream.name}`, () => look(upstream, asksForModels)] as const),
    ...issuersOf(config).map((oidc) => ['single sign-on', () => examineIssuer(oidc)] as const),
    ['public models', () => examineModels(config)],
    ['clock', () => examineClock(data)],
    ['open files', () => examineOpenFiles(upstreams.filter(isRemote).reduce((sum, { connections }) => sum + connections, 0))],
    ...listenersOf(config).map(([name, listener]) => [name, () => examineListener(listener)] as const),
  ];
  const findings: Finding[] = [];
  for (const [part, work] of parts) findings.push(await examine(part, work));
  return findings;
}

const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`;
const isRemote = (upstream: UpstreamConfig): upstream is HttpUpstreamConfig => upstream.kind !== 'simulator';
const look = (upstream: UpstreamConfig, asksForModels: boolean): Verdict | Promise<Verdict> =>
  isRemote(upstream) ? examineUpstream(upstream, asksForModels) : skipped('built in; needs no connection');

const issuersOf = ({ admin: { oidc } }: Config) => (oidc ? [oidc] : []);

function listenersOf({ server, admin, metrics }: Config): (readonly [string, Listener])[] {
  return [
    ['port', { ...server, health: '/readyz', setting: 'server.port (--port)' }],
    ...(admin.enabled
      ? [
          [
            'admin port',
            { ...admin, health: '/admin/openapi.json', setting: 'admin.port', mayMove: admin.port === STANDARD_ADMIN_PORT },
          ] as const,
        ]
      : []),
    ...(metrics.enabled ? [['metrics port', { ...metrics, health: null, setting: 'metrics.port' }] as const] : []),
  ];
}

const MEBIBYTE = 1_048_576;
/** Less free space than the first value is a fault, less than the second a warning. */
const MIN_FREE_BYTES = 100 * MEBIBYTE;
const LITTLE_FREE = 1024 * MEBIBYTE;
/** A slower fsync is a warning, because every durable commit waits for one. */
const SLOW_FSYNC_MS = 50;
const PROBES = 5;

export async function examineFolder(folder: string): Promise<Verdict> {
  if (!existsSync(folder)) return absent(folder);
  if (!statSync(folder).isDirectory()) return fault(`${folder} isn't a folder`, 'Move the file, or specify another folder with --data.');
  const free = freeBytes(folder);
  if (free < MIN_FREE_BYTES) return fault(`${mebibytes(free)} free in ${folder}`, 'Free up disk space: a full disk stops every paid call.');
  const written = await probe(folder);
  if (typeof written !== 'number') return written;
  const facts = `${folder}, ${mebibytes(free)} free, fsync ${milliseconds(written)}`;
  const open = openToOthers(folder);
  if (open !== undefined)
    return warning(`${facts}; other users of this machine can read ${open}`, `Remove that permission: chmod go-rwx '${open}'`);
  if (free < LITTLE_FREE) return warning(facts, 'Free up disk space soon: a full disk stops every paid call.');
  if (written > SLOW_FSYNC_MS) return warning(facts, 'Use a faster disk: with durability: strict, every paid call waits for it.');
  return ok(facts);
}

/** Checks that the first start can create the folder. */
function absent(folder: string): Verdict {
  let parent = dirname(folder);
  while (!existsSync(parent)) parent = dirname(parent);
  try {
    accessSync(parent, constants.W_OK);
    if (!statSync(parent).isDirectory()) throw new Error(`${parent} isn't a folder`);
    return ok(`${folder} doesn't exist yet; the first start creates it`);
  } catch {
    return fault(
      `${folder} doesn't exist, and this user can't create it`,
      `Create it for the gateway's user, or specify another folder with --data.`,
    );
  }
}

const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};
const mebibytes = (bytes: number): string =>
  bytes >= LITTLE_FREE ? `${Math.floor(bytes / LITTLE_FREE)} GiB` : `${Math.floor(bytes / MEBIBYTE)} MiB`;

/** Returns the median time of several fsyncs of a small file. */
async function probe(folder: string): Promise<number | Verdict> {
  const file = join(folder, `.doctor-${process.pid}`);
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    try {
      const times: number[] = [];
      for (let index = 0; index < PROBES; index++) {
        writeSync(descriptor, Buffer.alloc(4096));
        times.push((await timed(() => fsyncSync(descriptor))).ms);
      }
      return times.toSorted((one, other) => one - other)[Math.floor(PROBES / 2)] ?? 0;
    } finally {
      closeSync(descriptor);
      rmSync(file, { force: true });
    }
  } catch (error) {
    const hint = "Make the gateway's user its owner, or specify another folder with --data.";
    return fault(`${folder} isn't writable (${codeOf(error) ?? 'unknown'})`, hint);
  }
}

/** Returns the first of folder, database, and pepper that other users can read. */
function openToOthers(folder: string): string | undefined {
  const files = [folder, join(folder, 'modelgate.sqlite'), join(folder, 'pepper')];
  return files.find((file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0);
}

/** Build time of this program. A correct clock shows a later time. */
const BORN = Date.parse('2026-11-01T00:00:00Z');
const SLACK_MS = 60_000;

export function examineClock(folder: string, now = Date.now()): Verdict {
  const text = new Date(now).toISOString();
  const hint = 'Synchronize the machine with a time server (timedatectl set-ntp true): expiry, limits, and TLS depend on the clock.';
  if (now < BORN) return fault(`the clock shows ${text}, which is before this program was built`, hint);
  const file = databaseFile(folder);
  const writtenAt = existsSync(file) ? statSync(file).mtimeMs : 0;
  if (writtenAt > now + SLACK_MS) return warning(`the clock shows ${text}, which is before the last write to the database`, hint);
  return ok(text);
}

/** Additional open files: logs, the database, and idle connections of callers. */
const SPARE = 1_024;

/** `connections` is the total of all upstreams. Callers need as many connections again. */
export function examineOpenFiles(connections: number, limits = '/proc/self/limits'): Verdict {
  if (!existsSync(limits)) return skipped('unknown on this system');
  const written = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync(limits, 'utf8'))?.[1] ?? '';
  const most = written === 'unlimited' ? Number.POSITIVE_INFINITY : Number(written);
  const wanted = 2 * connections + SPARE;
  if (most >= wanted) return ok(`${written}; ${wanted} are enough`);
  return warning(
    `${written}; ${wanted} may be needed`,
    `Raise the limit (LimitNOFILE=${wanted} or ulimit -n ${wanted}), or lower 'connections' of the upstreams.`,
  );
}

export function examineModels(config: Config): Verdict {
  const catalog = readPublicModels();
  const found = [...differencesIn(config, catalog)].length;
  const age = Math.max(0, Math.floor((Date.now() - Date.parse(catalog.date)) / DAY_MS));
  const list = `the public prices and limits of ${catalog.date} (${count(age, 'day')} old)`;
  return ok(
    found === 0
      ? `all known models match ${list}`
      : `${found === 1 ? '1 model entry differs' : `${found} model entries differ`} from ${list}; modelgate config check shows where`,
  );
}
