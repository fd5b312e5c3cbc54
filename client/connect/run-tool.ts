/** Runs the tool itself on a small task over the gateway, for `--test`. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ConnectError } from './gateway-calls.ts';
import type { Connection, Recipe } from './recipes/recipe.ts';

export interface TestResult {
  readonly isDone: boolean;
  /** The result as one sentence. */
  readonly text: string;
  /** The tool's output, if it failed. */
  readonly output?: string;
}

const NOTES_FILE = 'notes.txt';
const ANSWER_FILE = 'answer.txt';
/** A tool knows the word only if it can read the file, and writes it only if it can edit. */
export const PROMPT = `Read the file ${NOTES_FILE} in the current folder. It contains one word. Then create the file ${ANSWER_FILE} with exactly this word in it, and do nothing else.`;
const RUN_TIMEOUT_MS = 180_000;

function findProgram(name: string, path = ''): string | null {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

export interface RunOptions {
  readonly recipe: Recipe;
  readonly connection: Connection;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Signals that end the test. */
  readonly events: SignalEvents;
}

interface SignalEvents {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** Returns null if the tool isn't installed, or can't run without interaction. */
export async function runTool({ recipe, connection, env, events }: RunOptions): Promise<TestResult | null> {
  const { once, name } = recipe;
  const program = once && findProgram(once.program, env.PATH);
  if (!once || !program) return null;
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-connect-'));
  const word = randomBytes(6).toString('hex');
  writeFileSync(join(folder, NOTES_FILE), `${word}\n`);
  const runProgram = (args: readonly string[]) => execute({ program, args, folder, env: { ...env, ...once.env }, events });
  try {
    if (once.around) await runProgram(once.around);
    const startedAt = performance.now();
    const { code, output } = await runProgram(once.args({ prompt: PROMPT, file: NOTES_FILE }));
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    if (once.around) await runProgram(once.around);
    const answerPath = join(folder, ANSWER_FILE);
    if (existsSync(answerPath) && readFileSync(answerPath, 'utf8').includes(word)) {
      return { isDone: true, text: `${name} read a file and wrote another with ${connection.model.id} in ${seconds} s.` };
    }
    const endText = code === null ? 'was stopped' : `ended with exit code ${code}`;
    return { isDone: false, text: `${name} ${endText} after ${seconds} s and didn't write ${ANSWER_FILE}.`, output };
  } catch (error) {
    if (error instanceof ToolFailure) return { isDone: false, text: `${name} can't be started: ${error.message}.` };
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Thrown if the program exists but the system can't run it. */
class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

interface Execution {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly events: SignalEvents;
}

/** Runs in its own process group, so that no child survives exit, timeout, or Ctrl-C. */
async function execute({ program, args, folder, env, events }: Execution): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
  const outputChunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => outputChunks.push(bytes));
  const exit = Promise.withResolvers<number | null>();
  child.on('error', ({ message }) => exit.reject(new ToolFailure(message)));
  // Not `close`, because a process that the tool started may keep the output open.
  child.on('exit', exit.resolve);
  const interrupt = (): void => exit.reject(new ConnectError('The test was interrupted.'));
  const timeout = setTimeout(() => exit.resolve(null), RUN_TIMEOUT_MS);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) events.on(signal, interrupt);
  try {
    const code = await exit.promise;
    return { code, output: String(Buffer.concat(outputChunks)) };
  } finally {
    clearTimeout(timeout);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) events.off(signal, interrupt);
    killProcessGroup(child);
  }
}

function killProcessGroup(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  try {
    if (child.pid !== undefined) process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // The whole group has already ended.
  }
}
