/** A reporter that writes the page of promises after a test run, if asked to. Lanes that did not run keep their last results. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { shrunkSince } from '../meta/promises/counts.ts';
import { numbersIn } from '../meta/promises/numbers.ts';
import { type LaneRun, type Ran, writePage } from '../meta/promises/page.ts';

const file = join(import.meta.dirname, '../../docs/promises.md');
/** Folder with the results of each lane's last complete run. Installing the packages again deletes it. */
const folder = join(import.meta.dirname, '../../node_modules/.cache/promises');

export class PromisePage implements Reporter {
  readonly #lanes: readonly string[];
  #vitest: Vitest | undefined;

  /** `lanes`: names of the lanes that a complete page has. */
  constructor(lanes: readonly string[]) {
    this.#lanes = lanes;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    if (process.env.MODELGATE_PROMISES !== 'write' || !this.#vitest) return;
    const files = await this.#vitest.globTestSpecifications([]);
    mkdirSync(folder, { recursive: true });
    for (const lane of this.#lanes) {
      const run = modules.filter(({ project }) => project.name === lane);
      const all = files.filter(({ project }) => project.name === lane);
      if (run.length > 0 && run.length === all.length) keep(readLane(lane, run));
    }
    const lanes = this.#lanes.flatMap((lane) => kept(lane) ?? []);
    const missing = this.#lanes.filter((name) => !lanes.some(({ lane }) => lane === name));
    if (missing.length > 0)
      return console.warn(`The page of promises stays as it is until these lanes ran as a whole: ${missing.join(', ')}`);
    const page = writePage(lanes);
    const shrunk = shrunkSince(readFileSync(file, 'utf8'), page);
    if (shrunk.length > 0) console.warn(`Less was tried for a promise than on the page before:\n${shrunk.join('\n')}`);
    writeFileSync(file, page);
  }
}

const placeOf = (lane: string): string => join(folder, `${lane}.json`);

const keep = (run: LaneRun): void => writeFileSync(placeOf(run.lane), JSON.stringify(run));

function kept(lane: string): LaneRun | null {
  const place = placeOf(lane);
  // `as`: written by `keep`.
  return existsSync(place) ? (JSON.parse(readFileSync(place, 'utf8')) as LaneRun) : null;
}

function readLane(lane: string, modules: readonly TestModule[]): LaneRun {
  const tests = modules.flatMap((module) => [...module.children.allTests()].map((test) => readTest(test, module)));
  // The page leaves out all other tests.
  const named = tests.filter(({ titles, tallies }) => tallies.length > 0 || titles.flatMap(numbersIn).length > 0);
  return { lane, date: new Date().toISOString().slice(0, 10), files: modules.length, tests: named };
}

function readTest(test: TestCase, { relativeModuleId }: TestModule): Ran {
  const titles = [test.name];
  for (let around = test.parent; around.type === 'suite'; around = around.parent) titles.unshift(around.name);
  return { titles, state: test.result().state, tallies: test.meta().tallies ?? [], file: relativeModuleId };
}
