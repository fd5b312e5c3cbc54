/** `--test`: the tool itself does a small task over the gateway; where it isn't installed, its calls are made instead. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Connection, Recipe } from '../../client/connect/recipe.ts';
import { type Fields, isFields } from '../primitives/fields.ts';
import { type Answer, streamOf, Violation } from '../verify/check.ts';
import { type Call, ConnectError, describeRejection } from './probe.ts';

export interface Proof {
  readonly isDone: boolean;
  /** A sentence. */
  readonly text: string;
  /** The last lines that the tool printed, if it failed. */
  readonly output?: string;
}

const NOTES = 'notes.txt';
const ANSWER = 'answer.txt';
/** Only who has read the file knows the word, and only who can edit writes it. */
const PROMPT = `Read the file ${NOTES} in the current folder. It contains one word. Then create the file ${ANSWER} with exactly this word in it, and do nothing else.`;
const RUN_LIMIT_MS = 180_000;

export function findProgram(name: string, path = ''): string | null {
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

interface RunOrder {
  readonly recipe: Recipe;
  readonly connection: Connection;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Signals that end the test. */
  readonly events: Events;
}

interface Events {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** Null if the tool isn't installed here. */
export async function runTool({ recipe, connection, env, events }: RunOrder): Promise<Proof | null> {
  const { once, name } = recipe;
  const program = once && findProgram(once.program, env.PATH);
  if (!once || !program) return null;
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-connect-'));
  const word = randomBytes(6).toString('hex');
  writeFileSync(join(folder, NOTES), `${word}\n`);
  const run = (args: readonly string[]) => execute({ program, args, folder, env: { ...env, ...once.env }, events });
  try {
    if (once.around) await run(once.around);
    const startedAt = performance.now();
    const { code, output } = await run(once.args({ prompt: PROMPT, file: NOTES }));
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    if (once.around) await run(once.around);
    const answer = join(folder, ANSWER);
    if (existsSync(answer) && readFileSync(answer, 'utf8').includes(word)) {
      return { isDone: true, text: `${name} read a file and wrote another with ${connection.model.id} in ${seconds} s.` };
    }
    const end = code === null ? 'was stopped' : `ended with exit code ${code}`;
    return { isDone: false, text: `${name} ${end} after ${seconds} s and didn't write ${ANSWER}.`, output };
  } catch (error) {
    if (error instanceof ToolFailure) return { isDone: false, text: `${name} can't be started: ${error.message}.` };
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The program is there, and the system can't run it. */
class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

interface Execution {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly events: Events;
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** In a process group, so that nothing of the tool stays: neither after its end, nor after the limit, nor after Ctrl-C. */
async function execute({ program, args, folder, env, events }: Execution): Promise<Ended> {
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => printed.push(bytes));
  const ended = Promise.withResolvers<number | null>();
  child.on('error', ({ message }) => ended.reject(new ToolFailure(message)));
  // Not `close`: a process that the tool has started may hold its output.
  child.on('exit', ended.resolve);
  const interrupt = (): void => ended.reject(new ConnectError('The test was interrupted.'));
  const limit = setTimeout(() => ended.resolve(null), RUN_LIMIT_MS);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) events.on(signal, interrupt);
  try {
    const code = await ended.promise;
    return { code, output: String(Buffer.concat(printed)) };
  } finally {
    clearTimeout(limit);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) events.off(signal, interrupt);
    endGroup(child);
  }
}

function endGroup(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  try {
    if (child.pid !== undefined) process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // The whole group has ended.
  }
}

/** The same task with the calls that the tool would make: a stream with tools, their results, and so on until the file is written. */
export async function makeCalls(call: Call, { recipe, connection }: Pick<RunOrder, 'recipe' | 'connection'>): Promise<Proof> {
  const word = randomBytes(6).toString('hex');
  const { model } = connection;
  const conversation = recipe.protocol === 'responses' ? responsesOf(call, model.id) : chatOf(call, model.id);
  const startedAt = performance.now();
  for (let turn = 0; turn < 6; turn++) {
    const calls = await conversation.next();
    for (const { id, name, args } of calls) {
      if (name === 'write_file' && args.includes(word)) {
        const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
        return { isDone: true, text: `${model.id} read a file and wrote another with the calls of ${recipe.name} in ${seconds} s.` };
      }
      conversation.add(id, name === 'read_file' ? word : 'done');
    }
    if (calls.length === 0) break;
  }
  return { isDone: false, text: `${model.id} didn't call the tools as the prompt asked. Try another model with --model.` };
}

interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON. */
  readonly args: string;
}

interface Conversation {
  next(): Promise<readonly ToolCall[]>;
  add(id: string, result: string): void;
}

const parameters = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
  additionalProperties: false,
});
const functions = [
  { name: 'read_file', description: 'Reads a file.', parameters: parameters('path') },
  { name: 'write_file', description: 'Writes a file.', parameters: parameters('path', 'content') },
];

