/** Runs checks with the real `openai` package for Python. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { python } from './tools.ts';

/** The result of a check in `openai_python.py`: its value, or the error that it caught. */
export type Outcome = Readonly<Record<string, unknown>>;

/** One Python process for all checks, because starting an interpreter with the import takes seconds. */
export class PythonClient {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: Interface;
  readonly #answers: AsyncIterator<string>;

  constructor(gateway: { readonly baseURL: string; readonly key: string }) {
    const script = new URL('openai_python.py', import.meta.url).pathname;
    const env = { PATH: process.env.PATH, OPENAI_BASE_URL: gateway.baseURL, OPENAI_API_KEY: gateway.key };
    this.#process = spawn(python.program, [script], { stdio: ['pipe', 'pipe', 'inherit'], env });
    this.#lines = createInterface({ input: this.#process.stdout });
    this.#answers = this.#lines[Symbol.asyncIterator]();
  }

  /** Runs the function of this name. Throws an error that the function did not catch, with its traceback. */
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
