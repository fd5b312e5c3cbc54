/** Starts private PostgreSQL and Redis servers with the programs of this machine, each with a free port, a temporary folder and a password. */
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
  /** Suspends the server (SIGSTOP): connections stay open, but no data comes. */
  pause(): void;
  resume(): void;
  /** Ends the server at once. `restart` starts it again. */
  stop(): Promise<void>;
  /** Starts it again on the same port. PostgreSQL keeps its data, Redis does not. */
  restart(): Promise<void>;
  /** Ends the server and deletes its files. */
  close(): Promise<void>;
}

export interface PostgresSettings {
  /** Whether each commit waits for the disk. Tests that simulate no power failure do not need it. */
  readonly fsync?: boolean;
  /** More settings of postgresql.conf, by name. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** Why PostgreSQL is not available, for the names of skipped tests; null when it is. */
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
  /** The number of numbered databases. */
  readonly databases?: number;
  /** Makes it a node of a cluster, whose nodes share this password. It holds no keys yet. */
  readonly clusterPassword?: string;
}

export async function startRedis({ databases = 16, clusterPassword }: RedisSettings = {}): Promise<PrivateServer> {
  const folder = ownFolder('modelgate-redis-', null);
  const password = clusterPassword ?? randomBytes(18).toString('hex');
  const port = await freePort();
  // Not as arguments, which every user of the machine can read.
  const node = clusterPassword !== undefined ? `cluster-enabled yes\ncluster-port ${await freePort()}\n` : '';
  const input = `bind 127.0.0.1\nport ${port}\nrequirepass ${password}\ndatabases ${databases}\nsave ""\nappendonly no\ndir ${folder}\n${node}`;
  const url = `redis://:${password}@127.0.0.1:${port}`;
  return opened(
    url,
    folder,
    serverProcess({ command: find('redis-server', []) ?? 'redis-server', args: ['-'], input, user: null, folder }),
    'SIGKILL',
  );
}

/** Starts the server. When that fails, ends it, deletes its folder and throws. `end`: the signal that ends it. */
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

/** Finds PostgreSQL's programs: Debian installs them by version, outside of PATH. */
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
