/** Runs each test once as it is, then once more for each mutant that it reached and that no test before it noticed. */
import { appendFileSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest';
import { HANG_FACTOR, HANG_MS, type Job, type Note } from './job.ts';
import { instrument } from './mutants.ts';

const root = join(import.meta.dirname, '../../..');
// Written by the program that started this one.
const job = JSON.parse(readFileSync(process.env.MODELGATE_MUTATION_JOB ?? '', 'utf8')) as Job;

const MAX_LOOPS = 100_000;
/** The mutant that is switched on; 0: none. */
let active = 0;
let loops = 0;
const reached = new Set<number>();
const ended = new Set(job.ended);
const tried = new Map(job.tried.map(([test, mutants]) => [test, new Set(mutants)]));

Object.assign(globalThis, {
  __isMutant(id: number): boolean {
    reached.add(id);
    return id === active;
  },
  __loop(): void {
    loops++;
    if (active !== 0 && loops > MAX_LOOPS) throw new Error('a loop does not end');
  },
});

// The same cases in every run, and no search for the smallest one that fails.
fc.configureGlobal({ seed: 1, endOnFailure: true });

const texts = new Map<string, string>();
let firstId = 1;
for (const target of job.targets) {
  const { text, mutants } = instrument(target, readFileSync(join(root, target), 'utf8'), firstId);
  texts.set(pathToFileURL(join(root, target)).href, text);
  firstId += mutants.length;
}
registerHooks({
  load(url, context, nextLoad) {
    const source = texts.get(url);
    return source === undefined ? nextLoad(url, context) : { format: 'module-typescript', source, shortCircuit: true };
  },
});

const note = (what: Note): void => appendFileSync(job.notes, `${JSON.stringify(what)}\n`);
note({ kind: 'started', pid: process.pid });

/** Tests may replace the timers of the global object. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

// biome-ignore lint/style/noDefaultExport: vitest takes the default export.
export default class MutationRunner extends TestRunner {
  /** The mutants that are switched on one after the other, 0 for none, after the first run of the current test. */
  #plan: number[] = [];
  #test = '';
  #isTrying = false;
  #startedAt = 0;
  /** Of the current test without a mutant. */
  #ms = 0;

  onCollected(files: RunnerTestFile[]): void {
    for (const { name, result } of files)
      if (result?.state === 'fail') note({ kind: 'broken', test: name, why: result.errors?.[0]?.message ?? '' });
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    this.#test = `${relative(root, test.file.filepath)} › ${test.fullTestName}`;
    if (job.leftOut.includes(this.#test)) test.mode = 'skip';
    // It ends when the plan is done.
    else test.repeats = Number.MAX_SAFE_INTEGER;
    this.#plan = [];
    this.#isTrying = false;
  }

  override async onBeforeTryTask(test: RunnerTestCase, options: { retry: number; repeats: number }): Promise<void> {
    const { repeats } = options;
    // What the last run left to the next turns of the event loop is not for this one.
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    // An error that vitest cannot show keeps it from calling `onAfterRetryTask`.
    if (this.#isTrying) this.#conclude(repeats - 1, false);
    // All mutants of the plan have been tried: this is how vitest lets a runner end the repeats, and no test is left out.
    if (repeats > 0 && repeats > this.#plan.length) test.context.skip();
    super.onBeforeTryTask(test, options);
    if (repeats === 0) reached.clear();
    active = this.#plan[repeats - 1] ?? 0;
    loops = 0;
    this.#isTrying = true;
    this.#startedAt = performance.now();
    note({ kind: 'try', test: this.#test, mutant: active });
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const work = TestRunner.getTestFn(test);
    if (active === 0) return await work();
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = startTimer(() => reject(new Error('the test hangs')), HANG_MS + HANG_FACTOR * this.#ms);
    await Promise.race([work(), promise]).finally(() => stopTimer(timer));
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: { retry: number; repeats: number }): Promise<void> {
    const { repeats } = options;
    this.#conclude(repeats, test.result?.state === 'pass');
    if (repeats >= this.#plan.length && test.result) {
      // The only state after which vitest does not repeat.
      test.result.state = 'skip';
      this.#plan = [];
      note({ kind: 'done', test: this.#test });
    }
    await super.onAfterRetryTask(test, options);
  }

  #conclude(repeats: number, isPassed: boolean): void {
    const mutant = active;
    active = 0;
    this.#isTrying = false;
    if (repeats === 0) {
      this.#ms = performance.now() - this.#startedAt;
      this.#plan = this.#planFor(isPassed);
    } else if (mutant !== 0) this.#end(mutant, isPassed);
    else if (!isPassed) {
      // The first run without a mutant shows whether the test can be repeated at all, the last one whether a mutant left something behind.
      note({ kind: repeats === 1 ? 'unrepeatable' : 'spoilt', test: this.#test });
      if (repeats > 1) process.kill(process.pid, 'SIGKILL');
      this.#plan = [];
    }
  }

  #planFor(isPassed: boolean): number[] {
    for (const id of reached) note({ kind: 'reached', test: this.#test, mutant: id });
    const left = [...reached].filter((id) => !ended.has(id) && !tried.get(this.#test)?.has(id)).toSorted((one, other) => one - other);
    if (isPassed && this.#ms <= job.maxMs) return left.length === 0 ? [] : [0, ...left, 0];
    note({ kind: isPassed ? 'slow' : 'failing', test: this.#test });
    return [];
  }

  #end(mutant: number, isPassed: boolean): void {
    if (!isPassed) ended.add(mutant);
    note({ kind: isPassed ? 'lived' : 'killed', test: this.#test, mutant });
  }
}
