/** Private PostgreSQL and Redis servers from the programs of this machine: a free port, a temporary folder and a password of their own. */
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { type ServerProcess, serverProcess, type User } from './server-process.ts';

export interface PrivateServer {
  readonly url: string;
  /** As with SIGSTOP: connections stay open, and nothing comes over them. */
  pause(): void;
  resume(): void;
  /** The server ends at once; `restart` brings it back. */
  stop(): Promise<void>;
  /** On the same port; PostgreSQL has its data still, Redis has none. */
  restart(): Promise<void>;
  /** Ends it for good and deletes its files. */
  close(): Promise<void>;
}

export interface PostgresSettings {
  /** Whether it waits for the disk at each commit, as it should where money is real; tests that pull no plug need not. */
  readonly fsync?: boolean;
  /** More settings of postgresql.conf, by name. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** Why there can be no PostgreSQL here, or null; to be told with every test that is left out. */
export const postgresMissing: string | null = missing('PostgreSQL', ['postgres', 'initdb'], postgresFolders());
export const redisMissing: string | null = missing('Redis', ['redis-server'], []);

export async function startPostgres({ fsync = false, settings = {} }: PostgresSettings = {}): Promise<PrivateServer> {
  const user = unprivileged();
  const folder = ownFolder('modelgate-postgres-', user);
  const password = randomBytes(18).toString('hex');
  const data = join(folder, 'data');
  await makeCluster({ folder, data, password, user });
  const port = await freePort();
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port,
    max_connections: 300,
    shared_buffers: '128MB',
    fsync: fsync ? 'on' : 'off',
    ...settings,
  };
  const args = ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const command = find('postgres', postgresFolders()) ?? 'postgres';
  const url = `postgres://modelgate:${password}@127.0.0.1:${port}/postgres`;
  return opened(url, folder, serverProcess({ command, args, user, folder }), 'SIGQUIT');
}

export interface RedisSettings {
  /** How many numbered databases it has. */
  readonly databases?: number;
}

export async function startRedis({ databases = 16 }: RedisSettings = {}): Promise<PrivateServer> {
  const folder = ownFolder('modelgate-redis-', null);
  const password = randomBytes(18).toString('hex');
  const port = await freePort();
  // Not as arguments: everyone on the machine may read those.
  const input = `bind 127.0.0.1\nport ${port}\nrequirepass ${password}\ndatabases ${databases}\nsave ""\nappendonly no\ndir ${folder}\n`;
  const url = `redis://:${password}@127.0.0.1:${port}`;
  return opened(
    url,
    folder,
    serverProcess({ command: find('redis-server', []) ?? 'redis-server', args: ['-'], input, user: null, folder }),
    'SIGKILL',
  );
}

/** With the folder of a server that is up. */
async function opened(url: string, folder: string, server: ServerProcess, end: NodeJS.Signals): Promise<PrivateServer> {
  const close = async (): Promise<void> => {
    await server.stop(end);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await server.start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    pause: server.pause,
    resume: server.resume,
    stop: () => server.stop(end),
    async restart() {
      await server.stop(end);
      await server.start();
    },
    close,
  };
}

interface Cluster {
  readonly folder: string;
  readonly data: string;
  readonly password: string;
  readonly user: User | null;
}

async function makeCluster({ folder, data, password, user }: Cluster): Promise<void> {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  const options = ['-D', data, '-U', 'modelgate', '--pwfile', passwordFile, '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C'];
  const command = find('initdb', postgresFolders()) ?? 'initdb';
  await promisify(execFile)(command, [...options, '--no-sync', '--no-instructions'], { ...user, cwd: folder });
  rmSync(passwordFile);
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): User | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((option) => idOf(option, name));
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new Error('PostgreSQL does not run as root, and this machine knows neither a user "postgres" nor "nobody".');
}

function idOf(option: string, name: string): number | undefined {
  try {
    return Number(execFileSync('id', [option, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    return undefined;
  }
}

function ownFolder(prefix: string, user: User | null): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  if (user) chownSync(folder, user.uid, user.gid);
  return folder;
}

/** Debian keeps the servers of PostgreSQL off the path, by version. */
function postgresFolders(): string[] {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return [];
  const newestFirst = readdirSync(versions).sort((one, other) => Number(other) - Number(one));
  return newestFirst.map((version) => join(versions, version, 'bin'));
}

function find(program: string, more: readonly string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...more];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

function missing(product: string, programs: readonly string[], folders: readonly string[]): string | null {
  const absent = programs.filter((program) => find(program, folders) === undefined);
  return absent.length === 0 ? null : `${product} is not installed here: ${absent.join(' and ')} not found on the path.`;
}
