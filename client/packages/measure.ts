/** What the packed gateway costs on this machine: weight, start, help and idle memory, each beside what it may be on two idle cores. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { version } from './manifest.ts';

const run = promisify(execFile);
const ROUNDS = 5;
/** Long enough for what a process does by itself after its start. */
const IDLE_MS = 8_000;

/** What each may be. */
const budgets = { tarball: 5, 'start to first answer': 1_000, '--version': 150, '--help': 150, 'memory, idle': 120 } as const;
type Measured = keyof typeof budgets;
const units: Readonly<Record<Measured, string>> = {
  tarball: 'MB',
  'start to first answer': 'ms',
  '--version': 'ms of CPU',
  '--help': 'ms of CPU',
  'memory, idle': 'MB',
};

interface Place {
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  readonly data: string;
}

/** Of `folder`, where `npm run pack` has put the tarball. A row for each number; what is over its budget says so. */
export async function measureGateway(folder: string): Promise<readonly string[]> {
  const tarball = join(folder, `modelgate-${version}.tgz`);
  const scratch = await mkdtemp(join(tmpdir(), 'modelgate-measure-'));
  try {
    const place = { program: join(scratch, 'modelgate/dist/launch.js'), env: ownEnvironment(scratch), data: join(scratch, 'data') };
    await mkdir(join(scratch, 'modelgate'));
    await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(scratch, 'modelgate')]);
    const starts = await repeat(() => startOnce(place, 0));
    const { memory } = await startOnce(place, IDLE_MS);
    const rows: readonly (readonly [Measured, number])[] = [
      ['tarball', (await stat(tarball)).size / 1e6],
      ['start to first answer', Math.min(...starts.map(({ answered }) => answered))],
      ['--version', Math.min(...(await repeat(() => cpuOf(place, '--version'))))],
      ['--help', Math.min(...(await repeat(() => cpuOf(place, '--help'))))],
      ['memory, idle', memory],
    ];
    return rows.map(([name, value]) => rowOf(name, value));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function rowOf(name: Measured, value: number): string {
  const isOver = value > budgets[name];
  return `${name.padEnd(22)} ${value.toFixed(name === 'tarball' ? 1 : 0).padStart(6)} ${units[name].padEnd(9)} of ${budgets[name]}${isOver ? ': TOO MUCH' : ''}`;
}

/** A person's own, without what a developer's shell says to Node or to the gateway. */
const ownEnvironment = (home: string): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, HOME: home, MODELGATE_LOG_LEVEL: 'silent' });

/** The first round fills the cache of what is compiled, and does not count. */
async function repeat<T>(work: () => Promise<T>): Promise<T[]> {
  await work();
  const results: T[] = [];
  for (let round = 0; round < ROUNDS; round++) results.push(await work());
  return results;
}

async function startOnce(place: Place, idleMs: number): Promise<{ readonly answered: number; readonly memory: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, [place.program, 'serve', '--port', '0', '--data', place.data], {
    env: place.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const baseUrl = await readBaseUrl(child.stdout);
    await (await fetch(new URL('/livez', baseUrl))).text();
    const answered = performance.now() - began;
    await wait(idleMs);
    return { answered, memory: await memoryOf(child.pid) };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

async function readBaseUrl(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const found = /Base URL\s+(\S+)/.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error('The gateway did not say where it listens.');
}

/** Megabytes that are resident; as Linux counts them, and `ps` elsewhere. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return (Number(stdout) * 1_024) / 1e6;
}

/** Milliseconds of processor time, of the process and its threads. */
async function cpuOf({ program, env }: Place, word: string): Promise<number> {
  const tell =
    "process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write(String((user + system) / 1e3)); });";
  const { stderr } = await run(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(tell)}`, program, word], { env });
  return Number(stderr);
}