const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : []);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

async function streamEvents(call: Call, path: string, body: object): Promise<readonly Fields[]> {
  const answer = await call(path, body);
  if (answer.status !== 200) throw new ConnectError(describeRejection(answer));
  const events = eventsOf(answer);
  const errors = events.map(({ error, response }) => fieldsOf(error ?? fieldsOf(response).error));
  const failed = errors.find(({ message }) => message !== undefined);
  if (failed) throw new ConnectError(`The stream ended with an error: ${String(failed.message)}`);
  return events;
}

function eventsOf(answer: Answer): readonly Fields[] {
  try {
    return streamOf(answer).events.map(({ data }) => data);
  } catch (error) {
    throw error instanceof Violation
      ? new ConnectError(`The response isn't a stream of events: ${error.message}. Check for a proxy in between.`)
      : error;
  }
}

function responsesOf(call: Call, model: string): Conversation {
  const input: Fields[] = [{ role: 'user', content: PROMPT }];
  const tools = functions.map((one) => ({ type: 'function', strict: true, ...one }));
  return {
    async next() {
      const events = await streamEvents(call, '/responses', { model, input, tools, stream: true, store: false });
      const output = list(fieldsOf(events.find(({ type }) => type === 'response.completed')?.response).output);
      input.push(...output);
      const calls = output.filter(({ type }) => type === 'function_call');
      return calls.map(({ call_id: id, name, arguments: args }) => ({ id: String(id), name: String(name), args: String(args) }));
    },
    add: (id, output) => input.push({ type: 'function_call_output', call_id: id, output }),
  };
}

function chatOf(call: Call, model: string): Conversation {
  const messages: Fields[] = [{ role: 'user', content: PROMPT }];
  const tools = functions.map((one) => ({ type: 'function', function: one }));
  return {
    async next() {
      const events = await streamEvents(call, '/chat/completions', { model, messages, tools, stream: true });
      const deltas = events.flatMap(({ choices }) => list(fieldsOf(list(choices)[0]?.delta).tool_calls));
      const calls = [...new Set(deltas.map(({ index }) => index))].map((index) => joinDeltas(deltas.filter((one) => one.index === index)));
      const made = calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args } }));
      messages.push({ role: 'assistant', content: null, ...(made.length > 0 && { tool_calls: made }) });
      return calls;
    },
    add: (id, content) => messages.push({ role: 'tool', tool_call_id: id, content }),
  };
}

function joinDeltas(deltas: readonly Fields[]): ToolCall {
  const text = (of: (delta: Fields) => unknown): string => deltas.map((delta) => String(of(delta) ?? '')).join('');
  return {
    id: text(({ id }) => id),
    name: text((delta) => fieldsOf(delta.function).name),
    args: text((delta) => fieldsOf(delta.function).arguments),
  };
}
