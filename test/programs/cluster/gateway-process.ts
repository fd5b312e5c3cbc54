/** One gateway as a process of its own: started, signalled, restarted, and ended with this process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { compileCache } from '../../harness/compile-cache.ts';
import { launch } from '../../harness/launch.ts';
import { guardOf } from '../../harness/server-process.ts';

export interface GatewayProcess {
  /** Without a path; it changes with each start. */
  readonly origin: string;
  /** Undefined if the configuration has no admin API. */
  readonly adminOrigin: string | undefined;
  /** The key that it made, if it was the first to start on an empty database. */
  readonly firstKey: string | undefined;
  readonly pid: number;
  /** What it has written to stderr, over all starts. */
  readonly logFile: string;
  readonly isRunning: boolean;
  /** Rejects with the end of the log if it exits before it listens. */
  start(): Promise<void>;
  /** Resolves when it has ended, with its exit code; null after a signal, or where it does not run. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface GatewayProgram {
  readonly name: string;
  /** The configuration file. */
  readonly file: string;
  readonly data: string;
  /** Of the whole cluster; the log is in it, and it is deleted should this process die. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Of another version than this one. */
  readonly launch?: string;
}

export function gatewayProcess(program: GatewayProgram): GatewayProcess {
  const logFile = join(program.folder, `${program.name}.log`);
  let child: ChildProcess | null = null;
  let guard: ChildProcess | null = null;
  let banner: Banner | null = null;
  const started = (): Banner => {
    if (!banner) throw new Error(`${program.name} was not started`);
    return banner;
  };
  const isRunning = (): boolean => child !== null && child.exitCode === null && child.signalCode === null;
  return {
    get origin() {
      return started().origin;
    },
    get adminOrigin() {
      return started().adminOrigin;
    },
    get firstKey() {
      return started().firstKey;
    },
    get pid() {
      return started().pid;
    },
    get isRunning() {
      return isRunning();
    },
    logFile,
    async start() {
      const made = launchGateway(program, logFile);
      child = made;
      made.once('exit', () => guard?.kill('SIGKILL'));
      if (made.pid === undefined) throw new Error(`${process.execPath} cannot be started`);
      guard = guardOf(made.pid, program.folder);
      banner = { ...(await readBanner(made.stdout, () => readFileSync(logFile, 'utf8'))), pid: made.pid };
    },
    async stop(signal = 'SIGTERM') {
      if (!child || !isRunning()) return child?.exitCode ?? null;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}

function launchGateway({ file, data, env, launch: entry = launch }: GatewayProgram, logFile: string): ChildProcess {
  mkdirSync(data, { recursive: true });
  const log = openSync(logFile, 'a', 0o600);
  const args = [entry, 'serve', '--config', file, '--data', data, '--host', '127.0.0.1', '--port', '0'];
  // A group of its own: Ctrl-C is for this process, which passes it on. The log is a file: a pipe that nobody reads would hold it up.
  const child = spawn(process.execPath, args, { env: { ...compileCache, ...env }, detached: true, stdio: ['ignore', 'pipe', log] });
  closeSync(log);
  return child;
}

interface Banner {
  readonly origin: string;
  readonly adminOrigin: string | undefined;
  readonly firstKey: string | undefined;
  readonly pid: number;
}

async function readBanner(stdout: Readable | null, readLog: () => string): Promise<Omit<Banner, 'pid'>> {
  if (!stdout) throw new TypeError('the output of the gateway is not read');
  let said = '';
  for await (const piece of stdout.iterator({ destroyOnReturn: false })) {
    said += stripVTControlCharacters(String(piece));
    const origin = /^ +Base URL +(\S+)\/v1$/m.exec(said)?.[1];
    // The last of the rows.
    if (origin === undefined || !/^ +Data .*\n/m.test(said)) continue;
    stdout.resume();
    const adminOrigin = /^ +Admin API +(\S+)\/admin\/docs/m.exec(said)?.[1];
    return { origin, adminOrigin, firstKey: /^ +API key +(mg-\w+)/m.exec(said)?.[1] };
  }
  throw new Error(`a gateway ended before it listened: ${readLog().slice(-2_000)}`);
}
