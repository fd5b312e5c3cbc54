/** Processes of the benchmark: pinned to a core where the machine can do that, asked over IPC, gone when it ends. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Used } from './probe.ts';
import type { ThreadClock } from './sqlite-clock.ts';

const probe = new URL('./probe.ts', import.meta.url).href;
const running = new Set<ChildProcess>();
const exitMs = 60_000;

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Core numbers, or null where pinning is not possible. */
export interface Cores {
  readonly server: number;
  readonly load: number;
  readonly all: readonly number[];
}

interface Start {
  /** Arguments of node: script first. */
  readonly args: readonly string[];
  readonly core?: number | readonly number[] | undefined;
  readonly env?: NodeJS.ProcessEnv;
  /** File descriptor for all that it prints. */
  readonly output?: number;
  /** A module to load before the program. */
  readonly preload?: string | undefined;
}

/** Finds two cores that this process may use. */
export function findCores(): Cores | null {
  if (spawnSync('taskset', ['--version']).status !== 0) return null;
  const list = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  const cores = list.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
  const [load, server] = [cores[0], cores.at(-1)];
  return load === undefined || server === undefined || load === server ? null : { server, load, all: cores };
}

/** Moves this process, with all its threads, to a core. */
export function pinSelf(core: number): void {
  pin(process.pid, [core]);
}

export function pin(pid: number, cores: readonly number[]): void {
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores.join(','), String(pid)]);
}

export class Child {
  readonly #process: ChildProcess;

  constructor({ args, core, env, output, preload }: Start) {
    const command = [process.execPath, '--import', probe, ...(preload === undefined ? [] : ['--import', preload]), ...args];
    const [program = '', ...rest] = core === undefined ? command : ['taskset', '--cpu-list', String(core), ...command];
    const print = output ?? 'inherit';
    this.#process = spawn(program, rest, { stdio: ['ignore', output ?? 'ignore', print, 'ipc'], env: { ...process.env, ...env } });
    running.add(this.#process);
    this.#process.on('exit', () => running.delete(this.#process));
  }

  /** Whether it has ended, wished for or not. */
  get hasExited(): boolean {
    return !running.has(this.#process);
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** The port that one of our own servers announces. */
  async port(): Promise<number> {
    return Number(await this.#answer('port'));
  }

  async used(): Promise<Used> {
    // `as`: the probe is ours and sends nothing else under this name.
    return (await this.#answer('used', 'used')) as Used;
  }

  /** The same, after garbage has been collected. */
  async settle(): Promise<Used> {
    // `as`: as above.
    return (await this.#answer('used', 'settle')) as Used;
  }

  /** Of the main thread first, where `sqlite-clock.ts` is loaded. */
  async clocks(): Promise<readonly ThreadClock[]> {
    // `as`: the module is ours.
    return (await this.#answer('clocks', 'clocks')) as readonly ThreadClock[];
  }

  /** When the next caller hung up on the vendor of whom nobody was told yet, in nanoseconds by the clock of the machine. */
  async hungUp(): Promise<bigint> {
    return BigInt(String(await this.#answer('hungUp', 'hungUp')));
  }

  async stop(): Promise<void> {
    if (this.hasExited) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), exitMs);
    await exited;
    clearTimeout(timer);
  }

  async #answer(name: string, question?: string): Promise<unknown> {
    const stop = new AbortController();
    const exit = once(this.#process, 'exit', stop).then(() => Promise.reject(new Error('a server of the benchmark has died')));
    // Listening before asking, so that no answer is missed.
    const heard = this.#hear(name, stop.signal);
    if (question !== undefined) this.#process.send(question);
    try {
      return await Promise.race([heard, exit]);
    } finally {
      exit.catch(() => undefined);
      stop.abort();
    }
  }

  async #hear(name: string, signal: AbortSignal): Promise<unknown> {
    for (;;) {
      const [message] = await once(this.#process, 'message', { signal });
      if (typeof message === 'object' && message !== null && name in message) return message[name];
    }
  }
}

/** Where calls go, and what they say. */
export interface Asking {
  /** Without a path. */
  readonly origin: string;
  readonly key: string;
  /** Takes turns with these instead. */
  readonly keys?: readonly string[];
  /** Beside the key. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server whose CPU can be read. */
export interface Loaded extends Asking {
  readonly child: { used(): Promise<Pick<Used, 'cpuMicros'>> };
  stop(): Promise<void>;
}

export interface Running extends Loaded {
  readonly child: Child;
}
