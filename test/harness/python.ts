/** The real `openai` package for Python, in a virtual environment of its own that is kept for the next run. */
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';

const run = promisify(execFile);
const packageVersion = '3.52.0';
const leastPython = [3, 9] as const;
/** A slow package registry is not a missing one. */
const installLimitMs = 240_000;

export type Python = { readonly kind: 'ready'; readonly path: string } | { readonly kind: 'missing'; readonly reason: string };

/** Makes the environment at the first call on a machine. What is missing is said loudly, and in CI it is a failure. */
export async function openPython(): Promise<Python> {
  const home = join(tmpdir(), `modelgate-openai-python-${packageVersion}-${userInfo().uid}`);
  try {
    if (!existsSync(home)) await install(home);
    return { kind: 'ready', path: pythonIn(home) };
  } catch (cause) {
    const reason = `the Python SDK was NOT tested: ${reasonOf(cause)}`;
    if (process.env.CI) throw new Error(reason, { cause });
    console.warn(reason);
    return { kind: 'missing', reason };
  }
}

const pythonIn = (home: string): string => join(home, 'bin', 'python');

/** Made under another name and renamed when it is whole: of two runs that start at once, the second takes what the first made. */
async function install(home: string): Promise<void> {
  const draft = await mkdtemp(`${home}-`);
  try {
    await checkVersion();
    await run('python3', ['-m', 'venv', draft], { timeout: installLimitMs });
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `openai==${packageVersion}`];
    await run(pythonIn(draft), pip, { timeout: installLimitMs });
    await rename(draft, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function checkVersion(): Promise<void> {
  const { stdout } = await run('python3', ['-c', 'import sys; print(*sys.version_info[:2])']);
  const [major = 0, minor = 0] = stdout.trim().split(' ').map(Number);
  const [leastMajor, leastMinor] = leastPython;
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) throw new Error(`python3 is ${major}.${minor}`);
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const written = 'stderr' in cause && typeof cause.stderr === 'string' ? cause.stderr : '';
  const said = written.trim().split('\n').at(-1);
  return said ? said : cause.message;
}

/** What a check of `openai_python.py` came to: its value, or the error that it caught. */
export type Outcome = Readonly<Record<string, unknown>>;

/** One Python process that runs checks as they are asked for: an interpreter and an import for each would take seconds. */
export class PythonClient {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: Interface;
  readonly #answers: AsyncIterator<string>;

  constructor(path: string, gateway: { readonly baseURL: string; readonly key: string }) {
    const script = new URL('openai_python.py', import.meta.url).pathname;
    const env = { PATH: process.env.PATH, OPENAI_BASE_URL: gateway.baseURL, OPENAI_API_KEY: gateway.key };
    this.#process = spawn(path, [script], { stdio: ['pipe', 'pipe', 'inherit'], env });
    this.#lines = createInterface({ input: this.#process.stdout });
    this.#answers = this.#lines[Symbol.asyncIterator]();
  }

  /** Runs the function of this name. What it did not catch itself is thrown here with its traceback. */
  async check(name: string): Promise<Outcome> {
    this.#process.stdin.write(`${name}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error('the Python process has ended');
    const outcome: Outcome = JSON.parse(value);
    if (typeof outcome.traceback === 'string') throw new Error(outcome.traceback);
    return outcome;
  }

  close(): void {
    this.#lines.close();
    this.#process.stdin.end();
  }
}
