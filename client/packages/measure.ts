/** Measures the packed gateway on this machine: size, start time, `--help` time, and idle memory of a process and a worker. The budgets assume two idle cores. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { version } from './manifest.ts';

const run = promisify(execFile);
const ROUNDS = 5;
/** Time until the work after a start has finished, in milliseconds. */
const IDLE_MS = 8_000;

/** Maximum value of each measurement, in the units below. */
const budgets = {
  tarball: 5.7,
  'start to first answer': 1_000,
  '--version': 150,
  '--help': 150,
  'memory, idle': 120,
  'memory after a call': null,
  'memory of another worker': null,
} as const;
type Measurement = keyof typeof budgets;
const units: Readonly<Record<Measurement, string>> = {
  tarball: 'MB',
  'start to first answer': 'ms',
  '--version': 'ms of CPU',
  '--help': 'ms of CPU',
  'memory, idle': 'MiB',
  // Includes the heartbeat thread, which starts with the first call.
  'memory after a call': 'MiB',
  // Shared memory counts once for all processes.
  'memory of another worker': 'MiB',
};

interface StartTarget {
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  /** Parent folder of the data folders. Each start gets a new one. */
  readonly scratch: string;
}

/** Measures the tarball in `folder`, which `npm run pack` creates. Returns one row per measurement, and marks rows over budget. */
export async function drawGateway(folder: string): Promise<readonly string[]> {
  return [...(await measureGateway(folder))].map(([name, value]) => formatRow(name, value));
}

/** Returns the measurements as numbers, in the same units. */
export async function measureGateway(folder: string): Promise<ReadonlyMap<Measurement, number>> {
  const tarball = join(folder, `modelgate-${version}.tgz`);
  const scratch = await mkdtemp(join(tmpdir(), 'modelgate-measure-'));
  try {
    const place = { program: join(scratch, 'modelgate/dist/launch.js'), env: createEnvironment(scratch), scratch };
    await mkdir(join(scratch, 'modelgate'));
    await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(scratch, 'modelgate')]);
    const starts = await repeatRounds(() => startOnce(place, { asks: true, idleMs: 0 }));
    const idle = await startOnce(place, { asks: false, idleMs: IDLE_MS });
    const used = await startOnce(place, { asks: true, idleMs: IDLE_MS });
    const two = await startOnce(place, { asks: false, idleMs: IDLE_MS, workers: 2 });
    const three = await startOnce(place, { asks: false, idleMs: IDLE_MS, workers: 3 });
    return new Map<Measurement, number>([
      ['tarball', (await stat(tarball)).size / 1e6],
      ['start to first answer', Math.min(...starts.map(({ answered }) => answered))],
      ['--version', Math.min(...(await repeatRounds(() => measureCpuMs(place, '--version'))))],
      ['--help', Math.min(...(await repeatRounds(() => measureCpuMs(place, '--help'))))],
      ['memory, idle', idle.memory],
      ['memory after a call', used.memory],
      ['memory of another worker', three.memory - two.memory],
    ]);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function formatRow(name: Measurement, value: number): string {
  const most = budgets[name];
  const verdict = most === null ? '' : ` of ${most}${value > most ? ': TOO MUCH' : ''}`;
  return `${name.padEnd(22)} ${value.toFixed(name === 'tarball' ? 1 : 0).padStart(6)} ${units[name].padEnd(9)}${verdict}`;
}

/** Omits environment variables that configure Node or the gateway. */
const createEnvironment = (home: string): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, HOME: home, MODELGATE_LOG_LEVEL: 'silent' });

/** Discards the first round, which fills the compile cache. */
async function repeatRounds<T>(work: () => Promise<T>): Promise<T[]> {
  await work();
  const results: T[] = [];
  for (let round = 0; round < ROUNDS; round++) results.push(await work());
  return results;
}

interface Start {
  /** Whether to send a chat request as soon as the gateway listens. */
  readonly asks: boolean;
  /** Time to wait before memory is read, in milliseconds. */
  readonly idleMs: number;
  /** Defaults to a single process. */
  readonly workers?: number;
}

/** `answered` is the time from the start of the process to the response of a chat request, in milliseconds. */
async function startOnce(
  { program, env, scratch }: StartTarget,
  { asks, idleMs, workers = 1 }: Start,
): Promise<{ readonly answered: number; readonly memory: number }> {
  const words = [program, 'serve', '--port', '0', '--workers', String(workers), '--data', await mkdtemp(join(scratch, 'data-'))];
  const began = performance.now();
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    const banner = await readBanner(child.stdout);
    if (asks) await askChat(banner);
    const answered = performance.now() - began;
    await wait(idleMs);
    return { answered, memory: await (workers === 1 ? readMemoryMiB(child.pid) : readTreeMiB(child.pid)) };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

interface Banner {
  readonly baseUrl: string;
  readonly key: string;
}

async function askChat({ baseUrl, key }: Banner): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hi' }] });
  const answer = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`The first answer has status ${answer.status}: ${await answer.text()}`);
  await answer.text();
}

async function readBanner(output: NodeJS.ReadableStream): Promise<Banner> {
  let baseUrl: string | undefined;
  for await (const line of createInterface(output)) {
    baseUrl ??= /Base URL\s+(\S+)/.exec(line)?.[1];
    const key = /API key\s+(\S+)/.exec(line)?.[1];
    if (baseUrl !== undefined && key !== undefined) return { baseUrl, key };
  }
  throw new Error('The gateway did not say where it listens.');
}

/** Returns the resident memory in MiB. */
async function readMemoryMiB(pid: number | undefined): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1_024;
}

/** Returns the memory of the process and its children in MiB, or NaN where the system doesn't report how much of it they share. */
async function readTreeMiB(pid: number | undefined): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--pid', String(pid), '--ppid', String(pid)]);
  const sizes = stdout
    .trim()
    .split(/\s+/)
    .map(async (one) => {
      const rollup = await readFile(`/proc/${one}/smaps_rollup`, 'utf8').catch(() => '');
      return Number(/^Pss: +(\d+)/m.exec(rollup)?.[1] ?? Number.NaN) / 1_024;
    });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Returns the CPU time of the process and its threads, in milliseconds. */
async function measureCpuMs({ program, env }: StartTarget, word: string): Promise<number> {
  const report =
    "process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write(String((user + system) / 1e3)); });";
  const { stderr } = await run(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(report)}`, program, word], {
    env,
  });
  return Number(stderr);
}
