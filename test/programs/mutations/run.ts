/** Mutation testing of the code that handles money and limits: `npm run test:mutations`, with paths as arguments for only some files. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Accepted, accepted, open } from './accepted.ts';
import { HANG_FACTOR, HANG_MS, type Job, jobFor, type Note } from './job.ts';
import { instrument, type Mutant } from './mutants.ts';

const root = join(import.meta.dirname, '../../..');
const MEMORY = '/dev/shm';
/** How long a test may take without a mutant. */
const FIRST_RUN_MS = 180_000;
/** Quick tests first: slow ones get only what is left. */
const MAX_MS = [400, 5_000] as const;

class Run {
  readonly #job: Pick<Job, 'targets' | 'tests'>;
  readonly #folder = mkdtempSync(join(tmpdir(), 'mutations-'));
  readonly killed = new Map<number, string>();
  readonly reached = new Set<number>();
  readonly #leftOut = new Set<string>();
  readonly #tried = new Map<string, number[]>();

  constructor(job: Pick<Job, 'targets' | 'tests'>) {
    this.#job = job;
  }

  /** Starts the runner again after a mutant that ended it or made it hang. */
  async all(): Promise<void> {
    for (const maxMs of MAX_MS) while (!(await this.#once(maxMs)));
    rmSync(this.#folder, { recursive: true });
  }

  /** Whether it came to its end. */
  async #once(maxMs: number): Promise<boolean> {
    const [notes, jobFile] = [join(this.#folder, 'notes'), join(this.#folder, 'job.json')];
    const job: Job = {
      ...this.#job,
      leftOut: [...this.#leftOut],
      ended: [...this.killed.keys()],
      tried: [...this.#tried],
      maxMs,
      notes,
    };
    writeFileSync(notes, '');
    writeFileSync(jobFile, JSON.stringify(job));
    await untilEnd(job, jobFile);
    const all = readNotes(notes);
    for (const one of all) if (one.kind !== 'slow' || maxMs === MAX_MS.at(-1)) this.#note(one);
    const last = all.at(-1);
    if (last?.kind === 'try' && last.mutant !== 0) {
      console.log(`mutant ${last.mutant} hangs: ${last.test}`);
      this.killed.set(last.mutant, last.test);
    } else if (last?.kind === 'try') this.#leaveOut('hanging', last.test);
    else if (last === undefined || last.kind === 'started') throw new Error('no test has run');
    return last.kind !== 'try' && last.kind !== 'spoilt';
  }

  #note(one: Note): void {
    if (one.kind === 'reached') this.reached.add(one.mutant);
    else if (one.kind === 'killed') this.killed.set(one.mutant, one.test);
    else if (one.kind === 'lived') this.#tried.set(one.test, [...(this.#tried.get(one.test) ?? []), one.mutant]);
    else if (one.kind === 'broken') throw new Error(`${one.test} cannot be loaded: ${one.why}`);
    else if (one.kind !== 'try' && one.kind !== 'started' && one.kind !== 'done') this.#leaveOut(one.kind, one.test);
  }

  #leaveOut(why: string, test: string): void {
    this.#leftOut.add(test);
    console.log(`left out, ${why}: ${test}`);
    // What it noticed may be what an earlier mutant left behind.
    if (why === 'spoilt') for (const [mutant, by] of this.killed) if (by === test) this.killed.delete(mutant);
  }
}

const readNotes = (file: string): Note[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    // Written by the runner.
    .map((line) => JSON.parse(line) as Note);

/** Resolves when the tests have ended, or a mutant has kept them silent for too long. */
async function untilEnd({ notes, maxMs }: Job, jobFile: string): Promise<void> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--config', join(import.meta.dirname, 'vitest.config.ts')], {
    cwd: root,
    // In memory, because each test opens files of its own.
    env: { ...process.env, MODELGATE_MUTATION_JOB: jobFile, ...(existsSync(MEMORY) && { TMPDIR: MEMORY }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const ended = once(child, 'exit');
  const timer = setInterval(() => {
    const silentMs = Date.now() - statSync(notes).mtimeMs;
    // The runner itself ends what waits for something that does not come, and no sooner.
    if (silentMs < HANG_MS + HANG_FACTOR * maxMs + 3_000) return;
    const all = readNotes(notes);
    const [started, last] = [all.find((one) => one.kind === 'started'), all.at(-1)];
    const isChanged = last?.kind === 'try' && last.mutant !== 0;
    if (!started || (!isChanged && silentMs < FIRST_RUN_MS)) return;
    clearInterval(timer);
    process.kill(started.pid, 'SIGKILL');
  }, 1_000);
  await ended;
  clearInterval(timer);
  if (readNotes(notes).length < 2) console.error(complaints);
}

function numbered(targets: readonly string[]): Mutant[] {
  const all: Mutant[] = [];
  for (const target of targets) all.push(...instrument(target, readFileSync(join(root, target), 'utf8'), all.length + 1).mutants);
  return all;
}

const isSame = (one: Accepted, other: Mutant): boolean => one.file === other.file && one.text === other.text && one.change === other.change;
const told = ({ file, line, change }: Mutant): string => `${file}:${line}  ${change}`;

/** Whether the survivors are those of the list. */
function report(mutants: readonly Mutant[], { killed, reached }: Run): boolean {
  for (const [file, of] of Map.groupBy(mutants.entries(), ([, { file }]) => file)) {
    const dead = of.filter(([index]) => killed.has(index + 1)).length;
    console.log(`${((100 * dead) / of.length).toFixed(1).padStart(6)} %  ${dead} of ${of.length}  ${file}`);
  }
  const survivors = [...mutants.entries()].filter(([index]) => !killed.has(index + 1));
  console.log(`${((100 * killed.size) / mutants.length).toFixed(1).padStart(6)} %  ${killed.size} of ${mutants.length}  all\n`);
  const unlisted = survivors.filter(([, mutant]) => !accepted.some((one) => isSame(one, mutant)));
  const unknown = unlisted.filter(([, { file }]) => !Object.hasOwn(open, file));
  for (const [index, mutant] of unlisted) console.log(`${reached.has(index + 1) ? 'survived' : 'no test '}  ${told(mutant)}`);
  for (const { file } of new Map(unlisted.map(([, mutant]) => [mutant.file, mutant])).values())
    if (Object.hasOwn(open, file)) console.log(`accepted for now:  ${file}  ${open[file]}`);
  const files = new Set(mutants.map(({ file }) => file));
  const needless = accepted.filter((one) => files.has(one.file) && !survivors.some(([, mutant]) => isSame(one, mutant)));
  for (const { file, change } of needless) console.log(`accepted, but it is noticed or no longer exists:  ${file}  ${change}`);
  return unknown.length + needless.length === 0;
}

const job = jobFor(process.argv.slice(2));
if (job.targets.length === 0) throw new Error('no such target');
const mutants = numbered(job.targets);
console.log(`${mutants.length} mutants in ${job.targets.length} files, ${job.tests.length} test files`);
const run = new Run(job);
await run.all();
process.exitCode = report(mutants, run) ? 0 : 1;
