/** Runs a server program: starts, pauses, stops and restarts it, and ends it when this process ends. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { hangLimitMs } from './hang-limit.ts';

export interface ServerProcess {
  start(): Promise<void>;
  stop(signal: NodeJS.Signals): Promise<void>;
  /** Suspends the program and its children (SIGSTOP): connections stay open, but no data comes. */
  pause(): void;
  resume(): void;
}

export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Text for the program's standard input. */
  readonly input?: string;
  /** The user that it runs as; null: the user of this process. */
  readonly user: User | null;
  /** Working directory, deleted when this process ends. */
  readonly folder: string;
}

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL and Redis both print this when they are ready. */
const ready = /ready to accept connections/i;

export function serverProcess(program: ServerProgram): ServerProcess {
  let running: Running | null = null;
  const pids = (): number[] => (running ? [running.pid, ...childrenOf(running.pid)] : []);
  const resume = (): void => signalAll(pids(), 'SIGCONT');
  return {
    async start() {
      running = await launch(program);
    },
    async stop(signal) {
      if (!running) return;
      resume();
      const { child, guard } = running;
      running = null;
      child.ref();
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      child.kill(signal);
      await ended;
      guard.kill('SIGKILL');
    },
    pause() {
      // The parent first, so that it starts no more children.
      if (running) process.kill(running.pid, 'SIGSTOP');
      signalAll(pids(), 'SIGSTOP');
    },
    resume,
  };
}

interface Running {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly guard: ChildProcess;
}

async function launch({ command, args, input, user, folder }: ServerProgram): Promise<Running> {
  // A separate process group, so that Ctrl-C ends only this process, which then ends the server.
  const child = spawn(command, args, { ...user, cwd: folder, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin?.end(input ?? '');
  await untilReady(child, command);
  if (child.pid === undefined) throw new Error(`${command} has no process id`);
  for (const part of [child, child.stdout, child.stderr]) letGo(part);
  return { pid: child.pid, child, guard: guardOf(child.pid, folder) };
}

function untilReady(child: ChildProcess, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (what: string): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`${command} ${what}: ${said.slice(-2_000)}`));
    };
    const timer = setTimeout(() => fail(`was not ready within ${hangLimitMs} ms`), hangLimitMs);
    const hear = (piece: Buffer): void => {
      said = (said + piece.toString()).slice(-10_000);
      if (!ready.test(said)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('error', (error) => fail(error.message));
    // Has no effect after the server was ready.
    child.once('exit', (code) => fail(`ended with ${code}`));
  });
}

/** A process that waits for the end of this one, however it ends, and then kills the server and deletes its files. */
export function guardOf(pid: number, folder: string): ChildProcess {
  const script = 'read -r _; pkill -CONT -P "$1"; kill -CONT "$1"; kill -QUIT "$1"; sleep 1; kill -KILL "$1"; rm -rf "$2"';
  const guard = spawn('sh', ['-c', script, 'guard', String(pid), folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  for (const part of [guard, guard.stdin]) letGo(part);
  return guard;
}

/** Lets this process end while the other one runs. */
function letGo(part: unknown): void {
  if (typeof part === 'object' && part !== null && 'unref' in part && typeof part.unref === 'function') part.unref();
}

function childrenOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return rows.flatMap((row) => {
    const [child, parent] = row.trim().split(/\s+/).map(Number);
    return parent === pid && child !== undefined ? [child] : [];
  });
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // The child may have ended already.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}
